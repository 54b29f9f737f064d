"""Chains that cannot be captured even if their owner never plays again: Benson's unconditional life.

Source: David B. Benson, Life in the Game of Go, Information Sciences 10 (1976). A region is vital to a chain when each
of its empty points is a liberty of that chain; a set of chains lives when each has two vital regions that only chains
of the set border.
"""

from __future__ import annotations

from referee.board import Board, Mask


def parts(board: Board, mask: Mask) -> list[Mask]:
    """The connected parts of a set of points."""
    found = []
    while mask:
        part = board.flood(mask & -mask, mask)
        found.append(part)
        mask ^= part
    return found


def unconditionally_alive(board: Board, own: Mask, others: Mask) -> Mask:
    """Those of the player's own stones that live whatever the others do."""
    empty = board.full & ~(own | others)
    regions = [(board.beside(region), region & empty) for region in parts(board, board.full & ~own)]
    if len(regions) < 2:
        return 0
    chains = [(chain, board.beside(chain)) for chain in parts(board, own)]
    while True:
        kept = [(chain, near) for chain, near in chains if _vital(chain, near, regions) > 1]
        alive = sum(chain for chain, _ in kept)
        if len(kept) == len(chains):
            return alive
        dead, chains = own & ~alive, kept
        regions = [(border, space) for border, space in regions if not border & dead]


def _vital(chain: Mask, near: Mask, regions: list[tuple[Mask, Mask]]) -> int:
    return sum(1 for border, space in regions if border & chain and not space & ~near)
