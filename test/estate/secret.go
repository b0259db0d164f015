// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package estate

import "strings"

// Leaks says which secret a text holds that was printed or saved; empty: none.
func Leaks(text string) string {
	for what, secret := range map[string]string{"the password": Secret, "a token": TokenPrefix} {
		if strings.Contains(text, secret) {
			return what
		}
	}
	return ""
}
