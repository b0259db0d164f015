// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package docs tries what the documentation shows: each configuration in it
// must be one that can be read, and that no static rule objects to.
package docs
