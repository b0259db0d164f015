// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"

	"github.com/espalier-io/espalier/internal/engine"
)

// KeyPair is a key pair. Its ID is its name, unique in account and region.
type KeyPair struct {
	Name      string            `plan:"fixed"`
	PublicKey string            `plan:"replace"` // type and key, without the comment
	Marks     map[string]string `plan:"-"`
}

type keyPairReader interface {
	KeyPair(ctx context.Context, name engine.ID) (*KeyPair, error)
}

type keyPairWriter interface {
	ImportKeyPair(ctx context.Context, want KeyPair) error
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
	if err := w.ImportKeyPair(ctx, want); err != nil {
		return "", want, err
	}
	return engine.ID(want.Name), want, nil
}

// Update implements engine.Kind. Another key is another key pair.
func (KeyPairs) Update(_ context.Context, _ Writer, _ engine.ID, have, _ KeyPair) (KeyPair, error) {
	return have, nil
}

// Delete implements engine.Kind.
func (KeyPairs) Delete(ctx context.Context, w Writer, r engine.Record) error {
	return w.DeleteKeyPair(ctx, r.ID)
}

// publicKey drops the comment of a key in the format of OpenSSH.
func publicKey(key string) string {
	fields := strings.Fields(key)
	return strings.Join(fields[:min(len(fields), 2)], " ")
}

// KeyPair implements Reader. It returns nil if there is none.
func (c *Client) KeyPair(ctx context.Context, name engine.ID) (*KeyPair, error) {
	out, err := c.ec2.DescribeKeyPairs(ctx, &ec2.DescribeKeyPairsInput{Filters: filters("key-name", string(name)), IncludePublicKey: aws.Bool(true)})
	if err != nil {
		return nil, translate("reading key pair "+string(name), err)
	}
	for _, k := range out.KeyPairs {
		return &KeyPair{aws.ToString(k.KeyName), publicKey(aws.ToString(k.PublicKey)), fromTags(k.Tags)}, nil
	}
	return nil, nil
}

// ImportKeyPair implements Writer.
func (c *Client) ImportKeyPair(ctx context.Context, want KeyPair) error {
	_, err := c.ec2.ImportKeyPair(ctx, &ec2.ImportKeyPairInput{
		KeyName: aws.String(want.Name), PublicKeyMaterial: []byte(want.PublicKey), TagSpecifications: tagged(types.ResourceTypeKeyPair, want.Marks),
	})
	return creating("importing key pair "+want.Name, err)
}

// DeleteKeyPair implements Writer. EC2 takes the deletion of none as well.
func (c *Client) DeleteKeyPair(ctx context.Context, name engine.ID) error {
	_, err := c.ec2.DeleteKeyPair(ctx, &ec2.DeleteKeyPairInput{KeyName: text(name)})
	return gone(translate("deleting key pair "+string(name), err))
}
