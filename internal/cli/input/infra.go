// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"encoding/json"

	extensionsv1alpha1 "github.com/gardener/gardener/pkg/apis/extensions/v1alpha1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/internal/fault"
)

// StateKey is the key of InfrastructureState.data whose value is our state, as
// a text. The other keys are those of the peer.
const StateKey = "espalier"

func (c *Cluster) fromInfrastructure(fs forms, d *document, f Flags) (err error) {
	i := &extensionsv1alpha1.Infrastructure{}
	findings, ok := d.into(i, "", d.json)
	c.Findings = append(c.Findings, written(findings)...)
	if !ok {
		return nil
	}
	if c.form, err = fs.byType(d, "spec.type", i.Spec.Type); err != nil {
		return err
	}
	if err := onlyIn(d, map[string]bool{"region": f.Region != "", "ssh-public-key": f.SSHPublicKey != ""}); err != nil {
		return err
	}
	if c.TechnicalID, err = either(i.Namespace, f.Name, "name"); err != nil {
		return err
	}
	if c.SSHPublicKey, err = sshKey(string(i.Spec.SSHPublicKey)); err != nil {
		return fault.Errorf(fault.Invalid, "%s: spec.sshPublicKey is not a public key", d)
	}
	// The UID of an Infrastructure changes when its cluster moves to another
	// seed, so it is not the cluster's.
	c.UID, c.Region, c.Networking, c.MaxNodes = f.UID, i.Spec.Region, f.networking(), f.MaxNodes
	c.Live = i.Status.LastOperation != nil || i.Status.ProviderStatus != nil || i.Status.State != nil
	c.config(d, field.NewPath("spec", "providerConfig"), raw(i.Spec.ProviderConfig))
	return c.state(d, raw(i.Status.State))
}

// state reads the state that an Infrastructure carries.
func (c *Cluster) state(d *document, raw []byte) error {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var s struct {
		Data map[string]string `json:"data"` // as in the InfrastructureState of each cloud
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return fault.Errorf(fault.Invalid, "%s: status.state can not be read: %s. A state from the time when Gardener used Terraform can not be taken over: let Gardener reconcile the cluster first", d, plain(err))
	}
	if ours, ok := s.Data[StateKey]; ok {
		c.State = json.RawMessage(ours)
		return nil
	}
	c.Inherited = s.Data
	return nil
}

func (c *Cluster) fromConfig(fs forms, d *document, f Flags) error {
	c.form = fs.byVersion(d.APIVersion)
	c.TechnicalID, c.UID, c.Region, c.MaxNodes = f.Name, f.UID, f.Region, f.MaxNodes
	c.SSHPublicKey, c.Networking = f.SSHPublicKey, f.networking()
	c.config(d, nil, d.json)
	return nil
}
