"""Late positions of real games that were played to the end, as a player of any rule set would come to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from referee.game.board import Colour
from referee.game.record import GameRecord
from referee.game.regions import find_regions
from referee.game.turns import Placement
from referee.rules.agreements import apply_action
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from tests.benchmarks.parts import real_games

LAST, PASS = 20, "pass"
"""Moves from the end within which a position is late."""


class Late(NamedTuple):
    """A position. number: of its game, from 0; back: moves before the game's last stone."""

    number: int
    back: int
    record: GameRecord

    @property
    def undecided(self) -> int:
        """Empty points in regions that both colours border."""
        open_regions = (region for region in find_regions(self.record.position) if len(region.colours) > 1)
        return sum(region.points.bit_count() for region in open_regions)


def late(rules: str, moves_back: int | None = None) -> Iterator[Late]:
    """A position of each of the games that ended by two passes, so many moves from the last; None: 0 to 20 by turns."""
    ended = [(number, game) for number, game in enumerate(real_games.games()) if _played_out(game)]
    for nth, (number, game) in enumerate(ended):
        back = nth % (LAST + 1) if moves_back is None else moves_back
        record = _play_late(rules, game, back)
        if record is not None:
            yield Late(number, back, record)


def _played_out(game: dict[str, Any]) -> bool:
    return len(game["moves"]) > 1 and all(point == PASS for _, point in game["moves"][-2:])


def _play_late(rules: str, game: dict[str, Any], back: int) -> GameRecord | None:
    """The game so many stones before its last one; None where these rules refuse a turn of it, or it had a pass
    before its end."""
    stones = [(player, point) for player, point in game["moves"] if point != PASS]
    record = Setup(rule_set(rules)).record()
    for player, point in stones[: len(stones) - back]:
        after = apply_action(record, Placement(Colour(player), record.position.board.point(point))).after
        if after is None:
            return None
        record = after
    return record
