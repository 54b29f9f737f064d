"""A line that people give by mistake: what its sentence has to name, and what the command ends with."""

from __future__ import annotations

from dataclasses import dataclass

from tests.support.device.wrong_things import LONG

BAD_USE, NOT_WELL, NO_BOARD, DONE = 2, 1, 3, 0


@dataclass(frozen=True)
class Wrong:
    """A line that cannot be used. names: what the sentence says, whatever the case of its letters.

    stdin: what is typed, or comes through a pipe. answered: the sentence is an answer, on standard output. nobody: as a
    user who may not do everything. administrator: only root can try it. usage: how the command is used is shown first.
    real: in a process of its own, through a shell, after `shinpan`. long: in the tier `all` alone, because another row
    asks the same, and both take long.
    """

    line: str
    names: tuple[str, ...]
    status: int = BAD_USE
    given: str | bytes | None = None
    stdin: bytes = b""
    answered: bool = False
    nobody: bool = False
    administrator: bool = False
    usage: bool = False
    real: bool = False
    long: bool = False


def wrong(line: str, *names: str, **what: object) -> Wrong:
    """A row; LONG stands for a long name."""
    return Wrong(line.replace("LONG", LONG), names, **what)  # type: ignore[arg-type]


def used(line: str, *names: str) -> Wrong:
    """A row whose options or arguments no command has."""
    return wrong(line, *names, usage=True)


def settings(given: str | bytes, *names: str) -> Wrong:
    """A row of settings that cannot be used."""
    return wrong("run --settings given.toml", "given.toml", *names, given=given)
