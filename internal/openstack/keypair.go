// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"context"
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/compute/v2/keypairs"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// KeyPair is a Nova key pair. Its ID is its name, which is unique to a user,
// not to a project: other credentials see other key pairs.
type KeyPair struct {
	Name      string `plan:"fixed"`
	PublicKey string `plan:"replace"` // type and key, without the comment
}

type keyPairReader interface {
	KeyPair(ctx context.Context, name engine.ID) (*KeyPair, error)
}

type keyPairWriter interface {
	CreateKeyPair(ctx context.Context, want KeyPair) (KeyPair, error)
	DeleteKeyPair(ctx context.Context, name engine.ID) error
}

// KeyPairs keeps key pairs.
type KeyPairs struct{}

var (
	_ engine.Kind[Writer, KeyPair] = KeyPairs{}
	_ engine.Namer[KeyPair]        = KeyPairs{}
)

// Kind implements engine.Kind.
func (KeyPairs) Kind() string { return "key-pair" }

// IDOf implements engine.Namer.
func (KeyPairs) IDOf(k KeyPair) engine.ID { return engine.ID(k.Name) }

// Create implements engine.Kind.
func (KeyPairs) Create(ctx context.Context, w Writer, want KeyPair) (engine.ID, KeyPair, error) {
	have, err := w.CreateKeyPair(ctx, want)
	if err != nil {
		return "", have, err
	}
	return engine.ID(want.Name), have, nil
}

// Update implements engine.Kind. Another key is another key pair.
func (KeyPairs) Update(_ context.Context, _ Writer, _ engine.ID, have, _ KeyPair) (KeyPair, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (KeyPairs) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteKeyPair(ctx, r.ID)
}

// publicKey drops the comment of a key in the format of OpenSSH: who wrote it
// is no difference.
func publicKey(key string) string {
	fields := strings.Fields(key)
	return strings.Join(fields[:min(len(fields), 2)], " ")
}

// KeyPair implements Reader. It returns nil if there is none.
func (c *Client) KeyPair(ctx context.Context, name engine.ID) (*KeyPair, error) {
	k, err := keypairs.Get(ctx, c.compute, string(name), nil).Extract()
	if err := translate("reading key pair "+string(name), err); err != nil {
		if fault.Is(err, fault.NotFound) {
			return nil, nil
		}
		return nil, err
	}
	return &KeyPair{k.Name, publicKey(k.PublicKey)}, nil
}

// CreateKeyPair implements Writer.
func (c *Client) CreateKeyPair(ctx context.Context, want KeyPair) (KeyPair, error) {
	k, err := keypairs.Create(ctx, c.compute, keypairs.CreateOpts{Name: want.Name, PublicKey: want.PublicKey}).Extract()
	if err != nil {
		return KeyPair{}, creating("creating key pair "+want.Name, err)
	}
	return KeyPair{k.Name, publicKey(k.PublicKey)}, nil
}

// DeleteKeyPair implements Writer.
func (c *Client) DeleteKeyPair(ctx context.Context, name engine.ID) error {
	return gone(translate("deleting key pair "+string(name), keypairs.Delete(ctx, c.compute, string(name), nil).ExtractErr()))
}
