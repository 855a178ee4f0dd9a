# Every command of the project. `make help` lists them.

PYTHON ?= python3

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
DEV := $(VENV)/installed-dev
BUILT := _build/html
FIRST := $(BUILT)/index.html
LITE_TEST := build/lite-test/installed
PDF := build/where-words-stand.pdf
SLIDES := $(BUILT)/slides/00_attention.pdf
FIGURES := build/figures/README.md
NOTEBOOKS ?=
PAGES ?= all
SEED ?=
MINUTES ?= 45
CHAPTERS ?=
SECTIONS ?=
QUESTIONS ?=
VERSIONS ?= 1
ROOM ?= yes
VARIANTS ?= 10
LECTURE ?=
RUN_TESTS := $(BIN)/python -m pytest
UNIT_TESTS := posenc posenc_check posenc_course tests --ignore=tests/browser
# A notebook runs in one kernel, and what many tests of a file read is made once.
BOTH_CORES := -n 2 --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help book pdf slides figures zip dist exam questions serve lab outputs messages translated test test-code test-notebooks \
        test-book book-newest test-torch test-field test-browser test-firefox test-lite test-published lint lines \
        format links bench conformance conformance-newest changes keys pins clean

help: ## List the commands
	@echo 'Where Words Stand'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo 'Everything is installed into .venv. Another Python than python3: make book PYTHON=python3.13'

# --- what is installed -------------------------------------------------------------------------

# Some containers tell Python to keep no compiled files. Each of some twenty processes would then
# compile again what it imports, for three seconds and more.
unexport PYTHONDONTWRITEBYTECODE

# What is imported is compiled then; most of what is installed never is.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
# The three distributions of this project, which are installed from their folders.
EDITABLE := --editable . --editable ./posenc_check --editable ./posenc_course

$(STAMP): requirements.txt pyproject.toml posenc_check/pyproject.toml posenc_course/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' || { \
	  echo 'This needs Python 3.11 to 3.14 as "$(PYTHON)". Name another one: make $(MAKECMDGOALS) PYTHON=python3.13' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo '"$(PYTHON)" lacks venv. On Debian and Ubuntu: sudo apt install python3-venv' >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@# The pins name every package that another one needs, so that pip need not look for them. The lines
	@# that begin with a dash are this project's own folders, which need these packages.
	@grep -v '^-' requirements.txt > $(VENV)/pins.txt
	@$(INSTALL) --no-deps -r $(VENV)/pins.txt 2> $(VENV)/log || { \
	  if $(BIN)/python -m pip --retries 0 index versions pip > /dev/null 2>&1; then cat $(VENV)/log; else \
	  echo 'The package index does not answer: is this machine offline?'; \
	  fi >&2; exit 1; }
	@# By the hatchling of the pins: pip would install another one for each of the three.
	@$(INSTALL) --no-deps --no-build-isolation $(EDITABLE)
	@touch $(STAMP)

# What tests, lint and printing need comes on top: who reads and runs the book does without.
$(DEV): $(STAMP) requirements-dev.txt
	@grep -v '^-' requirements-dev.txt > $(VENV)/pins-dev.txt
	$(INSTALL) --no-deps -r $(VENV)/pins-dev.txt
	@touch $(DEV)

# --- the book ----------------------------------------------------------------------------------

book: $(STAMP) ## Build the book, in English and in Chinese
	$(BIN)/python -m scripts.book
	@echo
	@echo 'Open $(FIRST) in a browser, or run: make serve'

pdf: $(PDF) ## Print the built book: build/where-words-stand.pdf (CHROMIUM=path if it is not found)

$(PDF): $(FIRST) scripts/paper.py scripts/paper.css | $(DEV)
	$(BIN)/python -m scripts.paper

slides: $(SLIDES) ## Print the decks of slides, with handouts, into _build/html/slides (LECTURE="01 03": as one deck)
	$(if $(LECTURE),$(BIN)/python -m scripts.slides --lecture $(LECTURE))

$(SLIDES): $(FIRST) extensions/slides.py scripts/slides.py scripts/handout.css \
           theme/static/slides.css $(wildcard book/slides/*) | $(DEV)
	$(BIN)/python -m scripts.slides

figures: $(FIGURES) ## Print the moving figures, each at three settings: build/figures/

$(FIGURES): $(wildcard posenc_course/views/*) scripts/figures.py | $(DEV)
	$(BIN)/python -m scripts.figures

# The notebooks run after `make lab` in their folder, as in a clone.
TO_RUN := Makefile README.md LICENSE pyproject.toml requirements.txt book posenc posenc_check \
          posenc_course \
          $(patsubst %,extensions/%.py,__init__ contents copies facts repository_links stills) \
          extensions/stills.js

zip: $(SLIDES) $(FIGURES) ## Pack the built site, the notebooks and the printed figures into build/
	ln -sfn ../$(BUILT) build/where-words-stand
	ln -sfn figures build/where-words-stand-figures
	cd build && for name in where-words-stand where-words-stand-figures; do \
	  ../$(BIN)/python -m zipfile --create $$name.zip $$name || exit; done
	git archive --prefix=where-words-stand-notebooks/ --output=build/where-words-stand-notebooks.zip \
	  HEAD $(TO_RUN)

dist: $(DEV) ## Build the three distributions into dist/, and run the examples of each in an empty environment
	$(BIN)/python -m scripts.distributions

exam: $(DEV) ## Write an exam and its key into build/exam (MINUTES=30 CHAPTERS=1-7 SECTIONS=all VERSIONS=2 ROOM=no SEED=7, or QUESTIONS="twins wrong-sign")
	@$(BIN)/python -m scripts.exam $(if $(SEED),--seed=$(SEED)) --minutes $(MINUTES) --chapters '$(CHAPTERS)' \
	  --sections '$(SECTIONS)' --questions '$(QUESTIONS)' --versions $(VERSIONS) --room $(ROOM)

questions: $(DEV) ## Write the questions for Moodle and other learning platforms into build/questions (SEED=7 VARIANTS=20)
	@$(BIN)/python -m scripts.questions $(if $(SEED),--seed=$(SEED)) --variants $(VARIANTS)

# The pages, where there are none; `make book` renews them.
$(FIRST): | $(STAMP)
	$(MAKE) --no-print-directory book

serve: $(FIRST) ## Show the built book on a local port
	$(BIN)/python -m http.server --bind 127.0.0.1 --directory $(BUILT) 8000

lab: $(STAMP) ## Open the chapters in JupyterLab, as copies in the folder lab
	$(BIN)/python -m extensions.copies lab
	$(BIN)/python -m jupyterlab lab

outputs: $(DEV) ## Run the notebooks and store their outputs (NOTEBOOKS="book/03_formula.ipynb" for one)
	$(BIN)/python -m scripts.outputs $(NOTEBOOKS)

messages: $(DEV) ## Renew the message catalogs of the translations: locale/
	$(BIN)/python -m scripts.messages

translated: $(DEV) ## Count the messages that are translated, and those whose English has changed since
	@$(BIN)/python -m scripts.messages --count

# --- what is checked ---------------------------------------------------------------------------

# Unit tests and notebooks share two workers, which begin with the notebooks. The book is built beside
# them, and what it says is shown after them.
BOOK_LOG := build/test-book.log
# These tests multiply small matrices, most of them on both cores at a time: more threads would only wait
# for one another.
test test-code test-notebooks test-torch test-field: export OPENBLAS_NUM_THREADS := 1

test: $(DEV) ## Run the unit tests, the notebooks and the book build
	@mkdir -p build; began=$$(date +%s); \
	$(MAKE) --no-print-directory test-book > $(BOOK_LOG) 2>&1 & book=$$!; \
	$(RUN_TESTS) --nbval $(BOTH_CORES) book $(UNIT_TESTS); tests=$$?; \
	wait $$book; book=$$?; cat $(BOOK_LOG); said() { [ $$1 -eq 0 ] && echo passed || echo FAILED; }; \
	echo; echo "Summary: tests $$(said $$tests), book $$(said $$book), $$(( $$(date +%s) - began )) s"; \
	[ $$tests$$book = 00 ]

test-code: $(DEV) ## Unit tests and doctests
	$(RUN_TESTS) $(BOTH_CORES) $(UNIT_TESTS)

test-notebooks: $(DEV) ## Run every notebook and compare every output
	$(RUN_TESTS) --nbval $(BOTH_CORES) book

test-book: $(STAMP) ## Build the book from nothing; a warning fails
	$(BIN)/python -m scripts.book --all --quiet

# jupyter-book holds Sphinx at an old version: here are the same pages by the newest one alone.
NEWEST := build/newest
book-newest: $(STAMP) ## Build the pages with the newest Sphinx, without jupyter-book (downloads it)
	$(PYTHON) -m venv --clear $(NEWEST)/venv
	$(NEWEST)/venv/bin/python -m pip install --quiet --disable-pip-version-check --group pages \
	  $(EDITABLE)
	$(BIN)/python -m scripts.newest $(NEWEST)
	$(NEWEST)/venv/bin/python -m sphinx --version
	$(NEWEST)/venv/bin/python -m sphinx -W -n --keep-going --quiet -c $(NEWEST) . $(NEWEST)/html

# Another group, another stamp: PyTorch is large, and one page and a few tests need it.
test-torch: $(VENV)/installed-torch ## Run what needs PyTorch: an appendix, and tests of that name (installs it)
	$(RUN_TESTS) --nbval book/A_pytorch.ipynb tests/book tests/posenc tests/check -k torch

$(VENV)/installed-torch: $(DEV)
	$(INSTALL) --group torch
	@touch $@

FIND_CHROMIUM = CHROMIUM="$${CHROMIUM:-$$(command -v chromium || command -v chromium-browser || \
	  command -v google-chrome || true)}"

test-field: $(DEV) ## Run every table of the field in every storage and choice of rows
	FIELD=all $(RUN_TESTS) $(BOTH_CORES) tests/field

test-browser: $(DEV) $(PDF) $(SLIDES) $(LITE_TEST) ## Open the built pages in Chromium, read the PDF (PAGES=few, CHROMIUM=path)
	$(FIND_CHROMIUM) PAGES=$(PAGES) $(RUN_TESTS) -n 2 tests/browser

test-firefox: $(DEV) $(FIRST) ## Open the built pages in Firefox (FIREFOX=path if it is not found)
	FIREFOX="$${FIREFOX:-$$(command -v firefox-esr || command -v firefox)}" \
	  $(RUN_TESTS) tests/browser/test_firefox.py

test-lite: $(DEV) $(FIRST) $(LITE_TEST) ## Run every chapter by its button, in the browser's own Python
	$(FIND_CHROMIUM) LITE_CHAPTERS=all $(RUN_TESTS) tests/browser/test_lite.py

test-published: $(DEV) $(FIRST) ## Check an exercise in the Python that readers get (asks its publisher)
	$(FIND_CHROMIUM) PUBLISHED=1 $(RUN_TESTS) tests/browser/test_published.py

# A Pyodide to test with, in a folder of its own: nothing else needs it.
$(LITE_TEST): $(STAMP)
	rm -rf $(dir $@)
	$(INSTALL) --no-deps --target $(dir $@) --group lite-test
	@touch $@

# .oxlintrc.json and .oxfmtrc.json say which rules, and what is somebody else's file.
SCRIPTS := '**/*.js' '**/*.css'

lint: $(DEV) ## Check style, stored outputs and workflows
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/mypy
	$(BIN)/oxlint --deny-warnings
	$(BIN)/oxfmt --check $(SCRIPTS)
	$(BIN)/python -m scripts.outputs --check
	$(BIN)/zizmor --offline --quiet .github
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml

lines: ## Count lines of Python, JavaScript and style sheets in each folder
	@git ls-files '*.py' '*.js' '*.css' | xargs wc -l | awk '$$2 != "total" { split($$2, part, "/"); \
	  sum[part[1]] += $$1; all += $$1 } END { for (folder in sum) printf "%7d  %s\n", sum[folder], folder; \
	  printf "%7d  in all\n", all }' | sort -k2

format: $(DEV) ## Lay out Python, JavaScript and style sheets as lint wants them
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .
	$(BIN)/oxfmt $(SCRIPTS)

links: $(STAMP) ## Ask every outside link of the book for an answer
	$(BIN)/jupyter-book build . --builder linkcheck

bench: $(DEV) ## Time tables, rotary embedding and verdicts
	$(BIN)/python -m benchmarks

# Other people's packages, which nothing else needs: a target each to compare, to store, and to compare
# with the newest releases in place of the pinned ones.
conformance: $(VENV)/installed-conformance ## Compare with transformers, diffusers, timm and others (downloads them)
	$(BIN)/python -m conformance.keys
	$(BIN)/python -m conformance

keys: $(VENV)/installed-conformance ## Make config_keys.json and the comparison from the pinned releases; show what is new
	$(BIN)/python -m conformance.keys --write
	$(BIN)/python -m conformance --write

changes: $(VENV)/installed-conformance ## Find what changed in positions between releases of the libraries
	$(BIN)/python -m conformance.changes --write

LIBRARIES := transformers diffusers x-transformers rotary-embedding-torch positional-encodings keras
conformance-newest: $(VENV)/installed-conformance ## Compare with the newest releases of these libraries
	$(INSTALL) --upgrade $(LIBRARIES)
	$(INSTALL) --upgrade --no-deps keras-hub timm
	@rm $(VENV)/installed-conformance
	$(BIN)/python -m conformance.keys; keys=$$?; $(BIN)/python -m conformance && exit $$keys

$(VENV)/installed-conformance: $(STAMP)
	$(INSTALL) --group conformance
	$(INSTALL) --no-deps --group conformance-alone
	@touch $@

# --- upkeep ------------------------------------------------------------------------------------

PIN = $(BIN)/uv pip compile pyproject.toml posenc_check/pyproject.toml posenc_course/pyproject.toml \
  --universal --quiet \
  --python-version 3.11 --fork-strategy fewest --no-config --no-emit-package posenc --no-emit-package posenc-check --no-header \
  --no-emit-index-url --no-emit-find-links --annotation-style line --output-file
pins: $(DEV) ## Raise the pinned versions to the newest that pyproject.toml allows
	@mkdir -p build
	$(PIN) build/all.txt --upgrade --group book --group checks
	@for group in run book; do \
	  cp build/all.txt build/$$group.txt; $(PIN) build/$$group.txt --group $$group; done
	@{ printf '%s\n' '# To run the chapters, as Binder does. Made by: make pins' . ./posenc_check ./posenc_course; \
	  cat build/run.txt; } > .binder/requirements.txt
	@{ printf '%s\n' '# To read, run and build the book. Made by: make pins' '-e .' '-e ./posenc_check' \
	  '-e ./posenc_course'; \
	  cat build/book.txt; } > requirements.txt
	@{ printf '%s\n' '# To test, lint and print it. Made by: make pins' '-r requirements.txt'; \
	  awk 'NR == FNR { there[$$1]; next } !($$1 in there)' build/book.txt build/all.txt; \
	} > requirements-dev.txt

clean: ## Remove what was built, and .venv
	rm -rf $(VENV) _build build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -name .ipynb_checkpoints -type d -prune -exec rm -rf {} +
