"""Handicap stones on the board before White's first turn, laid as clubs lay them.

Black lays them at once or one by one, with or without presses, before the match begins or after. They are recorded one
turn each in the order in which looks show them. Until White's first turn the record follows the board: a stone that
lies elsewhere now was moved, and that is no ruling; a stone that is missing is in somebody's hand, and nothing is said.
How many are due the rule set decides (`HandicapRule.stones_to_place`).

Stones may also lie in the start itself, where the rule set puts them on the traditional points; or on handicap points
though no handicap was set, and then the players are asked.
"""

from __future__ import annotations

from referee.game.board import Colour, Mask, mask_of, points_of
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Message, message, name_points
from referee.game.record import GameRecord, Situation
from referee.game.ruling import Ruling, Status
from referee.game.turns import Placement
from referee.rules import ruling_messages
from referee.rules.legality import judge
from referee.rules.opening_and_end import handicap_points
from referee.table.ledger import GameLedger

MOST_ASKED = 9
"""The greatest number of stones on handicap points that may be an unset handicap."""


class HandicapStones:
    """The handicap stones of one game.

    asked: the black stones on handicap points for which no handicap was set, as the newest look shows them; 0 for none
    in_hand: a stone that was laid is missing in the newest look, and no other lies there instead
    """

    def __init__(self, ledger: GameLedger) -> None:
        self._ledger = ledger
        self._closing_presses = 0
        self._is_white_seen = False
        self._taken_back_stones: Mask = 0
        self.asked: Mask = 0
        self.in_hand = False

    @property
    def stones_due(self) -> int:
        """Return the number of stones still to come."""
        record = self._ledger.record
        return record.rules.handicap.stones_to_place(record) if record.handicap and not record.ended else 0

    @property
    def is_open(self) -> bool:
        """Return True until White's first turn, if Black lays handicap stones or they are in the start."""
        record = self._ledger.record
        return record.handicap > 1 and (record.rules.handicap.may_lay(record) or _has_stones_in_start(record))

    @property
    def is_blacks_press(self) -> bool:
        """Return True if a press is Black's though White is to move: no white stone has been seen yet."""
        return self.is_open and not self._is_white_seen

    def use_press(self) -> bool:
        """Take a press of Black's that closes stones: one for each, and one for all of them.

        Return False if Black has pressed for all of that.
        """
        record = self._ledger.record
        laid_count = record.handicap if _has_stones_in_start(record) else record.number
        if self._closing_presses >= laid_count + (not self.stones_due):
            return False
        self._closing_presses += 1
        return True

    def take_back(self, before: GameRecord) -> None:
        """Follow a director's decision: stones that it took back count again once they were lifted, or once a press or
        White's stone says that they lie there on purpose.

        before: the record before the decision
        """
        record = self._ledger.record
        if record.rules.handicap.may_lay(record):
            self._taken_back_stones |= before.position.stones_of(Colour.BLACK) & record.position.empty

    # Looks

    def judge_look(self, look: BoardLikelihoods, is_closed: bool, white_turns: int = 1) -> Ruling | None:
        """Write the stones that a look shows; return what the players have to correct or to answer.

        is_closed: Black has pressed
        white_turns: the maximum number of turns that White may have made already
        """
        record = self._ledger.record
        self.asked = 0
        self._is_white_seen = bool(look.likeliest.stones_of(Colour.WHITE))
        if is_closed:
            self._taken_back_stones = 0
        if record.rules.handicap.may_lay(record):
            fault = self.lay_stones(look, white_turns)
            return fault or (self._ledger.find_between(look) if is_closed and self.stones_due else None)
        if _has_stones_in_start(record):
            return self._compare_start(look) if is_closed else None
        return self._ask_about_handicap(look)

    def lay_stones(self, look: BoardLikelihoods, white_turns: int = 1) -> Ruling | None:
        """Write the stones that a look shows while Black lays them; return what is wrong with them.

        white_turns: the maximum number of turns that White may have made already
        """
        record, white = self._ledger.record, look.likeliest.stones_of(Colour.WHITE)
        self.in_hand = False
        if not record.rules.handicap.may_lay(record):
            return None
        laid, loose = record.position.stones_of(Colour.BLACK), mask_of(stone.point for stone in look.between)
        self._taken_back_stones = 0 if white else self._taken_back_stones & look.may[1] & ~laid
        new = look.may[1] & ~look.may[0] & ~look.may[2] & ~loose & ~laid & ~self._taken_back_stones
        missing = laid & ~look.may[1] & ~loose
        count = record.number - missing.bit_count() + new.bit_count()
        self.in_hand = not white and count < record.number
        may_have_played = 0 < white.bit_count() <= white_turns
        if white and not (may_have_played and count == record.handicap):
            self._lay_before_white(new, may_have_played and not missing)
        elif count > record.handicap:
            return self._build_excess_ruling(count, new if record.number == record.handicap else new | laid)
        elif count >= record.number:
            self._move_stones(missing, new)
        return None

    def _lay_before_white(self, new: Mask, may_have_played: bool) -> None:
        """Write the new stones though White has played; any that Black played after that are left to the turns."""
        record = self._ledger.record
        room = record.handicap - record.number
        if not may_have_played or not new or not room:
            return
        likely = sorted(points_of(new), key=lambda point: not handicap_points(record.position.board) >> point & 1)
        doubt = ruling_messages.order_unseen() if len(likely) > room else None
        self._write_stones(mask_of(likely[:room]), doubt)

    def _move_stones(self, missing: Mask, new: Mask) -> None:
        """Write the stones anew that lie elsewhere now, in their place in the order; then those that are more."""
        ledger, waiting = self._ledger, list(points_of(new))
        if missing:
            record, turns = _find_start(ledger.record), ledger.record.turns
            for turn in turns:
                assert isinstance(turn, Placement)
                moved = Placement(turn.player, waiting.pop(0)) if missing >> turn.point & 1 else turn
                after = judge(record, moved).after
                assert after is not None, "stones of one colour capture nothing, and an empty point stays empty"
                record = after
            ledger.record = record
        self._write_stones(mask_of(waiting))

    def _write_stones(self, stones: Mask, doubt: Message | None = None) -> None:
        last = stones.bit_length() - 1
        for point in points_of(stones):
            turn = Placement(Colour.BLACK, point)
            verdict = judge(self._ledger.record, turn)
            if verdict.after is not None:
                all_laid = stones if point == last and stones.bit_count() > 1 else 0
                self._ledger.advance_record(verdict.after, doubt=doubt, laid=all_laid)
            elif verdict.prohibition is not None:
                self._ledger.refuse_turn(turn, verdict.prohibition)

    def _build_excess_ruling(self, count: int, stones: Mask) -> Ruling:
        handicap = self._ledger.record.handicap
        text = message("handicap.too-many", handicap=handicap, seen=count, n=count - handicap)
        return self._ledger.make_ruling(Status.UNFINISHED, text, turn=0, points=stones)

    def _compare_start(self, look: BoardLikelihoods) -> Ruling | None:
        """Return what is missing of the stones in the start, which Black has closed."""
        position = self._ledger.record.position
        changed = look.find_misfits(position)
        if not changed or look.likeliest.stones_of(Colour.WHITE):
            return None
        text = ruling_messages.set_up(position, look.likeliest)
        return self._ledger.make_ruling(Status.UNFINISHED, text, turn=0, points=changed)

    # A handicap that was not set

    def _ask_about_handicap(self, look: BoardLikelihoods) -> Ruling | None:
        """Return the question if the stones on the board may be a handicap that nobody has set."""
        record = self._ledger.record
        black, white = look.likeliest.stones[:2]
        if not _may_agree(record) or white or look.doubtful & black or look.between:
            return None
        count = black.bit_count()
        if not 2 <= count <= MOST_ASKED or black & ~handicap_points(record.position.board):
            return None
        self.asked = black
        where = name_points(record.position.board, black)
        return self._ledger.make_ruling(
            Status.UNFINISHED, message("handicap.ask", n=count, points=where), turn=0, points=black
        )

    def agree_to_handicap(self) -> Message | None:
        """Begin anew with the stones that were asked for as the handicap; return None if nothing was asked."""
        stones, self.asked, record = self.asked, 0, self._ledger.record
        if not stones or not _may_agree(record):
            return None
        rules, handicap = record.rules, stones.bit_count()
        komi = rules.komi_for(handicap) if record.komi == rules.komi else record.komi
        start = record.start
        if rules.handicap.name != "free":
            position = start.position.with_stones(Colour.BLACK, stones)
            start = Situation(position, start.bowls, rules.handicap.first_player(handicap, position))
        self._ledger.record = GameRecord.begin_game(rules, start, komi, handicap, record.penalties)
        if rules.handicap.name == "free":
            self._write_stones(stones)
        return message("handicap.agreed", n=handicap, komi=float(komi), player=self._ledger.record.to_play)


def _find_start(record: GameRecord) -> GameRecord:
    return next(earlier for earlier in record.iterate_back() if earlier.before is None)


def _has_stones_in_start(record: GameRecord) -> bool:
    """Return True before White's first turn if the start has the handicap stones."""
    start = record.start
    black, white = start.position.stones[:2]
    lies = record.handicap > 1 and bool(black) and not white and start.to_play is Colour.WHITE
    return lies and not record.number and not record.ended and record.rules.handicap.is_stones


def _may_agree(record: GameRecord) -> bool:
    """Return True if the players may still agree on a handicap in stones."""
    unset = record.handicap <= 1 and not record.number and not record.start.position.occupied
    return unset and record.players == 2 and record.rules.handicap.is_stones and not record.ended
