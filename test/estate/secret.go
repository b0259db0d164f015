// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package estate

import "strings"

// Secrets that must never be seen anywhere.
const (
	// Secret is the user's password, or secret access key.
	Secret = "canary-7f3a91-never-to-be-seen"
	// TokenPrefix is how each token of the embedded OpenStack begins.
	TokenPrefix = "gAAAAA"
)

// Leaks says which secret a text holds that was printed or saved; empty: none.
func Leaks(text string) string {
	for what, secret := range map[string]string{"the password": Secret, "a token": TokenPrefix} {
		if strings.Contains(text, secret) {
			return what
		}
	}
	return ""
}
