"""What is going on now and who has to do what: one sentence, and the colours of the lamps that go with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from referee.board import COLOURS, Colour
from referee.ruling import Ruling, Status
from referee.snapshot import Phase, Showing, Sight
from referee.turns import Placement
from web import words


class Tone(StrEnum):
    """The lamps' colours: your turn, unfinished, illegal, paused, and a claim or result that is open."""

    GREEN = "green"
    AMBER = "amber"
    RED = "red"
    BLUE = "blue"
    WHITE = "white"
    OFF = "off"


@dataclass(frozen=True)
class Headline:
    """label: a word or two above the sentence."""

    tone: Tone
    label: str
    text: str


def headline_of(showing: Showing) -> Headline:
    """The most pressing thing there is to say; exactly one."""
    said = (find(showing) for find in _BY_URGENCY)
    return next(headline for headline in said if headline is not None)


def lamps_of(showing: Showing) -> dict[Colour, Tone]:
    """The lamp of each player: who has to act, and why."""
    players = COLOURS[: len(showing.game.position.stones)]
    return {colour: _lamp(showing, colour) for colour in players}


def _lamp(showing: Showing, colour: Colour) -> Tone:
    game, trouble = showing.game, showing.trouble
    if showing.called or showing.paused:
        return Tone.BLUE
    if game.ended:
        open_still = showing.phase is Phase.RESULT and game.side_of(colour) not in showing.agreed
        return Tone.WHITE if open_still else Tone.OFF
    if trouble is not None:
        return _TROUBLED[trouble.status] if colour is (trouble.player or colour) else Tone.OFF
    if game.side_of(colour) in showing.resigning:
        return Tone.WHITE
    return Tone.GREEN if colour is game.to_play else Tone.OFF


_TROUBLED = {
    Status.LEGAL: Tone.GREEN,
    Status.UNFINISHED: Tone.AMBER,
    Status.ILLEGAL: Tone.RED,
    Status.UNEXPLAINED: Tone.AMBER,
}


def _called(showing: Showing) -> Headline | None:
    if not showing.called:
        return None
    return Headline(Tone.BLUE, "Director called", "The director has been called: both players wait.")


def _paused(showing: Showing) -> Headline | None:
    return Headline(Tone.BLUE, "Paused", "The game is paused: both players wait.") if showing.paused else None


def _result(showing: Showing) -> Headline | None:
    result = words.result(showing.game)
    if result is None:
        return None
    label = f"Result {showing.game.result}" if showing.game.result else "End of play"
    return Headline(Tone.WHITE, label, result + _agreement(showing))


def _agreement(showing: Showing) -> str:
    if showing.phase is Phase.FINAL:
        return ": both players have agreed."
    if showing.phase is not Phase.RESULT:
        return "."
    if not showing.agreed:
        return ": both players are asked to agree."
    agreed, other = showing.agreed[0], 3 - showing.agreed[0]
    return f": {words.at_side(showing.game, agreed)} agrees, {words.at_side(showing.game, other)} is asked to."


def _trouble(showing: Showing) -> Headline | None:
    trouble = showing.trouble
    if trouble is None:
        return None
    return Headline(_TROUBLED[trouble.status], words.STATUSES[trouble.status], _what_to_do(showing, trouble))


def _what_to_do(showing: Showing, trouble: Ruling) -> str:
    to_play = words.name(showing.game.to_play)
    player = words.name(trouble.player) if trouble.player else None
    if trouble.status is Status.UNEXPLAINED:
        return "The table has to be put right at the points marked."
    if trouble.status is Status.UNFINISHED:
        return f"{player or 'One of the players'} still has something to do."
    if isinstance(trouble.move, Placement):
        return f"{player or to_play} takes the stone back and makes another turn."
    return f"That does not count: it is still {to_play}'s turn."


def _camera(showing: Showing) -> Headline | None:
    if showing.sight is Sight.LOST:
        return Headline(Tone.RED, "No picture", "The camera gives no pictures: check its cable.")
    if showing.sight is Sight.SEARCHING:
        return Headline(Tone.AMBER, "No board", "No board is seen: turn the camera to the whole board.")
    return None


def _resigning(showing: Showing) -> Headline | None:
    if not showing.resigning:
        return None
    player = words.at_side(showing.game, showing.resigning[0])
    return Headline(Tone.WHITE, "Resigning?", f"{player} is about to resign: done confirms it.")


def _waiting(showing: Showing) -> Headline | None:
    if not showing.waiting:
        return None
    presser = words.joined([words.at_side(showing.game, side) for side in showing.waiting])
    return Headline(Tone.GREEN, _coming(showing), f"{presser} pressed done: hands off the table for a look.")


def _turn(showing: Showing) -> Headline:
    player = words.name(showing.game.to_play)
    if showing.phase is Phase.START:
        return Headline(Tone.GREEN, "Ready", f"The table is ready: {player} begins.")
    press = ": play, then press done." if showing.refereed else "."
    return Headline(Tone.GREEN, _coming(showing), f"It is {player}'s turn{press}")


def _coming(showing: Showing) -> str:
    return f"Turn {showing.game.turn + 1}"


_BY_URGENCY: tuple[Callable[[Showing], Headline | None], ...] = (
    _called,
    _paused,
    _result,
    _trouble,
    _camera,
    _resigning,
    _waiting,
    _turn,
)
