// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package estate is the ground on which the tests of reliability work. Each
// cloud has one, in a folder: a user's network with all that can be brought,
// and neighbours that are easily mistaken for what is ours (world.yaml), and
// every way to bring a network (Variants). Here is what they share: for whom
// all is made, and a surveyor who tells afterwards what was harmed, what was
// made and what was made twice (Survey).
//
//	cloud, err := openstack.New(sim.Options{Seed: "seed"})
//	survey, err := openstack.Inspect(cloud)
//	… runs of Espalier, as openstack.User, with openstack.Variants()[0] …
//	change, err := survey.Compare(cloud, variant.Beside) // Harm, Made, Doubles
package estate
