// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"bytes"
	"crypto/md5" //nolint:gosec // fingerprints of RSA keys are MD5 sums
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math/big"
	"slices"
	"strings"
)

// keyPair is a key pair that was imported.
type keyPair struct {
	std
	Name, Public, Type, Fingerprint string
}

var keyPairs = &kind[*keyPair]{
	resource: "key-pair", prefix: "key-", noun: "key pair", notFound: "InvalidKeyPair.NotFound", malformed: "InvalidParameterValue",
	of: func(c *Cloud) *table[*keyPair] { return &c.keyPairs }, ids: "KeyPairId", set: "keySet",
	filters: map[string]func(*call, *keyPair) []string{
		"key-pair-id": one(func(k *keyPair) string { return k.ID }),
		"key-name":    one(func(k *keyPair) string { return k.Name }),
		"fingerprint": one(func(k *keyPair) string { return k.Fingerprint }),
	},
	show: func(c *call, k *keyPair) object {
		o := object{{"keyPairId", k.ID}, {"keyName", k.Name}, {"keyFingerprint", k.Fingerprint}, {"keyType", k.Type}, {"createTime", k.made}}
		if c.is("IncludePublicKey") {
			o = o.with("publicKey", k.Public)
		}
		return o.with("tagSet", c.tagsOf(k.self()))
	},
}

var keyPairOperations = operations{
	"ec2 DescribeKeyPairs": {"KeyName KeyPairId IncludePublicKey Filter", describeKeyPairs},
	"ec2 ImportKeyPair":    {"KeyName PublicKeyMaterial TagSpecification", importKeyPair},
	"ec2 DeleteKeyPair":    {"KeyName KeyPairId", deleteKeyPair},
}

func describeKeyPairs(c *call) (object, error) {
	names := c.strs("KeyName")
	list, err := keyPairs.chosen(c, c.strs("KeyPairId"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		i := slices.IndexFunc(list, func(k *keyPair) bool { return k.Name == name })
		if i < 0 || hidden(&list[i].byID) {
			return nil, refuse("InvalidKeyPair.NotFound", "The key pair '%s' does not exist", name)
		}
	}
	if list, err = keyPairs.filtered(c, list); err != nil {
		return nil, err
	}
	shown := []object{}
	for _, k := range list {
		byFilter := len(names) == 0 && !c.has("KeyPairId")
		if len(names) > 0 && !slices.Contains(names, k.Name) || byFilter && hidden(&k.byFilter) {
			continue
		}
		shown = append(shown, keyPairs.show(c, k))
	}
	return object{{"keySet", shown}}, nil
}

func importKeyPair(c *call) (object, error) {
	name := c.str("KeyName")
	if name == "" {
		return nil, missing("KeyName")
	}
	if slices.ContainsFunc(keyPairs.mine(c), func(k *keyPair) bool { return k.Name == name }) {
		return nil, refuse("InvalidKeyPair.Duplicate", "The keypair already exists")
	}
	public, err := base64.StdEncoding.DecodeString(c.str("PublicKeyMaterial"))
	if err != nil {
		return nil, refuse("InvalidKey.Format", "Key is not in valid OpenSSH public key format")
	}
	k := &keyPair{Name: name, Public: string(public)}
	if k.Type, k.Fingerprint, err = fingerprint(k.Public); err != nil {
		return nil, refuse("InvalidKey.Format", "Key is not in valid OpenSSH public key format")
	}
	if k.std, err = keyPairs.begin(c); err != nil {
		return nil, err
	}
	c.cloud.keyPairs.add(k)
	return object{{"keyPairId", k.ID}, {"keyName", k.Name}, {"keyFingerprint", k.Fingerprint}, {"tagSet", k.Tags.shown()}}, nil
}

var errKey = errors.New("this is no public key of the kinds RSA and ED25519")

// fingerprint is the MD5 sum of the DER form of an imported RSA key, and the
// SHA-256 sum of an ED25519 key as OpenSSH has it.
func fingerprint(public string) (kind, print string, err error) {
	words := strings.Fields(public)
	if len(words) < 2 {
		return "", "", errKey
	}
	blob, err := base64.StdEncoding.DecodeString(words[1])
	if err != nil {
		return "", "", err
	}
	parts, err := sshParts(blob)
	if err != nil || string(parts[0]) != words[0] {
		return "", "", errKey
	}
	switch {
	case words[0] == "ssh-ed25519" && len(parts) == 2 && len(parts[1]) == 32:
		sum := sha256.Sum256(blob)
		return "ed25519", base64.StdEncoding.EncodeToString(sum[:]), nil
	case words[0] == "ssh-rsa" && len(parts) == 3:
		e, n := new(big.Int).SetBytes(parts[1]), new(big.Int).SetBytes(parts[2])
		der, err := x509.MarshalPKIXPublicKey(&rsa.PublicKey{N: n, E: int(e.Int64())})
		if err != nil {
			return "", "", err
		}
		sum := md5.Sum(der) //nolint:gosec // see above
		return "rsa", strings.Join(slices.Collect(pairs(hex.EncodeToString(sum[:]))), ":"), nil
	}
	return "", "", errKey
}

// pairs are the digits of a sum, two by two.
func pairs(digits string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i+2 <= len(digits) && yield(digits[i:i+2]); i += 2 {
		}
	}
}

// sshParts takes a key of SSH apart: each part has its length before it.
func sshParts(blob []byte) (parts [][]byte, err error) {
	r := bytes.NewReader(blob)
	for r.Len() > 0 {
		var n uint32
		if err := binary.Read(r, binary.BigEndian, &n); err != nil || int64(n) > int64(r.Len()) {
			return nil, errKey
		}
		part := make([]byte, n)
		_, _ = r.Read(part) // it is as long as was checked
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return nil, errKey
	}
	return parts, nil
}

// deleteKeyPair succeeds also if there is none.
func deleteKeyPair(c *call) (object, error) {
	if !c.has("KeyName") && !c.has("KeyPairId") {
		return nil, missing("KeyName")
	}
	o := object{{"return", true}}
	for _, k := range keyPairs.mine(c) {
		if k.Name == c.str("KeyName") || k.ID == c.str("KeyPairId") {
			c.cloud.keyPairs.remove(k)
			o = o.with("keyPairId", k.ID)
		}
	}
	return o, nil
}
