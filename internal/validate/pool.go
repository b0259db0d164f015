// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// longestName is how many characters OpenStack stores for a name.
const longestName = 255

// nameFault says what is wrong with a name, or nothing. The empty name is not
// its business.
func nameFault(name string) string {
	if strings.ContainsAny(name, "{}[]\n") {
		return "a name must not hold { } [ ] or a line break"
	}
	if length := utf8.RuneCountInString(name); length > longestName {
		return "a name has at most " + strconv.Itoa(longestName) + " characters, this one has " + strconv.Itoa(length)
	}
	return ""
}

// floatingPool checks the two names that choose the external network.
func (v *view) floatingPool() field.ErrorList {
	var findings field.ErrorList
	name, path := v.config.FloatingPoolName, v.base.Child("floatingPoolName")
	if name == "" {
		findings = append(findings, poolMissing.at(path, "", "the external network of the cluster is not named", "set it to the name of an external network (openstack network list --external)"))
	} else if fault := nameFault(name); fault != "" {
		findings = append(findings, poolName.at(path, name, fault, "use the network's name as OpenStack shows it"))
	}
	subnet, path := v.config.FloatingPoolSubnetName, v.base.Child("floatingPoolSubnetName")
	if subnet == nil {
		return findings
	}
	if *subnet == "" {
		findings = append(findings, poolSubnetName.at(path, "", "the key is there without a name", "give a name or a pattern, or remove the key"))
	} else if fault := nameFault(*subnet); fault != "" {
		findings = append(findings, poolSubnetChars.at(path, *subnet, fault, "use the subnet's name as OpenStack shows it, or a pattern without these characters"))
	}
	if pattern, isPattern := strings.CutPrefix(strings.TrimPrefix(*subnet, "!"), "~"); isPattern && !v.update {
		if _, err := regexp.Compile(pattern); err != nil {
			findings = append(findings, poolSubnetPattern.at(path, *subnet, "what follows ~ is no regular expression ("+strings.TrimPrefix(err.Error(), "error parsing regexp: ")+")", "correct it, or leave out the ~ for a plain name or glob"))
		}
	}
	if router := v.config.Networks.Router; router != nil {
		findings = append(findings, poolSubnetAndRouter.at(v.networks().Child("router"), router.ID,
			"floatingPoolSubnetName chooses the gateway of a router that is created, and this router exists", "remove floatingPoolSubnetName, or remove networks.router to have a router created"))
	}
	return findings
}
