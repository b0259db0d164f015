// SPDX-FileCopyrightText: The Espalier Authors
// SPDX-License-Identifier: Apache-2.0

package aws

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/espalier-io/espalier/internal/sim/traffic"
)

// refusal is an error that the client gets as such.
type refusal struct {
	status int
	code   string
	text   string
}

func (r *refusal) Error() string { return r.code + ": " + r.text }

func refuseWith(status int, code, format string, args ...any) *refusal {
	return &refusal{status, code, fmt.Sprintf(format, args...)}
}

// refuse is how EC2 refuses most things: with 400.
func refuse(code, format string, args ...any) *refusal {
	return refuseWith(http.StatusBadRequest, code, format, args...)
}

// invalid is how EC2 refuses a value.
func invalid(format string, args ...any) *refusal {
	return refuse("InvalidParameterValue", format, args...)
}

// missing is how EC2 refuses a request without a parameter that must be there.
func missing(name string) *refusal {
	return refuse("MissingParameter", "The request must contain the parameter %s", name)
}

// dependency is how EC2 refuses to delete what something else uses.
func dependency(noun, id string) *refusal {
	return refuse("DependencyViolation", "The %s '%s' has dependencies and cannot be deleted.", noun, id)
}

// protocol is how a service speaks.
type protocol struct {
	name    string // of the service, as signatures and policies spell it
	style   style
	xmlns   string
	denied  string // code of what a policy forbids
	toomany string // code of too many requests
	global  bool   // things are the account's, in all regions
}

type style int

const (
	ec2Query style = iota
	query
	json11
)

var protocols = map[string]*protocol{
	"ec2": {name: "ec2", style: ec2Query, xmlns: "http://ec2.amazonaws.com/doc/2016-11-15/", denied: "UnauthorizedOperation", toomany: "RequestLimitExceeded"},
	"iam": {name: "iam", style: query, xmlns: "https://iam.amazonaws.com/doc/2010-05-08/", denied: "AccessDenied", toomany: "Throttling", global: true},
	"sts": {name: "sts", style: query, xmlns: "https://sts.amazonaws.com/doc/2011-06-15/", denied: "AccessDenied", toomany: "Throttling", global: true},
	"elasticloadbalancing": {
		name: "elasticloadbalancing", style: query, xmlns: "http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/",
		denied: "AccessDenied", toomany: "Throttling",
	},
	"servicequotas": {name: "servicequotas", style: json11, denied: "AccessDeniedException", toomany: "TooManyRequestsException"},
}

// render is the answer for an error.
func (p *protocol) render(r *refusal, request string) traffic.Answer {
	a := traffic.Answer{Status: r.status, Header: http.Header{}}
	if p.style == json11 {
		a.Header.Set("Content-Type", "application/x-amz-json-1.1")
		a.Header.Set("X-Amzn-Errortype", r.code)
		a.Header.Set("X-Amzn-Requestid", request)
		a.Body = jsonBody(object{{"__type", r.code}, {"Message", r.text}})
		return a
	}
	a.Header.Set("Content-Type", "text/xml;charset=UTF-8")
	e := encoder{}
	e.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	fault := object{{"Code", r.code}, {"Message", r.text}}
	if p.style == ec2Query {
		e.element("Response", object{{"Errors", object{{"Error", fault}}}, {"RequestID", request}})
	} else {
		who := "Sender"
		if r.status >= 500 {
			who = "Receiver"
		}
		e.WriteString(`<ErrorResponse xmlns="` + p.xmlns + `">`)
		e.fields(object{{"Error", append(object{{"Type", who}}, fault...)}, {"RequestId", request}})
		e.WriteString("</ErrorResponse>")
	}
	a.Body = e.Bytes()
	return a
}

// answer is the answer for what an operation gave back.
func (p *protocol) answer(action string, o object, request string) traffic.Answer {
	a := traffic.Answer{Status: http.StatusOK, Header: http.Header{}}
	if p.style == json11 {
		a.Header.Set("Content-Type", "application/x-amz-json-1.1")
		a.Header.Set("X-Amzn-Requestid", request)
		a.Body = jsonBody(o)
		return a
	}
	a.Header.Set("Content-Type", "text/xml;charset=UTF-8")
	e := encoder{item: "item"}
	e.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	e.WriteString("<" + action + `Response xmlns="` + p.xmlns + `">`)
	if p.style == ec2Query {
		e.element("requestId", request)
		e.fields(o)
	} else {
		e.item = "member"
		e.element(action+"Result", o)
		e.element("ResponseMetadata", object{{"RequestId", request}})
	}
	e.WriteString("</" + action + "Response>")
	a.Body = e.Bytes()
	return a
}

func jsonBody(o object) []byte {
	raw, err := json.Marshal(o)
	if err != nil { // all is made of strings, numbers, lists and objects
		return []byte(`{"__type": "InternalFailure"}`)
	}
	return raw
}
