// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

// lacks is what moto 5.2.5 lacks or does otherwise than AWS's documentation
// says, by the name of the case.
var lacks = map[string]string{
	"a new VPC has a main route table, a default security group and DHCP options": "a VPC names the DHCP options default, which there are not",
	"a describe of NAT gateways by an unknown ID fails":                           "it leaves the ID out",
	"an IPv6 block of a subnet is associated":                                     "the state is a Python dictionary",
	"pages hold no more than was asked for":                                       "it does not cut pages",
	"a dry run says that it would have succeeded":                                 "it does what is asked for",
	"a route to a gateway that was detached is a black hole":                      "the route stays active",
	"a local route is not deleted":                                                "it is",
	"a route's target must be there":                                              "it need not be",
	"a subnet has one route table":                                                "it may have several",
	"a NAT gateway becomes available and keeps its address until it is deleted":   "address and subnet can be taken away from it",
	"a client token makes one NAT gateway":                                        "it makes two",
	"a rule is there once":                                                        "of a request with a rule that is there the others are added",
	"host bits of a range are cleared":                                            "they stay",
	"a group that another refers to is not deleted":                               "it is",
	"the default group is not deleted":                                            "it is",
	"a fingerprint of an ED25519 key is its SHA-256 sum, with padding":            "it is another sum, in hexadecimal digits",
	"aws: is reserved":                                                            "it is not",
	"a creation has tags of its own resource type":                                "tags of other types are ignored",
	"a filter that there is not is refused":                                       "it answers with 500 and a page of HTML",
}
