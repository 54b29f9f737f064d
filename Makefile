# Two commands: `make run` watches a rendered game, `make test` runs all that CI runs.
PYTHON = .venv/bin/python
GAME = out/game

.PHONY: run test style types arrows tests clean

run: .venv/ready-to-run
	@mkdir -p out
	@$(PYTHON) -m device.virtual $(GAME)
	@$(PYTHON) -m device watch $(GAME).avi --presses $(GAME).presses.jsonl --rules ultimate --sgf $(GAME).sgf
	@echo && cat $(GAME).sgf

test: style types arrows tests

style: .venv/ready-to-test
	$(PYTHON) -m ruff check
	$(PYTHON) -m ruff format --check

types: .venv/ready-to-test
	$(PYTHON) -m mypy

arrows: .venv/ready-to-test
	.venv/bin/lint-imports

tests: .venv/ready-to-test
	$(PYTHON) -m pytest -n 2

.venv/ready-to-run: pyproject.toml hardware/prepare.sh
	@sh hardware/prepare.sh .
	@touch $@

.venv/ready-to-test: pyproject.toml hardware/prepare.sh
	@sh hardware/prepare.sh '.[dev]'
	@touch $@ .venv/ready-to-run

clean:
	rm -rf .venv build dist out *.egg-info
