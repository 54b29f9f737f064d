"""The view that is due of a game as it was played, compared with the view that is shown."""

from __future__ import annotations

from collections.abc import Iterator

from tests.support.sequences.laws import CONFIRM_WITHIN, lamps_in_the_docs
from tests.support.sequences.moment import ORDER
from tests.support.sequences.table import View
from tests.support.sequences.truth import Truth, ms
from tests.support.wording import english


def wrong(truth: Truth, view: View) -> str | None:
    """Return what is shown otherwise than it is promised."""
    for check in (_record, _rulings, _result, _clock, _lamps):
        said = check(truth, view)
        if said is not None:
            return said
    return None


def _record(truth: Truth, view: View) -> str | None:
    shown = tuple(turn for turn in view.turns if turn[1] != "resign" or len(truth.players) > 2)
    shown = tuple(turn for turn in shown if turn[0])
    played: tuple[tuple[str, str], ...] = tuple(turn for turn in truth.turns[: truth.judged] if turn.what != "resumed")
    if truth.result is not None and truth.unjudged:
        played = shown
    return None if shown == played else f"record: {shown} is recorded, and {played} was played"


def _rulings(truth: Truth, view: View) -> str | None:
    found = view.showing.game.rulings
    wrong = [r for r in found if r.status.value in ("illegal", "unexplained", "unfinished")]
    if truth.result is not None and truth.made and not truth.seen:
        return None  # Nobody saw that the stone was placed before the end.
    if wrong:
        return f"ruling: {english(wrong[-1])}"
    return "ruling: something has to be put right" if view.showing.trouble is not None else None


def _result(truth: Truth, view: View) -> str | None:
    if view.result != truth.result:
        return f"result: it is {view.result}, and not {truth.result}"
    if truth.result is not None and truth.seat and truth.verified != {player_of(truth, side) for side in view.agreed}:
        return f"result: sides {view.agreed} have agreed, and not {sorted(truth.verified)}"
    return None


def _clock(truth: Truth, view: View) -> str | None:
    clocks = view.showing.game.clocks
    if clocks is None or truth.doubled or truth.resigns:
        return None
    if truth.result is not None and truth.result.endswith("R"):
        return None  # What is left to who has resigned is nobody's matter.
    falls = truth.falls
    fell = falls is not None and falls < truth.t
    if (view.running or "") != truth.running and not (truth.is_over and truth.unjudged):
        return f"runs: {view.running or 'nobody'}'s clock runs, and not {truth.running or 'nobody'}'s"
    if fell or (truth.unjudged and (truth.is_over or truth.result is not None)):
        return None
    for player, time in zip(truth.players, view.times, strict=True):
        if player in truth.out:
            continue
        purse = truth.purse_at(player, ms(clocks.t))
        shown = (time.main, time.spent, time.fallen)
        if shown != (purse.main, purse.spent, purse.fallen):
            return f"times: {player} has {shown}, and not {(purse.main, purse.spent, purse.fallen)}"
        overtime = (time.period, time.periods, time.stones)
        if not purse.main and not purse.fallen and overtime != (purse.period, purse.periods, purse.stones):
            return f"times: {player} has {overtime}, and not {(purse.period, purse.periods, purse.stones)}"
    return None


def _lamps(truth: Truth, view: View) -> str | None:
    state, players = state_of(truth, view.t)
    if not state:
        return None
    concerned, other = lamps_in_the_docs()[state]
    sides = range(1, len(truth.players) + 1)
    asked = {truth.side_of(player) for player in players} if truth.seat and players is not None else set(sides)
    lamps = tuple(concerned if side in asked else other for side in sides)
    if (view.state, view.lamps) != (state, lamps):
        return f"lamps: {view.state} {view.lamps}, and not {state} {lamps}"
    return None


def state_of(truth: Truth, t: float) -> tuple[str, set[str] | None]:
    """Return the state of the table, as docs/panel.md lists them, and whom it concerns; None: everybody."""
    found: Iterator[tuple[object, str, set[str] | None]] = iter(_states(truth, ms(t)))
    return next((state, who) for holds, state, who in found if holds)


def _states(truth: Truth, t: int) -> Iterator[tuple[object, str, set[str] | None]]:
    everybody = set(truth.players)
    held = truth.hold is not None and t - truth.hold[1] <= ms(CONFIRM_WITHIN)
    yield held, "resigning", {truth.hold[0]} if truth.hold else None
    yield truth.stands == "called", "called", None
    yield truth.result and truth.verified == everybody, "final", None
    yield truth.stands, "paused", None
    yield truth.result is not None, "result", everybody - truth.verified
    yield truth.ready is not None, "restored", set(truth.playing) - (truth.ready or set())
    yield (
        truth.purses and truth.agreed.procedures and truth.claimant,
        "claim",
        {truth.claimant} if truth.purses else None,
    )
    yield not truth.looked, "", None
    yield truth.pressed or truth.scoring, "waiting", {_judged_first(truth)} if truth.pressed or truth.scoring else None
    yield truth.asked, "count", {truth.asked}
    yield truth.is_over and truth.agreed.rules not in ("ing", "ing-simplified"), "uncounted", None
    yield not truth.seat and not truth.turns, "places", None
    yield True, "turn", {truth.mover}


def _judged_first(truth: Truth) -> str:
    """Return who pressed for the turn that is judged first."""
    first = truth.unjudged[0].player if truth.unjudged else ""
    return first if first in truth.pressed else (truth.pressed or truth.scoring)[0]


def player_of(truth: Truth, side: int) -> str:
    """Return who sits at a side."""
    return ORDER[(side - truth.seat) % len(truth.players)]
