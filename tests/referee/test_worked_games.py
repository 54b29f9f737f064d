"""The worked examples in tests/games, played as written."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.game.board import Colour
from referee.game.record import GameRecord
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from tests.support import ROOT
from tests.support.play import assert_board, drawn, played, tried

GAMES = sorted((ROOT / "tests" / "games").glob("*.txt"))

Section = tuple[str, str, list[str]]


def sections(text: str) -> list[Section]:
    """(word, value, indented lines below it) for each section after the title."""
    found: list[Section] = []
    for line in text.splitlines()[1:]:
        if line.startswith(" "):
            found[-1][2].append(line.strip())
        elif line:
            word, _, value = line.partition(" ")
            found.append((word, value, []))
    return found


def start_of(found: list[Section]) -> GameRecord:
    said = {word: (value, rows) for word, value, rows in reversed(found)}
    cols, _, rows = said.get("size", ("", []))[0].partition("x")
    return Setup(
        rule_set(said["rules"][0]),
        size=(int(cols), int(rows)) if cols else None,
        to_play=Colour(said["to-play"][0]) if "to-play" in said else None,
        komi=float(said["komi"][0]) if "komi" in said else None,
        handicap=int(said["handicap"][0]) if "handicap" in said else 0,
        board=tuple(said["start"][1]) if "start" in said else None,
    ).record()


def taken(record: GameRecord, line: str) -> GameRecord:
    """The record after a turn, or unchanged after one that is refused as the line says."""
    player, act, *refusal = line.split()
    if not refusal:
        return played(record, f"{player} {act}")
    prohibition = tried(record, f"{player} {act}").prohibition
    assert prohibition is not None, f"{line}, but it is legal on\n{drawn(record)}"
    found = [prohibition.reason.value] + [str(prohibition.repeats)] * (prohibition.repeats is not None)
    assert found == refusal[1:], f"{line}\n{drawn(record)}"
    return record


def bowls(record: GameRecord) -> str:
    held = record.bowls.as_dict().items()
    return " ".join(f"{owner}:{''.join(f'{c}{n}' for c, n in bowl.items())}" for owner, bowl in held)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_worked_game(path: Path) -> None:
    found = sections(path.read_text(encoding="utf-8"))
    record = start_of(found)
    for word, value, lines in found:
        if word == "turns":
            for line in lines:
                record = taken(record, line)
        elif word == "board":
            assert_board(record, *lines)
        elif word == "bowls":
            assert bowls(record) == value, drawn(record)
        elif word == "ultimate":
            assert (record.bowls.ultimate or "none") == value, drawn(record)
        elif word == "result":
            assert (record.ended, record.result) == (True, value)


def test_there_are_worked_games() -> None:
    assert len(GAMES) >= 6
