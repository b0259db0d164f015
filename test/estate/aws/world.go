// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"sigs.k8s.io/yaml"

	sim "github.com/espalier-io/espalier/internal/sim/aws"
	"github.com/espalier-io/espalier/test/estate"
)

// Who works, and where.
const (
	Account = "a"
	User    = "gardener" // the access key ID
	Region  = "eu-central-1"
)

// The user's things, by their IDs in the world. Those of a zone end in its
// letter and a number.
const (
	VPC           = "vpc-0e5a0000000000001"
	VPCTagged     = "vpc-0e5a0000000000002"
	VPCLeft       = "vpc-0e5a0000000000009"
	SecurityGroup = "sg-0e5a0000000000004"
	TableA        = "rtb-0e5a0000000000001" // of the workers in zone a
	Table         = "rtb-0e5a0000000000002" // of those in zones b and c
	TableTagged   = "rtb-0e5a0000000000d01"
	TableLeft     = "rtb-0e5a0000000000901"
	SubnetLeft    = "subnet-0e5a0000000000901"
)

// subnet is the ID of one of them: "b02" is that for public load balancers in zone b.
func subnet(which string) string { return "subnet-0e5a0000000000" + which }

//go:embed world.yaml
var world []byte

//go:embed left.yaml
var left []byte

// New returns an embedded AWS with the estate in it, and with what Kubernetes
// has left of the cluster if left is true. The same options give the same IDs;
// the clock stands still.
func New(o sim.Options, left bool) (*sim.Cloud, error) {
	w, err := sim.ParseWorld(world)
	if err != nil {
		return nil, err
	}
	if left {
		if err := leave(w); err != nil {
			return nil, err
		}
	}
	o.Now = func() time.Time { return day }
	cloud := sim.New(o)
	return cloud, cloud.Plant(w)
}

// day is when all is made: two clouds that hold the same are the same.
var day = time.Date(2026, time.January, 2, 3, 4, 5, 0, time.UTC)

// leave puts what Kubernetes has left into the last VPC, after all else: so the
// IDs of all else stay.
func leave(w sim.World) error {
	var more sim.WorldVPC
	if err := yaml.UnmarshalStrict(left, &more); err != nil {
		return fmt.Errorf("reading left.yaml: %w", err)
	}
	vpcs := w.Accounts[Account].Regions[Region].VPCs
	last := &vpcs[len(vpcs)-1]
	last.SecurityGroups = append(last.SecurityGroups, more.SecurityGroups...)
	last.LoadBalancers = append(last.LoadBalancers, more.LoadBalancers...)
	last.RouteTables[0].Routes = append(last.RouteTables[0].Routes, more.RouteTables[0].Routes...)
	return nil
}

// Env are the variables of the user, for an AWS at that URL. No file of
// whoever runs the tests counts.
func Env(url string) map[string]string {
	return map[string]string{
		"AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": User, "AWS_SECRET_ACCESS_KEY": estate.Secret, "AWS_REGION": Region,
		"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null", "AWS_EC2_METADATA_DISABLED": "true",
	}
}

// Client is the user with any other tool.
func Client(c *sim.Cloud) *ec2.Client {
	return ec2.New(ec2.Options{
		Region: Region, BaseEndpoint: new("http://cloud"), HTTPClient: &http.Client{Transport: c.Transport()},
		Credentials: credentials.NewStaticCredentialsProvider(User, estate.Secret, ""),
	})
}

// Settle lets go what AWS takes away by itself a moment later: the network
// interfaces of load balancers that were deleted.
func Settle(ctx context.Context, c *sim.Cloud) error {
	for range 2 {
		if _, err := Client(c).DescribeNetworkInterfaces(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}
