"""The winner of Ultimate Go, or the draw, straight from both versions of its rules: plain and slow.

Source: Ultimate Go (Sensei's Library), rules 3, 6, 8 and 9, and section III of its analysis for the original rules.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import count

from tests.support.referee.worth_by_hand import Budget, Hand, TooLong, moves

DRAW = "draw"


@dataclass(frozen=True)
class Ultimate:
    """A situation: that of Fundamental Go, whose bowls hold prisoners alone, and the ultimate stones.

    original: the version. forced: the first delay must be the ultimate one; late: the second ultimate delay may be made
    without prisoners only (section VI's two changes to the original rules). given: who has made an ultimate delay, the
    first one first; in the current version, who has made the game's first delay.
    """

    hand: Hand
    original: bool
    given: str = ""
    forced: bool = False
    late: bool = False

    @property
    def may_draw(self) -> bool:
        """Return True if the player to move may declare a draw."""
        player = self.hand.player
        if self.original:
            return len(self.given) == 2 and self.given[0] == player
        return self.given == player and self.hand.turned().own == 0


def start(hand: Hand, original: bool, forced: bool = False, late: bool = False) -> Ultimate:
    """A game before its first delay; the current version has one prisoner more in each bowl."""
    more = 0 if original else 1
    bowls = replace(hand, black=hand.black + more, white=hand.white + more)
    return Ultimate(bowls, original, forced=forced, late=late)


def options(now: Ultimate) -> dict[str, Ultimate]:
    """Return the turns open to the player besides a draw, by name: a point's number, "delay", "ultimate delay"."""
    player, choices = now.hand.player, dict[str, Ultimate]()
    if now.original and player not in now.given and not (now.late and now.given and now.hand.own):
        choices["ultimate delay"] = replace(now, hand=now.hand.turned(), given=now.given + player)
    for name, hand in moves(now.hand).items():
        if name != "delay" or now.original:
            if name != "delay" or now.given or not now.forced:
                choices[name] = replace(now, hand=hand)
        else:
            choices["delay" if now.given else "ultimate delay"] = replace(now, hand=hand, given=now.given or player)
    return choices


_proved: dict[tuple[Ultimate, bool], bool] = {}
_tried: dict[tuple[Ultimate, bool], int] = {}


def forget() -> None:
    """Forget what has been worked out."""
    _proved.clear()
    _tried.clear()


def result(now: Ultimate) -> int:
    """1 where the player to move wins, 0 where the game is drawn, -1 where the other wins, both playing their best."""
    if reaches(now, draws=False):
        return 1
    return 0 if reaches(now, draws=True) else -1


def reaches(now: Ultimate, draws: bool) -> bool:
    """Return True if the player to move can win or, if `draws` is set, not lose."""
    for most in count():
        result = _within(now, draws, most)
        if result is not None:
            return result
    raise AssertionError


def _within(now: Ultimate, draws: bool, most: int) -> bool | None:
    key = now, draws
    if key in _proved:
        return _proved[key]
    if draws and now.may_draw:
        return True
    if _tried.get(key, -1) >= most:
        return None
    Budget.left -= 1
    if Budget.left < 0:
        raise TooLong
    result = _searched(now, draws, most)
    if result is None:
        _tried[key] = most
    else:
        _proved[key] = result
    return result


def _searched(now: Ultimate, draws: bool, most: int) -> bool | None:
    """Whoever cannot let the other do better than lose, or draw where that is enough, has found it."""
    is_lost, choices = True, options(now)
    if choices and not most:
        return None
    for after in choices.values():
        answer = _within(after, not draws, most - 1)
        if answer is False:
            return True
        is_lost = is_lost and answer is True
    return False if is_lost else None
