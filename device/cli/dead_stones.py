"""The stones that a count of a file or a photograph takes as dead, each with its ground, and what is said of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.analysis.proposal import FateGround, Proposal, propose_dead
from referee.game.board import Board, Mask, Position
from referee.game.regions import find_chains, last_liberties

MOST_NAMED = 12
"""The number of chains named in a sentence."""


@dataclass(frozen=True)
class DeadStones:
    """The stones taken as dead.

    Attributes:
        dead: the stones.
        ground: the ground of all of them; of each chain by the proposal if there is one.
        proposal: the proposal they come from, None for stones that were named.
        uncertain: stones of chains that may as well be alive, or dead, as they were taken.
    """

    dead: Mask = 0
    ground: FateGround = FateGround.GIVEN
    proposal: Proposal | None = None
    uncertain: Mask = 0

    def ground_of(self, chain: Mask) -> FateGround:
        """Return the ground on which a chain is taken as dead."""
        return self.proposal.ground_of(chain) if self.proposal else self.ground

    def by_point(self, board: Board, dead: Mask) -> dict[str, str]:
        """Return the ground of each dead stone of a count, by its name."""
        return {name: self.ground_of(board.mask([name])).value for name in board.names(dead)}

    def names(self, position: Position) -> list[str]:
        """Return the name of each dead chain, with its ground."""
        return [
            f"{_format_chain(position, chain)} ({self.ground_of(chain)})" for chain in find_chains(position, self.dead)
        ]

    def sentences(self, position: Position) -> Iterator[str]:
        """Yield what the proposal took as dead, and what it is not sure of; nothing without a proposal."""
        if self.proposal is not None and self.dead:
            yield f"assumed dead: {_join_names(self.names(position))}."
        yield from self.doubts(position)

    def doubts(self, position: Position) -> Iterator[str]:
        """Yield which chains the proposal is not sure of, and where living ones are in atari."""
        if self.proposal is None:
            return
        if not self.proposal.ended:
            yield "play seems not to have ended, so only what is proved is taken as dead."
        if self.uncertain:
            fates = ("alive", "dead")
            doubts = [
                f"{_format_chain(position, chain)} (taken as {fates[bool(chain & self.dead)]})"
                for chain in find_chains(position, self.uncertain)
            ]
            yield f"uncertain: {_join_names(doubts)}."
        living = position.without_stones(self.dead)
        if last := last_liberties(living, living.occupied & ~self.uncertain):
            yield f"still open: a chain is in atari at {_join_names(position.board.names(last))}."


def propose_dead_stones(position: Position, seki: Mask = 0) -> DeadStones:
    """Return the dead stones proposed for a position of two players.

    Args:
        position: the position.
        seki: stones of chains that live in seki.
    """
    black, white = position.stones
    proposal = propose_dead(position.board, (black, white))
    alive = sum(find_chains(position, seki & position.occupied))
    return DeadStones(proposal.dead & ~alive, FateGround.LIKELY, proposal, proposal.uncertain & ~alive)


def _format_chain(position: Position, chain: Mask) -> str:
    """Return a chain by its first stone, with the number of the others."""
    first, others = position.board.names(chain)[0], chain.bit_count() - 1
    return f"{first} with {others} more" if others else first


def _join_names(names: list[str]) -> str:
    more = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
