"""Corrections that the players have to make, as one instruction: "White: remove F3 and put the black stone back on E3."

Built from the board in the game and the board that the camera last confirmed, so corrections already made are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.game.board import COLOURS, Board, Mask, Position, mask_of
from referee.game.messages import Listing, Message, message, name_points
from referee.game.ruling import Ruling, Status
from referee.game.turns import Placement
from referee.table.display_state import TableSnapshot

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


def instruction_for(snapshot: TableSnapshot) -> Message | None:
    """Return the instruction for the open corrections; None without any, or if the state's own sentence gives it."""
    trouble = _find_trouble_shown(snapshot)
    if trouble is None:
        return None
    corrections = corrections_in(snapshot)
    if corrections:
        return _build_order(snapshot, corrections)
    if trouble.status is Status.ILLEGAL and isinstance(trouble.move, Placement):
        return _address_message(snapshot, "order.another")
    waits = (
        trouble.status is Status.UNFINISHED and trouble.points and trouble.turn and snapshot.seen_position is not None
    )
    return _address_message(snapshot, "order.press") if waits and snapshot.refereed else None


def reason_for(snapshot: TableSnapshot) -> Message | None:
    """Return the reason for the instruction: the ruling's message without the parts that the instruction repeats."""
    trouble = _find_trouble_shown(snapshot)
    return without_order(trouble.message) if trouble is not None else None


def _find_trouble_shown(snapshot: TableSnapshot) -> Ruling | None:
    """Return the trouble if the state of the table is about it."""
    trouble = snapshot.trouble
    return trouble if trouble is not None and snapshot.display_state.state.value == trouble.status.value else None


def without_order(text: Message) -> Message:
    """Return a ruling's message without the parts that tell what to do, which the instruction repeats."""
    return Message(text.key, text.args, tuple(part for part in text.then if part.key not in _SAID_BY_ORDER))


def corrections_in(snapshot: TableSnapshot) -> Corrections:
    """Return the corrections on the board; none if they are not known point by point."""
    trouble, position, seen_position = snapshot.trouble, snapshot.game.position, snapshot.seen_position
    if trouble is None:
        return Corrections()
    match trouble.status:
        case Status.ILLEGAL:
            return _find_refused_stones(trouble, position, seen_position)
        case Status.UNFINISHED if trouble.captured:
            standing_stones = mask_of(trouble.points)
            return Corrections(
                standing_stones & seen_position.occupied if seen_position is not None else standing_stones
            )
        case Status.UNEXPLAINED if seen_position is not None:
            return _find_differences(position, seen_position)
    return Corrections()


def _find_refused_stones(trouble: Ruling, position: Position, seen_position: Position | None) -> Corrections:
    """Return the refused stone, if it is on the board, and the missing stones that were taken off as its captures."""
    if not isinstance(trouble.move, Placement) or trouble.move.point not in trouble.points:
        return Corrections()
    stone, captured = 1 << trouble.move.point & position.empty, mask_of(trouble.captured)
    if seen_position is not None:
        stone, captured = stone & seen_position.occupied, captured & seen_position.empty
    return Corrections(stone, tuple(colour & captured for colour in position.stones))


def _find_differences(position: Position, seen_position: Position) -> Corrections:
    return Corrections(seen_position.occupied & position.empty, position.stones_not_in(seen_position))


def _build_order(snapshot: TableSnapshot, corrections: Corrections) -> Message:
    board = snapshot.game.position.board
    if corrections.points.bit_count() > MOST_ASKED:
        return _address_message(snapshot, "order.many", count=corrections.points.bit_count())
    return _address_message(snapshot, "order", parts=Listing(tuple(_build_parts(board, corrections))))


def _build_parts(board: Board, corrections: Corrections) -> list[Message]:
    off = [message("order.off", points=name_points(board, corrections.off))] if corrections.off else []
    back = zip(COLOURS, corrections.on, strict=False)
    return off + [
        message("order.on", n=mask.bit_count(), stone=colour, points=name_points(board, mask))
        for colour, mask in back
        if mask
    ]


def _address_message(snapshot: TableSnapshot, key: str, **args: Listing | int) -> Message:
    """Return the message addressed to the one player concerned, or to everybody."""
    concerned = snapshot.display_state.concerned.players
    if len(concerned) == 1:
        return message(f"{key}.player", player=concerned[0], **args)
    return message(f"{key}.everybody", **args)


_ORDERS = ("order", "order.another", "order.many", "order.press")
MESSAGE_KEYS = tuple(f"{key}.{whom}" for key in _ORDERS for whom in ("player", "everybody"))
