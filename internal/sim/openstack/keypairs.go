// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// keyPair belongs to a user, not to a project.
type keyPair struct {
	user, name, public, fingerprint, kind string
	created                               string
	id, hidden                            int
}

// errors of Nova
func novaBad(format string, args ...any) error {
	return refuse(http.StatusBadRequest, "badRequest", format, args...)
}

// demandNova is demand for Nova, which words it in another way.
func (c *call) demandNova(rule string, owns bool) error {
	if c.passes(rule, owns) {
		return nil
	}
	return refuse(http.StatusForbidden, "forbidden", "Policy doesn't allow %s to be performed.", rule)
}

// shown are the fields of lists, answers to creations and, with all, of a single one.
func (k *keyPair) shown(withUser, all bool) fields {
	f := fields{"name": k.name, "public_key": k.public, "fingerprint": k.fingerprint}
	if withUser {
		f["user_id"] = k.user
	}
	if all {
		f["id"], f["created_at"], f["updated_at"], f["deleted"], f["deleted_at"] = k.id, k.created, nil, false, nil
	}
	return f
}

func (c *call) findKeyPair(name string) (int, error) {
	i := slices.IndexFunc(c.cloud.keyPairs, func(k *keyPair) bool { return k.user == c.who.user.id && k.name == name })
	if i < 0 {
		return i, refuse(http.StatusNotFound, "itemNotFound", "Keypair %s not found for user %s", name, c.who.user.id)
	}
	return i, nil
}

// listKeyPairs is GET /os-keypairs.
func (c *call) listKeyPairs() (answer, error) {
	if err := c.demandNova("os_compute_api:os-keypairs:index", true); err != nil {
		return answer{}, err
	}
	list := []fields{}
	for _, k := range c.cloud.keyPairs {
		if k.user == c.who.user.id && k.seen() {
			list = append(list, fields{"keypair": k.shown(false, false)})
		}
	}
	return ok(fields{"keypairs": list})
}

func (k *keyPair) seen() bool {
	if k.hidden > 0 {
		k.hidden--
		return false
	}
	return true
}

// showKeyPair is GET /os-keypairs/{name}.
func (c *call) showKeyPair() (answer, error) {
	if err := c.demandNova("os_compute_api:os-keypairs:show", true); err != nil {
		return answer{}, err
	}
	i, err := c.findKeyPair(c.vars["name"])
	if err != nil {
		return answer{}, err
	}
	if k := c.cloud.keyPairs[i]; k.seen() {
		return ok(fields{"keypair": k.shown(true, true)})
	}
	return answer{}, refuse(http.StatusNotFound, "itemNotFound", "Keypair %s not found for user %s", c.vars["name"], c.who.user.id)
}

// deleteKeyPair is DELETE /os-keypairs/{name}.
func (c *call) deleteKeyPair() (answer, error) {
	if err := c.demandNova("os_compute_api:os-keypairs:delete", true); err != nil {
		return answer{}, err
	}
	i, err := c.findKeyPair(c.vars["name"])
	if err != nil {
		return answer{}, err
	}
	c.cloud.keyPairs = slices.Delete(c.cloud.keyPairs, i, i+1)
	if c.computeVersion() >= 2 {
		return noContent()
	}
	return answer{status: http.StatusAccepted}, nil
}

var keyName = regexp.MustCompile(`^[0-9A-Za-z_ \-]+$`)

// createKeyPair is POST /os-keypairs with a public key. Nova's own keys are not made.
func (c *call) createKeyPair() (answer, error) {
	var body struct {
		KeyPair *struct {
			Name   string `json:"name"`
			Public string `json:"public_key"`
			Kind   string `json:"type"`
		} `json:"keypair"`
	}
	if err := c.decode(&body); err != nil || body.KeyPair == nil {
		return answer{}, novaBad("Invalid input for field/attribute keypair. Value: None. 'keypair' is a required property")
	}
	in := body.KeyPair
	if in.Public == "" {
		return answer{}, c.cloud.unknown(c)
	}
	if err := c.demandNova("os_compute_api:os-keypairs:create", true); err != nil {
		return answer{}, err
	}
	if err := checkKeyName(in.Name); err != nil {
		return answer{}, err
	}
	k, err := c.addKeyPair(c.who.user.id, in.Name, in.Public)
	if err != nil {
		return answer{}, err
	}
	if c.computeVersion() >= 2 {
		shown := k.shown(true, false)
		shown["type"] = k.kind
		return created(fields{"keypair": shown})
	}
	return ok(fields{"keypair": k.shown(true, false)})
}

func checkKeyName(name string) error {
	switch {
	case name == "":
		return novaBad("Invalid input for field/attribute name. Value: . '' is too short")
	case len(name) > 255:
		return novaBad("Invalid input for field/attribute name. Value: %s. '%s' is too long", name, name)
	case !keyName.MatchString(name):
		return novaBad("An invalid 'name' value was provided. The name must be: Only expected characters: " +
			"[_- 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ]")
	}
	return nil
}

// computeVersion is the minor version of Nova that the request asks for.
func (c *call) computeVersion() int {
	asked := c.header.Get("X-Openstack-Nova-Api-Version")
	if s, named := strings.CutPrefix(c.header.Get("Openstack-Api-Version"), "compute "); named {
		asked = s
	}
	return minor(asked)
}

// minor is the second number of a version, or 0.
func minor(version string) int {
	_, text, _ := strings.Cut(version, ".")
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// addKeyPair imports a key.
func (c *call) addKeyPair(user, name, public string) (*keyPair, error) {
	print, valid := fingerprint(public)
	if !valid {
		return nil, novaBad("Keypair data is invalid: failed to generate fingerprint")
	}
	mine := 0
	for _, k := range c.cloud.keyPairs {
		if k.user != user {
			continue
		}
		if k.name == name {
			return nil, refuse(http.StatusConflict, "conflictingRequest", "Key pair '%s' already exists.", name)
		}
		mine++
	}
	if most := c.cloud.computeQuota("key_pairs"); mine >= most {
		return nil, refuse(http.StatusForbidden, "forbidden", "Quota exceeded, too many key pairs.")
	}
	k := &keyPair{
		user: user, name: name, public: public, fingerprint: print, kind: "ssh",
		created: c.now.UTC().Format("2006-01-02T15:04:05.000000"), id: len(c.cloud.keyPairs) + 1, hidden: c.cloud.switches.hide,
	}
	c.cloud.keyPairs = append(c.cloud.keyPairs, k)
	return k, nil
}

// fingerprint is the MD5 sum of a public key as OpenSSH writes it, and whether
// it is one.
func fingerprint(public string) (string, bool) {
	parts := strings.Fields(public)
	if len(parts) < 2 {
		return "", false
	}
	raw, err := base64.StdEncoding.DecodeString(parts[1])
	if err != nil || !isKey(raw, parts[0]) {
		return "", false
	}
	sum := md5.Sum(raw) // what the API shows, no protection of anything
	var hex []string
	for _, b := range sum {
		hex = append(hex, fmt.Sprintf("%02x", b))
	}
	return strings.Join(hex, ":"), true
}

// isKey says whether the fields of a key are as long as they say, and the first
// is its kind.
func isKey(raw []byte, kind string) bool {
	var list [][]byte
	for len(raw) > 0 {
		if len(raw) < 4 {
			return false
		}
		n := binary.BigEndian.Uint32(raw)
		if raw = raw[4:]; uint64(n) > uint64(len(raw)) {
			return false
		}
		list, raw = append(list, raw[:n]), raw[n:]
	}
	return len(list) > 1 && string(list[0]) == kind
}
