// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

var stsOperations = operations{"sts GetCallerIdentity": {"", whoAmI}}

func whoAmI(c *call) (object, error) {
	return object{{"Arn", c.account.arn()}, {"UserId", "AIDA" + c.account.id}, {"Account", c.account.id}}, nil
}
