// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

// Package draw makes pictures of a graph: which things there are or will be,
// whose each is, how they hang together, and what was found wrong with which.
//
//	picture.go   what is drawn, from views and findings: read this first
//	place.go     in which layer a sort of thing belongs
//	status.go    whose a thing is and what becomes of it, in words and shapes
//	width.go     how wide a text is, without a font
//	text.go      for terminals
//	mermaid.go   for documents that render Mermaid
//	layout.go    where things lie; box.go is what stands in them, svg.go draws it
//	colour.go    on a light and on a dark ground
//
// All of it is pure: the same views and findings give the same bytes. Every
// text is taken for hostile: control characters and those that turn the
// direction of writing are left out, and what is left is escaped for where it
// goes. Colours only underline; whose a thing is stands in words beside it and
// shows in its shape.
package draw
