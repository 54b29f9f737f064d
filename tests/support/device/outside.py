"""Runs a command on a file, and puts its answers into a few words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from device.__main__ import main


@dataclass(frozen=True)
class Said:
    """The exit status, stdout and stderr of a command."""

    status: int
    out: str
    err: str


def run(command: str, path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> Said:
    status = main([command, str(path), *options])
    said = capsys.readouterr()
    return Said(status, said.out, said.err)


def judge_words(said: Said) -> str:
    """Return the answers of `judge --explain` as `B C3, W pass, !B game-over, error "foo"`."""
    return ", ".join(_word(json.loads(line)) for line in said.out.splitlines())


def _word(answer: dict[str, Any]) -> str:
    if "error" in answer:
        found = re.search(r'"[^"]*"', answer["error"])
        return f"error {found[0] if found else answer['error']}"
    if not answer["legal"]:
        return f"!{answer['player']} {answer['reason']}"
    if answer["player"] is None:
        return "resumed"
    played = re.match(r"\w+ played ([A-Z][0-9]+)", answer["text"])
    return f"{answer['player']} {played[1] if played else 'pass'}"


def score_words(said: Said) -> str:
    """Return the result that `score --json` printed, or the one in its sentence."""
    if said.out:
        return str(json.loads(said.out)["result"])
    found = re.search(r"\b[BW]\+[RTF]\b", said.err)
    return found[0] if found else said.err
