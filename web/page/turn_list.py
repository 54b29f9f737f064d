"""The list of turns, in words and as rows, each made once for all pages of the game that have it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from referee import Board, HistoryEntry, Turn, as_on_a_clock
from web.language import Translator
from web.page import labels
from web.page.navigation import GamePosition


@dataclass(frozen=True)
class Move:
    """A turn.

    at: its position.
    why: the reason for which it was refused, in a word or two; it has the number that it would have had.
    took: the stones it captured, in words; empty if none.
    spent: the time it took, if there are clocks; and the same in seconds.
    phase: of the game in which it was made, if that was analysed.
    """

    number: int
    colour: str
    player: str
    text: str
    at: GamePosition
    why: str = ""
    took: str = ""
    spent: str = ""
    seconds: int = 0
    phase: str = ""

    @property
    def is_refused(self) -> bool:
        """Return True if it was refused."""
        return bool(self.at.tried)


def turns_at(entry: HistoryEntry, board: Board, say: Translator) -> Iterator[Move]:
    """Yield the turn, and those that were refused after it."""
    if entry.turn is not None:
        captured = len(entry.ruling.captured) if entry.ruling is not None else 0
        yield _build_move(entry.number, entry.turn, captured, entry.spent, board, say)
    for nth, ruling in enumerate(entry.tried, 1):
        if ruling.move is not None:
            why = say(f"reason.{ruling.reason}") if ruling.reason else say("page.refused")
            game_position = GamePosition(entry.number, tried=nth)
            yield Move(entry.number + 1, *_turn_words(ruling.move, board, say), game_position, why)


@lru_cache(4096)
def _build_move(number: int, turn: Turn, captured: int, spent: int | None, board: Board, say: Translator) -> Move:
    """Return an accepted turn. Every page of a game lists those before it again, in the same words."""
    took = say("page.took", stones=captured) if captured else ""
    text, seconds = "" if spent is None else as_on_a_clock(spent), (spent or 0) // 1000
    game_position = GamePosition(number)
    return Move(number, *_turn_words(turn, board, say), game_position, took=took, spent=text, seconds=seconds)


def _turn_words(turn: Turn, board: Board, say: Translator) -> tuple[str, str, str]:
    """Return the player's colour and name, and the turn in words."""
    return turn.player.value, labels.player_name(turn.player, say), labels.turn_text(board, turn, say)


_ROW = Markup(
    '<li{css}><a href="{address}" data-place><span class="number">{number}</span> '
    '<span class="stone {colour}" role="img" aria-label="{player}"></span> <span>{text}</span>{beside}{spent}</a></li>'
)
_CLASS, _BESIDE = Markup(' class="{}"'), Markup(" <small>{}</small>")
_SPENT = Markup(' <small class="spent">{}</small>')
_TRIED = Markup('<span aria-hidden="true">✕ </span>{}')


@lru_cache(4096)
def row_of(move: Move, say: Translator) -> Markup:
    """Draw a turn's row. Its link is named by what it shows, with the stone read as its player."""
    css = "tried" if move.is_refused else f"phase {move.phase}" if move.phase else ""
    note = move.why or move.took
    return _ROW.format(
        css=_CLASS.format(css) if css else "",
        address=move.at.address,
        number=move.number,
        colour=move.colour,
        player=move.player,
        text=_TRIED.format(move.text) if move.is_refused else move.text,
        beside=_BESIDE.format(note) if note else "",
        spent=_SPENT.format(move.spent) if move.spent else "",
    )
