"""Following a game without `done` presses, look by look: a steady look that legal turns explain ends them.

A change in the lids alone ends no turn, for people fiddle with lids: a delay waits until the opponent's next act, or
their press, shows that it was one.
"""

from __future__ import annotations

from dataclasses import replace

from referee import texts
from referee.board import Colour, Position, opponent_of
from referee.events import LidSight
from referee.legality import judge
from referee.record import GameRecord, Situation
from referee.ruling import Prohibition, Reason, Status
from referee.table.book import Book, taken, without_last
from referee.table.inference import MOST_ADDED, MOST_TRIED, MOST_TURNS, Consensus, Explanation, Search, agreed
from referee.table.lids import Fault, Lids, after_placement, without_placement
from referee.table.look import NONE_LEFT, Look
from referee.turns import Delay, Placement, Turn

HANDICAP_SEEN = 3
"""So many stones of Black's and none of White's, when hardly a turn was made, are handicap stones set up in view."""
DEEP_TURNS, DEEP_TRIED = 8, 10_000
"""How many turns between two looks are followed through captures, and how many sequences tried, where there is time."""
PLAYED_ON = 3
"""A stone that was never seen, placed and captured between two looks, is believed when so many turns explain them."""
BOTH = frozenset((Colour.BLACK, Colour.WHITE))


class Recording:
    """The recorder of one game. deep: it is not being played now, so that there is time to search far."""

    def __init__(self, book: Book, to_play_said: bool = False, deep: bool = False) -> None:
        self._book = book
        self._deep = deep
        self._reach = (DEEP_TURNS, DEEP_TRIED) if deep else (MOST_TURNS, MOST_TRIED)
        self._to_play_said = to_play_said
        self._looked = False
        self._begun_from_look = False
        self._pending: GameRecord | None = None
        self._claims: list[Turn] = []
        self._calm = False
        self._waypoint: Position | None = None
        self._refused: Turn | None = None
        self._delay_seen: Turn | None = None

    def forget(self) -> None:
        """The director has decided what the turns are: nothing that was seen or claimed before waits any more."""
        self._pending = self._refused = self._delay_seen = self._waypoint = None
        self._claims = []

    # Looks

    def look(self, look: Look, sights: tuple[LidSight, ...]) -> None:
        """Rule on one steady look at the table."""
        number = self._book.record.number
        waiting, self._pending = self._pending, None
        if look.too_doubtful:
            self._hidden(look)
            return
        if between := look.unset(self._book.record.position, self._book.left):
            self._pending = waiting
            self._book.find(self._book.between(between))
            return
        lids = self._book.lids_of(sights)
        self._calm = False
        self._follow(look, sights, lids if self._book.lids.believed else None, waiting)
        if self._calm and not self._start_missing(sights, lids):
            self._book.nothing_wrong()
            if not self._looked:
                self._book.begin()
        if self._pending is not None or self._calm or self._book.record.number != number:
            self._delay_seen = self._pending.turn if self._pending is not None else None
        self._looked = True
        self._judge_claims()

    def _start_missing(self, sights: tuple[LidSight, ...], lids: Lids | None) -> bool:
        """The lids do not hold what they should at the start; play that goes on is then judged by the board alone."""
        book = self._book
        missing = book.start_missing(sights, lids)
        if missing is not None:
            book.find(missing)
        return missing is not None

    def _hidden(self, look: Look) -> None:
        if look.misfits(self._book.record.position):
            self._book.unexplained(texts.hidden(look.doubtful.bit_count()), look.doubtful)

    def _follow(
        self, look: Look, sights: tuple[LidSight, ...], lids: Lids | None, waiting: GameRecord | None = None
    ) -> None:
        record = self._book.record
        if lids is not None and lids.owed and (found := self._explained(record, look, lids.settled(), lids.owing())):
            self._book.lids_right()
            self._accept(found, look)
        elif found := self._explained(record, look, lids):
            self._accept(found, look)
        elif lids is not None and (delayed := self._unsure_delay(look, lids)):
            if self._deep:  # Nobody is there who could spread the lid; that the opponent went on has to do.
                self._accept(delayed, look)
            else:
                self._ask_to_spread(look)
        elif lids is not None and (found := self._explained(record, look, None)):
            self._mind_the_lids(found, look, lids)
        elif lids is not None and waiting is not None and self._confirmed(waiting, look, lids):
            return
        elif self._other_begins(look, lids):
            self._follow(look, sights, lids)
        elif self._may_begin(look):
            self._begin(look, sights)
        elif not self._let_stand(look, lids) and not self._correct(look, lids):
            self._unexplained(look)

    def _explained(
        self, record: GameRecord, look: Look, lids: Lids | None, owing: frozenset[Colour] = frozenset()
    ) -> Consensus | None:
        """What legal turns explain the look; lids: None where they are left aside.

        owing: players whose prisoners were missing, which must not be read as a delay.
        """
        most, patience = self._reach
        added = MOST_ADDED if self._looked else 0
        search = Search(look, record, self._book.left, most, most_added=added, patience=patience)
        counted = False
        if lids is not None:
            provable = lids.provable(record.bowls)
            search = replace(search, bowls_fit=lids.fit, delays=provable - owing)
            counted = provable == BOTH
        found = agreed(self._by_way(search.explanations(), counted))
        if found is None or (found.rivals > 1 and not found.explanation.turns):
            unseen = replace(search, vanished=True, delays=frozenset())
            wider = agreed(self._by_way(unseen.explanations(), counted))
            found = wider if wider and len(wider.explanation.records) >= PLAYED_ON else found
        return found

    def _by_way(self, found: list[Explanation], counted: bool = False) -> list[Explanation]:
        """Those that agree with what earlier looks showed on the way.

        A delay that was seen came first. A delay that could not be counted led to a position to pass through; counted:
        the lids are counted now, which decides it when none does.
        """
        after_delay = [one for one in found if one.turns[:1] == (self._delay_seen,)]
        if after_delay:
            found = [one for one in found if one in after_delay or not one.turns]
        if self._waypoint is None:
            return found
        through = [one for one in found if not one.turns or any(r.position == self._waypoint for r in one.records)]
        return found if counted and not through else through

    def _accept(self, found: Consensus, look: Look) -> None:
        best = found.explanation
        if best.legal and isinstance(best.turns[-1], Delay) and best.refused is None:
            self._pending = best.records[-1]
            found = without_last(found)
        self._book.accept(found)
        best = found.explanation
        if best.records or not look.misfits(self._book.record.position):
            self._waypoint = None
        self._refused = best.turns[-1] if best.refused is not None else None
        if best.refused is not None:
            self._book.refuse(best.turns[-1], best.refused)
        elif found.rivals > 1 and look.shows_other(self._book.record.position, found.open):
            self._book.unexplained(texts.unclear(look.board, found.open), found.open)
        elif not best.records and best.left == NONE_LEFT:
            self._calm = True

    def _unexplained(self, look: Look) -> None:
        book = self._book
        changed = look.misfits(book.record.position)
        changed = changed & ~(book.left[0] | book.left[1]) or changed
        book.unexplained(texts.unexplained(book.record, look.likeliest, changed), changed)

    def _unsure_delay(self, look: Look, lids: Lids) -> Consensus | None:
        """A delay whose lid cannot be counted, and an answer to it, if they would explain the look."""
        record = self._book.record
        if lids.provable(record.bowls) == BOTH:
            return None
        search = Search(look, record, self._book.left, bowls_fit=lids.fit, delays=BOTH)
        found = agreed(self._by_way(search.explanations()))
        delayed = found is not None and any(isinstance(turn, Delay) for turn in found.explanation.legal[:-1])
        return found if delayed else None

    def _ask_to_spread(self, look: Look) -> None:
        """Wait for the delay to be counted; later looks must lead through this position."""
        mover = self._book.record.to_play
        self._waypoint = self._waypoint or look.likeliest
        self._book.find(self._book.ruling(Status.UNFINISHED, texts.spread(mover), move=Delay(mover)))

    # The lids do not agree

    def _mind_the_lids(self, found: Consensus, look: Look, lids: Lids) -> None:
        """The board is explained and the lids are not."""
        best = found.explanation
        if best.refused is not None or found.rivals > 1:
            self._accept(found, look)
        elif not best.records:
            self._book.accept(found)
            self._lids_alone(lids)
        else:
            self._after_turns(found, look, lids)

    def _confirmed(self, waiting: GameRecord, look: Look, lids: Lids) -> bool:
        """The delay seen before was one, for the opponent has moved since, though the lids are not right yet."""
        found = self._explained(waiting, look, None)
        if found is None or not found.explanation.records:
            return False
        self._book.advance(waiting)
        self._mind_the_lids(found, look, lids)
        return True

    def _lids_alone(self, lids: Lids) -> None:
        record = self._book.record
        delay = judge(record, Delay(record.to_play)).after
        fault = without_placement(record.to_play, record.bowls, delay.bowls if delay else None, lids)
        if fault is None:
            return
        if fault.exchange:
            fault = Fault(Status.UNEXPLAINED, texts.lids_wrong(lids.wrong(record.bowls)))
        self._find(fault, Delay(record.to_play))

    def _after_turns(self, found: Consensus, look: Look, lids: Lids) -> None:
        best = found.explanation
        after = best.records[-1]
        if lids.fit(after.bowls):
            self._accept(found, look)
            return
        fault = _blamed(best, lids)
        if fault.status is Status.UNEXPLAINED and len(best.records) == 1:
            self._find(fault, best.turns[-1])
        elif fault.status is Status.UNFINISHED:
            self._book.accept(found, fault.message, lids.wrong(after.bowls))
        else:
            self._book.accept(found, wrong=lids.wrong(after.bowls))
            self._book.unexplained(fault.message)

    def _find(self, fault: Fault, turn: Turn) -> None:
        move = turn if fault.status is not Status.UNEXPLAINED else None
        self._book.find(self._book.ruling(fault.status, fault.message, move=move, reason=fault.reason))

    # A look that the turns so far do not lead to

    def _let_stand(self, look: Look, lids: Lids | None) -> bool:
        """The illegal placement that was found last was not taken back and play goes on: it stands in the record."""
        refused = self._refused
        if not isinstance(refused, Placement):
            return False
        after = judge(self._book.record, replace(refused, stood=True)).after
        found = self._explained(after, look, lids) if after is not None else None
        if after is None or found is None or not found.explanation.records or found.explanation.refused:
            return False
        self._refused = None
        self._book.let_stand(after)
        self._accept(found, look)
        return True

    def _correct(self, look: Look, lids: Lids | None) -> bool:
        """The newest turn was misread, as the turns since show: take it back and write what was played."""
        before = self._book.record.before
        found = self._explained(before, look, lids) if before is not None else None
        if found is None or len(found.explanation.records) < 2 or found.explanation.refused:
            return False
        if isinstance(found.explanation.turns[-1], Delay):
            return False
        self._book.correct(found)
        return True

    def _may_begin(self, look: Look) -> bool:
        """The look may be where the game begins: no turn of it has been seen yet."""
        record = self._book.record
        black, white = look.likeliest.stones
        setting_up = not white and black.bit_count() >= HANDICAP_SEEN and record.number <= 1
        unseen = record.number == 0 and (self._begun_from_look or not self._looked)
        return unseen or (setting_up and record.rules.delays is None)

    def _other_begins(self, look: Look, lids: Lids | None) -> bool:
        """In a game first seen in its middle the first stone placed tells whose turn it was."""
        record = self._book.record
        if not self._begun_from_look or record.number or self._to_play_said:
            return False
        start = record.start.with_turn(opponent_of(record.to_play))
        swapped = GameRecord.opened(record.rules, start, record.komi, record.handicap)
        if self._explained(swapped, look, lids) is None:
            return False
        self._book.record = swapped
        return True

    def _begin(self, look: Look, sights: tuple[LidSight, ...]) -> None:
        """The game was under way, or handicap stones lay on the board, when it was first seen."""
        book, old, position = self._book, self._book.record, look.likeliest
        black, white = (mask.bit_count() for mask in position.stones)
        handicap = black if black > 1 and not white and old.rules.delays is None else old.handicap
        to_play = Colour.WHITE if black > 1 and not white else old.start.to_play
        lids = book.lids_of(sights)
        bowls = lids.bowls() if lids is not None else None
        book.lids.believed = book.lids.believed or bowls is not None
        start = Situation(position, bowls or old.start.bowls, to_play)
        book.record = GameRecord.opened(old.rules, start, old.komi, handicap)
        book.left = NONE_LEFT
        self._begun_from_look = True
        book.find(book.ruling(Status.LEGAL, texts.begun(black + white, to_play) + texts.outlook(book.record), turn=0))

    # Presses, and the end of what there is to see

    def claim(self, turn: Turn) -> None:
        """A player passes, declares a draw or resigns by a press."""
        pending = self._pending
        if pending is not None and turn.player is pending.to_play:
            self._pending = None
            self._book.advance(pending)
        elif pending is not None:
            self._book.refuse(turn, Prohibition(Reason.NOT_YOUR_TURN), always=True, record=pending)
            return
        if turn.player is self._book.record.to_play or self._book.record.ended:
            self._book.judge(turn)
        else:
            self._claims.append(turn)

    def _judge_claims(self) -> None:
        """Presses that came out of turn, until a look showed what was played before them."""
        claims, self._claims = self._claims, []
        for turn in claims:
            self._book.judge(turn)

    def end(self) -> None:
        """There is nothing more to see."""
        self._judge_claims()
        if self._pending is not None and self._pending.turn is not None:
            turn, self._pending = self._pending.turn, None
            said = texts.not_ended(turn.player)
            self._book.find(self._book.ruling(Status.UNFINISHED, said, move=turn))


def _blamed(found: Explanation, lids: Lids) -> Fault:
    """What is wrong with the lids after these turns; of several turns a capture whose stones are missing is blamed."""
    after = found.records[-1].bowls
    faults = [
        after_placement(turn.player, taken(record), after, lids)
        for turn, record in zip(found.turns, found.records, strict=True)
    ]
    unfinished = [fault for fault in faults if fault is not None and fault.status is Status.UNFINISHED]
    alone = faults[0] if len(faults) == 1 else None
    return next(iter(unfinished), alone) or Fault(Status.UNEXPLAINED, texts.lids_wrong(lids.wrong(after)))
