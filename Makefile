# SPDX-FileCopyrightText: The Espalier Authors
# SPDX-License-Identifier: Apache-2.0

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

BIN := $(CURDIR)/.cache/bin
GOLANGCI := $(BIN)/golangci-lint
GOTESTSUM := $(BIN)/gotestsum
BENCHSTAT := $(BIN)/benchstat
DEEPCOPY := $(BIN)/deepcopy-gen

PKG ?= ./...
FLAGS ?=
RUN ?= .

##@ Every day

.PHONY: help
help: ## Print this list.
	@awk 'BEGIN {FS = ":.*## "} \
	  /^##@/ {printf "\n%s\n", substr($$0, 5)} \
	  /^[a-z][a-z-]*:.*## / {printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/espalier.
	go build -trimpath -o bin/espalier ./cmd/espalier

.PHONY: test
test: $(GOTESTSUM) ## Run all tests. PKG=./internal/engine and FLAGS=-v narrow it down.
	$(GOTESTSUM) --format=pkgname --format-hide-empty-pkg -- $(FLAGS) $(PKG)

.PHONY: generate
generate: $(DEEPCOPY) ## Write the generated code and reference pages anew.
	PATH="$(BIN):$$PATH" go generate ./...

.PHONY: fmt
fmt: $(GOLANGCI) ## Format the Go code.
	$(GOLANGCI) fmt

.PHONY: lint
lint: $(GOLANGCI) ## Lint the Go code; PKG narrows it down.
	$(GOLANGCI) run $(PKG)

.PHONY: verify
verify: generate fmt lint ## Generate, format and lint, then demand a clean tree.
	@git diff --exit-code || { echo "verify: the files above differ from what is committed" >&2; exit 1; }
	@new=$$(git ls-files --others --exclude-standard); [ -z "$$new" ] || \
	  { echo "verify: files that nobody committed: $$new" >&2; exit 1; }

.PHONY: presubmit
presubmit: verify test ## What to run before a change is offered.

##@ Now and then

.PHONY: deflake
deflake: $(GOTESTSUM) ## Run the tests over and over, shuffled and with the race detector, until one fails.
	@n=1; while echo "round $$n" && $(GOTESTSUM) --format=pkgname-and-test-fails --format-hide-empty-pkg -- \
	  -race -shuffle=on -count=1 $(FLAGS) $(PKG); do n=$$((n+1)); done; exit 1

.PHONY: cover
cover: $(GOTESTSUM) ## Measure which statements the tests reach; coverage.out has the detail.
	$(GOTESTSUM) --format=pkgname --format-hide-empty-pkg -- -coverprofile=coverage.out -coverpkg=./internal/...,./api/... $(PKG)
	@go tool cover -func=coverage.out | tail -n 1

.PHONY: mutants
mutants: ## Plant known bugs one by one and demand that a test turns red for each.
	go run ./hack/mutants

.PHONY: bench
bench: $(BENCHSTAT) ## Print calls, writes and depth of each run, and the planner's time.
	go test -run '^TestCost$$' -v -count=1 ./test/bench
	go test -run '^$$' -bench . -benchmem -count=6 ./internal/engine ./internal/openstack | tee .cache/bench.txt
	$(BENCHSTAT) .cache/bench.txt

##@ A real OpenStack on this machine (Debian 12)

.PHONY: openstack-up
openstack-up: ## Start Keystone, Neutron and Nova on loopback, seeded.
	hack/openstack/up.sh

.PHONY: openstack-down
openstack-down: ## Stop them.
	hack/openstack/down.sh

# Tools are pinned by modules of their own, so that nothing of theirs is in
# go.mod, and built once per pinned version.

$(GOLANGCI): tools/lint/go.mod tools/lint/go.sum
	@echo "building golangci-lint, once: a minute or two" >&2
	cd tools/lint && go build -o $@ github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	@touch $@

$(GOTESTSUM): tools/go.mod tools/go.sum
	cd tools && go build -o $@ gotest.tools/gotestsum
	@touch $@

$(BENCHSTAT): tools/go.mod tools/go.sum
	cd tools && go build -o $@ golang.org/x/perf/cmd/benchstat
	@touch $@

$(DEEPCOPY): tools/go.mod tools/go.sum
	cd tools && go build -o $@ k8s.io/code-generator/cmd/deepcopy-gen
	@touch $@
