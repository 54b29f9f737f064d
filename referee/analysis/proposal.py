"""A proposal of the dead stones at the end of a game, each with how sure it is.

A chain's fate is proved if it follows from living walls (`find_safety`, `territory`) or from a search of its region
(`life`); else it is likely, by games played to the end at random (`playouts`). Proofs hold whoever moves first; they
say nothing about points that no stone lies on.

Where play has not ended, nothing is likely: much of the board is anybody's, or a player would have no stone left. Only
what is proved is proposed then.

What is proved of several chains holds for all of them at once: where one player's answers prove it, no two proofs share
a point, else one move could ask for two answers. The chains around a dead one live by eyes outside its region.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from referee.analysis.benson import alive_beside, split_parts
from referee.analysis.life import MOST_FREE, MOST_NODES, Budget, Goal, is_proved
from referee.analysis.playouts import estimate_ownership
from referee.analysis.safety import find_safety
from referee.analysis.territory import is_fillable
from referee.game.board import Board, Mask, points_of

FIRM = 0.9
"""A chain whose points end as its owner's so often, less how often as the other's, is taken as a wall."""
LIVES = 0.2
"""A group whose points end as its owner's less often than this is taken as dead: at random the weak live too often."""
LARGE = 6
"""The least number of stones of a group that at random lives too often even if it has no eyes."""
EYES = 2
"""The points of a group's own area with which it may have two eyes."""
MOST_SHARED = 8
"""The empty points that a group without two eyes may share with the other: in seki, and between living groups at the
end, there are few. Where there are more, the other has left them open because the group is dead."""
SURE = 0.5
"""A chain below this is named as uncertain unless its fate is proved."""
MOST_OPEN = 0.25
"""The share of the board's points, undecided by the games, above which play has not ended."""
NODES = 5000
"""The number of positions that all searches of a proposal may expand, so that it takes no longer on any board."""
FIRST_NODES = 250
"""The number that each search may expand at first, so that the easy chains of a board are decided before others."""


class FateGround(StrEnum):
    """The grounds on which a chain is taken as alive or dead: it was named, the record marks it, a proof, or games."""

    GIVEN = "given"
    AGREED = "agreed"
    PROVED = "proved"
    LIKELY = "likely"


@dataclass(frozen=True)
class Proposal:
    """The dead stones proposed for a position.

    Attributes:
        dead: the dead stones, whole chains.
        proved: the stones whose fate, alive or dead, is proved.
        uncertain: the stones of chains that are neither proved nor nearly always alive, or dead.
        ownership: for each point 1 (Black's) to -1 (White's), by the random games.
        ended: False if play seems not to have ended, so that only proved stones are dead.
    """

    dead: Mask
    proved: Mask
    uncertain: Mask
    ownership: tuple[float, ...]
    ended: bool = True

    def ground_of(self, chain: Mask) -> FateGround:
        """Return the ground on which a chain is taken as alive or dead."""
        return FateGround.PROVED if chain & self.proved else FateGround.LIKELY


def propose_dead(board: Board, stones: tuple[Mask, Mask]) -> Proposal:
    """Return the dead stones proposed for a position of two players, play having ended.

    Chains without a liberty, which no game leaves but a photograph can show, are dead and uncertain.
    """
    black, white = stones
    empty = board.full & ~(black | white)
    dead_chains = sum(
        chain for own in stones for chain in split_parts(board, own) if not board.adjacent_to(chain) & empty
    )
    legal = black & ~dead_chains, white & ~dead_chains
    proposal = _Judge(board, legal, estimate_ownership(board, legal)).make_proposal()
    return replace(proposal, dead=proposal.dead | dead_chains, uncertain=proposal.uncertain | dead_chains)


@dataclass(frozen=True)
class _Group:
    """A chain with the chains that empty points and the other's dead stones connect to it.

    Attributes:
        player: 0 for Black, 1 for White.
        chain: the chain.
        stones: the stones of the group's chains.
        share: how often their points end as their owner's, less how often as the other's.
    """

    player: int
    chain: Mask
    stones: Mask
    share: float


class _Judge:
    """The chains of a position, and what is known of each."""

    def __init__(self, board: Board, stones: tuple[Mask, Mask], owners: list[float]) -> None:
        self._board, self._stones, self._owners = board, stones, owners
        self._alive = [0, 0]
        self._dead = [0, 0]
        self._answering = [0, 0]
        """For each player the points on which their answers prove something."""
        self._budget = Budget(NODES)
        self._prove_by_walls()
        self._shares = [
            {chain: self._share_of(chain, 1 if player == 0 else -1) for chain in split_parts(board, stones[player])}
            for player in (0, 1)
        ]

    def make_proposal(self) -> Proposal:
        """Return the proposal."""
        dead, proved, uncertain = 0, 0, 0
        likely_dead = self._search_chains()
        for player, shares in enumerate(self._shares):
            known_chains = self._alive[player] | self._dead[player]
            for chain, share in shares.items():
                if chain & known_chains:
                    proved |= chain
                    dead |= chain & self._dead[player]
                elif chain & likely_dead[player]:
                    dead |= chain
                else:
                    dead |= chain if share < 0 else 0
                    uncertain |= chain if abs(share) < SURE else 0
        dead |= self._weak_groups(dead)
        left_open = self._groups_left_open(dead)
        dead, uncertain = dead | left_open, uncertain | left_open
        doubtful = self._find_between_both(dead, proved)
        dead, uncertain = dead & ~doubtful, uncertain | doubtful
        has_ended = self._has_ended(dead & ~proved)
        if not has_ended:
            uncertain, dead = uncertain | dead & ~proved, dead & proved
        return Proposal(dead, proved, uncertain, tuple(self._owners), has_ended)

    def _weak_groups(self, dead: Mask) -> Mask:
        """Return the chains that are likely dead because their groups are.

        A group is the chains that empty points and the other's dead stones connect, without walls.

        dead: the stones that are dead by themselves
        """
        return sum(group.chain for group in self._list_groups(dead) if group.share < LIVES)

    def _groups_left_open(self, dead: Mask) -> Mask:
        """Return the large groups without two eyes beside which many points are open to both, weakest first.

        Players who stop have seen that such a group is dead: they leave open what nobody needs to fill.

        dead: the stones that are dead otherwise
        """
        more = 0
        while True:
            gone = dead | more
            groups = {group.stones: group for group in self._list_groups(gone) if not group.stones & gone}
            left_open = [group for group in groups.values() if self._is_left_open(group, gone)]
            if not left_open:
                return more
            more |= min(left_open, key=lambda group: group.share).stones

    def _is_left_open(self, group: _Group, dead: Mask) -> bool:
        """Return True if a group is large, not firm, has no area for two eyes and shares many points with the other."""
        if group.stones.bit_count() < LARGE or group.share >= FIRM:
            return False
        board, own, other = self._board, self._stones[group.player], self._stones[1 - group.player] & ~dead
        areas = [
            area
            for area in split_parts(board, board.full & ~(own & ~dead | other))
            if board.adjacent_to(area) & group.stones
        ]
        alone = sum(area for area in areas if not board.adjacent_to(area) & other)
        return alone.bit_count() <= EYES and (sum(areas) & board.adjacent_to(other)).bit_count() > MOST_SHARED

    def _list_groups(self, dead: Mask) -> Iterator[_Group]:
        """Yield the group of each chain whose fate is not proved.

        dead: the stones that are dead by themselves
        """
        for player, shares in enumerate(self._shares):
            known = self._alive[player] | self._dead[player]
            unproved = {chain: share for chain, share in shares.items() if not chain & known}
            free = self._board.full & ~(self._stones[1 - player] & ~dead) & ~self._firm_chains(player)
            for chain in unproved:
                group = self._board.flood(chain, free | chain)
                members = [(share, one) for one, share in unproved.items() if one & group]
                size = sum(one.bit_count() for _, one in members)
                mean = sum(share * one.bit_count() for share, one in members) / size
                yield _Group(player, chain, sum(one for _, one in members), mean)

    def _find_between_both(self, dead: Mask, proved: Mask) -> Mask:
        """Return likely dead stones that, lifted, would not lie in the other's area but beside living ones of theirs.

        The border there is open, and lifting them gives nobody a point but a prisoner.
        """
        board, (black, white), doubtful = self._board, self._stones, 0
        while True:
            lifted_stones = dead & ~doubtful
            empty = board.full & ~((black | white) & ~lifted_stones)
            more = 0
            for own in self._stones:
                for chain in split_parts(board, own & lifted_stones & ~proved):
                    if board.adjacent_to(board.flood(chain, empty)) & own & ~lifted_stones:
                        more |= chain
            if not more:
                return doubtful
            doubtful |= more

    def _has_ended(self, likely: Mask) -> bool:
        """Return False if much of the board is open, or if the likely dead are all that a player has."""
        open_points = sum(abs(owner) < SURE for owner in self._owners)
        none_left = any(
            own and not own & ~(likely | self._dead[player]) and own & likely for player, own in enumerate(self._stones)
        )
        return open_points <= MOST_OPEN * self._board.points and not none_left

    def _share_of(self, chain: Mask, sign: int) -> float:
        owners = [self._owners[point] for point in points_of(chain)]
        return sign * sum(owners) / len(owners)

    def _prove_by_walls(self) -> None:
        """Prove the chains that live by their eyes, and those that lie in what living chains can fill."""
        for player in (0, 1):
            own, other = self._stones[player], self._stones[1 - player]
            safe = find_safety(self._board, own, other)
            self._alive[player] |= safe.walls
            self._answering[player] |= safe.zones
            for part in split_parts(self._board, self._board.full & ~safe.walls) if safe.walls else ():
                if part & other and not part & safe.zones and is_fillable(self._board, part, safe, (own, other)):
                    self._dead[1 - player] |= part & other
                    self._answering[player] |= part

    def _search_chains(self) -> list[Mask]:
        """Search the chains that are not firm; return each player's that are dead if the walls around them live.

        Each is searched a little, those in the smallest regions first, and then what is left open a second time.
        """
        likely = [0, 0]
        doubtful = [
            (player, chain)
            for player, shares in enumerate(self._shares)
            for chain, share in shares.items()
            if abs(share) < FIRM
        ]
        doubtful.sort(key=lambda one: self._open_points(*one))
        for nodes in (FIRST_NODES, MOST_NODES):
            for player, chain in doubtful:
                if not chain & (self._alive[player] | self._dead[player] | likely[player]):
                    likely[player] |= chain if self._is_likely_dead(chain, player, nodes) else 0
        return likely

    def _firm_chains(self, player: int) -> Mask:
        """Return a player's chains that are firm, or proved to live."""
        firm = sum(chain for chain, share in self._shares[player].items() if share >= FIRM)
        return (firm | self._alive[player]) & ~self._dead[player]

    def _open_points(self, player: int, chain: Mask) -> int:
        """Return the number of empty points between the other's walls around a chain."""
        region = self._board.flood(chain, self._board.full & ~self._firm_chains(1 - player))
        return (region & ~(self._stones[0] | self._stones[1])).bit_count()

    def _is_likely_dead(self, chain: Mask, player: int, nodes: int) -> bool:
        """Search a chain; return True if it is dead as long as the walls around it live, else keep what is proved."""
        own, other, walls = self._stones[player], self._stones[1 - player], self._firm_chains(1 - player)
        region = self._board.flood(chain, self._board.full & ~walls)
        if self._is_proved(region, player, [chain], Goal.DEAD, nodes):
            if not self._may_use(region, 1 - player) or not self._is_walled(region, walls, own):
                return True
            self._dead[player] |= chain
            self._answering[1 - player] |= region
            return False
        if self._is_proved_alive(chain, player, own, other, nodes):
            return False
        return self._is_proved(region, player, [chain], Goal.CAPTURED, nodes)

    def _is_proved_alive(self, chain: Mask, player: int, own: Mask, other: Mask, nodes: int) -> bool:
        """Return True if a chain is proved to live, if possible with the other chains of its region."""
        region = self._region_around(chain, own, other)
        if not self._may_use(region, player):
            return False
        shares = self._shares[player]
        others = [near for near, share in shares.items() if near & region and near != chain and abs(share) < FIRM]
        for targets in ([chain, *others], [chain]) if others else ([chain],):
            if self._is_proved(region, player, targets, Goal.ALIVE, nodes):
                self._alive[player] |= sum(targets)
                self._answering[player] |= region
                return True
        return False

    def _is_proved(self, region: Mask, player: int, targets: list[Mask], goal: Goal, nodes: int) -> bool:
        """Return True if a search of a region proves a claim about a player's chains."""
        attacker, defender = self._stones[1 - player], self._stones[player]
        return is_proved(self._board, region, attacker, defender, targets, goal, nodes, self._budget)

    def _may_use(self, region: Mask, player: int) -> bool:
        """Return True if no other proof needs the player's answers in a region."""
        return not region & self._answering[player]

    def _is_walled(self, region: Mask, walls: Mask, own: Mask) -> bool:
        """Return True if all around a region lives unconditionally by eyes outside it."""
        outside = self._board.full & ~region
        border = self._board.adjacent_to(region) & ~region
        return not border & ~alive_beside(self._board, walls, own & outside, 0, outside)

    def _region_around(self, chain: Mask, own: Mask, other: Mask) -> Mask:
        """Return a chain with the smallest areas beside it, and the chains of its colour that these touch."""
        board, region = self._board, chain
        areas = sorted(split_parts(board, board.full & ~own), key=lambda area: (area & ~other).bit_count())
        while True:
            free = (region & ~(own | other)).bit_count()
            for area in areas:
                if (
                    area & ~region
                    and board.adjacent_to(area) & region
                    and free + (area & ~other).bit_count() <= MOST_FREE
                ):
                    break
            else:
                return region
            region |= area | board.flood(board.adjacent_to(area) & own, own)
