// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package engine makes a cloud look the way a graph of resources says.
//
// A run has three parts, and only the last one writes:
//
//	facts     the cloud's own package reads, with a Reader, in one or two
//	          parallel rounds, what configuration and state name and what
//	          bears our mark. A read ends as there, absent or unknown.
//	graph     a pure function of (configuration, facts) says which resources
//	          there are and whose they are: [Refer] (the user's) or [Manage]
//	          (ours). [Graph.Check], [Graph.Plan], [Graph.PlanDelete] and
//	          [Graph.Views] are questions asked of that graph. They are pure.
//	apply     [Graph.Apply] carries out one plan with a Writer.
//
// A reference has no [Kind], so the engine has no path that could change it.
// What we add to the user's things (a tag, an interface, a route) is a managed
// resource of its own, named after the thing that it is added to. Whether what
// is there is ours is decided by a [Claim], one per class of ownership.
//
// Nothing is concluded from unknown: what depends on something unknown is
// [Blocked] and stays as it is, the rest of the plan is carried out.
//
// Nothing is forgotten: a [State] holds the intent of each create before the
// first write and its result as soon as there is one, so that a run may die at
// any time and the next one goes on from there.
package engine
