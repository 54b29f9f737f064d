"""What the page's template is given: words and drawings made from a Showing. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import COLOURS, Colour
from referee.ruling import Ruling
from referee.snapshot import Phase, Showing
from web import words
from web.board_svg import board_of_showing
from web.headline import Headline, headline_of
from web.lamps import Lamp, Tone, checks_start, lamps_of
from web.lid_svg import lid_svg, lid_words
from web.status import MOST_RULINGS


@dataclass(frozen=True)
class Player:
    """A player's card. act: what the player is doing or has to do, in a few words. lid: a drawing."""

    colour: str
    name: str
    side: int | None
    lamp: Lamp
    act: str
    lid: str
    lid_words: str
    ultimate: bool


@dataclass(frozen=True)
class Finding:
    """A ruling as the page shows it. kind: its status, for the style sheet."""

    kind: str
    label: str
    turn: int
    text: str


@dataclass(frozen=True)
class Move:
    """An accepted turn."""

    number: int
    colour: str
    player: str
    text: str


@dataclass(frozen=True)
class View:
    """Everything on the page; newest first in both lists."""

    headline: Headline
    rules: str
    sight: str
    sight_word: str
    notice: str | None
    board: str
    players: tuple[Player, ...]
    finding: Finding | None
    earlier: tuple[Finding, ...]
    moves: tuple[Move, ...]
    faults: tuple[str, ...]


def view_of(showing: Showing) -> View:
    """The page's contents."""
    game = showing.game
    shown = showing.trouble or game.newest
    rulings = list(reversed(game.rulings[-MOST_RULINGS:]))
    return View(
        headline=headline_of(showing),
        rules=game.rules,
        sight=words.sight(showing),
        sight_word=showing.sight.value,
        notice=showing.notice,
        board=board_of_showing(showing),
        players=_players(showing),
        finding=None if shown is None else _finding(shown),
        earlier=tuple(_finding(ruling) for ruling in rulings if ruling != shown),
        moves=_moves(showing),
        faults=showing.faults,
    )


def _players(showing: Showing) -> tuple[Player, ...]:
    lamps, bowls = lamps_of(showing), showing.game.bowls
    return tuple(
        Player(
            colour.value,
            words.name(colour),
            showing.game.side_of(colour),
            lamps[colour],
            _act(showing, colour, lamps[colour]),
            lid_svg(bowls, colour),
            lid_words(bowls, colour),
            bowls.ultimate is colour,
        )
        for colour in COLOURS[: len(showing.game.position.stones)]
    )


def _act(showing: Showing, colour: Colour, lamp: Lamp) -> str:
    side = showing.game.side_of(colour)
    if showing.called:
        return "waits for the director"
    if showing.phase is Phase.FINAL or (showing.game.ended and side in showing.agreed):
        return "agrees"
    if showing.game.ended:
        return "asked to agree"
    if side in showing.resigning:
        return "about to resign"
    if side in showing.waiting:
        return "pressed done"
    return "start check" if checks_start(showing) else _ACTS[lamp.tone]


_ACTS = {
    Tone.GREEN: "to play",
    Tone.AMBER: "something to do",
    Tone.RED: "another turn",
    Tone.BLUE: "waits",
    Tone.WHITE: "",
    Tone.OFF: "",
}


def _finding(ruling: Ruling) -> Finding:
    return Finding(ruling.status.value, words.finding(ruling), ruling.turn, ruling.text)


def _moves(showing: Showing) -> tuple[Move, ...]:
    board = showing.game.position.board
    moves = [
        Move(number, turn.player.value, words.name(turn.player), words.turn(board, turn))
        for number, turn in enumerate(showing.game.turns, 1)
    ]
    return tuple(reversed(moves))
