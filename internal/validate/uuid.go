// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import "github.com/google/uuid"

// bracedLength is the length of a UUID with dashes and braces.
const bracedLength = 38

// CanonicalUUID returns the form of a UUID that Neutron uses: lower case, with
// dashes. It accepts the canonical form in any case, 32 hexadecimal digits, the
// prefix "urn:uuid:", and braces around the canonical form; ok is false for
// everything else, the empty string and surrounding blanks included.
//
// Use it for every ID that goes into a call, and to compare IDs.
func CanonicalUUID(text string) (canonical string, ok bool) {
	if len(text) == bracedLength && (text[0] != '{' || text[bracedLength-1] != '}') {
		return "", false // the parser takes any first and last byte for braces
	}
	parsed, err := uuid.Parse(text)
	if err != nil {
		return "", false
	}
	return parsed.String(), true
}

// sameID compares two IDs, however they are spelled.
func sameID(a, b string) bool { return canonicalOr(a) == canonicalOr(b) }

// canonicalOr returns the canonical form of a UUID and anything else as it is.
func canonicalOr(text string) string {
	if canonical, ok := CanonicalUUID(text); ok {
		return canonical
	}
	return text
}
