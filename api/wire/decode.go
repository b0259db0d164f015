// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package wire reads documents of the API groups below api/: strictly what users
// write, leniently what others write or wrote long ago. It knows none of them.
package wire

import (
	"bytes"
	encodingjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/json"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/yaml"
)

// Object is a pointer to a kind.
type Object[T any] interface {
	*T
	runtime.Object
}

// Codec reads the kinds of one group and version.
type Codec struct {
	version schema.GroupVersion
	decoder runtime.Decoder
}

// NewCodec makes a codec for a group and version; addToScheme registers its
// kinds. It panics if they cannot be registered, which is a slip of the program.
func NewCodec(version schema.GroupVersion, addToScheme func(*runtime.Scheme) error) *Codec {
	scheme := runtime.NewScheme()
	utilruntime.Must(addToScheme(scheme))
	return &Codec{version: version, decoder: serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()}
}

// DecodeStrict reads one document, YAML or JSON, of kind T. It is for what users
// write: an unknown or repeated field, a value of the wrong type, another kind
// or apiVersion than T's, or a second document is an error that names it, with
// the line where it is known. All unknown and repeated fields are named at once.
// It never returns a half-read object.
func DecodeStrict[T any, P Object[T]](codec *Codec, data []byte) (P, error) {
	object, problems, err := decode[T, P](codec, data)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return object, nil
}

// DecodeLenient reads one document, YAML or JSON, of kind T. It is for what
// others write or wrote long ago: fields that T does not have are dropped. A
// value of the wrong type, or another kind or apiVersion than T's, is still an
// error.
func DecodeLenient[T any, P Object[T]](codec *Codec, data []byte) (P, error) {
	object, _, err := decode[T, P](codec, data)
	return object, err
}

// decode returns the object and, apart from it, what only a strict reader minds.
func decode[T any, P Object[T]](codec *Codec, data []byte) (P, []error, error) {
	kind := reflect.TypeFor[T]().Name()
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil, fmt.Errorf("the document is empty, expected kind %s of %s", kind, codec.version)
	}
	says, err := kindOf(data)
	if err != nil {
		return nil, nil, err
	}
	if says.Kind != kind || says.APIVersion != codec.version.String() {
		return nil, nil, fmt.Errorf("kind is %q and apiVersion is %q, expected kind %q and apiVersion %q",
			says.Kind, says.APIVersion, kind, codec.version)
	}
	var problems []error
	if documents(data) > 1 {
		problems = append(problems, errors.New("there is more than one document, expected exactly one"))
	}
	object := P(new(T))
	_, _, err = codec.decoder.Decode(data, nil, object)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		return object, append(problems, locate(data, strict.Errors())...), nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", kind, wrongType(data, err))
	}
	return object, problems, nil
}

// kindOf reads what the document says it is. The keys count in their exact
// spelling only, as in all of Kubernetes.
func kindOf(data []byte) (*metav1.TypeMeta, error) {
	asJSON, err := yaml.YAMLToJSON(data)
	if err != nil {
		return nil, fmt.Errorf("not valid YAML: %w", plain(err))
	}
	if !bytes.HasPrefix(asJSON, []byte("{")) {
		return nil, errors.New("not an object: expected keys and values, apiVersion and kind among them")
	}
	var says metav1.TypeMeta
	if err := json.Unmarshal(asJSON, &says); err != nil {
		return nil, errors.New("apiVersion and kind must be strings")
	}
	return &says, nil
}

// wrongType says in plain words which field has a value of the wrong type.
func wrongType(data []byte, err error) error {
	var mismatch *encodingjson.UnmarshalTypeError
	if !errors.As(err, &mismatch) || mismatch.Field == "" {
		return plain(err)
	}
	wanted := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Bool: "true or false", reflect.Int: "a whole number",
		reflect.Slice: "a list", reflect.Struct: "an object", reflect.Map: "an object",
	}[mismatch.Type.Kind()]
	return withLine(data, mismatch.Field, fmt.Errorf("field %q must be %s, not %s", mismatch.Field, wanted, mismatch.Value))
}

// plainError shows the words of an error without the prefixes of the libraries
// that it came through.
type plainError struct{ err error }

func plain(err error) error { return plainError{err} }

func (e plainError) Error() string {
	text := e.err.Error()
	for _, prefix := range []string{"error converting YAML to JSON: ", "json: ", "yaml: ", "unmarshal errors:\n  "} {
		text = strings.TrimPrefix(text, prefix)
	}
	return strings.ReplaceAll(text, "\n  line ", "\nline ")
}

func (e plainError) Unwrap() error { return e.err }
