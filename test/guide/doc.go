// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package guide does what docs/openstack.md and docs/aws.md tell their readers
// to do, on the embedded clouds and with the program's own command line.
//
//	page_test.go        the page: sections, fenced blocks, tables
//	shell_test.go       a shell that knows the openstack commands of the page;
//	                    commands_test.go has them in a table
//	place_test.go       a cloud, a folder and the program
//	recipes_test.go     every configuration of the page, from preparation to deletion
//	examples_test.go    every file of examples/, on the cloud that the program has built in
//	deviations_test.go  the table of findings: each change gives that finding alone
//	later_test.go       delete, a lost state, taking over, pictures
//	aws_test.go         the set-ups of the page for AWS, with the real AWS CLI
//	stack_test.go       its CloudFormation template, deployed on moto
//	template_test.go    the same on the embedded AWS, by what the test knows of CloudFormation
//	words_test.go       codes, calls and the Heat template
//
// What is not run: the Terraform texts, of which nothing is checked, and the
// Heat template, which is only read. The CloudFormation template is deployed by
// a CloudFormation that others wrote with IPv4 only. The pages say so.
//
// stack_test.go needs ESPALIER_MOTO, as hack/moto prints it. Without it its tests
// are skipped, loudly; with CI set they fail.
package guide
