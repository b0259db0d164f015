// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"errors"
	"net/http"
	"testing"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
	"github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"
	"github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"

	"github.com/espalier-io/espalier/internal/sim/aws"
)

const region = "eu-central-1"

// tester is a cloud, and clients of one account that reach it.
type tester struct {
	*testing.T
	cloud   *aws.Cloud
	config  sdk.Config
	ec2     *ec2.Client
	iam     *iam.Client
	sts     *sts.Client
	elb     *elasticloadbalancing.Client
	elbv2   *elasticloadbalancingv2.Client
	quotas  *servicequotas.Client
	unknown *int // how many unknown requests the test expects
}

// start gives a cloud without a socket, and clients of account a.
func start(t *testing.T, o aws.Options) *tester {
	c := aws.New(o)
	x := &tester{T: t, cloud: c, unknown: new(int)}
	t.Cleanup(func() {
		if u := c.Unknown(); len(u) != *x.unknown {
			t.Errorf("requests that the embedded AWS does not know: %v", u)
		}
	})
	return x.as("a", region)
}

// as gives clients of another account or region, of the same cloud.
func (t *tester) as(account, region string) *tester {
	config := sdk.Config{
		Region: region, Credentials: credentials.NewStaticCredentialsProvider(account, "secret", ""),
		HTTPClient: &http.Client{Transport: t.cloud.Transport()}, Retryer: func() sdk.Retryer { return sdk.NopRetryer{} },
	}
	return t.with(config)
}

func (t *tester) with(config sdk.Config) *tester {
	x := *t
	x.config = config
	x.ec2, x.iam, x.sts = ec2.NewFromConfig(config), iam.NewFromConfig(config), sts.NewFromConfig(config)
	x.elb, x.elbv2 = elasticloadbalancing.NewFromConfig(config), elasticloadbalancingv2.NewFromConfig(config)
	x.quotas = servicequotas.NewFromConfig(config)
	return &x
}

// must ends the test if there was an error.
func must[T any](t *tester, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// code is the error code that the SDK read, or the error's text.
func code(err error) string {
	var e smithy.APIError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.ErrorCode()
	}
	return err.Error()
}

// refused expects an error code.
func (t *tester) refused(want string, err error) {
	t.Helper()
	if got := code(err); got != want {
		t.Errorf("the error code is %q, not %q: %v", got, want, err)
	}
}

func str(s string) *string { return &s }

// tagged is what a creation is given to have tags.
func tagged(resource types.ResourceType, pairs ...string) []types.TagSpecification {
	return []types.TagSpecification{{ResourceType: resource, Tags: tagList(pairs...)}}
}

func tagList(pairs ...string) (all []types.Tag) {
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, types.Tag{Key: &pairs[i], Value: &pairs[i+1]})
	}
	return all
}

func filter(name string, values ...string) types.Filter {
	return types.Filter{Name: &name, Values: values}
}

// vpc makes a VPC and returns its ID.
func (t *tester) vpc(cidr string) string {
	t.Helper()
	out, err := t.ec2.CreateVpc(t.Context(), &ec2.CreateVpcInput{CidrBlock: &cidr})
	return *must(t, out, err).Vpc.VpcId
}

// subnet makes a subnet in zone a and returns its ID.
func (t *tester) subnet(vpc, cidr string) string {
	t.Helper()
	out, err := t.ec2.CreateSubnet(t.Context(), &ec2.CreateSubnetInput{VpcId: &vpc, CidrBlock: &cidr})
	return *must(t, out, err).Subnet.SubnetId
}
