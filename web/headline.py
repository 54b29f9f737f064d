"""What is going on now and who has to do what, in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.ruling import Ruling, Status
from referee.snapshot import Phase, Showing, Sight
from referee.turns import Placement
from web import words
from web.lamps import Tone, checks_start

START_CHECK = "Start check"


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


_TROUBLED = {
    Status.LEGAL: Tone.GREEN,
    Status.UNFINISHED: Tone.AMBER,
    Status.ILLEGAL: Tone.RED,
    Status.UNEXPLAINED: Tone.AMBER,
}


def _called(showing: Showing) -> Headline | None:
    if not showing.called:
        return None
    return Headline(Tone.WHITE, "Director called", "The director has been called: both players wait.")


def _paused(showing: Showing) -> Headline | None:
    if not showing.paused or showing.phase is Phase.FINAL:
        return None
    return Headline(Tone.BLUE, "Paused", "The game is paused: both players wait.")


def _proposal(showing: Showing) -> Headline | None:
    waits_for, board = showing.game.counting.waits_for, showing.game.position.board
    if waits_for is None:
        return None
    dead = board.names(showing.game.counting.named.dead)
    named = f"{words.joined(dead)} {'is' if len(dead) == 1 else 'are'} dead" if dead else "no stone is dead"
    return Headline(Tone.WHITE, "Count", f"{words.name(waits_for)} is asked to agree that {named}.")


def _uncounted(showing: Showing) -> Headline | None:
    if not showing.game.ended or showing.game.result is not None:
        return None
    return Headline(Tone.WHITE, "End of play", "Play has ended: lift the dead stones off the board and press score.")


def _restored(showing: Showing) -> Headline | None:
    game, clocks = showing.game, showing.game.clocks
    if clocks is None or not clocks.restored or game.ended:
        return None
    waits = words.joined([words.name(face.player) for face in clocks.faces if face.player not in clocks.ready])
    return Headline(Tone.BLUE, "After a power cut", f"The clocks stand: {waits} press done to go on.")


def _claim(showing: Showing) -> Headline | None:
    game, clocks = showing.game, showing.game.clocks
    if clocks is None or game.ended or not clocks.may_claim:
        return None
    fallen, claims = words.name(clocks.fallen[0]), words.name(clocks.may_claim[0])
    text = f"{fallen}'s time is used up: {claims} may claim the win by call, before the next move."
    return Headline(Tone.WHITE, "Time", text)


def _result(showing: Showing) -> Headline | None:
    result = words.result(showing.game)
    if result is None:
        return None
    return Headline(
        Tone.WHITE,
        _LABELS.get(showing.game.result or "", f"Result {showing.game.result}"),
        result + _agreement(showing),
    )


_LABELS = {"0": "Draw", "Void": "Void"}


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
    if checks_start(showing):
        return Headline(Tone.BLUE, START_CHECK, "Board and lids are not ready yet for the first move.")
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
    if checks_start(showing):
        return Headline(Tone.BLUE, START_CHECK, "The table is looked at before the first move.")
    player = words.name(showing.game.to_play)
    press = ": play, then press done." if showing.refereed else "."
    if showing.game.turn == 0:
        return Headline(Tone.GREEN, _coming(showing), f"The table is ready, {player} begins{press}")
    return Headline(Tone.GREEN, _coming(showing), f"It is {player}'s turn{press}")


def _coming(showing: Showing) -> str:
    return f"Turn {showing.game.turn + 1}"


_BY_URGENCY: tuple[Callable[[Showing], Headline | None], ...] = (
    _called,
    _paused,
    _proposal,
    _uncounted,
    _result,
    _restored,
    _claim,
    _trouble,
    _camera,
    _resigning,
    _waiting,
    _turn,
)
