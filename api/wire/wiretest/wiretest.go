// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package wiretest holds the checks that every API group below api/ makes of its
// kinds.
package wiretest

import (
	"flag"
	"fmt"
	"math/rand" //nolint:depguard // the fuzzer of apimachinery takes a source of this package
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	"k8s.io/apimachinery/pkg/api/apitesting/roundtrip"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/yaml"

	"github.com/espalier-io/espalier/api/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

// RoundTrip writes and reads random objects of all kinds of a group: nothing may
// be lost. It uses other objects in every run and logs the seed.
func RoundTrip(t *testing.T, addToScheme func(*runtime.Scheme) error) {
	scheme := runtime.NewScheme()
	if err := addToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	codecs := serializer.NewCodecFactory(scheme)
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	filler := fuzzer.FuzzerFor(metafuzzer.Funcs, rand.NewSource(seed), codecs)
	roundtrip.RoundTripExternalTypesWithoutProtobuf(t, scheme, codecs, filler, nil)
}

// Golden reads testdata/golden/KIND.yaml strictly and writes it again: nothing
// may change. The file must set every field that the kind has, so each key on
// the wire is one that was written down.
func Golden[T any, P wire.Object[T]](t *testing.T, codec *wire.Codec) {
	path := filepath.Join("testdata", "golden", reflect.TypeFor[T]().Name()+".yaml")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	object, err := wire.DecodeStrict[T, P](codec, want)
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
