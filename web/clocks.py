"""The clocks, the count and what was answered as JSON and as words: pure."""

from __future__ import annotations

from dataclasses import dataclass

from referee.board import Colour
from referee.counted import Count
from referee.snapshot import Clocks, Counting, Said, Snapshot
from referee.time.clock import Face
from referee.time.steps import Act, Answer
from web.language import ENGLISH, Tongue

MOST_ANSWERS = 50
ROUTINE = (Act.PRESS, Act.ACCEPT)
"""What the clock does turn after turn; told only where it is refused."""


@dataclass(frozen=True)
class ClockFace:
    """A player's clock on the page. ms: left of the stretch that runs, at t, in seconds on the box's clock."""

    time: str
    more: str
    running: bool
    low: bool
    ms: int
    t: float


def clock_face(game: Snapshot, colour: Colour, say: Tongue = ENGLISH) -> ClockFace | None:
    """What a player's clock shows, None where there are no clocks."""
    clocks = game.clocks
    face = next((face for face in clocks.faces if face.player is colour), None) if clocks is not None else None
    if clocks is None or face is None:
        return None
    return ClockFace(time_left(face), _more(face, say), face.running, face.fallen, _stretch(face), clocks.t)


def _more(face: Face, say: Tongue) -> str:
    """What is said beside the time in overtime: periods, turns to be closed, what was bought."""
    if face.fallen:
        return say("clock.none")
    if face.bought:
        return say.count("clock.bought", face.bought, points=face.points)
    if not face.in_overtime:
        return ""
    if face.stones:
        return say.count("clock.stones", face.stones)
    return say.count("clock.periods", face.periods) if face.periods else ""


def time_left(face: Face) -> str:
    """`1:02:03` or `4:59`, rounded up to whole seconds."""
    minutes, seconds = divmod(-(-_stretch(face) // 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def clocks_dict(clocks: Clocks | None) -> dict[str, object] | None:
    """The clocks for other programs; times in milliseconds, as they were at t seconds on the box's clock."""
    if clocks is None:
        return None
    return {
        "control": clocks.control,
        "t": round(clocks.t, 3),
        "begun": clocks.begun,
        "halted": clocks.halted,
        "called": clocks.called,
        "restored": clocks.restored,
        "ready": _letters(clocks.ready),
        "absent": _letters(clocks.absent),
        "fallen": _letters(clocks.fallen),
        "players": {face.player.value: _face(face) for face in clocks.faces},
    }


def counting_dict(game: Snapshot) -> dict[str, object]:
    """How far the players have come with a count, and the count that both agreed to."""
    counting, board = game.counting, game.position.board
    return {
        "stage": counting.stage.value,
        "may_propose": _letters(counting.may_propose),
        "waits_for": counting.waits_for.value if counting.waits_for else None,
        "dead": board.names(counting.named.dead),
        "seki": board.names(counting.named.seki),
        "void": _letters(counting.void),
        "count": _count(counting, game),
    }


def answers_list(answers: tuple[Said, ...]) -> list[dict[str, object]]:
    """The newest answers that tell something, the newest first."""
    told = [answer for answer in answers[-4 * MOST_ANSWERS :] if not _is_routine(answer)]
    return [_answer(answer) for answer in reversed(told[-MOST_ANSWERS:])]


def _is_routine(answer: Said) -> bool:
    return isinstance(answer, Answer) and answer.allowed and answer.act in ROUTINE


def _answer(answer: Said) -> dict[str, object]:
    if isinstance(answer, Answer):
        return {"text": answer.text, "act": answer.act.value, "refused": not answer.allowed}
    return {"text": answer.text, "act": None, "refused": answer.refused}


def _face(face: Face) -> dict[str, object]:
    return {
        "time": time_left(face),
        "text": face.text,
        "main": face.main,
        "period": face.period,
        "periods": face.periods,
        "stones": face.stones,
        "bought": face.bought,
        "points": face.points,
        "spent": face.spent,
        "overtime": face.in_overtime,
        "fallen": face.fallen,
        "running": face.running,
    }


def _count(counting: Counting, game: Snapshot) -> dict[str, object] | None:
    count: Count | None = counting.count
    if count is None:
        return None
    board = game.position.board
    return {
        "method": count.method,
        "result": str(count.result),
        "steps": [
            {
                "player": step.player.value if step.player else None,
                "point": None if step.point is None else board.name(step.point),
                "text": step.text,
            }
            for step in count.steps
        ],
        "order_matters": count.order_matters,
        "remarks": list(count.remarks),
    }


def _letters(players: tuple[Colour, ...]) -> list[str]:
    return [player.value for player in players]


def _stretch(face: Face) -> int:
    return face.main or face.period
