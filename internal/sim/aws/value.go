// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strconv"
	"time"
)

// A field of what is shown. A value is a string, bool, int, float64, time,
// object, []object or []string; nil is not shown.
type field struct {
	name  string
	value any
}

// object is what is shown, in that order.
type object []field

// some is the text, or nil if it is empty.
func some(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// with returns the object with one more field.
func (o object) with(name string, value any) object { return append(o, field{name, value}) }

// get returns the value of a field, or nil.
func (o object) get(name string) any {
	for _, f := range o {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// encoder writes objects as XML. Item is the name of the elements of lists.
type encoder struct {
	bytes.Buffer
	item string
}

func (e *encoder) element(name string, value any) {
	if value == nil {
		return
	}
	e.WriteString("<" + name + ">")
	switch v := value.(type) {
	case object:
		e.fields(v)
	case []object:
		for _, o := range v {
			e.element(e.item, o)
		}
	case []string:
		for _, s := range v {
			e.element(e.item, s)
		}
	default:
		_ = xml.EscapeText(&e.Buffer, []byte(text(v))) // a buffer takes all
	}
	e.WriteString("</" + name + ">")
}

func (e *encoder) fields(o object) {
	for _, f := range o {
		e.element(f.name, f.value)
	}
}

// text is how a simple value is spelled.
func text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case time.Time:
		return v.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return fmt.Sprint(value)
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	first := true
	for _, f := range o {
		if f.value == nil {
			continue
		}
		if !first {
			b.WriteByte(',')
		}
		first = false
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
