"""The players' lamps as the page draws them; docs/panel.md tells what they mean, and the table's own lamps agree.

A lamp here belongs to a player and not to a side, so that it is right before anything says who sits where.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from referee.board import COLOURS, Colour
from referee.ruling import Status
from referee.snapshot import Phase, Showing


class Tone(StrEnum):
    """A lamp's colour, and the banner's."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    BLUE = "blue"
    WHITE = "white"
    OFF = "off"


@dataclass(frozen=True)
class Lamp:
    """What one lamp shows; pulse: it comes and goes."""

    tone: Tone = Tone.OFF
    pulse: bool = False


OFF = Lamp()
_PULSING = {tone: Lamp(tone, pulse=True) for tone in Tone}


def lamps_of(showing: Showing) -> dict[Colour, Lamp]:
    """The lamp of each player: who has to act, and how."""
    players = COLOURS[: len(showing.game.position.stones)]
    return {colour: _standing_still(showing, colour) or _in_play(showing, colour) for colour in players}


def _standing_still(showing: Showing, colour: Colour) -> Lamp | None:
    """The lamp where the game stands still or has ended, None while it is on."""
    if showing.resigning and (showing.called or showing.paused):
        return _resigning(showing, colour)
    if showing.called:
        return _PULSING[Tone.WHITE]
    if showing.paused and showing.phase is not Phase.FINAL:
        return Lamp(Tone.BLUE)
    if showing.game.result is not None:
        agreed = showing.phase is Phase.FINAL or showing.game.side_of(colour) in showing.agreed
        return Lamp(Tone.WHITE, pulse=not agreed)
    return _of_the_clock(showing, colour)


def _of_the_clock(showing: Showing, colour: Colour) -> Lamp | None:
    """The lamp where the clock waits for the players, or one of them may claim the win."""
    game, clocks = showing.game, showing.game.clocks
    if clocks is None or game.ended:
        return None
    if clocks.restored and game.counting.waits_for is None:
        return Lamp(Tone.BLUE, pulse=colour not in clocks.ready)
    if clocks.may_claim:
        return _PULSING[Tone.WHITE if colour in clocks.may_claim else Tone.RED]
    return None


def _resigning(showing: Showing, colour: Colour) -> Lamp:
    resigns = showing.game.side_of(colour) == showing.resigning[0]
    return _PULSING[Tone.WHITE] if resigns else Lamp(Tone.BLUE)


def _in_play(showing: Showing, colour: Colour) -> Lamp:
    if showing.resigning:
        return _resigning(showing, colour)
    if colour is judged_first(showing):
        return _PULSING[Tone.WHITE]
    waits_for = showing.game.counting.waits_for
    if waits_for is not None or showing.game.ended:
        return OFF if showing.waiting else Lamp(Tone.WHITE, pulse=waits_for in (None, colour))
    if checks_start(showing):
        return _PULSING[Tone.BLUE]
    trouble = showing.trouble
    if trouble is None or trouble.status is Status.LEGAL:
        return _turn(showing) if colour is showing.game.to_play else OFF
    if trouble.status is Status.UNEXPLAINED:
        return _PULSING[Tone.AMBER]
    if colour is not (trouble.player or colour):
        return OFF
    return Lamp(Tone.RED if trouble.status is Status.ILLEGAL else Tone.AMBER)


def _turn(showing: Showing) -> Lamp:
    """It pulses before the first move where nothing says yet who sits where."""
    return Lamp(Tone.GREEN, pulse=showing.game.black_side is None and showing.game.turn == 0)


def judged_first(showing: Showing) -> Colour | None:
    """Of the players whose press waits for a look, the one whose turn is judged first."""
    game = showing.game
    waiting = [colour for colour in COLOURS[:2] if game.side_of(colour) in showing.waiting]
    return game.to_play if game.to_play in waiting else next(iter(waiting), None)


def checks_start(showing: Showing) -> bool:
    """The table has not been seen ready for the first move."""
    status = showing.trouble.status if showing.trouble is not None else None
    return showing.phase is Phase.START and status not in (Status.ILLEGAL, Status.UNEXPLAINED)
