"""Clocks, and what is done about time. A clock that is read back stands, until it is resumed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

from referee.board import COLOURS, Colour
from referee.errors import BadRecord, RefereeError
from referee.snapshot import Clocks
from referee.time.clock import Clock, Closed, Face
from referee.time.controls import LONGEST, Left, read_control
from referee.time.steps import Act, Ground, Step
from referee.wire.messages import Say


def step_to_json(step: Step) -> dict[str, object]:
    """The step, its time with it; what it leaves out is left out."""
    body: dict[str, object] = {"t": step.t, "act": step.act.value}
    named = {"by": step.by, "player": step.player, "ms": step.ms, "result": step.result}
    body |= {key: value for key, value in named.items() if value is not None}
    body |= {"lefts": {player.value: list(astuple(left)) for player, left in step.lefts}} if step.lefts else {}
    body |= {"ground": step.ground.value} if step.ground is not Ground.WRONG else {}
    return body | ({"turns": step.turns} if step.turns != 1 else {})


def step_from_json(body: Mapping[str, Any]) -> Step:
    """The step; raises BadRecord, in one sentence, for a body that holds none."""
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
    )


def left_from_json(values: Any) -> Left:
    """What a player has left, from four whole numbers; raises TypeError or ValueError for anything else."""
    main, period, periods, stones = map(_whole, values)
    return Left(main, period, periods, stones)


def clock_to_json(clock: Clock, t: float) -> dict[str, object]:
    """The clock as it stands at t, seconds; its time base is not kept, for after a restart there is another."""
    clock = clock.broken_off(t)
    return {
        "control": str(clock.control),
        "lefts": [list(astuple(left)) for left in clock.lefts],
        "turn": clock.turn.value,
        "earlier": list(clock.earlier),
        "used": clock.used,
        "closed": [[c.player.value, c.ms, list(astuple(c.before)), list(astuple(c.after))] for c in clock.closed],
        "sealed": clock.sealed,
        "free": sorted(player.value for player in clock.free),
    }


def clock_from_json(body: Mapping[str, Any]) -> Clock:
    """The clock, standing; raises BadRecord, in one sentence, for a body that holds none."""
    try:
        clock = _clock(body)
    except RefereeError as error:
        raise BadRecord("The clock in the record has no time control that is known; set the clocks by hand.") from error
    except (KeyError, TypeError, ValueError) as error:
        raise BadRecord(f"The clock in the record cannot be read ({error!s:.60}); set the clocks by hand.") from error
    if clock.turn not in clock.players or not 2 <= len(clock.lefts) == len(clock.earlier) <= len(COLOURS):
        raise BadRecord("The clock in the record has not the right number of players; set the clocks by hand.")
    return clock


def _clock(body: Mapping[str, Any]) -> Clock:
    return Clock(
        read_control(str(body["control"])),
        tuple(map(left_from_json, body["lefts"])),
        Colour(body["turn"]),
        tuple(map(_whole, body["earlier"])),
        _whole(body["used"]),
        closed=tuple(
            Closed(Colour(p), _whole(ms), left_from_json(a), left_from_json(b)) for p, ms, a, b in body["closed"]
        ),
        sealed=_whole(body["sealed"]),
        free=frozenset(map(Colour, body["free"])),
    )


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 100 * LONGEST:
        raise ValueError(f"{value!r:.20} is no number of milliseconds")
    return value


def clocks_to_json(clocks: Clocks, say: Say) -> dict[str, object]:
    """What the clocks show at t, seconds on the box's clock. say: makes a sentence of a message."""
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


def _face_to_json(face: Face, say: Say) -> dict[str, object]:
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
