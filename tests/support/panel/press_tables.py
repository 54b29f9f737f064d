"""The tables of docs/panel.md: the meaning of every press in every state, and the acts that wait between two turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.table.buttons import PAUSES, PRESSES, SIDES_COLUMNS, TABLE_COLUMNS, Column, Meaning, Row


@dataclass(frozen=True)
class Fate:
    """An act that waits for something.

    act: the act
    waits: what it waits for
    becomes: the outcome once that has come
    cancelled: what cancels it
    """

    act: str
    waits: str
    becomes: str
    cancelled: str


FATES = (
    Fate(
        "DONE",
        "the first look after it; while the camera sees too little, the next",
        "a ruling on the turn, after those that were closed before it; after the passes that end play it is SCORE",
        "a turn before it that does not stand: it is then heard again as if pressed now; the director who takes back, "
        "enters or settles something",
    ),
    Fate(
        "CALL, to pass",
        "this player's DONE, however long, also if it is not their turn yet",
        "a pass; without DONE, if the next player has played and pressed, too",
        "a stone that this player places instead; the end of the game; the director, as above",
    ),
    Fate(
        "CALL, to declare a draw",
        "the first look after it",
        "a ruling on the draw, after the turns before it; no flag falls meanwhile",
        "the director, as above",
    ),
    Fate(
        "CALL held, to resign",
        "DONE of the same side, for ten seconds",
        "a resignation; if a press before it waits, after its ruling",
        "any other button of the same side; ten seconds",
    ),
    Fate(
        "SCORE",
        "the first look after it, and the ruling on every DONE that waits",
        "a proposal, an agreement or an amendment, with the stones that are missing on the board and those "
        "that the box proposes",
        "SCORE held by the same side; a sentence says so if something other than stones is gone",
    ),
    Fate(
        "a proposed count",
        "the other side's answer; the clock stands",
        "a result, an amendment that the proposer answers, or play goes on; if the box proposed it, no play: the "
        "stones that are lifted count",
        "a resignation; a turn that the director enters or takes back",
    ),
    Fate(
        "passes that end play",
        "the box, which looks for the dead stones for some seconds",
        "its proposal of a count, to which SCORE on both sides agrees",
        "SCORE before it comes; SCORE held after",
    ),
    Fate(
        "prisoners exchanged, or dead stones moved to a lid",
        "DONE of both sides",
        "a settlement: nobody has used a turn",
        "another change on the table",
    ),
    Fate(
        "a fallen flag",
        "CALL of an opponent, before their next move; while a press of theirs waits for its ruling, after that",
        "a win on time",
        "the next move that stands; a resignation or a result",
    ),
)
"""The acts that wait between two turns."""


def tables() -> tuple[str, ...]:
    """Return the tables of docs/panel.md."""
    words = [(str(meaning), meaning.statement) for meaning in Meaning]
    fates = [(fate.act, fate.waits, fate.becomes, fate.cancelled) for fate in FATES]
    return (
        _format_presses("a side's buttons, in the first state that holds", PRESSES, SIDES_COLUMNS),
        _format_presses("the table's button, in the first state that holds", PAUSES, TABLE_COLUMNS),
        _format_table(("word", "meaning"), words),
        _format_table(("what was done", "waits for", "becomes", "is cancelled by"), fates),
    )


def _format_presses(title: str, rows: tuple[Row, ...], columns: tuple[Column, ...]) -> str:
    return _format_table(
        (title, *map(_format_head, columns)), [(row.state, *map(_format_cell, row.meanings)) for row in rows]
    )


def _format_cell(meaning: Meaning) -> str:
    """Return the word of a meaning, in italics if nothing comes of the press."""
    return f"*{meaning}*" if meaning.statement.startswith("nothing") else str(meaning)


def _format_head(column: Column) -> str:
    button, is_held = column
    return "held" if is_held else button.upper()


def _format_table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
