// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"

	"github.com/espalier-io/espalier/internal/cli/input"
	"github.com/espalier-io/espalier/internal/engine"
	"github.com/espalier-io/espalier/internal/fault"
)

// A memory is what the state keeps of the configuration that was applied last.
type memory struct {
	// TechnicalID is that of the cluster that the state belongs to.
	TechnicalID string `json:"technicalID"`
	// Config is an InfrastructureConfig.
	Config json.RawMessage `json:"infrastructureConfig"`
}

// remember puts the configuration that is about to be applied into the state.
func remember(s *engine.State, c *input.Cluster) error {
	config, err := json.Marshal(c.Config)
	if err != nil {
		return fault.New(fault.Invalid, "keeping the configuration", err)
	}
	doc, err := json.Marshal(memory{c.TechnicalID, config})
	if err != nil {
		return fault.New(fault.Invalid, "keeping the configuration", err)
	}
	return s.SetConfig(doc)
}

// applied is the configuration that was applied last, nil if there was none. A
// state of another cluster is refused: with it everything that it records would
// be renamed, or be taken for this cluster's.
func (a *app) applied(s *engine.State, c *input.Cluster) (any, error) {
	raw := s.Config()
	if len(raw) == 0 {
		return nil, nil
	}
	var m memory
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fault.New(fault.Invalid, "reading the configuration in the state", err)
	}
	if m.TechnicalID != c.TechnicalID {
		return nil, fault.Errorf(fault.Conflict, "the state belongs to the cluster %s, not to %s: name the right one with --state or --name", engine.Clean(m.TechnicalID), c.TechnicalID)
	}
	config, err := byType(a.providers, c.Cloud).form().Old(m.Config)
	if err != nil {
		return nil, fault.New(fault.Invalid, "reading the configuration in the state", err)
	}
	return config, nil
}
