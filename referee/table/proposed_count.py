"""The count that the box proposes once passes have ended play, and its sentences.

It is nobody's word: nothing is counted before both players agree. As long as it stands, a stone that it names and that
still lies on the board is named by whoever proposes to score; a player who holds SCORE refuses it, and then the stones
that the players lift are dead, as without it. It is given up for good, until play goes on, if it is refused, or if a
player names the dead stones without its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.game.board import Board, Mask, Position
from referee.game.count_result import Count, Layout, result_text
from referee.game.messages import Listing, Message, message, name_points
from referee.game.record import GameRecord
from referee.game.regions import find_chains, last_liberties
from referee.score import methods
from referee.score.neutral import seki_points, shared_regions
from referee.table.events import BoxProposal


@dataclass(frozen=True)
class ProposedCount:
    """A count with the dead stones that the box proposes.

    Attributes:
        t: when it was proposed, in seconds.
        dead: the dead stones, whole chains.
        proved: the stones whose fate, alive or dead, is proved; that of the others is likely.
        uncertain: the stones of chains of which not even that is known.
        open_points: points that are still to be played: of open borders, and last liberties; none of a seki.
        count: the count if these stones are dead.
        layout: the board with them, and the owners of its points.
    """

    t: float
    dead: Mask
    proved: Mask
    uncertain: Mask
    open_points: Mask
    count: Count
    layout: Layout

    @property
    def message(self) -> Message:
        """Return in a few words the result if so, how many chains are dead and uncertain, and how to refuse it."""
        doubtful = len(list(find_chains(self.layout.position, self.uncertain)))
        doubts = message("proposal.doubtful", n=doubtful) if doubtful else None
        return self.outcome + doubts + message("proposal.refuse")

    @property
    def outcome(self) -> Message:
        """Return the result if so, and how many chains are dead."""
        dead, result = len(list(find_chains(self.layout.position, self.dead))), result_text(self.count.result)
        return message("proposal.made", n=dead, result=result) if dead else message("proposal.none", result=result)

    @property
    def doubts(self) -> Message | None:
        """Return the chains whose fate is uncertain, each by its first stone; None if there are none."""
        position = self.layout.position
        stones = name_points(position.board, first_stones(position, self.uncertain))
        return message("proposal.uncertain", points=stones) if self.uncertain else None

    @property
    def details(self) -> tuple[Message, ...]:
        """Return what it rests on, in sentences: the dead chains with their ground, the uncertain ones, open points."""
        position = self.layout.position
        sentences = [message("proposal.dead", named=named) for named in dead_chains(position, self.dead, self.proved)]
        sentences += [self.doubts] if self.doubts is not None else []
        if self.open_points:
            many = self.open_points.bit_count()
            sentences.append(message("proposal.open", n=many, points=name_points(position.board, self.open_points)))
        sentences += [step.message for step in self.count.steps if step.act == "answer"]
        return tuple(sentences)

    @property
    def agreed_message(self) -> Message:
        """Return the sentence of the ruling about which stones were dead as the box proposed."""
        listing = Listing(tuple(dead_chains(self.layout.position, self.dead, self.proved)))
        return message("count.as-proposed", named=listing)

    def ground_by_point(self, board: Board, dead: Mask, otherwise: str) -> dict[str, str]:
        """Return the ground of each dead stone, by its name: `proved`, `likely`, or that of stones named by others."""
        grounds = dict.fromkeys(board.names(dead), otherwise)
        grounds |= dict.fromkeys(board.names(dead & self.dead), "likely")
        return grounds | dict.fromkeys(board.names(dead & self.dead & self.proved), "proved")


def proposed_count(record: GameRecord, proposal: BoxProposal) -> ProposedCount:
    """Return the count that the box proposes for a game. Raise BadCount if it cannot be counted so."""
    agreed = methods.Agreed(proposal.dead)
    count, layout = methods.count(record, agreed), methods.find_layout(record, agreed)
    living = record.position.without_stones(proposal.dead)
    open_points = _find_open_points(living, proposal.uncertain)
    return ProposedCount(proposal.t, proposal.dead, proposal.proved, proposal.uncertain, open_points, count, layout)


def _find_open_points(living: Position, uncertain: Mask) -> Mask:
    """Return the points still to be played: the first of each region that both touch, and last liberties."""
    shared, seki = shared_regions(living), seki_points(living)
    borders = [region for region in shared if not living.board.adjacent_to(region) & uncertain]
    firsts = sum(region & -region for region in borders)
    return (firsts | last_liberties(living, living.occupied & ~uncertain)) & ~seki


def first_stones(position: Position, stones: Mask) -> Mask:
    """Return the first stone of each chain."""
    return sum(chain & -chain for chain in find_chains(position, stones))


def dead_chains(position: Position, dead: Mask, proved: Mask) -> Iterator[Message]:
    """Yield the dead chains by their first stones, first those that are proved dead, then the likely ones."""
    for key, stones in (("proposal.proved", dead & proved), ("proposal.likely", dead & ~proved)):
        if stones:
            yield message(key, points=name_points(position.board, first_stones(position, stones)))
