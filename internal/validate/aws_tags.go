// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package validate

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// longestTagKey is how many characters AWS stores of a tag key.
const longestTagKey = 128

// neededKey and neededPrefixes are the tag keys by which resources are found.
const neededKey = "Name"

var (
	neededPrefixes = []string{"kubernetes.io", "gardener.cloud"}
	tagKey         = regexp.MustCompile(`^[\w +\-=.:/@]+$`)
)

// ignoreTags checks that no tag is ignored that is needed.
func (v *awsView) ignoreTags() field.ErrorList {
	tags, path := v.config.IgnoreTags, v.base.Child("ignoreTags")
	if tags == nil {
		return nil
	}
	var findings field.ErrorList
	for i, key := range tags.Keys {
		findings = append(findings, ignored(awsIgnoredKey, awsIgnoredKeyMissing, path.Child("keys").Index(i), key, keyNeeded)...)
	}
	for i, prefix := range tags.KeyPrefixes {
		findings = append(findings, ignored(awsIgnoredPrefix, awsIgnoredPrefixMissing, path.Child("keyPrefixes").Index(i), prefix, prefixNeeded)...)
	}
	return findings
}

// ignored checks a key or a prefix; needed says what of it is needed.
func ignored(rule, missing code, path *field.Path, text string, needed func(string) []string) field.ErrorList {
	if text == "" {
		return field.ErrorList{missing.at(path, "", "the entry is empty", "remove it")}
	}
	var findings field.ErrorList
	if !tagKey.MatchString(text) {
		findings = append(findings, rule.at(path, text, "a tag key has letters, digits, blanks and + - = . _ : / @", "correct it"))
	}
	if length := utf8.RuneCountInString(text); length > longestTagKey {
		findings = append(findings, rule.at(path, text, "a tag key has at most "+strconv.Itoa(longestTagKey)+" characters, this one has "+strconv.Itoa(length), "shorten it"))
	}
	if len(findings) > 0 {
		return findings
	}
	for _, what := range needed(text) {
		findings = append(findings, rule.at(path, text, what+" must not be ignored, because resources are found by it", "remove the entry, or make it narrower"))
	}
	return findings
}

func keyNeeded(key string) []string {
	var needed []string
	if key == neededKey {
		needed = append(needed, "the key "+neededKey)
	}
	for _, prefix := range neededPrefixes {
		if strings.HasPrefix(key, prefix) {
			needed = append(needed, "a key that begins with "+prefix)
		}
	}
	return needed
}

func prefixNeeded(prefix string) []string {
	var needed []string
	if strings.HasPrefix(neededKey, prefix) {
		needed = append(needed, "the key "+neededKey)
	}
	for _, other := range neededPrefixes {
		if strings.HasPrefix(prefix, other) || strings.HasPrefix(other, prefix) {
			needed = append(needed, "what begins with "+other)
		}
	}
	return needed
}
