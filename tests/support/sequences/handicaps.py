"""Handicap stones laid in any way before White's first turn, and what has to come of it.

Black lays them one by one, some or all at once, with a press, with none or with many; one or another is put elsewhere
and moved; the camera looks, or does not; the power is cut. The stones that lie there are the record, nobody is refused
anything, no clock runs, and when all lie there White is to play.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Sequence
from itertools import pairwise

from tests.support.sequences.laws import broken
from tests.support.sequences.moment import CompletedAct, Moment
from tests.support.sequences.table import SIZE, Agreement, AtTable, View, name_of
from tests.support.sequences.truth import has_liberty

RULES = ("chinese", "japanese", "aga", "new-zealand", "simple", "positional", "situational", "spight")
CONTROLS = ("", "30s", "8s+2x4s", "8s+2/6s", "20s+3s", "60s")


def laid(seed: int) -> tuple[Agreement, tuple[str, ...]]:
    """Return a handicap game of that seed, up to White's first turn and Black's answer."""
    chance = random.Random(f"laid {seed}")
    handicap = chance.randint(2, 5)
    agreed = Agreement(chance.choice(RULES), chance.choice(CONTROLS), chance.random() < 0.6, handicap=handicap)
    points = drawn_points(chance, handicap)
    acts = ["look"] if chance.random() < 0.5 else []
    habit, looks = chance.choice((0, 0.3, 1)), chance.choice((0, 0.3, 1))
    for name in points[:handicap]:
        if chance.random() < 0.2:
            acts += [f"B {points[-1]}", *(["look"] if chance.random() < 0.5 else []), f"lift {points[-1]}"]
        acts.append(f"B {name}")
        acts += ["1 done"] if chance.random() < habit else []
        acts += ["look"] if chance.random() < looks else []
        acts += [chance.choice(("wait 2", "replay", "power cut", "wait 9"))] if chance.random() < 0.2 else []
    closes = chance.random() < 0.5 and habit < 1
    acts += ["1 done"] if closes else []
    acts += ["look"] if chance.random() < 0.8 or "look" not in acts else []
    unseen = acts.index("look")
    acts = [act for at, act in enumerate(acts) if at > unseen or act != "1 done"]  # No board has been found before it.
    return agreed, (*acts, f"W {points[-2]}", "2 done", "look", f"B {points[-3]}", "1 done", "look")


def drawn_points(chance: random.Random, handicap: int) -> list[str]:
    """Return points for the stones, Black's answer, White's stone, which has a liberty, and one laid by mistake."""
    while True:
        points = [name_of(point) for point in chance.sample(range(SIZE * SIZE), handicap + 3)]
        if has_liberty({**dict.fromkeys(points[:handicap], "B"), points[-2]: "W"}, points[-2]):
            return points


def check_laid(agreed: Agreement, acts: Sequence[str]) -> str | None:
    """Do the acts; return what came otherwise than it had to, None if nothing did."""
    if not any(act.startswith("W") and then == "2 done" for act, then in pairwise(acts)):
        return None  # So are shortened sequences only: White plays, and presses.
    with AtTable(agreed) as table:
        past = [CompletedAct("", table.view)]
        for act in (*acts, "replay"):
            if act.startswith("W") and list(table.stones.values()).count("B") != agreed.handicap:
                return None  # White waits for all of them; only a shortened sequence has this.
            try:
                past.append(CompletedAct(act, table.do(act), table.refused))
                if (clocks := past[-1].view.snapshot.game.clocks) is not None and clocks.restored:
                    return None  # The players first have to say that they are ready.
                fault = _find_fault(agreed, table, past[-1]) or broken(Moment(agreed, past, table))
            except Exception as error:
                place = traceback.extract_tb(error.__traceback__)[-1]
                return f"{type(error).__name__} {place.name}: {error}"
            if fault is not None:
                return fault
    return None


def _find_fault(agreed: Agreement, table: AtTable, done: CompletedAct) -> str | None:
    view = done.view
    black = {name_of(point) for point, player in table.stones.items() if player == "B"}
    is_laying = "W" not in table.stones.values()
    if is_laying and any(ruling.status != "legal" for ruling in view.snapshot.game.rulings):
        return f"handicap: a ruling is {view.snapshot.game.rulings[-1].status}: {view.sentence}"
    if is_laying and any(time.spent for time in view.times[:1]):
        return "handicap: Black's time ran"
    if done.act != "look":
        return None
    recorded = {what for player, what in view.turns if player == "B"}
    if is_laying and recorded != black:
        return f"handicap: {sorted(black)} lie there, and {sorted(recorded)} are recorded"
    if is_laying and (view.to_play == "W") != (len(black) == agreed.handicap):
        return f"handicap: {view.to_play} is to play after {len(black)} of {agreed.handicap} stones"
    return _wrong_after(agreed, table, view, black) if not is_laying else None


def _wrong_after(agreed: Agreement, table: AtTable, view: View, black: set[str]) -> str | None:
    if any(ruling.captured for ruling in view.snapshot.game.rulings):
        return None  # The drawn stone captures White's, and nobody lifts it.
    lies = set(view.turns) == {*(("B", name) for name in black), *(("W", name_of(p)) for p in _white(table))}
    if not lies:
        return f"handicap: {view.turns} are recorded, and {sorted(black)} and {_white(table)} lie there"
    return None


def _white(table: AtTable) -> list[int]:
    return [point for point, player in table.stones.items() if player == "W"]
