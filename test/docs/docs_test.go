// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/espalier-io/espalier/api/openstack/v1alpha1"
	"github.com/espalier-io/espalier/internal/validate"
)

var block = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```")

func TestConfigurationsInPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range block.FindAllSubmatch(text, -1) {
			if !strings.Contains(string(m[1]), "openstack.provider.extensions.gardener.cloud") || strings.Contains(string(m[1]), "\nkind: Shoot\n") {
				continue // a whole Shoot is for test/guide
			}
			tried++
			t.Run(fmt.Sprintf("%s %d", filepath.Base(page), i+1), func(t *testing.T) {
				config, err := v1alpha1.DecodeStrict[v1alpha1.InfrastructureConfig](m[1])
				if err != nil {
					t.Fatal(err)
				}
				r := validate.OpenStack(validate.Input{Config: config, Networking: &validate.Networking{Nodes: "10.250.0.0/16", Pods: "100.64.0.0/11", Services: "100.104.0.0/13"}})
				for _, e := range r.Errors {
					t.Error(e)
				}
			})
		}
	}
	if tried == 0 {
		t.Error("no page has a configuration: what is looked for has changed")
	}
}
