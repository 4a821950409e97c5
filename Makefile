# People, hooks and .ci/run call the same targets. scripts/setup.py does nothing where nothing has changed.
.DEFAULT_GOAL := help
.PHONY: help run test check check-python check-web eval format lock faults schema types

PYTHON ?= python3
BIN := .venv/bin
IBID_SHARED ?= $(abspath ../shared)
export IBID_SHARED

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: setup-product ## set up what has changed, then serve; Ctrl-C stops everything; WITH_OCR=1 reads scans
	@exec $(BIN)/ibid up

test: setup-test ## every check and every test, in 20 minutes at the most
	@scripts/test

check: setup-check check-python check-web ## format, lint, types, arrows, unit tests: under a minute

check-python:
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/pytest -q tests/unit

check-web:
	@cd web && npm run --silent check && npm run --silent test

eval: setup-product ## every evaluation, on the sets in $IBID_SHARED
	@scripts/eval

format: setup-check ## format the code and repair what lint can repair
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .
	@cd web && npm run --silent format

schema: setup-development ## write sql/schema.sql anew from the migrations
	@$(BIN)/python scripts/schema.py

types: setup-development ## write the web's types anew from the server's schemas
	@$(BIN)/python scripts/web_types.py

lock: setup-development ## pin every dependency anew, with hashes
	@scripts/lock

setup-product: STEPS = product ocr web
setup-development: STEPS = development
setup-check: STEPS = development modules
setup-test: STEPS = development web chromium
.PHONY: setup-product setup-development setup-check setup-test
setup-product setup-development setup-check setup-test:
	@command -v $(PYTHON) >/dev/null || { echo "Ibid needs Python 3.11 or newer: install it, or name it with PYTHON=..."; exit 1; }
	@$(PYTHON) scripts/setup.py $(STEPS)

faults: setup-test ## kill -9 of every process, 20 times over a batch of 30 real files
	@IBID_KILLS=20 $(BIN)/pytest -q tests/faults
