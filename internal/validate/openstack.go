// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

// OpenStack checks a configuration for a cluster that does not exist yet.
func OpenStack(in Input) Report { return check(nil, in) }

// OpenStackUpdate checks a configuration that takes the place of another: all
// rules about updated as it stands, but for those that hold for new clusters
// only, and what may not change from old to updated. Of old, Config, Base and
// Shoot count; it may break today's rules and have fields that nobody knows any
// more.
func OpenStackUpdate(old, updated Input) Report { return check(&old, updated) }

// view is what the rules look at: the input, read and completed.
type view struct {
	config  *v1alpha1.InfrastructureConfig
	base    *field.Path
	net     *Networking // nil if it is not known
	profile *v1alpha1.CloudProfileConfig
	region  string
	domain  string
	// old is the configuration that this one takes the place of; nil for a new
	// cluster, and if it could not be read.
	old *v1alpha1.InfrastructureConfig
	// update is false for a new cluster.
	update bool
}

// networks is the path of the block that most rules are about.
func (v *view) networks() *field.Path { return v.base.Child("networks") }

func check(old *Input, in Input) Report {
	if in.Shoot != nil && (len(in.Shoot.Spec.Provider.Workers) == 0 || in.Shoot.DeletionTimestamp != nil) {
		return Report{}
	}
	var findings field.ErrorList
	var unchecked []NotChecked
	v, unreadable := look(in)
	findings = append(findings, unreadable...)
	if v.config != nil {
		if old != nil {
			v.update, v.old = true, oldConfig(*old)
			unchecked = append(unchecked, v.changesUnchecked()...)
			findings = append(findings, v.changes()...)
		}
		findings = append(findings, v.rules()...)
		unchecked = append(unchecked, v.unchecked()...)
	}
	if in.Shoot != nil {
		more, moreUnchecked := v.shoot(old, in.Shoot)
		findings = append(findings, more...)
		unchecked = append(unchecked, moreUnchecked...)
	}
	return report(findings, unchecked)
}

// rules are the rules about the configuration as it stands.
func (v *view) rules() field.ErrorList {
	var findings field.ErrorList
	for _, rule := range []func() field.ErrorList{
		v.floatingPool, v.floatingPoolAllowed, v.nodeSubnetSource, v.workerRanges, v.subnetPool,
		v.networkAndRouter, v.existingSubnet, v.existingGroup, v.existingShareNetwork,
		v.ipv6Source, v.ipv6Ranges, v.ipv6Sizes, v.existingNodeSubnet, v.spelling,
		v.networking, v.rangesApart,
	} {
		findings = append(findings, rule()...)
	}
	return findings
}

// look completes the input from the Shoot.
func look(in Input) (*view, field.ErrorList) {
	v := &view{config: in.Config, base: in.Base, net: in.Networking, profile: in.Profile, region: in.Region, domain: in.Domain}
	if in.Shoot == nil {
		return v, nil
	}
	if v.net == nil {
		v.net = NetworkingOf(in.Shoot)
	}
	if v.region == "" {
		v.region = in.Shoot.Spec.Region
	}
	if v.base == nil {
		v.base = infrastructurePath
	}
	if v.config != nil {
		return v, nil
	}
	raw := in.Shoot.Spec.Provider.InfrastructureConfig
	if raw == nil || len(raw.Raw) == 0 {
		return v, field.ErrorList{configMissing.at(v.base, "", "a Shoot with workers needs to say what its network is", "add "+v.base.String())}
	}
	config, err := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig](raw.Raw)
	if err != nil {
		return v, field.ErrorList{configUnreadable.at(v.base, field.OmitValueType{}, oneLine(err), "correct the document")}
	}
	v.config = config
	return v, nil
}

// oneLine puts the lines of an error into one.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", ", ") }

// oldConfig is the configuration before the update, or nil if it cannot be read.
func oldConfig(in Input) *v1alpha1.InfrastructureConfig {
	if in.Config != nil || in.Shoot == nil || in.Shoot.Spec.Provider.InfrastructureConfig == nil {
		return in.Config
	}
	config, err := v1alpha1.DecodeLenient[v1alpha1.InfrastructureConfig](in.Shoot.Spec.Provider.InfrastructureConfig.Raw)
	if err != nil {
		return nil
	}
	return config
}

// unchecked lists the rules that had nothing to compare with.
func (v *view) unchecked() []NotChecked {
	var missing []NotChecked
	if v.net == nil {
		for _, rule := range []code{outsideNodes, nodesMissing, ipv6Only, dualStackWithoutIPv6, ipv6Unused, workersOverlap} {
			missing = append(missing, NotChecked{string(rule), "the ranges and IP families of the cluster are not known (spec.networking of the Shoot, or the flags for them)"})
		}
	} else if v.net.Nodes == "" && v.config.Networks.Workers+v.config.Networks.Worker != "" {
		missing = append(missing, NotChecked{string(outsideNodes), "spec.networking.nodes is not given"})
	}
	if reason := v.profileUnknown(); reason != "" && (!v.update || v.poolNameChanged()) {
		missing = append(missing, NotChecked{string(poolNotAllowed), reason})
	}
	return missing
}

// profileUnknown says why the CloudProfile cannot be asked, or nothing.
func (v *view) profileUnknown() string {
	switch {
	case v.profile == nil:
		return "no CloudProfile is given"
	case v.region == "":
		return "the region is not known, and the CloudProfile's entries are by region"
	case v.domain == "" && namesDomain(v.profile):
		return fmt.Sprintf("the Keystone domain of the credentials is not known, and the CloudProfile has entries for domains (region %s)", v.region)
	}
	return ""
}
