// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"encoding/json"
	"strings"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/fault"
)

// isProfile says whether a document is a cloud profile of one of three kinds.
func isProfile(d *document) bool {
	switch d.Kind {
	case "CloudProfile", "NamespacedCloudProfile":
		return strings.HasPrefix(d.APIVersion, "core.gardener.cloud/")
	case "CloudProfileConfig":
		return d.APIVersion == v1alpha1.SchemeGroupVersion.String()
	}
	return false
}

// readProfile reads a cloud profile. It is written by others and may be newer
// than these types, so it is read leniently. A NamespacedCloudProfile holds
// only what it adds to its parent; what applies is in its status.
func (c *Cluster) readProfile(d *document) error {
	var p struct {
		Spec struct {
			ProviderConfig json.RawMessage `json:"providerConfig"`
		} `json:"spec"`
		Status struct {
			CloudProfileSpec struct {
				ProviderConfig json.RawMessage `json:"providerConfig"`
			} `json:"cloudProfileSpec"`
		} `json:"status"`
	}
	if err := json.Unmarshal(d.json, &p); err != nil {
		return fault.Errorf(fault.Invalid, "%s can not be read: %s", d, plain(err))
	}
	config := json.RawMessage(d.json)
	switch d.Kind {
	case "CloudProfile":
		config = p.Spec.ProviderConfig
	case "NamespacedCloudProfile":
		config = p.Status.CloudProfileSpec.ProviderConfig
	}
	if len(config) == 0 {
		return fault.Errorf(fault.Invalid, "%s has no providerConfig: there is nothing to check against", d)
	}
	profile, err := v1alpha1.DecodeLenient[v1alpha1.CloudProfileConfig](config)
	if err != nil {
		return fault.Errorf(fault.Invalid, "%s: providerConfig: %w", d, err)
	}
	c.Profile = profile
	return nil
}
