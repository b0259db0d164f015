// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"encoding/json"
	"net/http"
	"strings"
)

func (k *kind[T]) update(c *call) (answer, error) {
	in, err := k.readChange(c)
	if err != nil {
		return answer{}, err
	}
	v, err := k.find(c, c.vars["id"])
	if err != nil {
		return answer{}, err
	}
	owns := c.owns(v.std().Project)
	if err := c.demand("update_"+k.one, owns); err != nil {
		return answer{}, err
	}
	if err := c.demandAttributes("update_"+k.one, k.attrs.guarded(in), owns); err != nil {
		return answer{}, err
	}
	if err := c.ifMatch(v.std()); err != nil {
		return answer{}, err
	}
	if err := k.change(c, v, in); err != nil {
		return answer{}, err
	}
	set(in, "description", &v.std().Description)
	if len(in.values) > 0 || !k.idle {
		c.touch(v)
	}
	return ok(fields{k.one: k.render(c, v)})
}

// readChange checks the body of a change.
func (k *kind[T]) readChange(c *call) (in input, err error) {
	var body map[string]json.RawMessage
	if err := c.decode(&body); err != nil {
		return in, err
	}
	one, err := k.single(body)
	if err != nil {
		return in, err
	}
	if in, err = k.attrs.read(one, false); err != nil {
		return in, err
	}
	if (in.has("project_id") || in.has("tenant_id")) && !c.who.admin() {
		return in, c.settle(in)
	}
	return in, nil
}

func (k *kind[T]) delete(c *call) (answer, error) {
	v, err := k.find(c, c.vars["id"])
	if err != nil {
		return answer{}, err
	}
	if err := c.demand("delete_"+k.one, c.owns(v.std().Project)); err != nil {
		return answer{}, err
	}
	if err := c.ifMatch(v.std()); err != nil {
		return answer{}, err
	}
	if err := k.remove(c, v); err != nil {
		return answer{}, err
	}
	k.of(c.cloud).remove(v)
	return noContent()
}

// ifMatch refuses the change of another revision than the client expects.
func (c *call) ifMatch(s *standard) error {
	want, asked := strings.CutPrefix(c.header.Get("If-Match"), "revision_number=")
	if asked && want != python(s.Revision) {
		return refuse(http.StatusPreconditionFailed, "RevisionNumberConstraintFailed", "Constrained to %s, but current revision is %d", want, s.Revision)
	}
	return nil
}
