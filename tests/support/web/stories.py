"""Games with a story to tell on a poster: long names, clocks in overtime, refused turns, a count."""

from __future__ import annotations

import random
from dataclasses import replace

from referee.legality import judge
from referee.occasion import Occasion
from referee.past import Past
from referee.record import GameRecord
from referee.ruling import Ruling, Status
from referee.standing import Showing
from referee.table.referee import Manner, Referee
from referee.texts import refused
from referee.time.controls import Left, read_control
from referee.time.records import Times
from referee.turns import Placement
from tests.support.play import started
from tests.support.virtual.played import self_play
from tests.support.web.showings import B, Table, showing

LONG = ("Maximiliana-Theodora von Hohenlohe-Waldenburg-Schillingsfürst", "W" * 60)
OCCASION = Occasion("The Great International Amateur Go Tournament of the Upper Rhine", "Quarter-final", "12", "Köln")


def played(size: int, many: int) -> GameRecord:
    """A game of so many turns of self-play under Ultimate Go's rules, in which prisoners go back and forth."""
    record = started("ultimate", size=(size, size))
    for turn in self_play(size, 3, many):
        after = judge(record, turn).after
        assert after is not None
        record = after
    return record


def story(size: int = 19, many: int = 240, names: tuple[str, ...] = LONG, tries: int = 12) -> Showing:
    """A game without a result yet. tries: so many turns were refused on the way."""
    record, chance, control = played(size, many), random.Random(many), read_control("30m+3x30s")
    lefts, now = dict[int, Left](), {0: control.start(), 1: control.start()}
    for number in range(1, many + 1):
        side = (number - 1) % 2
        now[side] = control.close(control.spend(now[side], int(chance.expovariate(1 / 17_000))))
        lefts[number] = now[side]
    rulings = [ruling for number in chance.sample(range(2, many), tries) for ruling in _tried(record, number)]
    snapshot = replace(
        Referee(record, Manner(True, 1, control=control)).snapshot,
        past=Past(record, tuple(sorted(rulings, key=lambda one: one.turn)), Times(control, lefts)),
    )
    whole = showing(
        Table(("." * size,) * size, refereed=True), names=names, occasion=OCCASION, seal="ABCD-EFGH-JKLM-NOPQ"
    )
    return replace(whole, game=snapshot)


def _tried(record: GameRecord, number: int) -> list[Ruling]:
    """A stone on one that lies there already."""
    before = next(one for one in record.back() if one.number == number)
    point = before.position.occupied.bit_length() - 1
    turn = Placement(before.to_play, point)
    prohibition = judge(before, turn).prohibition
    assert prohibition is not None
    said = refused(before, turn, prohibition, 0)
    return [Ruling(Status.ILLEGAL, number + 1, said, turn.player, turn, prohibition.reason)]


__all__ = ["LONG", "OCCASION", "B", "story"]
