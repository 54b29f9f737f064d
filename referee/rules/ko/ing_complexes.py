"""Complexes of kos between the same groups, and their consequences (Ing's rules, part 6, as read in docs)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from referee.game.board import Mask, Position
from referee.rules.ko.ing_shapes import PLAYERS, Ko, find_all_kos, long_lives

LARGE_REGION = 7
"""The size from which an empty region counts as two: a group next to it lives."""


@dataclass(frozen=True, slots=True)
class Complex:
    """The kos and the long lives between the same two groups. Pairs are Black's and White's.

    Attributes:
        kos: the kos.
        lives: the points of the long lives.
        groups: the stones, ko stones left out.
        liberties: internal liberties.
        regions: the other empty regions that a group touches, kos left out and large ones counted twice.
        external: one of the groups also touches a ko with a third.
    """

    kos: tuple[Ko, ...]
    lives: Mask
    groups: tuple[Mask, Mask]
    liberties: tuple[int, int]
    regions: tuple[int, int]
    external: bool

    @property
    def ko_points(self) -> Mask:
        """Return both points of every ko."""
        return _unite_masks(ko.mask for ko in self.kos)

    @property
    def points(self) -> Mask:
        """Return the points whose turns belong to a fight for this complex."""
        return self.ko_points | self.lives

    @property
    def is_balanced(self) -> bool:
        """Return True if it is a seki that a player may disturb once."""
        if self.lives or len(self.kos) < 2 or max(self.regions) > 1:
            return False
        return sum(self.liberties) >= 4 and sum(self.liberties) % 2 == 0

    @property
    def is_disturbed_now(self) -> bool:
        """Return True if a ko capture is a disturbance: with unequal internal liberties it is the answer to one."""
        return self.is_balanced and self.liberties[0] == self.liberties[1]

    @property
    def is_fighting(self) -> bool:
        """Return True if a capture in it makes the capturer's stones hot."""
        if self.lives:
            return True
        return len(self.kos) >= 3 and not self.is_balanced and min(self.regions) < 2

    @property
    def is_doubtful(self) -> bool:
        """Return True if the text says too little about such kos.

        They are one with a third group besides, or three against two.
        """
        return self.external or (self.is_fighting and not self.lives and sum(self.liberties) > 4)

    @property
    def is_freed_by_reading(self) -> bool:
        """Return True if captures are free because the ko with a third group is left out of the count."""
        free = len(self.kos) > 1 and not self.is_balanced and not self.is_fighting
        return self.external and free and max(self.regions) < 2


@lru_cache(maxsize=16)
def find_complexes(position: Position) -> tuple[Complex, ...]:
    """Return every complex of a position; each of its kos belongs to exactly one."""
    return _Grouping(position, find_all_kos(position), long_lives(position)).list_complexes()


class _Grouping:
    """The chains of a position, with those that touch the same ko or the same long life merged into one group."""

    def __init__(self, position: Position, kos: Sequence[Ko], lives: Sequence[Mask]) -> None:
        self.position, self.kos, self.lives = position, kos, lives
        self.by_ko = [self._chains_around_ko(ko) for ko in kos]
        self.by_life = [self._adjacent_chains(position.board.adjacent_to(points) & ~points) for points in lives]
        chains = [*self.by_ko, *self.by_life]
        self.groups = (_merge_chains(black for black, _ in chains), _merge_chains(white for _, white in chains))

    def list_complexes(self) -> tuple[Complex, ...]:
        """Return one complex for every two groups with kos or long lives between them."""
        pairs = dict.fromkeys(self._find_groups(masks) for masks in (*self.by_ko, *self.by_life))
        return tuple(self._build_complex(pair) for pair in pairs)

    def _build_complex(self, pair: tuple[Mask, Mask]) -> Complex:
        own = tuple(ko for ko, masks in zip(self.kos, self.by_ko, strict=True) if self._find_groups(masks) == pair)
        lives = [
            mask for mask, chains in zip(self.lives, self.by_life, strict=True) if self._find_groups(chains) == pair
        ]
        others = [masks for ko, masks in zip(self.kos, self.by_ko, strict=True) if ko not in own]
        external = any(black & pair[0] or white & pair[1] for black, white in others)
        liberties, regions = self._count_liberties(pair, own)
        return Complex(own, _unite_masks(lives), pair, liberties, regions, external)

    def _count_liberties(self, pair: tuple[Mask, Mask], own: Iterable[Ko]) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return internal liberties and other regions of each of the two groups."""
        board, empty = self.position.board, self.position.empty
        inside = pair[0] | pair[1] | empty | _unite_masks(ko.mask for ko in own)
        liberties, regions = [0, 0], [0, 0]
        for ko in own:
            liberties[PLAYERS.index(ko.holder)] += 1
        left = empty & ~_unite_masks(1 << ko.point for ko in self.kos) & board.adjacent_to(pair[0] | pair[1])
        while left:
            region = board.flood(left & -left, empty)
            left &= ~region
            border = board.adjacent_to(region)
            for side in (0, 1):
                if border & pair[side]:
                    liberties[side] += not border & ~inside
                    regions[side] += 2 if region.bit_count() >= LARGE_REGION else 1
        return (liberties[0], liberties[1]), (regions[0], regions[1])

    def _chains_around_ko(self, ko: Ko) -> tuple[Mask, Mask]:
        board = self.position.board
        border = board.adjacent_to(1 << ko.point) & ~(1 << ko.stone) | board.adjacent_to(1 << ko.stone) & ~(
            1 << ko.point
        )
        return self._adjacent_chains(border)

    def _adjacent_chains(self, border: Mask) -> tuple[Mask, Mask]:
        flood, stones = self.position.board.flood, self.position.stones
        return flood(border, stones[0]), flood(border, stones[1])

    def _find_groups(self, masks: tuple[Mask, Mask]) -> tuple[Mask, Mask]:
        """Return the groups that these chains belong to."""
        return _find_group(self.groups[0], masks[0]), _find_group(self.groups[1], masks[1])


def _find_group(groups: Iterable[Mask], chains: Mask) -> Mask:
    return next((group for group in groups if group & chains), 0)


def _merge_chains(chain_sets: Iterable[Mask]) -> tuple[Mask, ...]:
    groups: list[Mask] = []
    for chains in chain_sets:
        merged_group = chains | _unite_masks(group for group in groups if group & chains)
        groups = [*(group for group in groups if not group & chains), merged_group]
    return tuple(groups)


def _unite_masks(masks: Iterable[Mask]) -> Mask:
    union = 0
    for mask in masks:
        union |= mask
    return union
