// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/validate"
)

// The user's things, in Neutron's spelling.
const (
	network    = "3f1c8d1e-8a57-4a39-9c2c-0a7e6b1d2f01"
	subnet     = "3f1c8d1e-8a57-4a39-9c2c-0a7e6b1d2f02"
	router     = "3f1c8d1e-8a57-4a39-9c2c-0a7e6b1d2f03"
	group      = "3f1c8d1e-8a57-4a39-9c2c-0a7e6b1d2f04"
	share      = "3f1c8d1e-8a57-4a39-9c2c-0a7e6b1d2f05"
	nodeSubnet = "3f1c8d1e-8a57-4a39-9c2c-0a7e6b1d2f06"
	pool       = "3f1c8d1e-8a57-4a39-9c2c-0a7e6b1d2f07"
	other      = "9d9d9d9d-0000-4000-8000-0000000000ff"
)

// cluster is everything that the rules look at, easy to change in a row.
type cluster struct {
	config     *v1alpha1.InfrastructureConfig
	control    *v1alpha1.ControlPlaneConfig
	networking *corev1beta1.Networking
	workers    []corev1beta1.Worker
	profile    *v1alpha1.CloudProfileConfig
	domain     string
	// rawConfig and rawControl take the place of config and control in the Shoot.
	rawConfig, rawControl string
	bare                  bool // no Shoot
	deleted               bool
}

func to[T any](value T) *T { return &value }

// managed is a cluster whose network is made for it.
func managed() *cluster {
	return &cluster{
		config: &v1alpha1.InfrastructureConfig{
			TypeMeta:         metav1.TypeMeta{APIVersion: v1alpha1.SchemeGroupVersion.String(), Kind: "InfrastructureConfig"},
			FloatingPoolName: "public", Networks: v1alpha1.Networks{Workers: "10.250.0.0/19"},
		},
		control: &v1alpha1.ControlPlaneConfig{
			TypeMeta:             metav1.TypeMeta{APIVersion: v1alpha1.SchemeGroupVersion.String(), Kind: "ControlPlaneConfig"},
			LoadBalancerProvider: "amphora",
		},
		networking: &corev1beta1.Networking{
			Type: to("calico"), Nodes: to("10.250.0.0/16"), Pods: to("100.96.0.0/11"), Services: to("100.64.0.0/13"),
			IPFamilies: []corev1beta1.IPFamily{corev1beta1.IPFamilyIPv4},
		},
		workers: []corev1beta1.Worker{{Name: "pool", Zones: []string{"a", "b"}}},
		profile: &v1alpha1.CloudProfileConfig{Constraints: v1alpha1.Constraints{
			FloatingPools:         []v1alpha1.FloatingPool{{Name: "public"}},
			LoadBalancerProviders: []v1alpha1.LoadBalancerProvider{{Name: "amphora"}},
		}},
	}
}

// existing is a cluster on the user's network, subnet, router and group.
func existing() *cluster {
	c := managed()
	c.config.Networks = v1alpha1.Networks{ID: to(network), SubnetID: to(subnet), Router: &v1alpha1.Router{ID: router}, SecurityGroupID: to(group)}
	return c
}

// dual is a dual-stack cluster on the user's subnets.
func dual() *cluster {
	c := existing()
	c.networking.IPFamilies = append(c.networking.IPFamilies, corev1beta1.IPFamilyIPv6)
	c.config.Networks.IPv6 = &v1alpha1.IPv6Config{NodeSubnetID: to(nodeSubnet), PodCIDR: "fd00:20::/56", ServiceCIDR: "fd00:30::/112"}
	return c
}

// dualManaged is a dual-stack cluster whose network is made for it.
func dualManaged() *cluster {
	c := managed()
	c.networking.IPFamilies = append(c.networking.IPFamilies, corev1beta1.IPFamilyIPv6)
	c.config.Networks.IPv6 = &v1alpha1.IPv6Config{NodeCIDR: "fd00:10::/64", PodCIDR: "fd00:20::/56", ServiceCIDR: "fd00:30::/112"}
	return c
}

func raw(text string, object any) *runtime.RawExtension {
	if text != "" {
		return &runtime.RawExtension{Raw: []byte(text)}
	}
	data, err := json.Marshal(object)
	if err != nil || string(data) == "null" {
		return nil
	}
	return &runtime.RawExtension{Raw: data}
}

func (c *cluster) shoot() *corev1beta1.Shoot {
	shoot := &corev1beta1.Shoot{}
	shoot.Spec.Region = "RegionOne"
	shoot.Spec.Networking = c.networking
	shoot.Spec.Provider.Workers = c.workers
	shoot.Spec.Provider.InfrastructureConfig = raw(c.rawConfig, c.config)
	shoot.Spec.Provider.ControlPlaneConfig = raw(c.rawControl, c.control)
	if c.deleted {
		shoot.DeletionTimestamp = &metav1.Time{}
	}
	return shoot
}

// input hands the configuration over inside the Shoot, or bare.
func (c *cluster) input() validate.Input {
	in := validate.Input{Profile: c.profile, Domain: c.domain, Region: "RegionOne"}
	if c.bare {
		in.Config = c.config
		in.Networking = validate.NetworkingOf(c.shoot())
		return in
	}
	in.Shoot = c.shoot()
	return in
}

// row is a line of the table: a rule by its number, and a cluster for which all
// findings are these and no others. A finding is written "NUMBER path".
type row struct {
	number string
	name   string
	base   func() *cluster
	change func(c *cluster)
	// update, if it is not nil, makes the row an update, from base to base with
	// this change; change is then applied to the old one.
	update func(c *cluster)
	want   []string
}

// check runs a row.
func (r row) check() validate.Report {
	c := r.base()
	if r.change != nil {
		r.change(c)
	}
	if r.update == nil {
		return validate.OpenStack(c.input())
	}
	updated := r.base()
	r.update(updated)
	return validate.OpenStackUpdate(c.input(), updated.input())
}

// line is a row of any cloud.
type line struct {
	number, name string
	want         []string
	check        func() validate.Report
}

// table is a cloud's rules and rows.
type table struct {
	rules []validate.Rule
	lines []line
}

func tables() map[string]table {
	openStack := table{rules: validate.Rules()}
	for _, r := range slices.Concat(sourceRows, poolRows, rangeRows, ipv6Rows, existingRows, updateRows, shootRows, controlRows, classRows, profileRows) {
		openStack.lines = append(openStack.lines, line{r.number, r.name, r.want, r.check})
	}
	aws := table{rules: validate.AWSRules()}
	for _, r := range slices.Concat(awsVPCRows, awsZoneRows, awsRangeRows, awsTagRows, awsUpdateRows, awsShootRows) {
		aws.lines = append(aws.lines, line{r.number, r.name, r.want, r.check})
	}
	return map[string]table{"OpenStack": openStack, "AWS": aws}
}

// byCode finds a rule of any cloud.
var byCode = func() map[string]validate.Rule {
	found := map[string]validate.Rule{}
	for _, rule := range slices.Concat(validate.Rules(), validate.AWSRules()) {
		found[rule.Code] = rule
	}
	return found
}()

// shown writes findings as rows do.
func shown(lists ...field.ErrorList) []string {
	var texts []string
	for _, finding := range slices.Concat(lists...) {
		texts = append(texts, strings.TrimSpace(byCode[finding.Origin].Number+" "+below(finding.Field)))
	}
	return texts
}

// below is the path below the infrastructure configuration.
func below(path string) string {
	const base = "spec.provider.infrastructureConfig"
	return strings.TrimPrefix(strings.TrimPrefix(path, base), ".")
}

func TestRules(t *testing.T) {
	for cloud, table := range tables() {
		for _, l := range table.lines {
			t.Run(cloud+" "+l.number+" "+l.name, func(t *testing.T) {
				report := l.check()
				if got := shown(report.Errors, report.Warnings); !slices.Equal(got, l.want) {
					t.Errorf("findings are %q, want %q\n%v\n%v", got, l.want, report.Errors.ToAggregate(), report.Warnings.ToAggregate())
				}
				for _, finding := range slices.Concat(report.Errors, report.Warnings) {
					wellFormed(t, finding)
				}
			})
		}
	}
}

// wellFormed checks what holds for every finding.
func wellFormed(t *testing.T, finding *field.Error) {
	t.Helper()
	rule := byCode[finding.Origin]
	if rule.Type != finding.Type {
		t.Errorf("%v is of type %s, the table says %s", finding, finding.Type, rule.Type)
	}
	path := indexes.ReplaceAllString(below(finding.Field), "[]")
	if !slices.ContainsFunc(rule.Fields, func(field string) bool { return below(field) == path }) {
		t.Errorf("%v stands at %s, the table says %q", finding, path, rule.Fields)
	}
	problem, fix := validate.Parts(finding)
	if strings.Contains(problem, "; ") {
		t.Errorf("%v: it is not clear where the fix begins", finding)
	}
	if len(problem) < 10 || len(fix) < 5 {
		t.Errorf("%v does not say what is wrong and how to mend it", finding)
	}
}
