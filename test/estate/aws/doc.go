// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package aws is the estate on AWS: see package estate.
package aws
