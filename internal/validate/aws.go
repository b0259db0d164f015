// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"slices"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
)

// AWSInput is what the rules for AWS may look at. They never change any of it.
type AWSInput struct {
	// Config is the configuration to check. If it is nil it is read, strictly,
	// from Shoot.
	Config *v1alpha1.InfrastructureConfig

	// Base is the path of the configuration in its document. Nil means that paths
	// begin in the configuration itself, as Gardener's AWS provider writes them.
	Base *field.Path

	// Shoot is the Shoot that the configuration belongs to; see Input.
	Shoot *corev1beta1.Shoot

	// Networking holds the ranges of the cluster. If it is nil it is read from
	// Shoot. Overlay is nil if nobody said whether there is one.
	Networking *Networking

	// Profile is the spec of the CloudProfile; nil if there is none.
	Profile *corev1beta1.CloudProfileSpec

	// Region is the cloud's region. If it is empty it is read from Shoot.
	Region string
}

// AWS checks a configuration for a cluster that does not exist yet.
func AWS(in AWSInput) Report { return checkAWS(nil, in) }

// AWSUpdate checks a configuration that takes the place of another: all rules
// about updated as it stands, but for those that hold for new clusters only, and
// what may not change from old to updated. Of old, Config, Base and Shoot count.
func AWSUpdate(old, updated AWSInput) Report { return checkAWS(&old, updated) }

// awsView is what the rules look at: the input, read and completed.
type awsView struct {
	config *v1alpha1.InfrastructureConfig
	base   *field.Path
	net    *Networking // nil if it is not known
	zones  []string    // of the region in the CloudProfile; nil if not known
	region string
	// old is the configuration that this one takes the place of; nil for a new
	// cluster, and if it could not be read.
	old *v1alpha1.InfrastructureConfig
	// update is false for a new cluster.
	update bool
}

func (v *awsView) networks() *field.Path { return v.base.Child("networks") }
func (v *awsView) vpc() *field.Path      { return v.networks().Child("vpc") }

func (v *awsView) zone(i int) *field.Path { return v.networks().Child("zones").Index(i) }

// existing reports whether any worker subnet is the user's.
func (v *awsView) existing() bool {
	return slices.ContainsFunc(v.config.Networks.Zones, func(z v1alpha1.Zone) bool { return z.WorkersSubnetID != nil })
}

// ipv4 and ipv6 say which families the cluster has; IPv4 if nobody says.
func (v *awsView) ipv4() bool {
	return v.net == nil || len(v.net.IPFamilies) == 0 || slices.Contains(v.net.IPFamilies, corev1beta1.IPFamilyIPv4)
}

func (v *awsView) ipv6() bool {
	return v.net != nil && slices.Contains(v.net.IPFamilies, corev1beta1.IPFamilyIPv6)
}

func checkAWS(old *AWSInput, in AWSInput) Report {
	if in.Shoot != nil && (len(in.Shoot.Spec.Provider.Workers) == 0 || in.Shoot.DeletionTimestamp != nil) {
		return Report{}
	}
	v, findings := lookAWS(in)
	var unchecked []NotChecked
	if v.config != nil {
		if old != nil {
			v.update, v.old = true, oldAWSConfig(*old)
			findings = append(findings, v.changes()...)
		}
		findings = append(findings, v.rules()...)
		unchecked = v.unchecked()
	}
	if in.Shoot != nil {
		var oldShoot *corev1beta1.Shoot
		if old != nil {
			oldShoot = old.Shoot
		}
		findings = append(findings, v.shoot(oldShoot, in.Shoot)...)
	}
	return report(findings, unchecked)
}

// rules are the rules about the configuration as it stands.
func (v *awsView) rules() field.ErrorList {
	var findings field.ErrorList
	for _, rule := range []func() field.ErrorList{
		v.vpcSource, v.endpoints, v.securityGroup, v.ipv6Pool, v.fileSystem, v.settingsUnused,
		v.zonesUniform, v.zonesComplete, v.lbSubnetsComplete, v.zoneNames, v.workerSubnets, v.lbSubnets, v.elasticIPs,
		v.networking, v.clusterRangesApart, v.zoneRanges, v.insideVPC, v.ignoreTags,
	} {
		findings = append(findings, rule()...)
	}
	return findings
}

// lookAWS completes the input from the Shoot.
func lookAWS(in AWSInput) (*awsView, field.ErrorList) {
	v := &awsView{config: in.Config, base: in.Base, net: in.Networking, region: in.Region}
	if in.Shoot != nil {
		if v.net == nil {
			v.net = networkingOf(in.Shoot)
		}
		if v.region == "" {
			v.region = in.Shoot.Spec.Region
		}
	}
	if in.Profile != nil {
		v.zones = zonesOf(in.Profile, v.region)
	}
	if in.Shoot == nil || v.config != nil {
		return v, nil
	}
	raw := in.Shoot.Spec.Provider.InfrastructureConfig
	if raw == nil || len(raw.Raw) == 0 {
		return v, field.ErrorList{awsConfigMissing.at(infrastructurePath, "", "a Shoot with workers needs to say what its network is", "add "+infrastructurePath.String())}
	}
	config, err := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig](raw.Raw)
	if err != nil {
		return v, field.ErrorList{awsConfigUnreadable.at(infrastructurePath, field.OmitValueType{}, oneLine(err), "correct the document")}
	}
	v.config = config
	return v, nil
}

// oldAWSConfig is the configuration before the update, or nil if it cannot be
// read.
func oldAWSConfig(in AWSInput) *v1alpha1.InfrastructureConfig {
	if in.Config != nil || in.Shoot == nil || in.Shoot.Spec.Provider.InfrastructureConfig == nil {
		return in.Config
	}
	config, err := v1alpha1.DecodeLenient[v1alpha1.InfrastructureConfig](in.Shoot.Spec.Provider.InfrastructureConfig.Raw)
	if err != nil {
		return nil
	}
	return config
}

// zonesOf are the availability zones of a region in a CloudProfile; nil if it
// does not have the region.
func zonesOf(profile *corev1beta1.CloudProfileSpec, region string) []string {
	for _, candidate := range profile.Regions {
		if candidate.Name != region {
			continue
		}
		names := []string{}
		for _, zone := range candidate.Zones {
			names = append(names, zone.Name)
		}
		return names
	}
	return nil
}

// unchecked lists the rules that had nothing to compare with.
func (v *awsView) unchecked() []NotChecked {
	var missing []NotChecked
	add := func(reason string, rules ...code) {
		for _, rule := range rules {
			missing = append(missing, NotChecked{string(rule), reason})
		}
	}
	if v.update && v.old == nil {
		add("the old configuration is absent or cannot be read", awsChangeCodes()...)
	}
	if v.zones == nil {
		add("no CloudProfile is given that has the region", awsZoneNotAllowed)
	}
	if v.net == nil {
		add("the ranges and IP families of the cluster are not known (spec.networking of the Shoot, or the flags for them)",
			awsOverlapsVPC, awsOutsideNodes, awsSubnetOverlapsCluster, awsNodesMissing, awsOverlayOn, awsOverlayUnsaid)
	}
	return missing
}
