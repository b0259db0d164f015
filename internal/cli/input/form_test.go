// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"slices"
	"strings"
	"testing"

	aws "github.com/espalier-io/espalier/api/aws/v1alpha1"
	"github.com/espalier-io/espalier/internal/engine"
)

const awsConfig = `apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1
kind: InfrastructureConfig
networks:
  vpc: {id: vpc-1}
  zones: [{name: eu-central-1a, workersSubnetID: subnet-1}]
`

// awsShoot is a Shoot on AWS with what it says of its networking.
func awsShoot(networking, status string) string {
	return `apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata: {name: one, namespace: garden-dev}
spec:
  region: eu-central-1
  networking: ` + networking + `
  provider:
    type: aws
    infrastructureConfig:
` + indent(awsConfig, "      ") + status
}

func awsInfrastructure(status string) string {
	doc := strings.Replace(infrastructure(""), "type: openstack", "type: aws", 1)
	return strings.Replace(doc, indent(config, "    "), indent(awsConfig, "    "), 1) + status
}

const awsProfile = `apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata: {name: aws}
spec:
  type: aws
  regions: [{name: eu-central-1, zones: [{name: eu-central-1a}]}]
`

func TestTheDocumentSaysWhichCloudItIsOf(t *testing.T) {
	for name, tc := range map[string]struct {
		docs  []string
		cloud string
	}{
		"a configuration of AWS":       {[]string{awsConfig}, "aws"},
		"a Shoot on AWS":               {[]string{awsShoot("{type: calico}", "")}, "aws"},
		"an Infrastructure on AWS":     {[]string{awsInfrastructure("")}, "aws"},
		"with a profile":               {[]string{awsProfile, awsConfig}, "aws"},
		"a configuration of OpenStack": {[]string{config}, "openstack"},
		"a Shoot on OpenStack":         {[]string{shoot("name: one", "")}, "openstack"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := parse(Flags{Name: "shoot--dev--one"}, tc.docs...)
			if err != nil || c.Cloud != tc.cloud {
				t.Fatalf("%+v, %v", c, err)
			}
			if _, ok := c.Config.(*aws.InfrastructureConfig); ok != (tc.cloud == "aws") {
				t.Errorf("the configuration is %T", c.Config)
			}
		})
	}
}

func TestWhatDoesNotFitTheCloud(t *testing.T) {
	namespaced := "apiVersion: core.gardener.cloud/v1beta1\nkind: NamespacedCloudProfile\nstatus: {cloudProfileSpec: {type: openstack}}\n"
	for name, tc := range map[string]struct {
		docs []string
		says string // of the error, or of a finding
	}{
		"a configuration of another cloud in a Shoot": {[]string{strings.Replace(awsShoot("{type: calico}", ""), "aws.provider", "openstack.provider", 1)}, "it must be InfrastructureConfig of aws.provider"},
		"a profile of another cloud":                  {[]string{awsConfig, strings.Replace(profile, "spec:\n", "spec:\n  type: openstack\n", 1)}, `is for the provider "openstack", and the cluster's is "aws"`},
		"one in a namespace":                          {[]string{awsConfig, namespaced}, `is for the provider "openstack"`},
		"the provider's own part of another":          {[]string{awsConfig, "apiVersion: openstack.provider.extensions.gardener.cloud/v1alpha1\nkind: CloudProfileConfig\n"}, "is not for this cluster"},
		"a state of Terraform":                        {[]string{awsInfrastructure("status: {state: {data: H4sIAAAA, encoding: gzip}}")}, "Terraform can not be taken over"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := parse(Flags{}, tc.docs...)
			if err != nil {
				if !strings.Contains(err.Error(), tc.says) {
					t.Errorf("%v", err)
				}
				return
			}
			if !slices.ContainsFunc(c.Findings, func(f engine.Finding) bool { return strings.Contains(f.Message+f.Fix, tc.says) }) || c.Config != nil {
				t.Errorf("%+v", c)
			}
		})
	}
}

// Where nobody says whether there is an overlay, it is as Gardener's admission
// would have it, and a finding says so.
func TestWhetherThereIsAnOverlay(t *testing.T) {
	on, off := true, false
	const live = "status: {technicalID: shoot--dev--one}"
	for name, tc := range map[string]struct {
		f       Flags
		doc     string
		overlay bool
		told    string // empty: it is said
	}{
		"a new Shoot with calico":         {doc: awsShoot("{type: calico}", ""), told: "assumed that there is none"},
		"a new Shoot with cilium":         {doc: awsShoot("{type: cilium}", ""), told: "assumed that there is none"},
		"a new Shoot with something else": {doc: awsShoot("{type: flannel}", ""), overlay: true, told: "only into Shoots with calico or cilium"},
		"a Shoot that is there":           {doc: awsShoot("{type: calico}", live), overlay: true, told: "as in clusters from before"},
		"a Shoot that says no":            {doc: awsShoot("{type: calico, providerConfig: {overlay: {enabled: false}}}", live)},
		"a Shoot that says yes":           {doc: awsShoot("{type: calico, providerConfig: {overlay: {enabled: true}}}", ""), overlay: true},
		"a bare configuration":            {doc: awsConfig, told: "assumed that there is none"},
		"one with flags for other things": {f: Flags{Pods: "10.0.0.0/8"}, doc: awsConfig, told: "assumed that there is none"},
		"one with a flag for it":          {f: Flags{Overlay: &on}, doc: awsConfig, overlay: true},
		"one with a flag against it":      {f: Flags{Overlay: &off}, doc: awsConfig},
		"an Infrastructure that is there": {doc: awsInfrastructure("status: {state: {data: {}}}"), told: "assumed that there is none"},
		"a cloud where it does not count": {doc: config, overlay: true},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := parse(tc.f, tc.doc)
			if err != nil {
				t.Fatal(err)
			}
			if c.Overlay != tc.overlay {
				t.Errorf("overlay is %t", c.Overlay)
			}
			var told string
			for _, f := range c.Findings {
				if f.Code != assumed || f.Severity != engine.Info || f.Fix == "" {
					t.Errorf("%+v", f)
				}
				told += f.Message
			}
			if (tc.told == "") != (told == "") || !strings.Contains(told, tc.told) {
				t.Errorf("told is %q", told)
			}
			if n := c.Networking; n != nil && n.Overlay != nil && *n.Overlay != c.Overlay {
				t.Error("the rules hear something else")
			}
		})
	}
}
