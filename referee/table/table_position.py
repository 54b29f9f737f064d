"""The stones that lie on a refereed table: do turns explain them, and may the game go on from them?

A recording goes on by itself after a gap, see `gaps`. At a refereed table nothing does: players and box have to agree
about each turn, so somebody has to decide that what lies there is right. All that is checked for that is that it is
seen plainly and that a game can stand so (`find_set_up`).

The box pauses a game whose board no turns explain (`match_board`, device/table/unexplained_board.py). A needless pause
disturbs a game that is played correctly, so all that may be an ordinary act leaves the question open:

- A turn that is half done, closed late, refused or not closed at all: a few legal turns, or a refused one, lead there.
  Once a press was ruled on as unexplained, it is one turn at most.
- One point alone: its player puts it right in their own time, and DONE names it.
- Whole chains that are gone, which may be dead stones that somebody is about to name.
- A board that is cleared, shifted or arranged for the count, a chain without liberties, a stone between points.
- Points that are not seen plainly, and those beside them: a hand may lie there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from referee.game.board import Mask, Position
from referee.game.likelihoods import BoardLikelihoods, UnliftedStones, all_unlifted, find_differences
from referee.game.messages import Message, message, name_points
from referee.game.record import GameRecord
from referee.game.regions import find_chains
from referee.game.turns import SetUp
from referee.inference.lids import Lids
from referee.inference.search import Search, has_dead_chain
from referee.table.gaps import is_laying_handicap, is_no_play, search_by_board, turn_by_stones

# Chosen by hand.
MOST_UNCLEAR = 3
"""The maximum number of points that are not seen plainly on a board from which the game may go on."""
FEWEST_CHANGED = 2
"""The minimum number of points, seen plainly, in which a board differs that no turns explain."""


class BoardMatch(StrEnum):
    """The relation of the stones on a board to the record.

    explained: it is the record's position, or a few turns lead to it
    unexplained: no turns lead to it
    open: it may be an ordinary act, or is not seen plainly
    """

    EXPLAINED = "explained"
    UNEXPLAINED = "unexplained"
    OPEN = "open"


@dataclass(frozen=True)
class LyingStones:
    """The stones that lie on a table, from which the game may go on.

    warning: the message that names points that are not seen plainly; None if there are none
    """

    set_up: SetUp
    warning: Message | None = None


def find_set_up(record: GameRecord, look: BoardLikelihoods, lids: Lids | None) -> LyingStones | Message:
    """Return the stones that lie there, as the game may go on from them, or why it may not.

    lids: what the lids hold, if the owners are known; only needed under rules with a turn in the lids alone
    """
    why = why_not_set_up(record)
    if why is not None:
        return why
    # A point that is not seen plainly is as it was, unless the look excludes that.
    after = look.likeliest.with_points_of(record.position, look.doubtful & ~look.find_misfits(record.position))
    if look.doubtful.bit_count() > MOST_UNCLEAR or look.find_unset_stones(record.position):
        return message("lying.unseen")
    if has_dead_chain(after):
        return message("lying.dead-chain")
    bowls = None
    if record.rules.delays is not None:
        bowls = lids.without_differences().exact_bowls() if lids is not None else None
        if bowls is None:
            return message("lying.lids")
    if after == record.position and bowls in (None, record.bowls):
        return message("lying.same")
    stood = record.first_stood(after) if after != record.position else None
    if stood is not None and record.rules.ko.is_strict_across_gaps:
        return message("lying.stood", turn=stood)
    warning = message("lying.unclear", points=name_points(look.board, look.doubtful)) if look.doubtful else None
    return LyingStones(SetUp(after.stones, turn_by_stones(record, after), bowls), warning)


def why_not_set_up(record: GameRecord) -> Message | None:
    """Return the reason why no stones can be set up in this game now, whatever lies there."""
    if record.result is not None:
        return message("director.has-result")
    if record.ended:
        return message("lying.ended")
    if record.players > 2:
        return message("why.set-up-players")
    return message("lying.handicap") if is_laying_handicap(record) else None


def match_board(record: GameRecord, look: BoardLikelihoods, left: UnliftedStones, is_ruled: bool) -> BoardMatch:
    """Return the relation of the stones in a look to a record of two players.

    left: captured stones that may still lie there
    is_ruled: the newest press was ruled on as unexplained, so that one turn alone may still explain the board
    """
    if look.is_too_doubtful or look.find_unset_stones(record.position, left):
        return BoardMatch.OPEN
    changed = look.find_misfits(record.position) & ~all_unlifted(left)
    search = search_by_board(record, look, left)
    search = replace(search, most=1, most_added=0) if is_ruled else search
    match = _explain_by_turns(search) if changed else BoardMatch.EXPLAINED
    is_unexplained = match is BoardMatch.UNEXPLAINED
    return BoardMatch.OPEN if is_unexplained and _may_be_ordinary(record.position, look, changed) else match


def _may_be_ordinary(before: Position, look: BoardLikelihoods, changed: Mask) -> bool:
    plain = changed & ~look.doubtful & ~look.board.adjacent_to(look.doubtful)
    after = look.likeliest
    if plain.bit_count() < FEWEST_CHANGED or look.doubtful.bit_count() > MOST_UNCLEAR:
        return True
    removed = before.occupied & ~after.occupied
    is_only_lifted = not find_differences(before.without_stones(removed), after)
    if is_only_lifted and sum(find_chains(before, removed)) == removed:
        return True
    return has_dead_chain(after) or is_no_play(before, after)


def _explain_by_turns(plain: Search) -> BoardMatch:
    for search in (plain, replace(plain, vanished=True)):
        if search.list_explanations():
            return BoardMatch.EXPLAINED
        if search.has_run_out:
            return BoardMatch.OPEN
    return BoardMatch.UNEXPLAINED
