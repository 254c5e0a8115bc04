# Everything starts here: each target makes the environment it needs.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
READY := $(VENV)/.ready

STUDY ?= paper
DATASETS ?=
BENCH ?=

# Make cannot write these two where it reads a list.
comma := ,
space := $(subst ,, )

.DEFAULT_GOAL := help
.PHONY: help test lint smoke reproduce rows report keep accept bench lock clean

help:  ## Show this help
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(READY): requirements-build.lock requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "mlmlm needs Python 3.11 or newer; set PYTHON=/path/to/python3.11")'
	$(PYTHON) -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements-build.lock
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --no-build-isolation -r requirements.lock
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@echo "$(CURDIR)" > "$$($(RUN) -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/harness.pth"  # experiments from any folder
	@touch $@

# On all cores. Neighbours stay together, since they share what is costly to make.
test: $(READY)  ## Run the tests, those marked slow last
	$(RUN) -m pytest -n auto --dist worksteal -m "not slow"
	$(RUN) -m pytest -n auto --dist worksteal -m slow

lint: $(READY)  ## Check style and types
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy

smoke: $(READY)  ## Compare Emotions with the paper, in seconds
	$(RUN) -m experiments.study study=smoke force=true

reproduce: $(READY)  ## Run the paper's study and build its report; STUDY=... DATASETS="..." narrow it
	$(RUN) -m experiments.study study=$(STUDY) $(if $(DATASETS),study.datasets=[$(subst $(space),$(comma),$(strip $(DATASETS)))])
	$(if $(DATASETS),,$(if $(filter paper,$(STUDY)),$(RUN) -m experiments.refits results/paper && $(RUN) -m experiments.reliability results/paper && $(RUN) -m experiments.analysis.report results/paper))

rows: $(READY)  ## Fit the paper's datasets again for what its report says of single test rows
	$(RUN) -m experiments.rows $(or $(wildcard results/paper),results/committed/paper) $(DATASETS)

report: $(READY)  ## Build the report of a study again: yours, or else the committed one; or STUDY=...
	$(RUN) -m experiments.analysis.report $(or $(wildcard results/$(STUDY)),results/committed/$(STUDY))

keep: $(READY)  ## Put your results of a study in the place of the committed ones; or STUDY=...
	$(RUN) -m experiments.keep results/$(STUDY)

accept: $(READY)  ## After a change of code that changes no figure: prove it on a sample, keep the records
	$(RUN) -m experiments.accept study=$(STUDY)

bench: $(READY)  ## Measure speed and memory; BENCH="--full --ten" measures everything
	$(RUN) -m scripts.bench $(BENCH)

lock: $(READY)  ## Renew the pinned versions from pyproject.toml
	$(VENV)/bin/uv pip compile requirements-build.in --upgrade --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --quiet -o requirements-build.lock
	$(VENV)/bin/uv pip compile pyproject.toml --all-extras --upgrade --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --quiet -o requirements.lock

clean:  ## Remove the environment and caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
