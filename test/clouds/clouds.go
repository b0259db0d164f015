// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package clouds

import "testing"

// A Cloud is an OpenStack for one test.
type Cloud struct {
	// AuthURL is where Keystone is.
	AuthURL string
	// Real says that it is made of real servers. What they say is right.
	Real bool

	hold   func(still bool) error
	logins *logins
}

// Hold keeps what is PENDING in Octavia so, until Hold(t, false).
func (c *Cloud) Hold(t testing.TB, still bool) {
	t.Helper()
	if err := c.hold(still); err != nil {
		t.Fatal(err)
	}
}

// Each runs a test on each sort of cloud, as a subtest with its name. The test
// calls open for every cloud that it wants; that cloud is in its first state and
// nobody else's. The real servers are one: opening it again resets it, so
// tests on it must not run in parallel.
func Each(t *testing.T, test func(t *testing.T, open func(t *testing.T) *Cloud)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) { test(t, openEmbedded) })
	t.Run("real", func(t *testing.T) { test(t, real(t)) })
}
