"""Corrections that the players have to make, as one instruction: "White: remove F3 and put the black stone back on E3."

Built from the board in the game and the board that the camera last confirmed, so corrections already made are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.board import COLOURS, Board, Mask, Position, mask_of
from referee.game.messages import Listing, Message, message, points
from referee.game.ruling import Ruling, Status
from referee.game.turns import Placement
from referee.umpire.table_state import TableSnapshot

MOST_ASKED = 6
"""The number of points above which they are marked in the drawing and not named one by one."""
_SAID_BY_ORDER = frozenset({"illegal.restore", "illegal.take-back"})


@dataclass(frozen=True)
class Corrections:
    """Points to be corrected.

    Attributes:
        off: stones to be taken off.
        on: stones to be put back, one mask for each colour.
    """

    off: Mask = 0
    on: tuple[Mask, ...] = ()

    @property
    def points(self) -> Mask:
        """Return all points to be corrected."""
        return self.off | sum(self.on)

    def __bool__(self) -> bool:
        return bool(self.points)


def instruction_for(showing: TableSnapshot) -> Message | None:
    """Return the instruction for the open corrections; None without any, or if the state's own sentence gives it."""
    trouble = showing.trouble
    if trouble is None or showing.standing.state.value != trouble.status.value:
        return None
    asked = corrections_in(showing)
    if asked:
        return _put_right(showing, asked)
    if trouble.status is Status.ILLEGAL and isinstance(trouble.move, Placement):
        return _address(showing, "order.another")
    waits = trouble.status is Status.UNFINISHED and trouble.points and trouble.turn and showing.seen is not None
    return _address(showing, "order.press") if waits and showing.refereed else None


def reason_for(showing: TableSnapshot) -> Message | None:
    """Return the reason for the instruction: the ruling's message without the parts that the instruction repeats."""
    trouble = showing.trouble
    if trouble is None or showing.standing.state.value != trouble.status.value:
        return None
    return without_order(trouble.message)


def without_order(said: Message) -> Message:
    """Return a ruling's message without the parts that tell what to do, which the instruction repeats."""
    return Message(said.key, said.args, tuple(part for part in said.then if part.key not in _SAID_BY_ORDER))


def corrections_in(showing: TableSnapshot) -> Corrections:
    """Return the corrections on the board; none if they are not known point by point."""
    trouble, held, seen = showing.trouble, showing.game.position, showing.seen
    if trouble is None:
        return Corrections()
    match trouble.status:
        case Status.ILLEGAL:
            return _take_back(trouble, held, seen)
        case Status.UNFINISHED if trouble.captured:
            standing = mask_of(trouble.points)
            return Corrections(standing & seen.occupied if seen is not None else standing)
        case Status.UNEXPLAINED if seen is not None:
            return _back_to(held, seen)
    return Corrections()


def _take_back(trouble: Ruling, held: Position, seen: Position | None) -> Corrections:
    """Return the refused stone, if it is on the board, and the missing stones that were taken off as its captures."""
    if not isinstance(trouble.move, Placement) or trouble.move.point not in trouble.points:
        return Corrections()
    stone, taken = 1 << trouble.move.point & held.empty, mask_of(trouble.captured)
    if seen is not None:
        stone, taken = stone & seen.occupied, taken & seen.empty
    return Corrections(stone, tuple(colour & taken for colour in held.stones))


def _back_to(held: Position, seen: Position) -> Corrections:
    on = tuple(was & ~now for was, now in zip(held.stones, seen.stones, strict=True))
    return Corrections(seen.occupied & held.empty, on)


def _put_right(showing: TableSnapshot, asked: Corrections) -> Message:
    board = showing.game.position.board
    if asked.points.bit_count() > MOST_ASKED:
        return _address(showing, "order.many", count=asked.points.bit_count())
    return _address(showing, "order", parts=Listing(tuple(_parts(board, asked))))


def _parts(board: Board, asked: Corrections) -> list[Message]:
    off = [message("order.off", points=points(board, asked.off))] if asked.off else []
    back = zip(COLOURS, asked.on, strict=False)
    return off + [
        message("order.on", n=mask.bit_count(), stone=colour, points=points(board, mask))
        for colour, mask in back
        if mask
    ]


def _address(showing: TableSnapshot, key: str, **args: Listing | int) -> Message:
    """Return the message addressed to the one player concerned, or to everybody."""
    concerned = showing.standing.concerned.players
    if len(concerned) == 1:
        return message(f"{key}.player", player=concerned[0], **args)
    return message(f"{key}.everybody", **args)


_ORDERS = ("order", "order.another", "order.many", "order.press")
MESSAGE_KEYS = tuple(f"{key}.{whom}" for key in _ORDERS for whom in ("player", "everybody"))
