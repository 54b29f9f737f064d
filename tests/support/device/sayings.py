"""Random words and steps of players and director, said to a box between presses and looks; and acts of her desk."""

from __future__ import annotations

import random

from device.director import ACTS, TIME_ACTS
from device.fields import KINDS
from referee.board import Board, Colour
from referee.events import Agree, AgreeVoid, Amend, Disagree, Named, Propose, Word
from referee.time.controls import Left
from referee.time.steps import Act, Ground, Step

B, W = Colour.BLACK, Colour.WHITE
ENDING = (Act.REPORT, Act.RESIGN, Act.TURN_OFF)
"""Acts that are chosen seldom, for little can be said after them."""


def random_word(rng: random.Random, t: float, points: int) -> Word:
    """A word of any kind, about any points."""
    player = rng.choice((B, W))
    mask = sum({1 << rng.randrange(points) for _ in range(rng.choice((0, 0, 1, 3)))})
    owned = (rng.choice((0, mask)), 0)
    named = Named(mask, rng.choice((0, mask)), owned, rng.choice((None, None, (3, 12))))
    kind = rng.choice((Propose, Propose, Amend, Agree, Agree, Disagree, AgreeVoid))
    if kind is AgreeVoid:
        return AgreeVoid(t, rng.choice((B, W, None)))
    if kind is Agree or kind is Disagree:
        return kind(t, player)
    return kind(t, player, named)


def random_step(rng: random.Random, t: float) -> Step:
    """A step of any kind, by anybody, about anybody."""
    by, about = rng.choice((B, W, None)), rng.choice((B, W, None))
    lefts = ((B, Left(rng.choice((5_000, 60_000)))), (W, Left(30_000))) if rng.random() < 0.6 else ()
    result = rng.choice(("B+R", "W+2.5", "0", "Void", "?", None))
    act = rng.choice((*Act, *(Act.RESUME, Act.START, Act.READY) * 3))
    act = act if act not in ENDING or rng.random() < 0.1 else Act.RESUME
    return Step(t, act, by, about, rng.choice((None, 700)), lefts, result, rng.choice(tuple(Ground)))


def random_act(rng: random.Random, board: Board) -> dict[str, object]:
    """What the director may send from the page: any act with its fields, now and then with one that it has not."""
    point = board.name(rng.randrange(board.cols * board.rows))
    fields: dict[str, dict[str, object]] = {
        "set-up": {"rules": rng.choice(("ultimate", "chinese")), "size": board.cols, "control": rng.choice(CONTROLS)},
        "enter": {"player": rng.choice("BW"), "turn": rng.choice(KINDS), "point": point, "stands": rng.random() < 0.3},
        "take-back": {"turns": rng.choice((1, 1, 2, 30))},
        "exchange": {"count": rng.choice((1, 1, 2, 30))},
        "remove": {"stones": rng.choice(([], [point]))},
        "clocks": {player: {"main": rng.choice((0, 5_000, 60_000)), "periods": 1, "period": 5_000} for player in "BW"},
        "report": {"result": rng.choice(RESULTS)},
        "propose": {"player": rng.choice("BW"), "dead": rng.choice(([], [point]))},
        "agree": {"player": rng.choice("BW")},
        "disagree": {"player": rng.choice("BW")},
        "time": _time_act(rng),
        "calibrate": {"size": board.cols, "corners": [[0, 0], [9, 0], [9, 9], [0, 9]]},
    }
    act = rng.choice([name for name in ACTS if name not in ("report", "verify") or rng.random() < 0.2])
    body = {"act": act, "why": rng.choice(("misread", "both agree", "")), **fields.get(act, {})}
    return {**body, "odd": 1} if rng.random() < 0.03 else body


CONTROLS = ("5m+2x5s", "40s+2s", "ing 2m 2x5s", "")
RESULTS = ("B+R", "W+2.5", "0", "Void", "?")


def _time_act(rng: random.Random) -> dict[str, object]:
    quiet = [act for act in TIME_ACTS if act not in ENDING or rng.random() < 0.1]
    body: dict[str, object] = {"step": rng.choice(quiet).value, "by": rng.choice("BW-"), "about": rng.choice("BW-")}
    return body | {"ground": rng.choice(tuple(Ground)).value, "ms": rng.choice((0, 700))}
