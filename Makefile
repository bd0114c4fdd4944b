# Two commands on a machine that has Python >= 3.11 with its headers, g++ and make:
#   make study   sets everything up in .venv, measures a network, says where the report is
#   make test    tests what most changes touch: core, models, readers, commands, MPI, a lab
# PYTHON names another interpreter, STUDY holds options of `contend study`, TESTS those of pytest.
# An MPI library is installed into .venv when there is none: neither mpicc on PATH nor $MPICC.

PYTHON ?= python3
STUDY  ?=
TESTS  ?=
VENV   := .venv
BIN    := $(VENV)/bin
MPI    := $(if $(MPICC)$(shell command -v mpicc),,mpi)
NATIVE := CMakeLists.txt $(shell find core/include core/src bindings lab mpi -type f) packaging/backend.py
comma  := ,

# Of a list that may be empty: $(call extras,mpi test) is [mpi,test].
empty :=
space := $(empty) $(empty)
extras = $(if $(strip $(1)),[$(subst $(space),$(comma),$(strip $(1)))])
# Without bytecode, which would be a quarter of the packages. What is used gets it, even where
# PYTHONDONTWRITEBYTECODE is set: every start of a command would compile 800 files anew.
unexport PYTHONDONTWRITEBYTECODE
install = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

.PHONY: study test test-all core lint format docs site size tables bench setup clean

study: $(VENV)/run.stamp
	$(BIN)/contend study $(STUDY)

# Tests fill the cores: threads of the linear algebra beside them would wait for each other.
test test-all: export OPENBLAS_NUM_THREADS := 1
PYTEST = $(BIN)/python -m pytest -n logical --maxprocesses 8 --dist loadfile

# minutes, before each commit
test: $(VENV)/test.stamp
	$(PYTEST) -m "not full" $(TESTS)

# every MPI library, labs, clocks, browsers, packages, coverage by simulation, sanitizers
test-all: $(VENV)/test.stamp
	$(PYTEST) $(TESTS)

core: $(VENV)/test.stamp
	$(BIN)/cmake --workflow --preset sanitize

lint: $(VENV)/lint.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run -Werror $(C_FILES)

format: $(VENV)/lint.stamp
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/clang-format -i $(C_FILES)

docs: $(VENV)/test.stamp
	$(BIN)/python -m pytest tests/docs

# needs no network; search works on file:// too
site: $(VENV)/site.stamp
	$(BIN)/python -m sphinx -q -E -W --keep-going -b html docs build/site
	@echo "written to build/site/index.html"

tables: $(VENV)/test.stamp
	$(BIN)/python tests/tables.py $(TABLES)

size: $(VENV)/run.stamp
	@$(BIN)/python tests/size.py

# those that need neither data nor hours
bench: $(VENV)/test.stamp
	for name in engine evaluation exchange_bound executor lab_lateness lab_full_buffers; do $(BIN)/python -m benchmarks.$$name || exit 1; done

setup: $(VENV)/test.stamp $(VENV)/lint.stamp

clean:
	rm -rf $(VENV) build

C_FILES = $(shell find core bindings mpi lab -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.hpp')

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "contend needs Python 3.11 or newer; name one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import pathlib, sys, sysconfig; \
	    sys.exit(not pathlib.Path(sysconfig.get_path("include"), "Python.h").is_file())' || \
	  { echo "Python has no headers, which the C++ core is built with; install them \
	(Debian: apt install python3-dev) or name another: make PYTHON=..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module does not work; \
	install it (Debian: apt install python3-venv) or name another: make PYTHON=..."; exit 1; }

$(VENV)/run.stamp: pyproject.toml $(NATIVE) | $(VENV)/bin/python
	@echo "setting up $(VENV) (a minute or so the first time)"
	@$(install) --editable '.$(call extras,$(MPI))'
	@$(BIN)/python packaging/bytecode.py && $(BIN)/contend list schema network >/dev/null
	@touch $@

# What is installed already is not built again, and gets what the extras name.
$(VENV)/test.stamp: $(VENV)/run.stamp
	@$(install) 'contend$(call extras,$(MPI) test)'
	@touch $@

$(VENV)/lint.stamp: $(VENV)/run.stamp
	@$(install) 'contend[lint]'
	@touch $@

$(VENV)/site.stamp: $(VENV)/run.stamp
	@$(install) 'contend[site]'
	@touch $@
