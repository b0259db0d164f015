// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
	classic "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"
	elb "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// A Reader looks at a cloud. Nothing that it does changes anything.
type Reader interface {
	// Account and Region say which cloud is seen: state of one means nothing in
	// another.
	Account(ctx context.Context) (string, error)
	Region() string // beside Account
	networkReader
	gatewayReader
	securityGroupReader
	keyPairReader
	iamReader
	leftoverReader
	podRouteReader
	quotaReader
	reservationReader
}

// A Writer changes a cloud. Each create returns what the cloud answered.
type Writer interface {
	tagWriter
	securityGroupWriter
	keyPairWriter
	iamWriter
	leftoverWriter
	podRouteWriter
	reservationWriter
}

// Graph is a graph of AWS resources.
type Graph = engine.Graph[Writer]

// A Client is a Reader and a Writer of one account in one region. It is safe
// for parallel use.
type Client struct {
	ec2    *ec2.Client
	iam    *iam.Client
	sts    *sts.Client
	elb    *classic.Client
	elbv2  *elb.Client
	quotas *servicequotas.Client
	region string
	guard  *Guard
}

var (
	_ Reader = (*Client)(nil)
	_ Writer = (*Client)(nil)
)

// Options are how a client works. The zero value is fit for use.
type Options struct {
	// Load changes how the SDK's configuration is loaded, such as another HTTP
	// client; without it the SDK's default chain counts, AWS_ENDPOINT_URL included.
	Load []func(*config.LoadOptions) error
	// Config, if it is not nil, is all that counts instead: nothing is loaded from
	// the environment of the process and its files.
	Config *aws.Config
	// UserAgent is added to that of the SDK.
	UserAgent string
}

// Connect loads credentials as the SDK does. All calls that write go through
// the guard.
func Connect(ctx context.Context, region string, o Options) (*Client, error) {
	conf, err := o.load(ctx, region)
	if err != nil {
		return nil, fault.New(fault.Unauthenticated, "loading the AWS configuration", err)
	}
	conf.Region = cmp.Or(region, conf.Region)
	if conf.Region == "" {
		return nil, fault.Errorf(fault.Invalid, "no region is named: use --region or AWS_REGION")
	}
	if _, err := conf.Credentials.Retrieve(ctx); err != nil { // it keeps them
		return nil, fault.New(fault.Unauthenticated, "looking for AWS credentials (AWS_PROFILE, AWS_ACCESS_KEY_ID, or any other way that the AWS SDK knows)", err)
	}
	guard := &Guard{}
	conf.APIOptions = append(conf.APIOptions, guard.attach, attachOnce)
	conf.AppID = cmp.Or(o.UserAgent, conf.AppID)
	conf.HTTPClient = plainBodies{cmp.Or[aws.HTTPClient](conf.HTTPClient, awshttp.NewBuildableClient())}
	return &Client{
		ec2: ec2.NewFromConfig(conf), iam: iam.NewFromConfig(conf), sts: sts.NewFromConfig(conf),
		elb: classic.NewFromConfig(conf), elbv2: elb.NewFromConfig(conf), quotas: servicequotas.NewFromConfig(conf),
		region: conf.Region, guard: guard,
	}, nil
}

// load finds the configuration. The region counts for whoever gives credentials, too.
func (o Options) load(ctx context.Context, region string) (aws.Config, error) {
	if o.Config != nil {
		return o.Config.Copy(), nil
	}
	return config.LoadDefaultConfig(ctx, append(slices.Clone(o.Load), config.WithRegion(region))...)
}

// Account implements Reader: the account that the credentials are of.
func (c *Client) Account(ctx context.Context) (string, error) {
	who, err := c.sts.GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	if err != nil {
		return "", translate("asking which account the credentials are of", err)
	}
	return aws.ToString(who.Account), nil
}

// Region implements Reader.
func (c *Client) Region() string { return c.region }

// text is an ID as the SDK takes it.
func text(id engine.ID) *string { return aws.String(string(id)) }

// filters is one filter of EC2: the name fits one of the values.
func filters(name string, values ...string) []types.Filter {
	return []types.Filter{{Name: &name, Values: values}}
}

func fromTags(tags []types.Tag) map[string]string {
	m := map[string]string{}
	for _, t := range tags {
		m[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return m
}

func toTags(m map[string]string) (tags []types.Tag) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		tags = append(tags, types.Tag{Key: aws.String(k), Value: aws.String(m[k])})
	}
	return tags
}

func tagged(kind types.ResourceType, m map[string]string) []types.TagSpecification {
	return []types.TagSpecification{{ResourceType: kind, Tags: toTags(m)}}
}

func fromIAMTags(tags []iamtypes.Tag) map[string]string {
	m := map[string]string{}
	for _, t := range tags {
		m[aws.ToString(t.Key)] = aws.ToString(t.Value)
	}
	return m
}

func toIAMTags(m map[string]string) (tags []iamtypes.Tag) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		tags = append(tags, iamtypes.Tag{Key: aws.String(k), Value: aws.String(m[k])})
	}
	return tags
}
