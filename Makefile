# SPDX-FileCopyrightText: The Espalier Authors
# SPDX-License-Identifier: Apache-2.0

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# Tools are pinned in modules of their own, so that nothing of theirs is in
# go.mod. Go builds each once and keeps it in its build cache.
GOLANGCI := go tool -modfile=tools/lint/go.mod golangci-lint
GOTESTSUM := go tool -modfile=tools/go.mod gotestsum --format-hide-empty-pkg
BENCHSTAT := go tool -modfile=tools/go.mod benchstat

PKG ?= ./...
FLAGS ?=

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
test: ## Run all tests. PKG=./internal/engine and FLAGS=-v narrow it down.
	$(GOTESTSUM) --format=pkgname -- -timeout=30m $(if $(ESPALIER_OPENSTACK),-p 1) $(FLAGS) $(PKG)

.PHONY: generate
generate: ## Write the generated code and reference pages anew.
	go generate ./...

.PHONY: fmt
fmt: ## Format the Go code.
	$(GOLANGCI) fmt

.PHONY: lint
lint: ## Lint the Go code; PKG narrows it down.
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
deflake: ## Run the tests over and over, shuffled and with the race detector, until one fails.
	@n=1; while echo "round $$n" && $(GOTESTSUM) --format=pkgname-and-test-fails -- \
	  -race -shuffle=on -count=1 $(FLAGS) $(PKG); do n=$$((n+1)); done; exit 1

.PHONY: cover
cover: ## Measure which statements the tests reach; coverage.out has the detail.
	$(GOTESTSUM) --format=pkgname -- -coverprofile=coverage.out -coverpkg=./internal/...,./api/... $(PKG)
	@go tool cover -func=coverage.out | tail -n 1

.PHONY: peer
peer: ## Compare rules and costs on AWS with those of Gardener's provider; the first build takes minutes.
	cd test/peer && go test -count=1 ./...

.PHONY: bench-peer
bench-peer: ## Print what a run costs on AWS beside Gardener's provider; FLAGS=-update writes the table.
	cd test/peer && go test -count=1 -v -run '^TestCost' . $(if $(FLAGS),-args $(FLAGS))

.PHONY: mutants
mutants: ## Plant known bugs one by one and demand that a test turns red for each.
	go run ./hack/mutants

.PHONY: kill
kill: ## Kill the program at every call and every save, and run it again; FLAGS=-update writes the figures.
	go test -count=1 -v -timeout=1h -run '^TestKill' ./test/kill $(if $(FLAGS),-args $(FLAGS))

.PHONY: campaign
campaign: ## Let everything go wrong, one thing at a time; FLAGS=-update writes the figures.
	go test -count=1 -v -timeout=4h -run '^TestCampaign' ./test/campaign -args -full $(FLAGS)

.PHONY: bench
bench: ## Print calls, writes and depth of each run, and the planner's time.
	go test -run '^TestCost' -v -count=1 ./test/bench
	@mkdir -p .cache
	go test -run '^$$' -bench . -benchmem -count=6 ./internal/engine/... ./test/bench > .cache/bench.txt
	$(BENCHSTAT) .cache/bench.txt

##@ A real OpenStack on this machine (Debian 12)

.PHONY: openstack-up
openstack-up: ## Start Keystone, Neutron and Nova on loopback, seeded.
	@echo "export ESPALIER_OPENSTACK=$$(hack/openstack/up)"

.PHONY: openstack-down
openstack-down: ## Stop them.
	hack/openstack/down
