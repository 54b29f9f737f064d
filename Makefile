# Two commands: `make run` plays a whole refereed game on a simulated table, `make test` runs all that CI runs. A third,
# `make hall`, plays a round at eight of them. `make check` is the fast part of `make test`, `make test-all` the long run
# before a release.
PYTHON = .venv/bin/python
PORT = 8000
HALL_PORT = 8100
# More options of `shinpan demo`: make run ARGS="--rules ultimate --speed 5"
ARGS =
# The seed of `make test-all`; its failures name it.
SEED := $(shell date +%s)
# Containers often forbid Python to keep what it compiles: each of the hundreds of programs that tests start would compile
# it again.
unexport PYTHONDONTWRITEBYTECODE
# Four processes, because half of a run is waiting: for pages, brokers, programs and disks.
PYTEST = $(PYTHON) -m pytest -n 4 --dist worksteal

.PHONY: run hall image check test test-all static compiled style types platforms arrows sentences language generated lowest drawings sbom audit clean

run: .venv/ready-to-run
	@$(PYTHON) -m device demo --stay --port $(PORT) $(ARGS)

# Eight simulated tables, a hall and its wall: a round is handed out, played, and its results stand in a new file.
hall: .venv/ready-to-run
	@$(PYTHON) -m device.hall.drawn_hall --stay --port $(HALL_PORT) $(ARGS)

# A card for a Raspberry Pi, out/shinpan.img, with all of it installed (docs/installing.md). As root.
image:
	sh hardware/image.sh out/shinpan.img

check: static
	$(PYTEST) --tier check

test: static
	$(PYTEST) --tier test --durations 25

test-all: static
	@echo "seed $(SEED)"
	$(PYTEST) --tier all --seed $(SEED) --durations 25

static: .venv/ready-to-test
	@$(MAKE) --no-print-directory -j 2 --output-sync compiled types platforms style arrows

# The modules and the tests, as pytest compiles them: else each of its processes would do so at the same time.
compiled: .venv/ready-to-test
	@mkdir -p out
	@$(PYTHON) -m pytest --collect-only -q >out/collected.txt || { cat out/collected.txt; false; }

style: .venv/ready-to-test
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check

types: .venv/ready-to-test
	$(PYTHON) -m mypy

# The modules that ask the operating system for anything are checked as Windows and macOS have them too, each by itself:
# what they import is the same there, and following it would take five times as long.
SYSTEMS = asyncio|ctypes|device\.system|multiprocessing|os|select|signal|socket|subprocess|tempfile
ALONE = --follow-imports=skip --allow-subclassing-any --allow-untyped-decorators --allow-any-generics \
	--no-warn-return-any --no-warn-unused-ignores --no-warn-redundant-casts --disable-error-code=valid-type

platforms: .venv/ready-to-test
	@for platform in darwin win32; do \
		echo "mypy --platform $$platform"; \
		grep -rlE --include=*.py --exclude-dir=training "^ *(import|from) ($(SYSTEMS))\b" referee vision device web | \
			xargs $(PYTHON) -m mypy --platform $$platform --cache-dir .mypy_cache/$$platform $(ALONE) || exit 1; \
	done

arrows: .venv/ready-to-test
	.venv/bin/lint-imports

# The fast tests with the lowest version of every requirement, on the oldest Python.
lowest:
	rm -rf out/lowest && python3.11 -m venv out/lowest
	sed -n 's/^    "\([A-Za-z-]*\)>=\([0-9.]*\),<.*/\1==\2/p' pyproject.toml >out/lowest/limits
	out/lowest/bin/pip install -q -c out/lowest/limits -e '.[dev]'
	out/lowest/bin/python -m pytest -n 2 --dist worksteal --tier check

ifeq ($(origin LANGUAGE),environment)
LANGUAGE =# the reader's own, which some systems set
endif
# Every sentence that people can see, in every language, as one table: out/sentences.md.
# make sentences LANGUAGE=fr gives one language as a table for a spreadsheet: out/sentences-fr.csv.
sentences: .venv/ready-to-test
	$(PYTHON) -m tests.support.sentences
	$(if $(LANGUAGE),$(PYTHON) -m tests.support.translating give $(LANGUAGE))

# The table that came back, make language LANGUAGE=fr FILE=table.csv: checked, and shown by the page at once.
language: .venv/ready-to-test
	$(PYTHON) -m tests.support.translating take $(LANGUAGE) $(FILE)

# Every committed page and picture that a program makes; `make test-all` says which of them are stale.
generated: .venv/ready-to-test
	$(PYTHON) -m tests.support.generated

drawings: .venv/ready-to-draw
	$(PYTHON) -m hardware.drawings

# What a box is made of, as CycloneDX JSON: the packages with their versions, licences and what needs which.
sbom: .venv/ready-to-audit
	rm -rf out/box && python3 -m venv out/box && out/box/bin/pip install -q -c hardware/constraints.txt .
	$(PYTHON) -m cyclonedx_py environment --pyproject pyproject.toml --output-reproducible --of JSON \
		-o out/shinpan.cdx.json out/box/bin/python

# Whether any of these versions has a known hole; it fails too where the list of holes cannot be asked.
audit: .venv/ready-to-audit
	$(PYTHON) -m pip_audit --strict --disable-pip --no-deps -r hardware/constraints.txt

.venv/ready-to-run: pyproject.toml hardware/constraints.txt hardware/prepare.sh
	@sh hardware/prepare.sh .
	@touch $@

.venv/ready-to-test: pyproject.toml hardware/constraints.txt hardware/prepare.sh
	@sh hardware/prepare.sh '.[dev]'
	@touch $@ .venv/ready-to-run

.venv/ready-to-draw: pyproject.toml hardware/constraints.txt hardware/prepare.sh
	@sh hardware/prepare.sh '.[drawing]'
	@touch $@

.venv/ready-to-audit: pyproject.toml hardware/constraints.txt hardware/prepare.sh
	@sh hardware/prepare.sh '.[audit]'
	@touch $@

clean:
	rm -rf .venv build dist out *.egg-info
