"""Judges files of lines as a person at the command line does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device.__main__ import main

Lines = list[dict[str, Any]]
Judge = Callable[..., tuple[int, Lines, str]]
START = {"rules": "ultimate", "size": 5}


def judging(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Judge:
    """Judge a file of these lines (objects are written as JSON); answers status, output lines and stderr."""

    def judge(*lines: object, options: tuple[str, ...] = ()) -> tuple[int, Lines, str]:
        raw = [line if isinstance(line, bytes) else write_lines(line).encode() for line in lines]
        path = tmp_path / "game.jsonl"
        path.write_bytes(b"\n".join(raw))
        status = main(["judge", str(path), *options])
        output = capsys.readouterr()
        return status, [json.loads(line) for line in output.out.splitlines()], output.err

    return judge


def write_lines(line: object) -> str:
    return line if isinstance(line, str) else json.dumps(line)


def assert_one_sentence(message: str) -> None:
    assert message.startswith("shinpan: ") and message.count("\n") == 1 and len(re.sub(r"/\S+/", "", message)) < 250
    assert "Traceback" not in message
