// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package campaign lets everything go wrong that can go wrong between a run and
// the cloud, one thing at a time, at each place where it can, and looks whether
// the promises hold. It works in this process, in virtual time, on the embedded
// OpenStack with the estate in it; what a death or a full disk does to a real
// process is the business of package kill.
//
// A run is: a flow (create, again, update, delete) of a variant of the estate;
// one fault at one spot of it; the same flow again until it is done; once more,
// which must write nothing; and, if something is there, its deletion. The
// promises (invariants) are looked at after every call that writes, and in the
// end:
//
//	I1  the user's things are as they were
//	I2  nothing is left over
//	I3  nothing is made twice
//	I4  the neighbours' things are as they were
//	I5  it comes to its end within a bound, and then writes nothing
//	I6  the status tells the truth
//	I7  what is done was in the plan
//	I8  no secret is said or saved
//
// What happens is a function of the seed: each call takes a time that is drawn
// from the seed and the call, so that calls come in the same order whenever a
// run is repeated. A run that fails prints how to repeat it:
//
//	go test ./test/campaign -run TestCampaign -full -seed 1 -point 'pattern-1/create/kill/call 9 after'
package campaign
