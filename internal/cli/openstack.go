// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"net/http"

	"github.com/spf13/pflag"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/openstack"
	"github.com/espalier-io/espalier/internal/validate"
)

// openStack is the provider of that name.
type openStack struct {
	cloud string // entry of clouds.yaml, or empty
}

func (*openStack) form() input.Form {
	return input.Form{
		Type: "openstack", APIVersion: v1alpha1.SchemeGroupVersion.String(),
		Config: func() any { return &v1alpha1.InfrastructureConfig{} },
		Old:    func(data []byte) (any, error) { return v1alpha1.DecodeLenient[v1alpha1.InfrastructureConfig](data) },
		Profile: func(_, own []byte) (any, error) {
			if len(own) == 0 {
				return nil, errors.New("there is no providerConfig, so there is nothing to check against")
			}
			return v1alpha1.DecodeLenient[v1alpha1.CloudProfileConfig](own)
		},
	}
}

func (p *openStack) flags(f *pflag.FlagSet, _ bool) {
	f.StringVar(&p.cloud, "os-cloud", "", "OpenStack: entry of clouds.yaml; without it OS_CLOUD or the OS_* variables")
}

func (*openStack) tool() string                       { return "openstack" }
func (*openStack) explanations() []engine.Explanation { return openstack.Explanations() }
func (*openStack) acceptable(code string) bool        { return openstack.Acceptable(code) }

func (*openStack) rules(c *input.Cluster, old any) validate.Report {
	in := validate.Input{Config: as[*v1alpha1.InfrastructureConfig](c.Config), Base: c.Base, Shoot: c.Shoot, Networking: c.Networking,
		Profile: as[*v1alpha1.CloudProfileConfig](c.Profile), Region: c.Region}
	if old == nil {
		return validate.OpenStack(in)
	}
	was := in
	was.Config = as[*v1alpha1.InfrastructureConfig](old)
	return validate.OpenStackUpdate(was, in)
}

func (p *openStack) open(ctx context.Context, c *input.Cluster, s *engine.State, how connection) (session, error) {
	config, err := p.config(c, s)
	if err != nil {
		return nil, err
	}
	creds, err := openstack.LoadCredentials(p.cloud, how.getenv)
	if err != nil {
		return nil, err
	}
	o := openstack.Options{Region: c.Region, UserAgent: "espalier/" + how.version}
	if how.wire != nil {
		o.Transport = how.wire(http.DefaultTransport)
	}
	opened, err := openstack.Open(ctx, creds, config, s, o)
	if err != nil {
		return nil, err
	}
	return openStackSession{opened}, nil
}

// config puts together what the network depends on.
func (*openStack) config(c *input.Cluster, s *engine.State) (openstack.Config, error) {
	o := openstack.Cluster{TechnicalID: c.TechnicalID, UID: c.UID, Region: c.Region, SSHPublicKey: c.SSHPublicKey, MaxNodes: c.MaxNodes, Overlay: c.Overlay}
	var err error
	if o.Nodes, o.Pods, o.Services, err = ranges(c.Networking); err != nil {
		return openstack.Config{}, err
	}
	o.DualStack = c.Networking != nil && c.Networking.DualStack()
	if len(s.Records()) == 0 && s.Config() == nil { // it is taken over once
		o.Inherited = c.Inherited
	}
	return openstack.NewConfig(as[*v1alpha1.InfrastructureConfig](c.Config), o, as[*v1alpha1.CloudProfileConfig](c.Profile))
}

type openStackSession struct{ *openstack.Session }

func (s openStackSession) String() string { return s.Cloud() }

func (s openStackSession) look(ctx context.Context, why purpose) (look, error) {
	purposes := map[purpose]openstack.Purpose{
		toReconcile: openstack.Reconciliation, toPreflight: openstack.Preflight, toDelete: openstack.Deletion,
	}
	l, err := s.Look(ctx, purposes[why])
	if err != nil {
		return nil, err
	}
	return openStackLook{l}, nil
}

type openStackLook struct{ *openstack.Look }

func (l openStackLook) Remains(bool) []remain { return nil }

func (l openStackLook) Outcome() (any, error) { return l.Status(), nil }
