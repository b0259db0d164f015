// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package estate is the ground on which the tests of reliability work: a user's
// network with all that can be brought, and neighbours that are easily mistaken
// for what is ours (world.yaml), every way to bring a network (Variants), and a
// surveyor who tells afterwards what was harmed, what was made and what was
// made twice (Survey).
//
//	cloud, err := estate.New("seed")
//	survey, err := estate.Inspect(cloud)
//	… runs of Espalier, as estate.User, with estate.Variants()[0] …
//	change, err := survey.Compare(cloud, variant.Beside) // Harm, Made, Doubles
package estate
