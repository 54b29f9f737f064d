"""What the page's template is given: words and drawings made from a Showing. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import COLOURS, Colour
from referee.ruling import Ruling
from referee.snapshot import Phase, Showing
from web import words
from web.board_svg import board_of_showing
from web.clocks import ClockFace, clock_face
from web.headline import Headline, headline_of
from web.lamps import Lamp, Tone, checks_start, lamps_of
from web.lid_svg import lid_svg, lid_words
from web.status import MOST_RULINGS


@dataclass(frozen=True)
class Player:
    """A player's card. act: what the player is doing or has to do, in a few words. lid: a drawing. clock: if any."""

    colour: str
    name: str
    side: int | None
    lamp: Lamp
    act: str
    lid: str
    lid_words: str
    ultimate: bool
    clock: ClockFace | None


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
    """Everything on the page; newest first in both lists. count: the steps of a count that was agreed to."""

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
    count: tuple[str, ...]
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
        count=tuple(step.text for step in game.counting.count.steps) if game.counting.count else (),
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
            clock_face(showing.game, colour),
        )
        for colour in COLOURS[: len(showing.game.position.stones)]
    )


def _act(showing: Showing, colour: Colour, lamp: Lamp) -> str:
    side, clocks = showing.game.side_of(colour), showing.game.clocks
    if showing.called:
        return "waits for the director"
    if showing.phase is Phase.FINAL or (showing.game.ended and side in showing.agreed):
        return "agrees"
    if showing.game.counting.waits_for is colour or showing.game.result is not None:
        return "asked to agree"
    if showing.game.ended:
        return "waits" if showing.game.counting.waits_for else "lift dead stones"
    if side in showing.resigning:
        return "about to resign"
    if side in showing.waiting:
        return "pressed done"
    if clocks is not None and clocks.restored and colour not in clocks.ready:
        return "press done to go on"
    if clocks is not None and clocks.may_claim:
        return "may claim the win" if colour in clocks.may_claim else "time is used up"
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
