// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/validate"
)

// awsCluster is everything that the rules for AWS look at, easy to change in a row.
type awsCluster struct {
	config     *v1alpha1.InfrastructureConfig
	control    *v1alpha1.ControlPlaneConfig
	networking *corev1beta1.Networking
	workers    []corev1beta1.Worker
	profile    *corev1beta1.CloudProfileSpec
	// rawConfig and rawControl take the place of config and control in the Shoot.
	rawConfig, rawControl string
	deleted               bool
}

// awsManaged is a cluster whose VPC is made for it, in two zones.
func awsManaged() *awsCluster {
	return &awsCluster{
		config: &v1alpha1.InfrastructureConfig{
			TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.SchemeGroupVersion.String(), Kind: "InfrastructureConfig"},
			Networks: v1alpha1.Networks{
				VPC: v1alpha1.VPC{CIDR: to("10.250.0.0/16")},
				Zones: []v1alpha1.Zone{
					{Name: "eu-central-1a", Workers: to("10.250.0.0/19"), Public: to("10.250.96.0/22"), Internal: to("10.250.112.0/22")},
					{Name: "eu-central-1b", Workers: to("10.250.32.0/19"), Public: to("10.250.100.0/22"), Internal: to("10.250.116.0/22")},
				},
			},
		},
		networking: &corev1beta1.Networking{
			Type: to("calico"), Nodes: to("10.250.0.0/16"), Pods: to("100.96.0.0/11"), Services: to("100.64.0.0/13"),
			IPFamilies:     []corev1beta1.IPFamily{corev1beta1.IPFamilyIPv4},
			ProviderConfig: &runtime.RawExtension{Raw: []byte(`{"overlay":{"enabled":false}}`)},
		},
		workers: []corev1beta1.Worker{{Name: "pool", Zones: []string{"eu-central-1a", "eu-central-1b"}}},
		profile: &corev1beta1.CloudProfileSpec{Regions: []corev1beta1.Region{
			{Name: "eu-west-1"},
			{Name: "eu-central-1", Zones: []corev1beta1.AvailabilityZone{{Name: "eu-central-1a"}, {Name: "eu-central-1b"}, {Name: "eu-central-1c"}}},
		}},
	}
}

// awsExisting is a cluster on the user's VPC, subnets and security group.
func awsExisting() *awsCluster {
	c := awsManaged()
	c.config.Networks = v1alpha1.Networks{
		VPC: v1alpha1.VPC{ID: to("vpc-1")}, NodesSecurityGroupID: to("sg-1"),
		Zones: []v1alpha1.Zone{
			{Name: "eu-central-1a", WorkersSubnetID: to("subnet-1a"), PublicSubnetID: to("subnet-2a"), InternalSubnetID: to("subnet-3a")},
			{Name: "eu-central-1b", WorkersSubnetID: to("subnet-1b"), PublicSubnetID: to("subnet-2b"), InternalSubnetID: to("subnet-3b")},
		},
	}
	return c
}

// awsDual and awsIPv6 are managed clusters with both families and with IPv6 alone.
func awsDual() *awsCluster {
	c := awsManaged()
	c.networking.IPFamilies = []corev1beta1.IPFamily{corev1beta1.IPFamilyIPv4, corev1beta1.IPFamilyIPv6}
	return c
}

func awsIPv6() *awsCluster {
	c := awsManaged()
	c.networking = &corev1beta1.Networking{IPFamilies: []corev1beta1.IPFamily{corev1beta1.IPFamilyIPv6}, ProviderConfig: c.networking.ProviderConfig}
	for i := range c.config.Networks.Zones {
		c.config.Networks.Zones[i].Workers = nil
	}
	return c
}

func (c *awsCluster) zone(i int) *v1alpha1.Zone { return &c.config.Networks.Zones[i] }

func (c *awsCluster) shoot() *corev1beta1.Shoot {
	shoot := &corev1beta1.Shoot{}
	shoot.Spec.Region = "eu-central-1"
	shoot.Spec.Networking = c.networking
	shoot.Spec.Provider.Workers = c.workers
	shoot.Spec.Provider.InfrastructureConfig = raw(c.rawConfig, c.config)
	shoot.Spec.Provider.ControlPlaneConfig = raw(c.rawControl, c.control)
	if c.deleted {
		shoot.DeletionTimestamp = &metav1.Time{}
	}
	return shoot
}

func (c *awsCluster) input() validate.AWSInput {
	return validate.AWSInput{Shoot: c.shoot(), Profile: c.profile}
}

// awsRow is a row for AWS; see row.
type awsRow struct {
	number string
	name   string
	base   func() *awsCluster
	change func(c *awsCluster)
	update func(c *awsCluster)
	want   []string
}

func (r awsRow) check() validate.Report {
	c := r.base()
	if r.change != nil {
		r.change(c)
	}
	if r.update == nil {
		return validate.AWS(c.input())
	}
	updated := r.base()
	r.update(updated)
	return validate.AWSUpdate(c.input(), updated.input())
}
