// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package openstack

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// kind is what the cloud knows about one kind of thing of Neutron.
type kind[T shower] struct {
	one, many string // as bodies call it; the path has dashes
	missing   string // NeutronError.type if there is none
	text      string // and the message, with the ID
	denied    bool   // one that the caller may not see is HTTPNotFound
	quota     bool   // how many a project may have is limited
	idle      bool   // a change without a field is none
	alone     bool   // several cannot be made by one request
	attrs     attributes
	of        func(*Cloud) *table[T]

	// make makes a thing. It must check everything before it changes anything.
	make func(c *call, in input) (T, error)
	// bulk checks several before any is made; nil: nothing more than make does,
	// and what was made is removed again if one fails.
	bulk func(c *call, ins []input) error
	// change changes a thing, under the same condition.
	change func(c *call, v T, in input) error
	// remove checks, and removes what goes with the thing. The thing itself is
	// taken out of its table afterwards.
	remove func(c *call, v T) error
	// show adds what is not stored with the thing. Nil: nothing.
	show func(c *call, v T, f fields)
	// sees says who sees a thing besides its project and admins. Nil: nobody.
	sees func(c *call, v T) bool
	// filters are those that are not the comparison with a field.
	filters map[string]func(c *Cloud, v T, values []string) bool
}

// path is where the things of the kind are.
func (k *kind[T]) path() string { return "/network/v2.0/" + strings.ReplaceAll(k.many, "_", "-") }

// routes are list, creation, show, change and deletion.
func (k *kind[T]) routes() routes {
	at := k.path()
	return routes{
		{"GET", at, k.list, false},
		{"POST", at, k.create, false},
		{"GET", at + "/{id}", k.get, false},
		{"PUT", at + "/{id}", k.update, false},
		{"DELETE", at + "/{id}", k.delete, false},
	}
}

func (k *kind[T]) none(id string) error { return notFound(k.missing, k.text, id) }

// visible says whether the caller sees a thing.
func (k *kind[T]) visible(c *call, v T) bool {
	return c.who.admin() || c.owns(v.std().Project) || k.sees != nil && k.sees(c, v)
}

// find returns a thing that the caller sees.
func (k *kind[T]) find(c *call, id string) (T, error) {
	v, there := k.of(c.cloud).get(id)
	switch {
	case !there:
		return v, k.none(id)
	case k.visible(c, v):
		return v, nil
	case k.denied:
		return v, notFound("HTTPNotFound", "The resource could not be found.")
	}
	return v, k.none(id)
}

// render returns all fields of a thing as the caller sees them.
func (k *kind[T]) render(c *call, v T) fields {
	f := v.std().common()
	maps.Copy(f, v.shown())
	if k.show != nil {
		k.show(c, v, f)
	}
	for name := range f {
		a := k.attrs[name]
		if a.flags&secret != 0 && !c.passes("get_"+k.one+":"+name, c.owns(v.std().Project)) {
			delete(f, name)
		}
	}
	return f
}

// toFields turns a thing into an object of JSON. Numbers are json.Number.
func toFields(v any) fields {
	raw, err := json.Marshal(v)
	if err != nil {
		return fields{"error": err.Error()} // things are made of texts, numbers, lists and maps
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	f := fields{}
	if err := d.Decode(&f); err != nil {
		return fields{"error": err.Error()}
	}
	return f
}

// seen counts the reads of a thing that is new, and says whether it shows.
func seen(s *standard) bool {
	if s.hidden > 0 {
		s.hidden--
		return false
	}
	return true
}

func (k *kind[T]) get(c *call) (answer, error) {
	k.look(c)
	v, err := k.find(c, c.vars["id"])
	if err != nil {
		return answer{}, err
	}
	if !k.mayGet(c) {
		return answer{}, k.forbidden("get_" + k.one)
	}
	if !seen(v.std()) {
		return answer{}, k.none(c.vars["id"])
	}
	return ok(fields{k.one: only(k.render(c, v), c.query["fields"])})
}

// look does what else a read does: it lets pass what time would do, in a cloud
// without a clock, and makes the default group count.
func (k *kind[T]) look(c *call) {
	switch k.one {
	case "port":
		c.advance()
	case "security_group":
		if c.who.project != nil {
			c.cloud.addDefaultGroup(c.who.project.id)
		}
	}
}

// mayGet says whether the policy lets anybody see this kind at all.
func (k *kind[T]) mayGet(c *call) bool {
	who := c.cloud.policy["get_"+k.one]
	return who != Nobody && (who != Admin || c.who.admin())
}

func (k *kind[T]) forbidden(rule string) error {
	return refuse(http.StatusForbidden, "PolicyNotAuthorized", "rule:%s is disallowed by policy", rule)
}

func (k *kind[T]) create(c *call) (answer, error) {
	var body map[string]json.RawMessage
	if err := c.decode(&body); err != nil {
		return answer{}, err
	}
	many := false
	var list []map[string]any
	if raw, there := body[k.many]; there {
		many = true
		if json.Unmarshal(raw, &list) != nil {
			return answer{}, badRequest("Body contains invalid data")
		}
		if len(list) == 0 {
			return answer{}, badRequest("Resources required")
		}
		if k.alone {
			return answer{}, c.cloud.unknown(c)
		}
	} else {
		one, err := k.single(body)
		if err != nil {
			return answer{}, err
		}
		list = []map[string]any{one}
	}
	made, err := k.makeAll(c, list)
	if err != nil {
		return answer{}, err
	}
	if many {
		return created(fields{k.many: made})
	}
	return created(fields{k.one: made[0]})
}

// single returns the object that a body is about.
func (k *kind[T]) single(body map[string]json.RawMessage) (one map[string]any, err error) {
	raw, there := body[k.one]
	if !there {
		return nil, badRequest("Unable to find '%s' in request body", k.one)
	}
	if json.Unmarshal(raw, &one) != nil || one == nil {
		return nil, badRequest("Body contains invalid data")
	}
	return one, nil
}

// makeAll makes all, or none.
func (k *kind[T]) makeAll(c *call, list []map[string]any) ([]fields, error) {
	ins, err := k.readAll(c, list)
	if err != nil {
		return nil, err
	}
	made := []T{}
	for _, in := range ins {
		v, err := k.make(c, in)
		if err != nil {
			return nil, k.undo(c, made, err)
		}
		made = append(made, v)
	}
	shown := []fields{}
	for _, v := range made {
		shown = append(shown, k.render(c, v))
	}
	return shown, nil
}

// readAll checks the bodies, and whether the caller may make all that.
func (k *kind[T]) readAll(c *call, list []map[string]any) (ins []input, err error) {
	for _, body := range list {
		in, err := k.attrs.read(body, true)
		if err != nil {
			return nil, err
		}
		if err := c.settle(in); err != nil {
			return nil, err
		}
		ins = append(ins, in)
	}
	for _, in := range ins {
		owns := c.owns(in.text("project_id"))
		if err := c.demand("create_"+k.one, owns); err != nil {
			return nil, err
		}
		if err := c.demandAttributes("create_"+k.one, k.attrs.guarded(in), owns); err != nil {
			return nil, err
		}
	}
	if k.quota {
		if err := k.afford(c, ins); err != nil {
			return nil, err
		}
	}
	if k.bulk != nil {
		return ins, k.bulk(c, ins)
	}
	return ins, nil
}

// undo takes back what one request made before it failed.
func (k *kind[T]) undo(c *call, made []T, why error) error {
	for _, v := range slices.Backward(made) {
		if err := k.remove(c, v); err != nil {
			return err
		}
		k.of(c.cloud).remove(v)
	}
	return why
}

// settle writes into the body whose the thing will be.
func (c *call) settle(in input) error {
	project := in.text("project_id")
	if project == "" {
		project = in.text("tenant_id")
	}
	if project == "" {
		project = c.who.projectID()
	}
	if project != c.who.projectID() && !c.who.admin() {
		return badRequest("Specifying 'project_id' or 'tenant_id' other than the authenticated project in request requires admin or advsvc privileges")
	}
	in.values["project_id"] = project
	delete(in.values, "tenant_id")
	return nil
}

// afford refuses what is over the quota.
func (k *kind[T]) afford(c *call, ins []input) error {
	more := map[string]int{}
	for _, in := range ins {
		more[in.text("project_id")]++
	}
	for _, project := range slices.Sorted(maps.Keys(more)) {
		used := len(k.of(c.cloud).where(func(v T) bool { return v.std().Project == project }))
		if err := c.cloud.afford(project, k.one, used, more[project]); err != nil {
			return err
		}
	}
	return nil
}

// touch marks that a thing changed.
func (c *call) touch(v thing) {
	s := v.std()
	s.Revision++
	s.Updated = c.stamp()
}

// fresh returns what a new thing of a kind has in common with all others.
func (c *call) fresh(kind string, in input) standard {
	s := standard{
		ID: in.id, Project: in.text("project_id"), Description: in.text("description"), Tags: []string{},
		Created: c.stamp(), Updated: c.stamp(), Revision: 1, hidden: c.cloud.switches.hide,
	}
	if s.ID == "" {
		s.ID = c.cloud.uuid(kind, s.Project, asJSON(in.values))
	}
	return s
}
