"""Plays a sequence and checks each act; a sequence that fails is shortened."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass

from tests.support.sequences.laws import broken
from tests.support.sequences.moment import ORDER, Done, Moment
from tests.support.sequences.shown import wrong
from tests.support.sequences.shrink import shrink
from tests.support.sequences.table import Agreed, AtTable
from tests.support.sequences.truth import NotPlayed, Truth

Check = Callable[[Agreed, Sequence[str]], str | None]
"""Returns how the first promise was broken, None if all were kept."""


@dataclass(frozen=True)
class Failure:
    """A sequence that broke a promise: `said` how, and the shortest one found that does."""

    agreed: Agreed
    acts: tuple[str, ...]
    said: str

    def __str__(self) -> str:
        return f"{self.said}\n    {self.agreed}\n    {list(self.acts)}"


def check(agreed: Agreed, acts: Sequence[str]) -> str | None:
    """Do the acts, and let the players end the game after them; return how the first promise was broken, None if all
    were kept."""
    with AtTable(agreed) as table:
        past = [Done("", table.view)]
        said = next((said for act in (*acts, "replay") if (said := done(table, past, act)) is not None), None)
        return said or hung(table, past)


def done(table: AtTable, past: list[Done], act: str) -> str | None:
    """Do one act; return which law is broken by it, and how."""
    try:
        past.append(Done(act, table.do(act), table.refused))
        return broken(Moment(table.agreed, past, table))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} {place.name}: {error}"


def hung(table: AtTable, past: list[Done]) -> str | None:
    """The players put the table right, the director lets the game go on, all but one resign and agree to the result:
    that is possible whatever was done before. Return what is not."""
    table.put_right()
    settles = ("director time dismiss", "director time no-agreement", "director resume")
    for act in ("look", "wait 11", "director resume", *settles, "look", *(f"{side} done" for side in table.sides)):
        now = past[-1].view
        needless = act.startswith("director") and not (now.paused or now.called)
        needless |= act.endswith("done") and now.state != "restored"
        if not needless and (said := done(table, past, act)) is not None:
            return said
    for act in ("hold call", "done", "look") * len(table.sides):
        now = past[-1].view
        black = now.showing.game.black_side or 1
        mover = (black - 1 + ORDER.index(now.to_play)) % len(table.sides) + 1
        if now.result is None and (said := done(table, past, act if act == "look" else f"{mover} {act}")) is not None:
            return said
    if past[-1].view.result is None:
        return f"hung: nobody can resign in the state {past[-1].view.state}"
    for side in table.sides:
        if side not in past[-1].view.agreed and (said := done(table, past, f"{side} done")) is not None:
            return said
    return None if past[-1].view.state == "final" else f"hung: nobody can agree to the result, {past[-1].view.state}"


def check_played(agreed: Agreed, acts: Sequence[str]) -> str | None:
    """Do the acts of players who know what they do; return what came otherwise than it had to. An act that such
    players do not do ends the game without a finding."""
    truth = Truth(agreed)
    with AtTable(agreed) as table:
        past = [Done("", table.view)]
        for act in (*acts, "replay"):
            try:
                deepcopy(truth).take(act)
            except NotPlayed:
                return None
            try:
                view = table.do(act)
                truth.take(act, view.t)
                past.append(Done(act, view, table.refused))
                said = wrong(truth, view) or broken(Moment(agreed, past, table))
            except NotPlayed:
                return None
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                return f"{type(error).__name__} {place.name}: {error}"
            if said is not None:
                return said
    return None


def failure_of(agreed: Agreed, acts: Sequence[str], check: Check = check) -> Failure | None:
    """Return how a sequence fails, as short as possible; None if it does not."""
    said = check(agreed, acts)
    if said is None:
        return None
    short = shrink(acts, lambda tried: check(agreed, tried))
    return Failure(agreed, short, check(agreed, short) or said)
