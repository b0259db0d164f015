// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !killpoints

package cli

import (
	"context"
	"net/http"
)

// atSave and atCall are the places where the build for the kill tests dies.
// This build does not.
func atSave(_ func(string) string, save func(context.Context, []byte) error) func(context.Context, []byte) error {
	return save
}

func atCall(func(string) string) func(http.RoundTripper) http.RoundTripper { return nil }

// atOnce is how many writes run at a time; 0 is as many as is usual.
func atOnce(func(string) string) int { return 0 }
