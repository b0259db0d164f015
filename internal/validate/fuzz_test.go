// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate_test

import (
	"os"
	"path/filepath"
	"testing"

	corev1beta1 "github.com/gardener/gardener/pkg/apis/core/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/validate"
)

// FuzzOpenStack feeds any two documents through strict reading and the rules,
// bare and inside a Shoot, new and as an update: they may be refused, and
// nothing panics.
func FuzzOpenStack(f *testing.F) {
	wire := filepath.Join("..", "..", "api", "openstack", "v1alpha1", "testdata")
	for _, pattern := range []string{filepath.Join(wire, "*", "*.yaml"), filepath.Join("testdata", "corpus", "*.yaml")} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds in %s: %v", pattern, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data, data, "10.250.0.0/16", "100.96.0.0/11", `{"overlay":{"enabled":false}}`)
		}
	}
	f.Fuzz(func(t *testing.T, first, second []byte, nodes, pods, plugin string) {
		shoot := func(document []byte) validate.Input {
			shoot := &corev1beta1.Shoot{}
			shoot.Spec.Networking = &corev1beta1.Networking{
				Nodes: &nodes, Pods: &pods, ProviderConfig: &runtime.RawExtension{Raw: []byte(plugin)}, IPFamilies: []corev1beta1.IPFamily{"IPv6", "IPv4"},
			}
			shoot.Spec.Provider.Workers = make([]corev1beta1.Worker, 1)
			shoot.Spec.Provider.InfrastructureConfig = &runtime.RawExtension{Raw: document}
			shoot.Spec.Provider.ControlPlaneConfig = &runtime.RawExtension{Raw: document}
			return validate.Input{Shoot: shoot}
		}
		validate.OpenStack(shoot(first))
		validate.OpenStackUpdate(shoot(first), shoot(second))
		config, err := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig](first)
		if err != nil {
			return
		}
		created := validate.OpenStack(validate.Input{Config: config})
		updated := validate.OpenStackUpdate(validate.Input{Config: config}, validate.Input{Config: config})
		if len(updated.Errors) > len(created.Errors) {
			t.Errorf("an update without a change has more errors: %v, new: %v", updated.Errors, created.Errors)
		}
	})
}
