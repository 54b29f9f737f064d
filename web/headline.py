"""What is going on now and who has to do what, in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee.ruling import Ruling, Status
from referee.snapshot import Phase, Showing, Sight
from referee.turns import Placement
from web import words
from web.lamps import Tone, checks_start
from web.language import ENGLISH, Tongue

MESSAGE_KEYS = (
    *("headline.dead.none", "headline.dead.one", "headline.dead.many", "headline.ready-press", "headline.turn-press"),
    *("headline.lost", "headline.searching", "label.lost", "label.searching"),
)


@dataclass(frozen=True)
class Headline:
    """label: a word or two above the sentence."""

    tone: Tone
    label: str
    text: str


def headline_of(showing: Showing, say: Tongue = ENGLISH) -> Headline:
    """The most pressing thing there is to say; exactly one."""
    said = (find(showing, say) for find in _BY_URGENCY)
    return next(headline for headline in said if headline is not None)


_TROUBLED = {
    Status.LEGAL: Tone.GREEN,
    Status.UNFINISHED: Tone.AMBER,
    Status.ILLEGAL: Tone.RED,
    Status.UNEXPLAINED: Tone.AMBER,
}


def _called(showing: Showing, say: Tongue) -> Headline | None:
    return Headline(Tone.WHITE, say("label.called"), say("headline.called")) if showing.called else None


def _paused(showing: Showing, say: Tongue) -> Headline | None:
    if not showing.paused or showing.phase is Phase.FINAL:
        return None
    return Headline(Tone.BLUE, say("label.paused"), say("headline.paused"))


def _proposal(showing: Showing, say: Tongue) -> Headline | None:
    waits_for, board = showing.game.counting.waits_for, showing.game.position.board
    if waits_for is None:
        return None
    dead = board.names(showing.game.counting.named.dead)
    key = "headline.dead." + ("none" if not dead else "one" if len(dead) == 1 else "many")
    text = say(key, player=words.name(waits_for, say), points=say.joined(dead))
    return Headline(Tone.WHITE, say("label.count"), text)


def _uncounted(showing: Showing, say: Tongue) -> Headline | None:
    if not showing.game.ended or showing.game.result is not None:
        return None
    return Headline(Tone.WHITE, say("label.end"), say("headline.uncounted"))


def _restored(showing: Showing, say: Tongue) -> Headline | None:
    game, clocks = showing.game, showing.game.clocks
    if clocks is None or not clocks.restored or game.ended:
        return None
    waits = [words.name(face.player, say) for face in clocks.faces if face.player not in clocks.ready]
    return Headline(Tone.BLUE, say("label.power"), say("headline.restored", players=say.joined(waits)))


def _claim(showing: Showing, say: Tongue) -> Headline | None:
    game, clocks = showing.game, showing.game.clocks
    if clocks is None or game.ended or not clocks.may_claim:
        return None
    fallen, claims = words.name(clocks.fallen[0], say), words.name(clocks.may_claim[0], say)
    return Headline(Tone.WHITE, say("label.time"), say("headline.claim", fallen=fallen, player=claims))


def _result(showing: Showing, say: Tongue) -> Headline | None:
    result = words.result(showing.game, say)
    if result is None:
        return None
    known = {"0": "label.draw", "Void": "label.void"}.get(showing.game.result or "", "label.result")
    return Headline(Tone.WHITE, say(known, result=showing.game.result or ""), _agreement(showing, result, say))


def _agreement(showing: Showing, result: str, say: Tongue) -> str:
    if showing.phase is Phase.FINAL:
        return say("headline.agreed", result=result)
    if showing.phase is not Phase.RESULT:
        return say("headline.result", result=result)
    if not showing.agreed:
        return say("headline.asked", result=result)
    agreed, other = (words.at_side(showing.game, side, say) for side in (showing.agreed[0], 3 - showing.agreed[0]))
    return say("headline.one-agrees", result=result, agreed=agreed, other=other)


def _trouble(showing: Showing, say: Tongue) -> Headline | None:
    trouble = showing.trouble
    if trouble is None:
        return None
    if checks_start(showing):
        return Headline(Tone.BLUE, say("label.start"), say("headline.not-ready"))
    label = say(f"status.{trouble.status.value}")
    return Headline(_TROUBLED[trouble.status], label, _what_to_do(showing, trouble, say))


def _what_to_do(showing: Showing, trouble: Ruling, say: Tongue) -> str:
    to_play = words.name(showing.game.to_play, say)
    player = words.name(trouble.player, say) if trouble.player else None
    if trouble.status is Status.UNEXPLAINED:
        return say("headline.unexplained")
    if trouble.status is Status.UNFINISHED:
        return say("headline.unfinished", player=player) if player else say("headline.unfinished-somebody")
    if isinstance(trouble.move, Placement):
        return say("headline.take-back", player=player or to_play)
    return say("headline.counts-not", player=to_play)


def _camera(showing: Showing, say: Tongue) -> Headline | None:
    if showing.sight not in (Sight.LOST, Sight.SEARCHING):
        return None
    tone = Tone.RED if showing.sight is Sight.LOST else Tone.AMBER
    return Headline(tone, say(f"label.{showing.sight.value}"), say(f"headline.{showing.sight.value}"))


def _resigning(showing: Showing, say: Tongue) -> Headline | None:
    if not showing.resigning:
        return None
    player = words.at_side(showing.game, showing.resigning[0], say)
    return Headline(Tone.WHITE, say("label.resigning"), say("headline.resigning", player=player))


def _waiting(showing: Showing, say: Tongue) -> Headline | None:
    if not showing.waiting:
        return None
    pressed = [words.at_side(showing.game, side, say) for side in showing.waiting]
    text = say("headline.waiting", n=len(pressed), players=say.joined(pressed))
    return Headline(Tone.GREEN, _coming(showing, say), text)


def _turn(showing: Showing, say: Tongue) -> Headline:
    if checks_start(showing):
        return Headline(Tone.BLUE, say("label.start"), say("headline.check"))
    key = ("headline.turn" if showing.game.turn else "headline.ready") + ("-press" if showing.refereed else "")
    return Headline(Tone.GREEN, _coming(showing, say), say(key, player=words.name(showing.game.to_play, say)))


def _coming(showing: Showing, say: Tongue) -> str:
    return say("label.turn", turn=showing.game.turn + 1)


_BY_URGENCY: tuple[Callable[[Showing, Tongue], Headline | None], ...] = (
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
