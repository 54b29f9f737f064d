"""Plays a sequence and checks each act; a sequence that fails is shortened."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from referee.rules.ruling_messages import board_unclear
from tests.support.sequences.laws import CONFIRM_WITHIN, broken, lamps_in_the_docs
from tests.support.sequences.moment import ORDER, CompletedAct, Moment
from tests.support.sequences.table import Agreement, AtTable, View
from tests.support.sequences.truth import NotPlayed, Truth, ms
from tests.support.wording import english

# Leaves out of a failing sequence whatever it fails without.

Fails = Callable[[tuple[str, ...]], str | None]
"""Returns how a sequence fails, None where it does not."""


def shrink(acts: Sequence[str], fails: Fails) -> tuple[str, ...]:
    """Return the shortest sequence found that still fails, and as it did at first: leave out ever fewer acts in a row,
    then shorten what is waited for.

    fails: names the promise that is broken before a colon
    """
    remaining_acts = tuple(acts)
    kind = _kind(fails(remaining_acts))
    many = len(remaining_acts) // 2
    while many:
        start = 0
        while start < len(remaining_acts):
            tried = remaining_acts[:start] + remaining_acts[start + many :]
            if tried and _kind(fails(tried)) == kind:
                remaining_acts = tried
            else:
                start += many
        many = many // 2 if many > 1 or not _has_shrunk(remaining_acts, acts) else 0
        acts = remaining_acts
    return remaining_acts


def _has_shrunk(remaining_acts: Sequence[str], acts: Sequence[str]) -> bool:
    return len(remaining_acts) == len(acts)


def _kind(fault: str | None) -> str | None:
    return None if fault is None else fault.partition(":")[0]


# The view that is due of a game as it was played, compared with the view that is shown.


def wrong(truth: Truth, view: View) -> str | None:
    """Return what is shown otherwise than it is promised."""
    for check in (_record, _rulings, _result, _clock, _lamps):
        fault = check(truth, view)
        if fault is not None:
            return fault
    return None


def _record(truth: Truth, view: View) -> str | None:
    recorded_turns = tuple(turn for turn in view.turns if turn[1] != "resign" or len(truth.players) > 2)
    recorded_turns = tuple(turn for turn in recorded_turns if turn[0])
    played_turns: tuple[tuple[str, str], ...] = tuple(
        turn for turn in truth.turns[: truth.judged] if turn.what != "resumed"
    )
    if truth.result is not None and truth.unjudged:
        played_turns = recorded_turns
    return (
        None
        if recorded_turns == played_turns
        else f"record: {recorded_turns} is recorded, and {played_turns} was played"
    )


def _rulings(truth: Truth, view: View) -> str | None:
    rulings = view.snapshot.game.rulings
    wrong = [r for r in rulings if r.status.value in ("illegal", "unexplained", "unfinished")]
    wrong = [r for r in wrong if r.message.key != board_unclear(0).key]
    if truth.covered:
        return f"ruling: {english(wrong[-1])}" if wrong else None
    if truth.result is not None and truth.made and not truth.seen:
        return None  # Nobody saw that the stone was placed before the end.
    if wrong:
        return f"ruling: {english(wrong[-1])}"
    return "ruling: something has to be put right" if view.snapshot.trouble is not None else None


def _result(truth: Truth, view: View) -> str | None:
    if view.result != truth.result:
        return f"result: it is {view.result}, and not {truth.result}"
    if truth.result is not None and truth.seat and truth.verified != {player_of(truth, side) for side in view.agreed}:
        return f"result: sides {view.agreed} have agreed, and not {sorted(truth.verified)}"
    return None


def _clock(truth: Truth, view: View) -> str | None:
    clocks = view.snapshot.game.clocks
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
        shown_time = (time.main, time.spent, time.fallen)
        if shown_time != (purse.main, purse.spent, purse.fallen):
            return f"times: {player} has {shown_time}, and not {(purse.main, purse.spent, purse.fallen)}"
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
    asked_sides = {truth.side_of(player) for player in players} if truth.seat and players is not None else set(sides)
    lamps = tuple(concerned if side in asked_sides else other for side in sides)
    if (view.state, view.lamps) != (state, lamps):
        return f"lamps: {view.state} {view.lamps}, and not {state} {lamps}"
    return None


def state_of(truth: Truth, t: float) -> tuple[str, set[str] | None]:
    """Return the state of the table, as docs/panel.md lists them, and whom it concerns; None: everybody."""
    states: Iterator[tuple[object, str, set[str] | None]] = iter(_states(truth, ms(t)))
    return next((state, who) for holds, state, who in states if holds)


def _states(truth: Truth, t: int) -> Iterator[tuple[object, str, set[str] | None]]:
    everybody = set(truth.players)
    is_resigning = truth.hold is not None and t - truth.hold[1] <= ms(CONFIRM_WITHIN)
    yield is_resigning, "resigning", {truth.hold[0]} if truth.hold else None
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
    yield truth.is_over and truth.boxed is not None, "box-proposal", None
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


Check = Callable[[Agreement, Sequence[str]], str | None]
"""Returns how the first promise was broken, None if all were kept."""


@dataclass(frozen=True)
class Failure:
    """A sequence that broke a promise: `said` how, and the shortest one found that does."""

    agreed: Agreement
    acts: tuple[str, ...]
    said: str

    def __str__(self) -> str:
        return f"{self.said}\n    {self.agreed}\n    {list(self.acts)}"


def check(agreed: Agreement, acts: Sequence[str]) -> str | None:
    """Do the acts, and let the players end the game after them; return how the first promise was broken, None if all
    were kept."""
    with AtTable(agreed) as table:
        past = [CompletedAct("", table.view)]
        fault = next((fault for act in (*acts, "replay") if (fault := done(table, past, act)) is not None), None)
        return fault or hung(table, past)


def done(table: AtTable, past: list[CompletedAct], act: str) -> str | None:
    """Do one act; return which law is broken by it, and how."""
    try:
        past.append(CompletedAct(act, table.do(act), table.refused))
        return broken(Moment(table.agreed, past, table))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} {place.name}: {error}"


def hung(table: AtTable, past: list[CompletedAct]) -> str | None:
    """The players put the table right, the director lets the game go on, all but one resign and agree to the result:
    that is possible whatever was done before. Where both have lost on time, and a press waits, the position is
    adjudicated. Return what is not."""
    table.put_right()
    settles = ("director time dismiss", "director time no-agreement", "director resume")
    for act in ("look", "wait 11", "director resume", *settles, "look", *(f"{side} done" for side in table.sides)):
        now = past[-1].view
        needless = act.startswith("director") and not (now.paused or now.called)
        needless |= act.endswith("done") and now.state != "restored"
        if not needless and (fault := done(table, past, act)) is not None:
            return fault
    for act in ("hold call", "done", "look") * len(table.sides):
        now = past[-1].view
        black = now.snapshot.game.black_side or 1
        mover = (black - 1 + ORDER.index(now.to_play)) % len(table.sides) + 1
        if now.result is None and (fault := done(table, past, act if act == "look" else f"{mover} {act}")) is not None:
            return fault
    if past[-1].view.result is None and past[-1].view.waiting:
        # A resignation waits for the press before it; on clocks of which nothing is agreed no look judges that.
        fault = done(table, past, "director adjudicate W+R")
        if fault is not None:
            return fault
    if past[-1].view.result is None:
        return f"hung: nobody can resign in the state {past[-1].view.state}"
    for side in table.sides:
        if side not in past[-1].view.agreed and (fault := done(table, past, f"{side} done")) is not None:
            return fault
    return None if past[-1].view.state == "final" else f"hung: nobody can agree to the result, {past[-1].view.state}"


def check_played(agreed: Agreement, acts: Sequence[str]) -> str | None:
    """Do the acts of players who know what they do; return what came otherwise than it had to. An act that such
    players do not do ends the game without a finding."""
    truth = Truth(agreed)
    with AtTable(agreed) as table:
        past = [CompletedAct("", table.view)]
        for act in (*acts, "replay"):
            after = truth.copy()
            try:
                after.take(act)
            except NotPlayed:
                return None
            try:
                view = table.do(act)
                if act == "power cut":
                    truth.take(act, view.t)  # The table's time is set back.
                else:
                    truth = after
                truth.adopt([turn for turn in view.turns if turn[1] != "resign"] if agreed.players == 2 else view.turns)
                past.append(CompletedAct(act, view, table.refused))
                fault = wrong(truth, view) or broken(Moment(agreed, past, table))
            except NotPlayed:
                return None
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                return f"{type(error).__name__} {place.name}: {error}"
            if fault is not None:
                return fault
    return None


def failure_of(agreed: Agreement, acts: Sequence[str], check: Check = check) -> Failure | None:
    """Return how a sequence fails, as short as possible; None if it does not."""
    fault = check(agreed, acts)
    if fault is None:
        return None
    short = shrink(acts, lambda tried: check(agreed, tried))
    return Failure(agreed, short, check(agreed, short) or fault)
