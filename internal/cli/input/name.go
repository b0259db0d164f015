// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"regexp"
	"strings"

	"github.com/espalier-io/espalier/internal/fault"
)

// maxName is the length of a label in DNS. The name becomes part of names in
// the cloud, of the mark in descriptions, and of a file name.
const maxName = 63

var nameShape = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

// uidShape is wider than a UUID, for Kubernetes promises no shape either; but
// what does not fit into a mark is refused.
var uidShape = regexp.MustCompile(`^[A-Za-z0-9][-A-Za-z0-9_.]{0,62}$`)

// checkName says whether a technical ID may be used as one.
func checkName(name, path string) error {
	if len(name) > maxName || !nameShape.MatchString(name) {
		return fault.Errorf(fault.Invalid, "%s: %q will not do as a name: it becomes part of names in the cloud, so at most %d small letters, digits and '-', with a letter or digit at both ends", path, name, maxName)
	}
	return nil
}

func checkUID(uid, path string) error {
	if uid != "" && !uidShape.MatchString(uid) {
		return fault.Errorf(fault.Invalid, "%s: %q will not do as a UID: letters, digits, '-', '_' and '.', at most 63", path, uid)
	}
	return nil
}

// technicalID is the technical ID that Gardener gives to a Shoot; empty if the
// namespace is not that of a project.
func technicalID(namespace, name string) string {
	project, ok := strings.CutPrefix(namespace, "garden-")
	if namespace == "garden" {
		project, ok = "garden", true
	}
	if !ok || project == "" || name == "" {
		return ""
	}
	return "shoot--" + project + "--" + name
}

// sshKey checks a public key as it is given to a flag.
func sshKey(text string) (string, error) {
	text = strings.TrimSpace(text)
	switch fields := strings.Fields(text); {
	case text == "":
		return "", nil
	case strings.Contains(text, "PRIVATE KEY"):
		return "", fault.Errorf(fault.Invalid, "--ssh-public-key holds a private key: give the public one, most often the file that ends in .pub")
	case strings.Contains(text, "\n") || len(fields) < 2 || !strings.Contains(fields[0], "-"):
		return "", fault.Errorf(fault.Invalid, "--ssh-public-key must be one line such as \"ssh-ed25519 AAAA... comment\", or @FILE")
	}
	return text, nil
}
