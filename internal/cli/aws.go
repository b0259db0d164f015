// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	sdk "github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"github.com/spf13/pflag"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/aws"
	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
	"github.com/espalier-io/espalier/internal/validate"
)

// amazon is the provider aws.
type amazon struct {
	profile string // of the SDK's configuration files, or empty
	routes  bool   // a deletion removes routes to pods
}

func (*amazon) form() input.Form {
	return input.Form{
		Type: "aws", APIVersion: v1alpha1.SchemeGroupVersion.String(),
		Config: func() any { return &v1alpha1.InfrastructureConfig{} },
		Old:    func(data []byte) (any, error) { return v1alpha1.DecodeLenient[v1alpha1.InfrastructureConfig](data) },
		Profile: func(spec, _ []byte) (any, error) {
			if len(spec) == 0 {
				return nil, errors.New("it does not list the zones of regions, so there is nothing to check against: give the CloudProfile itself")
			}
			p := &corev1beta1.CloudProfileSpec{}
			return p, json.Unmarshal(spec, p)
		},
		NoOverlay: []string{"calico", "cilium"},
	}
}

func (p *amazon) flags(f *pflag.FlagSet, deletes bool) {
	f.StringVar(&p.profile, "aws-profile", "", "AWS: profile of the configuration files; without it AWS_PROFILE or the AWS_* variables")
	if deletes {
		f.BoolVar(&p.routes, "remove-pod-routes", false, "AWS: a deletion also removes routes to pods that lead to machines of the cluster, or to none, from your tables")
	}
}

func (*amazon) tool() string                       { return "aws" }
func (*amazon) explanations() []engine.Explanation { return aws.Explanations() }
func (*amazon) acceptable(code string) bool        { return aws.Acceptable(code) }

func (*amazon) rules(c *input.Cluster, old any) validate.Report {
	in := validate.AWSInput{Config: as[*v1alpha1.InfrastructureConfig](c.Config), Base: c.Base, Shoot: c.Shoot, Networking: c.Networking,
		Profile: as[*corev1beta1.CloudProfileSpec](c.Profile), Region: c.Region}
	if old == nil {
		return validate.AWS(in)
	}
	was := in
	was.Config = as[*v1alpha1.InfrastructureConfig](old)
	return validate.AWSUpdate(was, in)
}

func (p *amazon) open(ctx context.Context, c *input.Cluster, s *engine.State, how connection) (session, error) {
	conf, err := p.config(c, s)
	if err != nil {
		return nil, err
	}
	o := aws.Options{UserAgent: "espalier/" + how.version}
	switch {
	case how.alone:
		if o.Config, err = alone(how.getenv); err != nil {
			return nil, err
		}
	case p.profile != "":
		o.Load = append(o.Load, config.WithSharedConfigProfile(p.profile))
	}
	if how.wire != nil {
		o.Load = append(o.Load, config.WithHTTPClient(&http.Client{Transport: how.wire(http.DefaultTransport)}))
	}
	opened, err := aws.Open(ctx, conf, s, o)
	if err != nil {
		return nil, err
	}
	return amazonSession{opened, c.Overlay, p.routes}, nil
}

// alone is what the variables say, and nothing that the SDK finds by itself.
func alone(getenv func(string) string) (*sdk.Config, error) {
	key, secret := getenv("AWS_ACCESS_KEY_ID"), getenv("AWS_SECRET_ACCESS_KEY")
	if key == "" || secret == "" {
		return nil, fault.Errorf(fault.Unauthenticated, "there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
	}
	c := &sdk.Config{Region: getenv("AWS_REGION"), Credentials: credentials.NewStaticCredentialsProvider(key, secret, getenv("AWS_SESSION_TOKEN"))}
	if url := getenv("AWS_ENDPOINT_URL"); url != "" {
		c.BaseEndpoint = &url
	}
	return c, nil
}

// config puts together what the network depends on.
func (p *amazon) config(c *input.Cluster, s *engine.State) (aws.Config, error) {
	o := aws.Cluster{TechnicalID: c.TechnicalID, UID: c.UID, Region: c.Region, IPv4: true, Overlay: c.Overlay, SSHPublicKey: c.SSHPublicKey, MaxNodes: c.MaxNodes, RemovePodRoutes: p.routes}
	if len(s.Records()) == 0 && s.Config() == nil { // it is taken over once
		o.Inherited = c.Inherited
	}
	if n := c.Networking; n != nil && len(n.IPFamilies) > 0 {
		o.IPv4 = false
		for _, family := range n.IPFamilies {
			o.IPv4 = o.IPv4 || family == corev1beta1.IPFamilyIPv4
			o.IPv6 = o.IPv6 || family == corev1beta1.IPFamilyIPv6
		}
	}
	var err error
	if o.Nodes, o.Pods, o.Services, err = ranges(c.Networking); err != nil {
		return aws.Config{}, err
	}
	return aws.NewConfig(as[*v1alpha1.InfrastructureConfig](c.Config), o)
}

type amazonSession struct {
	*aws.Session
	overlay, removes bool
}

func (s amazonSession) String() string { return s.Cloud() }

func (s amazonSession) look(ctx context.Context, why purpose) (look, error) {
	purposes := map[purpose]aws.Purpose{toReconcile: aws.Reconciliation, toPreflight: aws.Preflight, toDelete: aws.Deletion}
	l, err := s.Look(ctx, purposes[why])
	if err != nil {
		return nil, err
	}
	return amazonLook{l, s}, nil
}

type amazonLook struct {
	*aws.Look
	session amazonSession
}

// Remains are routes to pods. While there is no overlay they are in use.
func (l amazonLook) Remains(destroy bool) (all []remain) {
	if !destroy && !l.session.overlay {
		return nil
	}
	for _, r := range l.PodRoutes() {
		if !destroy || !l.session.removes || !r.Ours {
			all = append(all, remain{r.String(), r.Command()})
		}
	}
	return all
}

func (l amazonLook) Outcome() (any, error) { return l.Status(), nil }
