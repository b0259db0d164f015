// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/api/aws/v1alpha1"
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
	} {
		t.Run(kind, func(t *testing.T) { check(t, codec) })
	}
}

// The set-ups of the document are read without complaint.
func TestSetUpsAreRead(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "setups", "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no set-ups: %v", err)
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
			if len(config.Networks.Zones) == 0 {
				t.Error("no zones")
			}
		})
	}
}

func TestUnknownFields(t *testing.T) {
	document := []byte("apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1\nkind: InfrastructureConfig\nnetworks:\n  vpc:\n    ID: vpc-1\n")
	if _, err := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig](document); err == nil || !strings.Contains(err.Error(), `line 5: unknown field "networks.vpc.ID"`) {
		t.Errorf("strict reading says %v", err)
	}
	if _, err := v1alpha1.DecodeLenient[v1alpha1.InfrastructureConfig](document); err != nil {
		t.Errorf("lenient reading says %v", err)
	}
}
