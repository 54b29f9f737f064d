"""Standings: the games each player has won and lost before a round, by the pairing program's results. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from types import MappingProxyType

from device.hall.pairing import Pairing, Score, split_name
from web.hall.tiles import Standing, by_number

_WINS: Mapping[Score, tuple[float, float]] = {
    Score.BLACK: (1, 0),
    Score.WHITE: (0, 1),
    Score.DRAW: (0.5, 0.5),
    Score.BOTH_WIN: (1, 1),
    Score.BOTH_LOSE: (0, 0),
}
"""The games that Black and White have won by a result; others count for nobody."""
Player = frozenset[str]
"""The words of a name."""
Standings = Mapping[tuple[str, Player], Standing]
"""By round and player."""
NOTHING: Standings = MappingProxyType({})


def standings_of(pairings: Iterable[Pairing]) -> Standings:
    """Return what everybody paired in a round has won and lost before, if the program has results of earlier rounds.

    Whoever shares a name with another player of a round has none there.
    """
    won, lost, standings = Counter[Player](), Counter[Player](), dict[tuple[str, Player], Standing]()
    in_order = sorted(pairings, key=lambda one: by_number(one.round))
    for round_name, tables in groupby(in_order, key=lambda one: one.round):
        games = [(one, split_name(one.black), split_name(one.white)) for one in tables]
        seats = Counter(name for _, *both in games for name in both)
        for name, times in seats.items():
            if times == 1 and name and won[name] + lost[name] > 0:
                standings[round_name, name] = Standing(won[name] / 2, lost[name] / 2)
        for one, *both in games:
            for name, wins in zip(both, _WINS.get(one.ended.score, ()), strict=False):
                won[name] += round(2 * wins)
                lost[name] += round(2 - 2 * wins)
    return standings
