# make demo: score the shipped example.   make test: lint, types and tests.   Nothing else is needed.
PY ?= python3
