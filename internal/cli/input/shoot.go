// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"encoding/json"
	"slices"
	"strings"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/validate"
)

func (c *Cluster) fromShoot(fs forms, d *document, f Flags) (err error) {
	s := &corev1beta1.Shoot{}
	findings, ok := d.into(s, "", d.json)
	c.Findings = append(c.Findings, written(findings)...)
	if !ok {
		return nil
	}
	if c.form, err = fs.byType(d, "spec.provider.type", s.Spec.Provider.Type); err != nil {
		return err
	}
	err = onlyIn(d, map[string]bool{"region": f.Region != "", "nodes": f.Nodes != "", "pods": f.Pods != "", "services": f.Services != "",
		"ip-families": len(f.IPFamilies) > 0, "network-type": f.NetworkType != "", "overlay": f.Overlay != nil, "max-nodes": f.MaxNodes != 0})
	if err != nil {
		return err
	}
	if err := c.name(s, f); err != nil {
		return err
	}
	c.Shoot, c.Region, c.MaxNodes = s, s.Spec.Region, mostNodes(s.Spec.Provider.Workers)
	c.Live = s.Status.TechnicalID != "" || s.Status.LastOperation != nil || s.Status.UID != ""
	if w := s.Spec.Provider.WorkersSettings; w == nil || w.SSHAccess == nil || w.SSHAccess.Enabled {
		c.SSHPublicKey = f.SSHPublicKey
	}
	if s.Spec.Networking != nil {
		c.networks(d, s.Spec.Networking)
	}
	c.config(d, field.NewPath("spec", "provider", "infrastructureConfig"), raw(s.Spec.Provider.InfrastructureConfig))
	return nil
}

// name takes over the technical ID and the UID.
func (c *Cluster) name(s *corev1beta1.Shoot, f Flags) (err error) {
	if c.TechnicalID, err = either(s.Status.TechnicalID, f.Name, "name"); err != nil {
		return err
	}
	if c.TechnicalID == "" {
		c.TechnicalID = technicalID(s.Namespace, s.Name)
	}
	c.UID, err = either(uidOf(s), f.UID, "uid")
	return err
}

// mostNodes is how many nodes the worker pools may have, those of a rolling
// update included.
func mostNodes(pools []corev1beta1.Worker) (n int) {
	for _, p := range pools {
		surge := intstr.FromInt32(1) // Gardener's default
		if p.MaxSurge != nil {
			surge = *p.MaxSurge
		}
		more, err := intstr.GetScaledValueFromIntOrPercent(&surge, int(p.Maximum), true)
		if err != nil {
			more = 1 // Gardener refuses it; that is no matter of the network
		}
		n += int(p.Maximum) + more
	}
	return n
}

// uidOf is the UID of the cluster that a Shoot stands for. The one in its
// status stays the same when the object is moved to another Gardener.
func uidOf(s *corev1beta1.Shoot) string {
	if s.Status.UID != "" {
		return string(s.Status.UID)
	}
	return string(s.UID)
}

// networks takes over what a Shoot says of its networks. A plug-in's
// configuration belongs to the plug-in; only whether there is an overlay is of
// interest.
func (c *Cluster) networks(d *document, n *corev1beta1.Networking) {
	c.Networking = &validate.Networking{
		Type: given(n.Type), Nodes: given(n.Nodes), Pods: given(n.Pods), Services: given(n.Services), IPFamilies: n.IPFamilies,
	}
	if n.ProviderConfig == nil || len(n.ProviderConfig.Raw) == 0 {
		return
	}
	var plugin struct {
		Overlay *struct {
			Enabled *bool `json:"enabled"`
		} `json:"overlay"`
	}
	const path = "spec.networking.providerConfig"
	if err := json.Unmarshal(n.ProviderConfig.Raw, &plugin); err != nil {
		c.Findings = append(c.Findings, found(wrongType, "Invalid", path+".overlay.enabled", "", d.at(path+".overlay.enabled")+"must be true or false", ""))
		return
	}
	if plugin.Overlay != nil {
		c.Networking.Overlay = plugin.Overlay.Enabled
	}
}

// written leaves out the unknown fields of what nobody writes by hand: the
// object may come from a Gardener that is newer than these types.
func written(findings []engine.Finding) []engine.Finding {
	return slices.DeleteFunc(findings, func(f engine.Finding) bool {
		return f.Code == unknownField && (strings.HasPrefix(f.Field, "status.") || strings.HasPrefix(f.Field, "metadata.managedFields"))
	})
}

// given is a text that need not be there.
func given(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func raw(e *runtime.RawExtension) []byte {
	if e == nil {
		return nil
	}
	return e.Raw
}
