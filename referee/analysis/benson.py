"""Benson's unconditional life: chains that cannot be captured even if their owner never plays again.

Source: David B. Benson, Life in the Game of Go, Information Sciences 10 (1976). A region is vital to a chain if each of
its empty points is a liberty of that chain; a set of chains lives if each has two vital regions bordered only by chains
of the set.
"""

from __future__ import annotations

from referee.game.board import Board, Mask


def split_parts(board: Board, mask: Mask) -> list[Mask]:
    """Return the connected parts of a set of points."""
    components = []
    while mask:
        part = board.flood(mask & -mask, mask)
        components.append(part)
        mask ^= part
    return components


def unconditionally_alive(board: Board, own: Mask, others: Mask) -> Mask:
    """Return the player's own stones that live whatever the others do."""
    return alive_beside(board, own, others, 0, board.full)


def alive_beside(board: Board, own: Mask, others: Mask, walls: Mask, within: Mask) -> Mask:
    """Return the player's living stones in one or more parts of the board between living walls of theirs.

    A chain next to a wall lives as well.
    """
    empty = within & ~(own | others)
    regions = [(board.adjacent_to(region), region & empty) for region in split_parts(board, within & ~own)]
    chains = [(chain, board.adjacent_to(chain)) for chain in split_parts(board, own)]
    while chains:
        living = [(chain, near) for chain, near in chains if near & walls or _count_vital(chain, near, regions) > 1]
        if len(living) == len(chains):
            break
        dead = own & ~sum(chain for chain, _ in living)
        chains = living
        regions = [(border, space) for border, space in regions if not border & dead]
    return sum(chain for chain, _ in chains)


def _count_vital(chain: Mask, near: Mask, regions: list[tuple[Mask, Mask]]) -> int:
    return sum(1 for border, space in regions if border & chain and not space & ~near)
