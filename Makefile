# Targets make their own virtual environment; nothing but Python 3.11 and make is needed to start.
PYTHON ?= python3
VENV ?= .venv

.PHONY: demo docs test test-all bench fuzz clean

SEED ?= 1
RUNS ?= 2000

demo: $(VENV)/.core            ## evaluate the bundled suite on the bundled outputs
	@$(VENV)/bin/assay demo

docs: $(VENV)/.docs            ## the documentation as a site: build/site/index.html
	@$(VENV)/bin/mkdocs build
	@echo build/site/index.html

test: $(VENV)/.test            ## format, lint, types, all tests
	@$(VENV)/bin/python scripts/check.py

test-all: $(VENV)/.heavy       ## the same and what is too heavy for every day
	@$(VENV)/bin/python scripts/check.py --all

bench: $(VENV)/.test           ## speed and memory beside a plain baseline
	@$(VENV)/bin/python benchmarks/run.py

fuzz: $(VENV)/.test            ## damaged files of every kind: make fuzz SEED=7 RUNS=20000
	@$(VENV)/bin/python -m tests.fuzz --seed $(SEED) --runs $(RUNS)

$(VENV)/.core: pyproject.toml scripts/venv.py
	@$(PYTHON) scripts/venv.py $(VENV)
	@touch $@

$(VENV)/.docs: pyproject.toml scripts/venv.py
	@$(PYTHON) scripts/venv.py $(VENV) docs
	@touch $@ $(VENV)/.core

$(VENV)/.test: pyproject.toml scripts/venv.py
	@$(PYTHON) scripts/venv.py $(VENV) test
	@touch $@ $(VENV)/.docs $(VENV)/.core

$(VENV)/.heavy: pyproject.toml scripts/venv.py
	@$(PYTHON) scripts/venv.py $(VENV) test,heavy
	@touch $@ $(VENV)/.test $(VENV)/.docs $(VENV)/.core

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis assay-demo/ build/ fuzz-findings/
