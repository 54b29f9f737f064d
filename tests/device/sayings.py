"""Random words and steps of players and director, said to a box between presses and looks."""

from __future__ import annotations

import random

from referee.board import Colour
from referee.events import Agree, AgreeVoid, Amend, Disagree, Named, Propose, Word
from referee.time.left import Left
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
