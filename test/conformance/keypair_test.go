// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"strings"
	"testing"
)

// aKey and anotherKey are public keys whose private halves nobody has.
const (
	aKey       = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g"
	anotherKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj9A"
)

func TestKeyPairs(t *testing.T) { on(t, "key-pairs", ofKeyPairs) }

var ofKeyPairs = []trial{
	{"a key can be imported, read, listed and deleted", func(l *lab) {
		k := l.a.make("compute:os-keypairs", M{"name": "k", "public_key": aKey})
		l.equal("key", k["public_key"], aKey)
		l.equal("read", l.a.get("compute:os-keypairs/k")["public_key"], aKey)
		l.equal("listed", len(l.a.list("compute:os-keypairs")), 1)
		l.a.drop("compute:os-keypairs/k")
		l.a.gone("itemNotFound", "compute:os-keypairs/k")
	}},
	{"a name can be had once", func(l *lab) {
		l.a.make("compute:os-keypairs", M{"name": "k", "public_key": aKey})
		l.a.refused(409, "conflictingRequest", "POST", "compute:os-keypairs", M{"keypair": M{"name": "k", "public_key": aKey}})
		l.a.refused(409, "conflictingRequest", "POST", "compute:os-keypairs", M{"keypair": M{"name": "k", "public_key": anotherKey}})
	}},
	{"the same key may have several names", func(l *lab) {
		l.a.make("compute:os-keypairs", M{"name": "k", "public_key": aKey})
		l.a.make("compute:os-keypairs", M{"name": "j", "public_key": aKey})
	}},
	{"the comment of a key is kept", func(l *lab) {
		l.equal("key", l.a.make("compute:os-keypairs", M{"name": "k", "public_key": aKey + " someone"})["public_key"], aKey+" someone")
	}},
	{"what is no key is refused", func(l *lab) {
		l.a.refused(400, "badRequest", "POST", "compute:os-keypairs", M{"keypair": M{"name": "k", "public_key": "no key"}})
		l.a.refused(400, "badRequest", "POST", "compute:os-keypairs", M{"keypair": M{"name": "k", "public_key": "ssh-ed25519 AAAA"}})
	}},
	{"a name of odd characters, none, or too many is refused", func(l *lab) {
		for _, name := range []string{"", "a/b", "a@b", "a.b", strings.Repeat("x", 256)} {
			l.a.refused(400, "badRequest", "POST", "compute:os-keypairs", M{"keypair": M{"name": name, "public_key": aKey}})
		}
		l.a.make("compute:os-keypairs", M{"name": "shoot--p--a_ b", "public_key": aKey})
	}},
	{"keys belong to users: another one may have the same name and sees nothing", func(l *lab) {
		l.a.make("compute:os-keypairs", M{"name": "k", "public_key": aKey})
		l.b.gone("itemNotFound", "compute:os-keypairs/k")
		l.b.refused(404, "itemNotFound", "DELETE", "compute:os-keypairs/k", nil)
		l.b.make("compute:os-keypairs", M{"name": "k", "public_key": anotherKey})
		l.equal("listed", len(l.b.list("compute:os-keypairs")), 1)
	}},
	{"a key that is not there can not be deleted", func(l *lab) {
		l.a.refused(404, "itemNotFound", "DELETE", "compute:os-keypairs/k", nil)
	}},
}

func TestCompute(t *testing.T) { on(t, "compute", ofCompute) }

var ofCompute = []trial{
	{"the availability zones can be listed", func(l *lab) {
		zones := l.a.list("compute:os-availability-zone")
		l.equal("zones", pluck(zones, "zoneName"), []string{"zone-a", "zone-b"})
	}},
}
