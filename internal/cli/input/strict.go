// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package input

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	kjson "sigs.k8s.io/json"

	"github.com/espalier-io/espalier/api/wire"
	"github.com/espalier-io/espalier/internal/engine"
)

// into reads the part of the document at path (raw; all of it if path is
// empty) into v, a pointer to a struct. What v does not have, what stands
// twice, and what is of the wrong type are findings; ok says whether v was
// read to the end.
func (d *document) into(v any, path string, raw []byte) (findings []engine.Finding, ok bool) {
	strict, err := kjson.UnmarshalStrict(raw, v)
	for _, s := range strict {
		findings = append(findings, d.loose(s, path, reflect.TypeOf(v)))
	}
	if err == nil {
		return findings, true
	}
	at, message := path, plain(err)
	if t, is := errors.AsType[*json.UnmarshalTypeError](err); is && t.Field != "" {
		at = join(path, t.Field)
		message = fmt.Sprintf("must be %s, not a %s", wanted(t.Type), t.Value)
	}
	return append(findings, found(wrongType, "Invalid", at, "", d.at(at)+message, "")), false
}

// loose makes a finding of what only a strict reader minds.
func (d *document) loose(err error, path string, t reflect.Type) engine.Finding {
	at, fix := path, "correct or remove it"
	if f, ok := err.(interface{ FieldPath() string }); ok {
		at = join(path, f.FieldPath())
		if meant := suggest(t, f.FieldPath()); meant != "" {
			fix = "is " + meant + " meant?"
		}
	}
	if strings.HasPrefix(err.Error(), "duplicate") {
		return found(fieldTwice, "Duplicate", at, "", d.at(at)+"this field stands twice", "remove one of them")
	}
	return found(unknownField, "NotSupported", at, "", d.at(at)+"there is no such field", fix)
}

// repeated is the finding that a key stands twice in the YAML text, or nothing.
// The path is not known then, only the line.
func (d *document) repeated() []engine.Finding {
	if d.twice == nil {
		return nil
	}
	return []engine.Finding{found(fieldTwice, "Duplicate", "", "", d.source+" "+plain(d.twice), "remove one of them")}
}

// at says where a field stands: "shoot.yaml line 12: ".
func (d *document) at(path string) string {
	if line := wire.LineOf([]byte(d.text), path); line > 0 {
		return fmt.Sprintf("%s line %d: ", d.source, line)
	}
	return d.source + ": "
}

func join(path, field string) string { return strings.TrimPrefix(path+"."+field, ".") }

// wanted is a type in plain words.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	default:
		return "a text"
	}
}
