"""The start check: what to correct on the table before the first move, or before an adjourned game goes on.

Before a first move an almost correct start is enough: the first player's stone may lie there already, and only what a
look excludes is wrong. A resumed game must lie as it was left, point by point; until then nothing else is judged, and
no clock runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from referee.game.board import COLOURS, Colour, Mask, Position
from referee.game.likelihoods import BoardLikelihoods, find_differences
from referee.game.messages import Listing, Message, Stones, message, name_points
from referee.game.observation import LidSight
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord, Scoring
from referee.game.ruling import Ruling, Status
from referee.inference.lids import CELLS, Cell, Lids, at_start
from referee.rules import ruling_messages
from referee.table.ledger import GameLedger


class StartCheck:
    """The start check of one game.

    taken_up: it had been adjourned
    """

    def __init__(self, ledger: GameLedger, taken_up: bool = False) -> None:
        self._ledger, self._taken_up = ledger, taken_up
        self._is_passed = False

    @property
    def is_open(self) -> bool:
        """Return True if a resumed game has not yet been seen as it was left, or as the director has corrected it."""
        return self._taken_up and not self._is_passed and not self._ledger.record.ended

    def let_pass(self) -> None:
        """End the check, because the director lets the game go on as it is."""
        self._is_passed = True

    def find_start_fault(
        self, look: BoardLikelihoods, sights: tuple[LidSight, ...], lids: Lids | None
    ) -> Ruling | None:
        """Return what to correct before the first move; None once the table was seen in its start position."""
        record = self._ledger.record
        if self._is_passed or record.number or look.is_too_doubtful:
            return None
        changed = look.find_misfits(record.position)
        blind = record.rules.delays is not None and len(sights) != 2
        wrong = lids is not None and not lids.may_hold(record.bowls)
        self._is_passed = not (changed or blind or wrong)
        if self._is_passed:
            self._ledger.announce_start()
        if self._is_passed or _is_first_move(record, look.likeliest, changed):
            return None
        if changed:
            text = ruling_messages.set_up(record.position, look.likeliest)
        else:
            text = at_start(sights, lids, record.bowls) if wrong else ruling_messages.lids_unseen()
        return self._build_ruling(text, changed)

    def take_up(self, look: BoardLikelihoods, sights: tuple[LidSight, ...]) -> None:
        """Compare the table with the adjourned game; report the differences, or that play may go on."""
        record = self._ledger.record
        if look.is_too_doubtful:
            return
        changed = find_differences(look.likeliest, record.position)
        if changed:
            self._ledger.issue_finding(
                self._build_ruling(_describe_differences(record.position, look.likeliest), changed)
            )
        elif (between := self._ledger.find_between(look)) is not None:
            self._ledger.issue_finding(replace(between, turn=0))
        elif (missing := self._find_lid_fault(sights)) is not None:
            self._ledger.issue_finding(self._build_ruling(missing))
        else:
            self._is_passed = True
            self._ledger.issue_ruling(
                self._ledger.make_ruling(Status.LEGAL, _taken_up(record) + self._build_count_request(sights), turn=0)
            )

    def _find_lid_fault(self, sights: tuple[LidSight, ...]) -> Message | None:
        """Return the fault of the lids. If no turn can be made in them, they need not be in view."""
        record = self._ledger.record
        if not _are_prisoners_counted(record) or (record.rules.delays is None and len(sights) != 2):
            return None
        lids = self._ledger.lids_at_start(sights)
        wrong = lids.find_wrong_cells(record.bowls) if lids is not None else None
        return None if wrong == {} else _describe_lids(record.bowls, wrong)

    def _build_count_request(self, sights: tuple[LidSight, ...]) -> Message | None:
        """Return the prisoners that the players must count themselves because no camera was certain of them."""
        record = self._ledger.record
        lids = self._ledger.lids_at_start(sights) if _are_prisoners_counted(record) else None
        is_counted = lids is not None and all(map(lids.is_exact, CELLS))
        nothing = not any(map(any, record.bowls.contents))
        if is_counted or not _are_prisoners_counted(record) or (nothing and len(sights) != 2):
            return None
        return message("take-up.count", parts=_list_all_prisoners(record.bowls))

    def _build_ruling(self, text: Message, changed: Mask = 0) -> Ruling:
        return self._ledger.make_ruling(Status.UNFINISHED, text, turn=0, points=changed)


def _are_prisoners_counted(record: GameRecord) -> bool:
    """Return True if the contents of the lids count under these rules."""
    return record.rules.delays is not None or (
        record.rules.bowls.are_prisoners_kept and record.rules.scoring is Scoring.TERRITORY
    )


def _is_first_move(record: GameRecord, position: Position, changed: Mask) -> bool:
    """Return True if the only change is one stone of the first player, who has just not pressed yet."""
    return changed.bit_count() == 1 and position.colour_at(changed.bit_length() - 1) is record.to_play


# Messages


def _describe_differences(left: Position, position: Position) -> Message:
    """Return the differences between an adjourned game's position and the board."""
    board, pairs = left.board, tuple(zip(COLOURS, left.stones, position.stones, strict=False))
    other = [(colour, want & ~have & position.occupied) for colour, want, have in pairs]
    parts = [
        message("take-up.change", player=colour, points=name_points(board, mask)) for colour, mask in other if mask
    ]
    surplus = position.occupied & left.empty
    parts += [message("start.lift", points=name_points(board, surplus))] if surplus else []
    lacks = [(colour, want & position.empty) for colour, want, _ in pairs]
    parts += [message("start.put-on", player=colour, points=name_points(board, lack)) for colour, lack in lacks if lack]
    return message("take-up.missing", parts=Listing(tuple(parts)))


def _describe_lids(bowls: Bowls, wrong: Mapping[Cell, int] | None) -> Message:
    """Return the differences of its prisoners.

    wrong: None if the lids cannot be read
    """
    if wrong is not None:
        return message("take-up.missing", parts=Listing(ruling_messages.lid_instructions(wrong)))
    return message("take-up.lids", parts=_list_all_prisoners(bowls))


def _list_all_prisoners(bowls: Bowls) -> Listing:
    return Listing(
        tuple(message("take-up.holds", player=owner, stones=_list_prisoners(bowls, owner)) for owner in COLOURS[:2])
    )


def _list_prisoners(bowls: Bowls, owner: Colour) -> Listing | Message:
    stones = tuple(Stones(n, colour) for colour in COLOURS[:2] if (n := bowls.count_visible_stones(owner, colour)))
    return Listing(stones) if stones else message("take-up.nothing")


def _taken_up(record: GameRecord) -> Message:
    """Return the message that the table is as the game was left."""
    return message("take-up.right", turn=record.number, player=record.to_play)
