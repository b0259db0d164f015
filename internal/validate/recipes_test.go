// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/validate"
)

// The proposal's configuration patterns have nothing to find, new and as they
// are, with the ranges of its own examples.
func TestThePatternsOfTheProposalAreGood(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "api", "openstack", "v1alpha1", "testdata", "patterns", "*.yaml"))
	if err != nil || len(files) < 7 {
		t.Fatalf("%d patterns: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			config, err := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig](data)
			if err != nil {
				t.Fatal(err)
			}
			networking := &validate.Networking{Nodes: "10.250.0.0/16", Pods: "10.96.0.0/11", Services: "100.64.0.0/13"}
			if config.Networks.SubnetID != nil {
				networking.Nodes = ""
			}
			if strings.Contains(file, "dual-stack") {
				networking.IPFamilies = []corev1beta1.IPFamily{corev1beta1.IPFamilyIPv4, corev1beta1.IPFamilyIPv6}
			}
			profile := &v1alpha1.CloudProfileConfig{Constraints: v1alpha1.Constraints{FloatingPools: []v1alpha1.FloatingPool{{Name: "public"}}}}
			in := validate.Input{Config: config, Networking: networking, Profile: profile, Region: "RegionOne"}
			for name, report := range map[string]validate.Report{"new": validate.OpenStack(in), "as it is": validate.OpenStackUpdate(in, in)} {
				if len(report.Errors)+len(report.Warnings)+len(report.NotChecked) > 0 {
					t.Errorf("%s: %+v", name, report)
				}
			}
		})
	}
}
