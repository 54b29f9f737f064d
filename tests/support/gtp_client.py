"""A client of the Go Text Protocol: another program, asked one command at a time."""

from __future__ import annotations

import subprocess
import sys
from types import TracebackType

from tests.support import ROOT
from tests.support.wanting import GNUGO, program


class Refused(Exception):
    """The program answered `?`; the message is what it said."""


class Client:
    """A running program; a `with` block ends it."""

    def __init__(self, *command: str) -> None:
        self._program = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT, text=True
        )
        self._asked = 0

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._program.poll() is None:
            self._program.kill()
        self._program.communicate()

    def ask(self, command: str) -> str:
        """Its answer to a command; raises Refused. The answer's number must be the command's."""
        assert self._program.stdin is not None
        self._asked += 1
        self._program.stdin.write(f"{self._asked} {command}\n")
        self._program.stdin.flush()
        text = self._answer()
        mark, number, said = text[0], text[1:].split(" ", 1)[0].split("\n", 1)[0], text[1:]
        assert mark in "=?" and number == str(self._asked), text
        said = said.removeprefix(number).removeprefix(" ")
        if mark == "?":
            raise Refused(said)
        return said

    def _answer(self) -> str:
        assert self._program.stdout is not None
        lines: list[str] = []
        while (line := self._program.stdout.readline()) != "\n" or not lines:
            assert line, "the program has ended"
            lines += [line] if line != "\n" else []
        return "".join(lines).rstrip("\n")


def gnugo(*options: str) -> Client:
    """GNU Go, or skip the test where it is not installed."""
    return Client(program("gnugo", GNUGO, "/usr/games"), "--mode", "gtp", *options)


def shinpan(*options: str) -> Client:
    """shinpan's own protocol command."""
    return Client(sys.executable, "-m", "device", "gtp", *options)
