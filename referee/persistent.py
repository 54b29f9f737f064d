"""An immutable mapping that shares all but a few small nodes with the one it was made from.

Kee's rule keeps lists that grow with the game, and each record its own state of them. Copying a dict each turn would
cost the length of the game each time and as much memory for every record kept; here a step costs a handful of small
dicts, however long the game is.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_BITS = 3
_SLOT = (1 << _BITS) - 1
_HASH = (1 << 64) - 1

_Node = dict[int, Any]
"""Slot of the hash's next three bits to a deeper node, or to a leaf: a whole hash and its (key, value) pairs."""


@dataclass(frozen=True, eq=False)
class PersistentMap(Generic[K, V]):
    """`get` as a dict's; `with_item` answers a new mapping and leaves this one as it is."""

    _root: _Node = field(default_factory=dict, repr=False)

    def get(self, key: K) -> V | None:
        """The value kept for the key, None when there is none."""
        whole = bits = hash(key) & _HASH
        node: Any = self._root
        while isinstance(node, dict):
            node, bits = node.get(bits & _SLOT), bits >> _BITS
        if node is None or node[0] != whole:
            return None
        return next((value for kept, value in node[1] if kept == key), None)

    def with_item(self, key: K, value: V) -> PersistentMap[K, V]:
        """The mapping with this value for the key."""
        return PersistentMap(_with(self._root, hash(key) & _HASH, 0, (key, value)))


def _with(node: Any, bits: int, depth: int, pair: tuple[Any, Any]) -> Any:
    if node is None:
        return bits, (pair,)
    if isinstance(node, dict):
        slot = _slot(bits, depth)
        return {**node, slot: _with(node.get(slot), bits, depth + 1, pair)}
    leaf_bits, pairs = node
    if leaf_bits == bits:
        return bits, (*(kept for kept in pairs if kept[0] != pair[0]), pair)
    return _with({_slot(leaf_bits, depth): node}, bits, depth, pair)


def _slot(bits: int, depth: int) -> int:
    return (bits >> (depth * _BITS)) & _SLOT
