"""What the page calls things: players, stones, results, what the camera sees."""

from __future__ import annotations

import re

from referee.board import Board, Colour
from referee.ruling import Ruling, Status
from referee.snapshot import Showing, Sight, Snapshot
from referee.turns import Delay, Draw, Pass, Placement, Resign, Turn

STATUSES = {
    Status.LEGAL: "Legal",
    Status.UNFINISHED: "Unfinished",
    Status.ILLEGAL: "Illegal",
    Status.UNEXPLAINED: "Unexplained",
}
SIGHTS = {
    Sight.NONE: "There is no camera.",
    Sight.LOST: "The camera gives no pictures.",
    Sight.SEARCHING: "The camera looks for the board.",
    Sight.COVERED: "The table is covered, or something moves.",
    Sight.SEEN: "The camera sees the table.",
}
_HOW = {"R": "by resignation", "T": "on time", "F": "by forfeit"}


def name(colour: Colour) -> str:
    """What a player is called."""
    return colour.name.capitalize()


def joined(words: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def stones(count: int, colour: Colour) -> str:
    """ "1 white stone", "3 black stones"."""
    return f"{count} {colour.name.lower()} stone{'' if count == 1 else 's'}"


def at_side(game: Snapshot, side: int) -> str:
    """Who sits at this side, or the side where nothing says it yet."""
    if game.black_side is None:
        return f"Side {side}"
    return name(Colour.BLACK if side == game.black_side else Colour.WHITE)


def turn(board: Board, made: Turn) -> str:
    """What a player did, without saying who: "E5", "prisoner returned"."""
    match made:
        case Placement(point=place, stood=stood):
            return board.name(place) + (" (illegal, stood)" if stood else "")
        case Delay(ultimate=ultimate):
            return "ultimate prisoner returned" if ultimate else "prisoner returned"
        case Pass():
            return "pass"
        case Draw():
            return "draw declared"
        case Resign():
            return "resigned"


def result(game: Snapshot) -> str | None:
    """The result as a player would say it, None while the game is on."""
    if not game.ended:
        return None
    if game.result is None:
        return "Play has ended; the board is still to be counted"
    if game.result == "0":
        return "The game is drawn"
    if game.result == "Void":
        return "The game is void and nobody wins"
    won = re.fullmatch(r"([A-Z])\+(R|T|F|[0-9]+(?:\.[0-9]+)?)", game.result)
    return f"{name(Colour(won[1]))} wins {_HOW.get(won[2]) or _by(won[2])}" if won else game.result


def _by(margin: str) -> str:
    if margin == "0":
        return "the tie"
    if margin == "0.5":
        return "by half a point"
    return f"by {margin} point{'' if margin == '1' else 's'}"


def sight(showing: Showing) -> str:
    """What the camera gives, as a sentence."""
    return SIGHTS[showing.sight]


def finding(ruling: Ruling) -> str:
    """A ruling's status and reason: "Legal", "Illegal: superko"."""
    return STATUSES[ruling.status] + (f": {ruling.reason.value}" if ruling.reason else "")
