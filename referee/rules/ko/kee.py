"""Kee's cyclic prohibition (Kee Rules of Go, version of December 2007): his GAME FLOW DETAILS, parts A, D and G.

A play is a placement or a pass, and a board situation is a board with the player to move. At a pass the text deletes
the earlier boards "from the List of Prohibited Paths"; its examples hold only if they leave the List of Prohibited
Boards, the current one excepted, and if a path may begin with any part of the passes just before the placement.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Generic, TypeVar

from referee.game.board import Colour, Position
from referee.game.messages import Message, message
from referee.game.record import GameRecord, Situation
from referee.game.ruling import Prohibition, Reason
from referee.game.turns import Delay, Placement, Resign, Turn
from referee.rules.ko.repetition import OnlyRepetition
from referee.rules.opening_and_end import is_counted_as_pass

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_BITS = 3
_SLOT = (1 << _BITS) - 1
_HASH = (1 << 64) - 1

_Node = dict[int, Any]
"""A map from the hash's next three bits to a deeper node, or to a leaf: a whole hash and its (key, value) pairs."""


@dataclass(frozen=True, eq=False)
class PersistentMap(Generic[K, V]):
    """An immutable mapping: `with_item` returns a new one and leaves this one unchanged."""

    _root: _Node = field(default_factory=dict, repr=False)

    def get(self, key: K) -> V | None:
        """Return the value for the key, None if there is none."""
        whole = bits = hash(key) & _HASH
        node: Any = self._root
        while isinstance(node, dict):
            node, bits = node.get(bits & _SLOT), bits >> _BITS
        if node is None or node[0] != whole:
            return None
        return next((value for stored_key, value in node[1] if stored_key == key), None)

    def with_item(self, key: K, value: V) -> PersistentMap[K, V]:
        """Return the mapping with this value for the key."""
        return PersistentMap(_insert_pair(self._root, hash(key) & _HASH, 0, (key, value)))


def _insert_pair(node: Any, bits: int, depth: int, pair: tuple[Any, Any]) -> Any:
    if node is None:
        return bits, (pair,)
    if isinstance(node, dict):
        slot = _find_slot(bits, depth)
        return {**node, slot: _insert_pair(node.get(slot), bits, depth + 1, pair)}
    leaf_bits, pairs = node
    if leaf_bits == bits:
        return bits, (*(item for item in pairs if item[0] != pair[0]), pair)
    return _insert_pair({_find_slot(leaf_bits, depth): node}, bits, depth, pair)


def _find_slot(bits: int, depth: int) -> int:
    return (bits >> (depth * _BITS)) & _SLOT


@dataclass(frozen=True, slots=True)
class ProhibitedPath:
    """A path of passes and then a placement, from one board to another; the two boards show who places.

    Attributes:
        passes: the number of passes.
        placed: the number of the turn that ended the path.
        closed: the number of the turn that completed the cycle which the path began.
    """

    passes: int
    placed: int
    closed: int


@dataclass(frozen=True, slots=True)
class GameFlow:
    """The state that the text keeps of a game.

    Attributes:
        boards: the List of Prohibited Boards, with the turn that made each.
        recent: the Recent Path's situations, with the turn after which each first came up.
        paths: the List of Prohibited Paths, by first and last board; of several between the same boards the one with
            the fewest passes, which prohibits all that the others do.
    """

    boards: PersistentMap[Position, int]
    recent: PersistentMap[tuple[Position, Colour], int]
    paths: PersistentMap[tuple[Position, Position], ProhibitedPath]


@dataclass(frozen=True)
class CyclicProhibition(OnlyRepetition):
    """The two prohibitions of the Kee rules.

    Prohibition One, `superko`: no placement repeats a board unless a pass was made in between.

    Prohibition Two, `path`: no placement, alone or with passes just before it, repeats the way in which a completed
    cycle of board situations first left its board.
    """

    name: str = "kee"

    def initial_memory(self, start: Situation) -> object:
        """Return the state by part A: the first situation, and its board."""
        return _initial_flow(start, 0)

    def memory_after(self, record: GameRecord, turn: Turn, situation: Situation) -> object:
        """Return the state by part G.

        After a resignation, which the text does not have, part A begins again with the remaining players.
        """
        number = record.number + 1
        if isinstance(turn, Resign):
            return _initial_flow(situation, number)
        flow, state = _flow_of(record), (situation.position, situation.to_play)
        is_pass = _is_pass(record, turn, situation.position)
        boards = _boards_after(flow, is_pass, situation.position, number)
        begun = flow.recent.get(state)
        if begun is None:
            return GameFlow(boards, flow.recent.with_item(state, number), flow.paths)
        if is_pass and _count_passes(record) + 1 >= len(record.remaining_players):
            return GameFlow(boards, flow.recent, flow.paths)
        recent = PersistentMap[tuple[Position, Colour], int]().with_item(state, number)
        return GameFlow(boards, recent, _with_path(flow.paths, record, begun, number))

    def memory_after_settlement(self, record: GameRecord, situation: Situation) -> object:
        """Return the state with the board that the players' agreement made, and its situation on the Recent Path."""
        flow, number = _flow_of(record), record.number
        boards = flow.boards.with_item(situation.position, number)
        state = (situation.position, situation.to_play)
        return GameFlow(boards, flow.recent.with_item(state, number), flow.paths)

    @property
    def gap_note(self) -> Message:
        """Return the message that positions count from the end of a gap."""
        return message("gap.cleared")

    def sets_up(self, record: GameRecord, situation: Situation) -> object:
        """Return the state by part A: passes may have been made in the gap, after which earlier boards are free."""
        return _initial_flow(situation, record.number)

    def find_prohibition(self, record: GameRecord, placement: Placement, after: Position) -> Prohibition | None:
        """Apply part D: return `superko` with the turn after which the board stood, or `path`; None if it is legal."""
        flow = _flow_of(record)
        turn = flow.boards.get(after)
        if turn is not None:
            return Prohibition(Reason.SUPERKO, turn)
        path = flow.paths.get((record.position, after))
        if path is None or path.passes > _count_passes(record):
            return None
        return Prohibition(Reason.PATH, path.placed, passes=path.passes, since=path.closed)


def _flow_of(record: GameRecord) -> GameFlow:
    assert isinstance(record.memory, GameFlow), "a record's memory is its own ko rule's"
    return record.memory


def _initial_flow(situation: Situation, number: int) -> GameFlow:
    boards = PersistentMap[Position, int]().with_item(situation.position, number)
    recent = PersistentMap[tuple[Position, Colour], int]()
    return GameFlow(boards, recent.with_item((situation.position, situation.to_play), number), PersistentMap())


def _boards_after(flow: GameFlow, is_pass: bool, position: Position, number: int) -> PersistentMap[Position, int]:
    """Return the List of Prohibited Boards with a new board, or after a pass with the present one alone."""
    if not is_pass:
        return flow.boards.with_item(position, number)
    return PersistentMap[Position, int]().with_item(position, flow.boards.get(position) or 0)


def _is_pass(record: GameRecord, turn: Turn, after: Position) -> bool:
    """Return True if a turn made in this record, which left `after`, is a pass; a delay counts as one."""
    return isinstance(turn, Delay) or is_counted_as_pass(record, turn, after)


def _count_passes(record: GameRecord) -> int:
    """Return the number of newest turns in a row that are passes."""
    return sum(1 for _ in takewhile(_has_last_player_passed, record.iterate_back()))


def _has_last_player_passed(record: GameRecord) -> bool:
    before, turn = record.before, record.turn
    return before is not None and turn is not None and _is_pass(before, turn, record.position)


def _with_path(
    paths: PersistentMap[tuple[Position, Position], ProhibitedPath], record: GameRecord, begun: int, closing_turn: int
) -> PersistentMap[tuple[Position, Position], ProhibitedPath]:
    """Return the list with the beginning of the cycle that turn `closing_turn`, the one after the record, completes."""
    cycle = list(takewhile(lambda earlier: earlier.number >= begun, record.iterate_back()))
    board = cycle[-1].position
    left = next((later for later in reversed(cycle) if later.position != board), None)
    if left is None:  # only an illegal placement that stood can have changed nothing
        return paths
    passes, ends = left.number - begun - 1, (board, left.position)
    known_path = paths.get(ends)
    if known_path is not None and known_path.passes <= passes:
        return paths
    return paths.with_item(ends, ProhibitedPath(passes, left.number, closing_turn))
