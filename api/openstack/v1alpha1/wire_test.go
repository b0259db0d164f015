// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/api/wire"
	"github.com/espalier-io/espalier/api/wire/wiretest"
)

func TestRandomObjectsSurviveTheWire(t *testing.T) { wiretest.RoundTrip(t, v1alpha1.AddToScheme) }

func TestGolden(t *testing.T) {
	codec := wire.NewCodec(v1alpha1.SchemeGroupVersion, v1alpha1.AddToScheme)
	for kind, check := range map[string]func(*testing.T, *wire.Codec){
		"InfrastructureConfig": wiretest.Golden[v1alpha1.InfrastructureConfig],
		"InfrastructureStatus": wiretest.Golden[v1alpha1.InfrastructureStatus],
		"InfrastructureState":  wiretest.Golden[v1alpha1.InfrastructureState],
		"ControlPlaneConfig":   wiretest.Golden[v1alpha1.ControlPlaneConfig],
		"CloudProfileConfig":   wiretest.Golden[v1alpha1.CloudProfileConfig],
	} {
		t.Run(kind, func(t *testing.T) { check(t, codec) })
	}
}

// The proposal's configuration patterns are read without complaint.
func TestPatternsAreRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "patterns", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no patterns: %v", err)
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
			if config.FloatingPoolName != "public" {
				t.Errorf("floating pool is %q", config.FloatingPoolName)
			}
		})
	}
}
