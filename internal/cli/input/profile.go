// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"encoding/json"
	"strings"

	"github.com/espalier-io/espalier/internal/fault"
)

// isProfile says whether a document is a cloud profile of one of three kinds.
func (fs forms) isProfile(d *document) bool {
	switch d.Kind {
	case "CloudProfile", "NamespacedCloudProfile":
		return strings.HasPrefix(d.APIVersion, "core.gardener.cloud/")
	case "CloudProfileConfig":
		return fs.byVersion(d.APIVersion) != nil
	}
	return false
}

// readProfile reads a cloud profile. It is written by others and may be newer
// than these types, so it is read leniently. A NamespacedCloudProfile holds
// only what it adds to its parent; what applies is in its status.
func (c *Cluster) readProfile(d *document) error {
	var spec, own json.RawMessage
	if d.Kind == "CloudProfileConfig" {
		if d.APIVersion != c.form.APIVersion {
			return fault.Errorf(fault.Invalid, "%s is not for this cluster, whose provider has the apiVersion %s", d, c.form.APIVersion)
		}
		own = d.json
	} else {
		var p struct {
			Spec   json.RawMessage `json:"spec"`
			Status struct {
				CloudProfileSpec json.RawMessage `json:"cloudProfileSpec"`
			} `json:"status"`
		}
		if err := json.Unmarshal(d.json, &p); err != nil {
			return fault.Errorf(fault.Invalid, "%s can not be read: %s", d, plain(err))
		}
		if spec = p.Spec; d.Kind == "NamespacedCloudProfile" {
			spec = p.Status.CloudProfileSpec
		}
		var s struct {
			Type           string          `json:"type"`
			ProviderConfig json.RawMessage `json:"providerConfig"`
		}
		if len(spec) > 0 {
			if err := json.Unmarshal(spec, &s); err != nil {
				return fault.Errorf(fault.Invalid, "%s can not be read: %s", d, plain(err))
			}
		}
		if s.Type != "" && s.Type != c.form.Type {
			return fault.Errorf(fault.Invalid, "%s is for the provider %q, and the cluster's is %q", d, s.Type, c.form.Type)
		}
		own = s.ProviderConfig
	}
	var err error
	if c.Profile, err = c.form.Profile(spec, own); err != nil {
		return fault.Errorf(fault.Invalid, "%s: %w", d, err)
	}
	return nil
}
