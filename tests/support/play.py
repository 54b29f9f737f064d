"""Games in tests: turns as text ("B D4", "W delay", "B pass"), positions as diagrams that are printed on failure."""

from __future__ import annotations

from referee.game.board import Board, Colour
from referee.game.diagram import rows_of
from referee.game.record import GameRecord
from referee.game.turns import Delay, Draw, Pass, Placement, Resign, Turn
from referee.rules.legality import Verdict, judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup

WORDS = {"delay": Delay, "pass": Pass, "draw": Draw, "resign": Resign}


def start_game(rules: str = "ultimate", *rows: str, **start: object) -> GameRecord:
    """A game before its first turn, on the board of these rows or as the keywords of Setup say."""
    if isinstance(start.get("to_play"), str):
        start["to_play"] = Colour(start["to_play"])
    return Setup(rule_set(rules), board=rows or None, **start).record()  # type: ignore[arg-type]


def turn_of(text: str, board: Board) -> Turn:
    """The turn written as "B D4", "W delay", "B pass", "W draw" or "B resign"."""
    player, act = text.split()
    return WORDS[act](Colour(player)) if act in WORDS else Placement(Colour(player), board.point(act))


def try_turn(record: GameRecord, text: str) -> Verdict:
    """The verdict on one turn."""
    return judge(record, turn_of(text, record.position.board))


def reason(record: GameRecord, text: str) -> str | None:
    """Why a turn is refused, None when it is legal."""
    prohibition = try_turn(record, text).prohibition
    return prohibition.reason.value if prohibition else None


def play_turns(record: GameRecord, *texts: str) -> GameRecord:
    """The record after these turns, all of which must be legal."""
    for text in texts:
        verdict = try_turn(record, text)
        assert verdict.after is not None, f"{text} is refused, {verdict.prohibition}, on\n{draw_record(record)}"
        record = verdict.after
    return record


def draw_record(record: GameRecord) -> str:
    """The board, the bowls and whose turn it is."""
    rows = "\n".join(rows_of(record.position))
    return f"{rows}\nbowls {record.bowls.as_dict()}, after turn {record.number}, {record.to_play} to play"


def assert_board(record: GameRecord, *rows: str) -> None:
    """The board is the one drawn; both are printed when it is not."""
    expected = "\n".join(rows)
    assert rows_of(record.position) == rows, f"expected\n{expected}\nbut there stands\n{draw_record(record)}"
