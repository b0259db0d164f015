// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws_test

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/ec2/types"
	elb "github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"github.com/espalier-io/espalier/internal/sim/aws"
)

func TestOverASocket(t *testing.T) {
	x := start(t, aws.Options{})
	server, err := x.cloud.Start()
	must(x, server, err)
	defer server.Close()
	y := x.with(sdk.Config{
		Region: region, BaseEndpoint: &server.URL, Credentials: credentials.NewStaticCredentialsProvider("a", "s", ""), HTTPClient: &http.Client{},
	})
	out, err := y.ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{})
	if n := len(must(y, out, err).Vpcs); n != 0 {
		t.Errorf("there are %d VPCs", n)
	}
	_, err = y.iam.GetRole(t.Context(), &iam.GetRoleInput{RoleName: str("x")})
	y.refused("NoSuchEntity", err)
}

func TestTheLogSaysWhoDidWhatAndWhere(t *testing.T) {
	x := start(t, aws.Options{})
	x.vpc("10.0.0.0/16")
	_, err := x.as("b", "eu-west-1").ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{VpcIds: []string{"vpc-0"}})
	x.refused("InvalidVpcID.NotFound", err)
	_, err = x.elb.DescribeLoadBalancers(t.Context(), &elb.DescribeLoadBalancersInput{})
	must(x, 0, err)
	var got []string
	for _, l := range x.cloud.Calls() {
		got = append(got, strings.Join([]string{l.Service, l.Action, l.Account, l.Region, l.Code}, " "))
		if l.Write != (l.Action == "CreateVpc") || l.Status == 0 || l.End.IsZero() {
			t.Errorf("the call is %+v", l)
		}
	}
	want := []string{
		"ec2 CreateVpc a eu-central-1 ", "ec2 DescribeVpcs b eu-west-1 InvalidVpcID.NotFound", "elasticloadbalancing DescribeLoadBalancers a eu-central-1 ",
	}
	if !slices.Equal(got, want) || len(aws.Writes(x.cloud.Calls())) != 1 {
		t.Errorf("the log is %q", got)
	}
}

// strangers are requests that nobody may send.
var strangers = []struct {
	name, key, region string
	call              func(context.Context, *tester) error
	want              string
}{
	{"EC2 does not know the key", "nobody", region, ask((*ec2.Client).DescribeVpcs, ec2.DescribeVpcsInput{}), "AuthFailure"},
	{"EC2 is not in the region", "a", "mars-1", ask((*ec2.Client).DescribeVpcs, ec2.DescribeVpcsInput{}), "AuthFailure"},
	{"IAM does not know the key", "nobody", region, askIAM((*iam.Client).GetRole, iam.GetRoleInput{RoleName: str("r")}), "InvalidClientTokenId"},
	{"STS is not in the region", "a", "mars-1", func(ctx context.Context, x *tester) error {
		_, err := x.sts.GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
		return err
	}, "SignatureDoesNotMatch"},
	{"Service Quotas does not know the key", "nobody", region, quota, "UnrecognizedClientException"},
	{"Service Quotas denies", "b", region, quota, "AccessDeniedException"},
	{"EC2 denies", "b", region, ask((*ec2.Client).DescribeSubnets, ec2.DescribeSubnetsInput{}), "UnauthorizedOperation"},
	{"IAM denies", "b", region, askIAM((*iam.Client).GetRole, iam.GetRoleInput{RoleName: str("r")}), "AccessDenied"},
	{"EC2 denies tags in a creation", "b", region, ask((*ec2.Client).CreateVpc, ec2.CreateVpcInput{
		CidrBlock: str("10.0.0.0/16"), TagSpecifications: tagged(types.ResourceTypeVpc, "k", "v"),
	}), "UnauthorizedOperation"},
	{"EC2 would do it", "a", region, ask((*ec2.Client).CreateVpc, ec2.CreateVpcInput{CidrBlock: str("10.0.0.0/16"), DryRun: &yes}), "DryRunOperation"},
	{"EC2 would not do it", "b", region, ask((*ec2.Client).CreateTags, ec2.CreateTagsInput{
		Resources: []string{"vpc-0"}, Tags: tagList("k", "v"), DryRun: &yes,
	}), "UnauthorizedOperation"},
}

func quota(ctx context.Context, x *tester) error {
	_, err := x.quotas.GetServiceQuota(ctx, &servicequotas.GetServiceQuotaInput{ServiceCode: str("vpc"), QuotaCode: str("L-93826ACB")})
	return err
}

func TestWhoMay(t *testing.T) {
	x := start(t, aws.Options{})
	x.cloud.Deny("b", "ec2:DescribeSub*", "ec2:CreateTags", "iam:*", "servicequotas:GetServiceQuota")
	for _, c := range strangers {
		t.Run(c.name, func(t *testing.T) { x.refused(c.want, c.call(t.Context(), x.as(c.key, c.region))) })
	}
	_, err := x.as("b", region).ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{})
	x.refused("", err)
}

func TestARequestWithoutASignature(t *testing.T) {
	x := start(t, aws.Options{})
	config := x.config
	config.Credentials = sdk.AnonymousCredentials{}
	_, err := x.with(config).ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{})
	x.refused("MissingAuthenticationToken", err)
}

func TestWhatIsNotKnownIsRefusedAndCounted(t *testing.T) {
	x := start(t, aws.Options{})
	*x.unknown = 2
	_, err := x.ec2.DescribeVolumes(t.Context(), &ec2.DescribeVolumesInput{})
	x.refused("NotImplemented", err)
	_, err = x.ec2.CreateVpc(t.Context(), &ec2.CreateVpcInput{CidrBlock: str("10.0.0.0/16"), Ipv4NetmaskLength: port(16)})
	x.refused("NotImplemented", err)
	if u := x.cloud.Unknown(); !slices.Equal(u, []string{"ec2 DescribeVolumes: the action DescribeVolumes", "ec2 CreateVpc: the parameter Ipv4NetmaskLength of CreateVpc"}) {
		t.Errorf("unknown are %q", u)
	}
}

func TestNewThingsAreHiddenForAWhile(t *testing.T) {
	x := start(t, aws.Options{})
	x.cloud.HideNew(1, 2)
	vpc := x.vpc("10.0.0.0/16")
	byID := func() string {
		_, err := x.ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{VpcIds: []string{vpc}})
		return code(err)
	}
	byFilter := func() int {
		out, err := x.ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{Filters: []types.Filter{filter("cidr", "10.0.0.0/16")}})
		return len(must(x, out, err).Vpcs)
	}
	x.subnet(vpc, "10.0.0.0/24") // what refers to it works
	if a, b := byID(), byID(); a != "InvalidVpcID.NotFound" || b != "" {
		t.Errorf("by ID it is %q, then %q", a, b)
	}
	if a, b, c := byFilter(), byFilter(), byFilter(); a != 0 || b != 0 || c != 1 {
		t.Errorf("by filter there are %d, %d, %d", a, b, c)
	}
}

func TestTooManyRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := start(t, aws.Options{})
		x.cloud.ThrottleAction("ec2:DescribeVpcs", 1, 2)
		for range 2 {
			_, err := x.ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{})
			x.refused("", err)
		}
		_, err := x.ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{})
		x.refused("RequestLimitExceeded", err)
		_, err = x.ec2.DescribeSubnets(t.Context(), &ec2.DescribeSubnetsInput{})
		x.refused("", err)
		config := x.config
		config.Retryer = func() sdk.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return time.Second, nil })
			})
		}
		_, err = x.with(config).ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{})
		x.refused("", err) // the SDK waits and tries again
		x.cloud.Throttle(1, 1)
		x.refused("", quota(t.Context(), x))
		x.refused("TooManyRequestsException", quota(t.Context(), x))
		_, err = x.iam.GetRole(t.Context(), &iam.GetRoleInput{RoleName: str("r")})
		x.refused("Throttling", err)
	})
}

func TestFaults(t *testing.T) {
	x := start(t, aws.Options{})
	create := ask((*ec2.Client).CreateVpc, ec2.CreateVpcInput{CidrBlock: str("10.0.0.0/16")})
	count := func() int {
		out, err := x.ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{})
		return len(must(x, out, err).Vpcs)
	}
	x.cloud.Inject(aws.Fault{Call: 1, Status: 500})
	x.refused("InternalError", create(t.Context(), x))
	if n := count(); n != 0 {
		t.Errorf("a fault before the effect left %d VPCs", n)
	}
	x.cloud.Inject(aws.Fault{Match: func(l aws.Call) bool { return l.Action == "CreateVpc" }, After: true})
	if err := create(t.Context(), x); !strings.Contains(code(err), "without an answer") {
		t.Errorf("the error is %v", err)
	}
	if n := count(); n != 1 {
		t.Errorf("a fault after the effect left %d VPCs", n)
	}
	x.cloud.Inject(aws.Fault{Status: 400, Code: "VolumeInUse", Times: -1})
	x.refused("VolumeInUse", create(t.Context(), x))
	x.refused("VolumeInUse", create(t.Context(), x))
	x.cloud.ClearFaults()
	if n := count(); n != 1 {
		t.Errorf("there are %d VPCs", n)
	}
}

func TestDepthCountsWhatWaitsForWhat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := start(t, aws.Options{})
		x.cloud.SetLatency(100 * time.Millisecond)
		var phases []aws.Phase
		var mu sync.Mutex
		x.cloud.Hook(func(_ aws.Call, p aws.Phase) {
			mu.Lock()
			defer mu.Unlock()
			phases = append(phases, p)
		})
		begun := time.Now()
		for range 2 {
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() {
					_, err := x.ec2.DescribeVpcs(t.Context(), &ec2.DescribeVpcsInput{})
					must(x, 0, err)
				})
			}
			all.Wait()
		}
		synctest.Wait()
		if d, n := aws.Depth(x.cloud.Calls()), len(x.cloud.Calls()); d != 2 || n != 6 || len(phases) != 18 {
			t.Errorf("%d calls have the depth %d and %d phases", n, d, len(phases))
		}
		if took := time.Since(begun); took != 200*time.Millisecond {
			t.Errorf("it took %s", took)
		}
	})
}

func TestAQueryThatIsNone(t *testing.T) {
	x := start(t, aws.Options{})
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://ec2/", strings.NewReader("Action=%zz"))
	must(x, r, err)
	answer, err := x.cloud.Transport().RoundTrip(r)
	must(x, answer, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	const want = "MalformedQueryString"
	if !strings.Contains(string(must(x, text, err)), "<Code>"+want+"</Code>") {
		t.Errorf("the answer is %s", text)
	}
}
