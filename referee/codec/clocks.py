"""Clock actions and clock readings as JSON values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from referee.codec.messages import Say
from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.errors import BadRecord
from referee.time.clock import ClockReading
from referee.time.controls import LONGEST, TimeLeft
from referee.time.steps import Act, Ground, Step
from referee.umpire.snapshot import Clocks


def step_to_json(step: Step) -> dict[str, object]:
    """Encode a clock action with its time; empty parts are left out."""
    body: dict[str, object] = {"t": step.t, "act": step.act.value}
    named = {"by": step.by, "player": step.player, "ms": step.ms, "result": step.result}
    body |= {key: value for key, value in named.items() if value is not None}
    body |= {"lefts": {player.value: list(astuple(left)) for player, left in step.lefts}} if step.lefts else {}
    body |= {"ground": step.ground.value} if step.ground is not Ground.WRONG else {}
    body |= {"author": step.author.value} if step.author is not None else {}
    return body | ({"turns": step.turns} if step.turns != 1 else {})


def step_from_json(body: Mapping[str, Any]) -> Step:
    """Decode a clock action. Raise BadRecord, in one sentence, for a body without one."""
    try:
        return _step(body)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"The step about time cannot be read ({error!s:.60}).") from error


def _step(body: Mapping[str, Any]) -> Step:
    by, player, ms, result = (body.get(key) for key in ("by", "player", "ms", "result"))
    return Step(
        float(body["t"]),
        Act(body["act"]),
        None if by is None else Colour(by),
        None if player is None else Colour(player),
        None if ms is None else _whole(ms),
        tuple((Colour(who), left_from_json(left)) for who, left in body.get("lefts", {}).items()),
        None if result is None else str(result),
        Ground(body.get("ground", Ground.WRONG.value)),
        _whole(body.get("turns", 1)) or 1,
        Actor(body["author"]) if "author" in body else None,
    )


def left_from_json(values: Any) -> TimeLeft:
    """Decode a player's remaining time from four whole numbers. Raise TypeError or ValueError for anything else."""
    main, period, periods, stones = map(_whole, values)
    return TimeLeft(main, period, periods, stones)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 100 * LONGEST:
        raise ValueError(f"{value!r:.20} is no number of milliseconds")
    return value


def clocks_to_json(clocks: Clocks, say: Say) -> dict[str, object]:
    """Encode the clocks at time t, in seconds on the box's clock. say: turns a message into a sentence."""
    return {
        "control": clocks.control,
        "t": round(clocks.t, 3),
        "begun": clocks.begun,
        "halted": clocks.halted,
        "called": clocks.called,
        "restored": clocks.restored,
        "ready": list(clocks.ready),
        "absent": list(clocks.absent),
        "fallen": list(clocks.fallen),
        "players": {face.player.value: _face_to_json(face, say) for face in clocks.faces},
    }


def _face_to_json(face: ClockReading, say: Say) -> dict[str, object]:
    return {
        "time": face.time,
        "text": say(face.shown),
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
