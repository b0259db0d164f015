// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/apitesting/roundtrip"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestRandomObjectsSurviveTheWire(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	codecs := serializer.NewCodecFactory(scheme)
	seed := fuzzer.FuzzerFor(metafuzzer.Funcs, randomSource(t), codecs)
	roundtrip.RoundTripExternalTypesWithoutProtobuf(t, scheme, codecs, seed, nil)
}

// The golden file of a kind sets every field that the kind has; so each key on
// the wire is one that was written down.
func TestGolden(t *testing.T) {
	t.Run("InfrastructureConfig", golden[v1alpha1.InfrastructureConfig])
	t.Run("InfrastructureStatus", golden[v1alpha1.InfrastructureStatus])
	t.Run("InfrastructureState", golden[v1alpha1.InfrastructureState])
	t.Run("ControlPlaneConfig", golden[v1alpha1.ControlPlaneConfig])
	t.Run("CloudProfileConfig", golden[v1alpha1.CloudProfileConfig])
}

func golden[T any, P v1alpha1.Object[T]](t *testing.T) {
	path := filepath.Join("testdata", "golden", reflect.TypeFor[T]().Name()+".yaml")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	object, err := v1alpha1.DecodeStrict[T, P](want)
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range unset(reflect.ValueOf(object).Elem(), reflect.TypeFor[T]().Name()) {
		t.Errorf("%s does not set %s", path, field)
	}
	got, err := yaml.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("reading and writing %s changes it (-file +written):\n%s", path, diff)
	}
}

// unset lists the fields below a value that are zero.
func unset(value reflect.Value, path string) []string {
	switch value.Kind() {
	case reflect.Pointer:
		if value.IsNil() {
			return []string{path}
		}
		return unset(value.Elem(), path)
	case reflect.Struct:
		var fields []string
		for i := range value.NumField() {
			fields = append(fields, unset(value.Field(i), path+"."+value.Type().Field(i).Name)...)
		}
		return fields
	case reflect.Slice:
		if value.Len() > 0 {
			return unset(value.Index(0), fmt.Sprintf("%s[0]", path))
		}
		return []string{path}
	}
	if value.IsZero() {
		return []string{path}
	}
	return nil
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
