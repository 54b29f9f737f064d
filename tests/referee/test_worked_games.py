"""The worked examples in tests/games, played as written."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.game.board import Colour
from referee.game.record import GameRecord
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from tests.support import ROOT
from tests.support.play import assert_board, draw_record, play_turns, try_turn

GAMES = sorted((ROOT / "tests" / "games").glob("*.txt"))

Section = tuple[str, str, list[str]]


def sections(text: str) -> list[Section]:
    """(word, value, indented lines below it) for each section after the title."""
    sections: list[Section] = []
    for line in text.splitlines()[1:]:
        if line.startswith(" "):
            sections[-1][2].append(line.strip())
        elif line:
            word, _, value = line.partition(" ")
            sections.append((word, value, []))
    return sections


def start_of(parts: list[Section]) -> GameRecord:
    values = {word: (value, rows) for word, value, rows in reversed(parts)}
    cols, _, rows = values.get("size", ("", []))[0].partition("x")
    return Setup(
        rule_set(values["rules"][0]),
        size=(int(cols), int(rows)) if cols else None,
        to_play=Colour(values["to-play"][0]) if "to-play" in values else None,
        komi=float(values["komi"][0]) if "komi" in values else None,
        handicap=int(values["handicap"][0]) if "handicap" in values else 0,
        board=tuple(values["start"][1]) if "start" in values else None,
    ).record()


def take_line(record: GameRecord, line: str) -> GameRecord:
    """The record after a turn, or unchanged after one that is refused as the line says."""
    player, act, *refusal = line.split()
    if not refusal:
        return play_turns(record, f"{player} {act}")
    prohibition = try_turn(record, f"{player} {act}").prohibition
    assert prohibition is not None, f"{line}, but it is legal on\n{draw_record(record)}"
    refusal_found = [prohibition.reason.value] + [str(prohibition.repeats)] * (prohibition.repeats is not None)
    assert refusal_found == refusal[1:], f"{line}\n{draw_record(record)}"
    return record


def bowls(record: GameRecord) -> str:
    bowl_items = record.bowls.as_dict().items()
    return " ".join(f"{owner}:{''.join(f'{c}{n}' for c, n in bowl.items())}" for owner, bowl in bowl_items)


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_worked_game(path: Path) -> None:
    parts = sections(path.read_text(encoding="utf-8"))
    record = start_of(parts)
    for word, value, lines in parts:
        if word == "turns":
            for line in lines:
                record = take_line(record, line)
        elif word == "board":
            assert_board(record, *lines)
        elif word == "bowls":
            assert bowls(record) == value, draw_record(record)
        elif word == "ultimate":
            assert (record.bowls.ultimate or "none") == value, draw_record(record)
        elif word == "result":
            assert (record.ended, record.result) == (True, value)


def test_there_are_worked_games() -> None:
    assert len(GAMES) >= 6
