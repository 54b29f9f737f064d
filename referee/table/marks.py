"""The marks on the board of a snapshot, decided once for the page's drawing and the lights of the rim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from referee.game.board import COLOURS, Colour, Point, points_of
from referee.game.count_result import Layout
from referee.game.ruling import Status
from referee.game.turns import Placement
from referee.table.corrections import corrections_in
from referee.table.display_state import TableSnapshot


@dataclass(frozen=True)
class Marks:
    """The marks on a position.

    Attributes:
        last: the point of the last move.
        asked: points that have to be put right, be it a stone to lift or a prisoner to put back.
        beside: a stone that is on the table and not in the game.
        refused: that stone has to be taken back.
        barred: empty points that may not be taken now because the game would repeat.
        laid: further stones that are on the table and not in the game.
        count: dead stones and each player's points.
        off: of the points that have to be put right those with a stone to lift.
        on: those where a stone has to be put back.
        proved: stones that the box proposes as dead, which is proved.
        likely: stones that are likely to be dead.
        uncertain: stones that may as well be alive, or dead.
        better: points where a stone would have been better than the last move.
    """

    last: Point | None = None
    asked: tuple[Point, ...] = ()
    beside: tuple[Colour, Point] | None = None
    refused: bool = False
    barred: tuple[Point, ...] = ()
    laid: tuple[tuple[Colour, Point], ...] = ()
    count: Layout | None = None
    better: tuple[Point, ...] = ()
    off: tuple[Point, ...] = ()
    on: tuple[Point, ...] = ()
    proved: tuple[Point, ...] = ()
    likely: tuple[Point, ...] = ()
    uncertain: tuple[Point, ...] = ()


def marks_of(snapshot: TableSnapshot) -> Marks:
    """Return the marks on the board of a snapshot."""
    marks, proposal = _build_marks(snapshot), snapshot.game.counting.proposal
    if proposal is None or snapshot.game.result is not None:
        return marks
    sets = proposal.dead & proposal.proved, proposal.dead & ~proposal.proved, proposal.uncertain
    proved, likely, uncertain = (tuple(points_of(stones)) for stones in sets)
    return replace(marks, count=marks.count or proposal.layout, proved=proved, likely=likely, uncertain=uncertain)


def _build_marks(snapshot: TableSnapshot) -> Marks:
    """Return the marks without those of a proposed count."""
    game, trouble = snapshot.game, snapshot.trouble
    newest = game.turns[-1] if game.turns else None
    last = newest.point if isinstance(newest, Placement) else None
    barred = tuple(forbidden.point for forbidden in game.past.forbidden_points)
    laid, count = tuple(_find_laid_stones(snapshot)), game.counting.layout
    if trouble is None:
        return Marks(last, barred=_drop_busy(barred, laid), laid=laid, count=count)
    move, refused = trouble.move, trouble.status is Status.ILLEGAL
    beside = (move.player, move.point) if isinstance(move, Placement) and _is_on_table(snapshot, move) else None
    asked_points = tuple(point for point in _find_points_to_correct(snapshot) if beside is None or point != beside[1])
    laid = tuple(stone for stone in laid if stone != beside)
    busy = (*laid, *((Colour.BLACK, point) for point in asked_points), *([beside] if beside else []))
    corrections = corrections_in(snapshot)
    off = tuple(point for point in asked_points if corrections.off >> point & 1)
    on = tuple(point for point in asked_points if sum(corrections.on) >> point & 1)
    return Marks(last, asked_points, beside, refused, _drop_busy(barred, busy), laid, count, off=off, on=on)


def _drop_busy(barred: tuple[Point, ...], busy: Iterable[tuple[Colour, Point]]) -> tuple[Point, ...]:
    busy_points = {point for _, point in busy}
    return tuple(point for point in barred if point not in busy_points)


def _find_points_to_correct(snapshot: TableSnapshot) -> tuple[Point, ...]:
    """Return the points to be put right on the table as it is now; if they are not known, those of the ruling."""
    trouble, asked_points = snapshot.trouble, tuple(points_of(corrections_in(snapshot).points))
    assert trouble is not None
    is_known = trouble.status is Status.ILLEGAL or (trouble.status is Status.UNFINISHED and trouble.captured)
    return asked_points if asked_points or is_known else trouble.points


def _find_laid_stones(snapshot: TableSnapshot) -> Iterator[tuple[Colour, Point]]:
    """Yield the stones that the camera sees on points empty in the game, while the game is on."""
    seen_position, position = snapshot.seen_position, snapshot.game.position
    if seen_position is None or snapshot.game.ended:
        return
    for colour, mask in zip(COLOURS, seen_position.stones, strict=False):
        yield from ((colour, point) for point in points_of(mask & position.empty))


def _is_on_table(snapshot: TableSnapshot, move: Placement) -> bool:
    """Return True if the stone that the trouble is about is on the table and not in the position."""
    trouble, position, seen_position = snapshot.trouble, snapshot.game.position, snapshot.seen_position
    if trouble is None or (seen_position is not None and seen_position.empty >> move.point & 1):
        return False
    waits = trouble.status is Status.UNFINISHED and bool(position.empty >> move.point & 1)
    return waits or (trouble.status is Status.ILLEGAL and move.point in trouble.points)
