// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package v1alpha1

import "github.com/espalier-io/espalier/api/wire"

// codec is built once: registering the types and setting up the serializers is
// the expensive part of decoding.
var codec = wire.NewCodec(SchemeGroupVersion, AddToScheme)

// DecodeStrict reads one document of kind T as wire.DecodeStrict does.
func DecodeStrict[T any, P wire.Object[T]](data []byte) (P, error) {
	return wire.DecodeStrict[T, P](codec, data)
}

// DecodeLenient reads one document of kind T as wire.DecodeLenient does.
func DecodeLenient[T any, P wire.Object[T]](data []byte) (P, error) {
	return wire.DecodeLenient[T, P](codec, data)
}
