// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/ec2"
	"github.com/aws/aws-sdk-go-v2/service/elasticloadbalancing"
	"github.com/aws/aws-sdk-go-v2/service/elasticloadbalancingv2"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"

	"github.com/espalier-io/espalier/internal/sim/aws"
	"github.com/espalier-io/espalier/test/clouds"
)

// A lab is a cloud for one case: empty, and nobody else's.
type lab struct {
	ctx    context.Context
	faults []string
	ec2    *ec2.Client
	iam    *iam.Client
	sts    *sts.Client
	elb    *elasticloadbalancing.Client
	elbv2  *elasticloadbalancingv2.Client
	quotas *servicequotas.Client
}

// A trial is one case: a sentence that says what is true of AWS, and the proof.
type trial struct {
	name  string
	prove func(l *lab)
}

func newLab(ctx context.Context, endpoint *string, transport http.RoundTripper) *lab {
	config := sdk.Config{
		Region: "eu-central-1", BaseEndpoint: endpoint, Credentials: credentials.NewStaticCredentialsProvider("a", "secret", ""),
		HTTPClient: &http.Client{Transport: transport}, Retryer: func() sdk.Retryer { return sdk.NopRetryer{} },
	}
	return &lab{
		ctx: ctx, ec2: ec2.NewFromConfig(config), iam: iam.NewFromConfig(config), sts: sts.NewFromConfig(config),
		elb: elasticloadbalancing.NewFromConfig(config), elbv2: elasticloadbalancingv2.NewFromConfig(config), quotas: servicequotas.NewFromConfig(config),
	}
}

// run proves a case and returns what was not as it must be.
func (l *lab) run(prove func(*lab)) []string {
	done := make(chan struct{})
	go func() { // a goroutine, so that get can end the case
		defer close(done)
		defer func() {
			if r := recover(); r != nil && r != errGivenUp { //nolint:errorlint // it is that very value
				l.fault("panic: %v", r)
			}
		}()
		prove(l)
	}()
	<-done
	return l.faults
}

var errGivenUp = errors.New("the case cannot go on")

func (l *lab) fault(format string, args ...any) {
	l.faults = append(l.faults, fmt.Sprintf(format, args...))
}

// get ends the case if there was an error.
func get[T any](l *lab, v T, err error) T {
	if err != nil {
		l.fault("%v", err)
		panic(errGivenUp)
	}
	return v
}

// code expects an error code; none is empty.
func (l *lab) code(what, want string, err error) {
	got := ""
	var e smithy.APIError
	if errors.As(err, &e) {
		got = e.ErrorCode()
	} else if err != nil {
		got = err.Error()
	}
	if got != want {
		l.fault("%s gives the code %q, not %q", what, got, want)
	}
}

func (l *lab) equal(what string, got, want any) {
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		l.fault("%s is %s, not %s", what, g, w)
	}
}

func str(s string) *string { return &s }

// TestEmbedded proves every case on the embedded cloud.
func TestEmbedded(t *testing.T) {
	for _, c := range trials() {
		t.Run(c.name, func(t *testing.T) {
			cloud := aws.New(aws.Options{})
			for _, f := range newLab(t.Context(), nil, cloud.Transport()).run(c.prove) {
				t.Error(f)
			}
			if u := cloud.Unknown(); len(u) > 0 {
				t.Errorf("the embedded cloud does not know %v", u)
			}
		})
	}
}

// TestMoto proves on moto what is not in the list of what it lacks.
func TestMoto(t *testing.T) {
	url := clouds.StartMoto(t)
	seen := map[string]bool{}
	for _, c := range trials() {
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			reset(t, url)
			faults := newLab(t.Context(), &url, http.DefaultTransport).run(c.prove)
			reason, listed := lacks[c.name]
			switch {
			case listed && len(faults) == 0:
				t.Errorf("moto passes; take the case from the list, where it says: %s", reason)
			case !listed:
				for _, f := range faults {
					t.Error(f)
				}
			}
		})
	}
	for name := range lacks {
		if !seen[name] {
			t.Errorf("the list of what moto lacks names %q, which is no case", name)
		}
	}
}

// reset empties moto.
func reset(t *testing.T, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/moto-api/reset", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}
