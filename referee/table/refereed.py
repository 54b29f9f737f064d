"""A table where `done` closes a turn: it is judged on the first look taken after the press, and not before.

What is illegal or unfinished leaves the record as it is and the turn open; the player puts it right and presses again.
The clock changes over at the press, and goes back where the turn does not stand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee import texts
from referee.board import COLOURS, Colour, Mask, opponent_of
from referee.events import LidSight
from referee.legality import judge
from referee.record import GameRecord
from referee.rules.ing import adjourned
from referee.ruling import Prohibition, Reason, Status
from referee.settling import settle
from referee.table.agreeing import shown
from referee.table.book import Book, hidden_captures, taken, taken_off, without_last
from referee.table.inference import MOST_TRIED, Consensus, Explanation, Search, agreed
from referee.table.lids import Fault, Lids, after_placement, without_placement
from referee.table.look import NONE_LEFT, Look, all_of, differ
from referee.table.start import StartCheck
from referee.table.timing import Timing
from referee.table.ways import Seen, are_counted, delays_of, to_count, ways_on
from referee.turns import Delay, Draw, Exchange, Pass, Placement, Settlement, Turn


@dataclass(frozen=True)
class Claim:
    """A press that waits for a look.

    draw: a declared draw; else `done`. over: it was pressed while so many other players' turns were still open, who may
    have forgotten to close them.
    """

    player: Colour
    t: float
    draw: bool = False
    over: int = 0

    @property
    def turns(self) -> int:
        """How many turns it closes."""
        return 1 + self.over


class Refereed:
    """The judge of one refereed game.

    ready: before the first move, whether the table was last seen set up for it, be the first stone on it or not.
    """

    def __init__(self, book: Book, timing: Timing, start: StartCheck) -> None:
        self._book, self._timing, self._start = book, timing, start
        self._claims: list[Claim] = []
        self._judging: list[Claim] = []
        self._passing: Colour | None = None
        self._offer: Settlement | None = None
        self._took_itself: tuple[GameRecord, Placement] | None = None
        self._asked: tuple[GameRecord, float] | None = None
        self._seen_at = 0.0
        self.ready = False

    @property
    def waiting(self) -> tuple[Colour, ...]:
        """The players whose press waits for a look."""
        return tuple(claim.player for claim in self._claims)

    @property
    def draw_declared(self) -> bool:
        """Whether a draw that the player to move has declared waits for a look."""
        return any(claim.draw and claim.player is self._book.record.to_play for claim in self._claims)

    @property
    def passing(self) -> tuple[Colour, ...]:
        """The player who has called a pass that `done` has to close."""
        return () if self._passing is None or self._passing is not self._book.record.to_play else (self._passing,)

    @property
    def closed(self) -> tuple[Colour, ...]:
        """The players whose presses the newest turns were judged for."""
        return tuple(claim.player for claim in self._judging)

    # Presses

    def done(self, player: Colour, t: float) -> None:
        """`done`: the player's turn is over, or both agree on what the table shows. It counts for nothing while the
        clock stands."""
        waiting = [claim for claim in self._claims if not claim.draw]
        record, mover = self._book.record, self._book.record.to_play
        again = player is mover and not waiting and record.next_to_play is player
        if player not in record.playing:
            self._out_of_turn(player)
            return
        if not self._timing.pressed(player, t, player if again else None):
            return
        self._book.nothing_wrong()
        order = record.order
        closed = sum(claim.turns for claim in waiting)
        agrees = self._offer is not None and not waiting
        over = 0 if agrees else (order.index(player) - closed) % len(order)
        self._claims.append(Claim(player, t, over=over))

    def claim(self, turn: Turn, t: float) -> None:
        """`call`: a pass, which `done` then closes, or a declared draw."""
        if isinstance(turn, Draw):
            self._claims.append(Claim(turn.player, t, draw=True))
        elif isinstance(turn, Pass):
            self._passing = turn.player
        else:
            self._book.judge(turn)

    def end(self, t: float) -> None:
        """There is nothing more to see, or the game is over: a turn that no look shows stays open."""
        self._claims.clear()
        self._passing = self._offer = None
        self._timing.judged(0, False, t)

    # Looks

    def look(self, look: Look, sights: tuple[LidSight, ...], t: float) -> None:
        """Judge the turns that were closed before this look was taken."""
        book, self._seen_at = self._book, t
        lids = book.lids_of(sights)
        due = [claim for claim in self._claims if claim.t < t]
        missing = book.start_missing(sights, lids)
        unset = missing or self._start.not_begun(look, sights, lids)
        if not look.too_doubtful:
            self.ready = unset is None
            self._note_self_capture(look)
        missing = missing if due else unset
        if missing is not None:
            self._claims = self._claims[len(due) :]
            self._passing = None
            (book.say if due else book.find)(missing)
            self._settle(due, 0, t)
        elif due and look.too_doubtful:
            book.unexplained(texts.hidden(look.doubtful.bit_count()), look.doubtful)
        elif due and (between := look.unset(book.record.position)):
            self._claims = self._claims[len(due) :]
            book.say(book.between(between))
            self._settle(due, 0, t)
        elif due:
            self._claims, number = self._claims[len(due) :], book.record.number
            self._judge_all(due, look, lids)
            self._settle(due, book.record.number - number, t)

    def _note_self_capture(self, look: Look) -> None:
        """Remember a stone of the mover's that takes itself off alone: once it is lifted, the board does not show that
        it was placed."""
        record, changed = self._book.record, look.misfits(self._book.record.position)
        if changed.bit_count() != 1:
            return
        placement = Placement(record.to_play, changed.bit_length() - 1)
        after = judge(record, placement).after if look.likeliest.of(record.to_play) & changed else None
        if after is not None and after.position == record.position:
            self._took_itself = record, placement

    def unpressed(self, look: Look, lids: Lids | None) -> Turn | None:
        """The one legal turn that a look shows, as if it had been closed; nothing is ruled."""
        held = self._book.record.position
        if look.too_doubtful or not look.misfits(held) or look.unset(held):
            return None
        found = self._legal(1, look, lids)
        return found.explanation.turns[0] if found is not None else None

    def _settle(self, judged: list[Claim], accepted: int, t: float) -> None:
        """Tell the clock what became of these presses. Those that came after one that does not count are heard anew: by
        them their players went on while the turn before was open."""
        dones = [claim for claim in judged if not claim.draw]
        if not dones or self._claims[: len(dones)] == dones:
            return
        all_stand = accepted >= sum(claim.turns for claim in dones)
        if all_stand and (self._book.record.ended or adjourned(self._book.record)):
            # Nobody's time runs after the press that ends play, however long it takes to see that.
            self._timing.stand(True, dones[-1].t)
        self._timing.judged(accepted, all_stand, t)
        if not all_stand:
            later, self._claims = self._claims, []
            for claim in later:
                if claim.draw:
                    self._claims.append(claim)
                else:
                    self.done(claim.player, claim.t)

    def _judge_all(self, due: list[Claim], look: Look, lids: Lids | None) -> None:
        dones = [claim for claim in due if not claim.draw]
        accepted = True
        if dones:
            accepted = self._close(dones, look, lids)
        draws = [claim for claim in due if claim.draw]
        if draws and accepted and not self._book.record.ended:
            self._draw(draws[0].player, look, lids)

    def _draw(self, player: Colour, look: Look, lids: Lids | None) -> None:
        """Judge a declared draw; a turn that the other player made without pressing `done` counts before it."""
        if player is not self._book.record.to_play:
            found = self._legal(1, look, lids)
            if found is None:
                self._book.judge(Draw(player))
                return
            self._book.accept(found)
            self._book.remark(self._book.record.number, texts.forgotten(opponent_of(player)))
        record = self._book.record
        changed = look.misfits(record.position)
        if changed:
            self._book.unexplained(texts.unexplained(self._book.record, look.likeliest, changed), changed)
        elif lids is not None and not lids.fit(record.bowls):
            self._book.unexplained(texts.lids_wrong(lids.wrong(record.bowls)))
        else:
            self._book.judge(Draw(player))

    # Closed turns

    def _close(self, dones: list[Claim], look: Look, lids: Lids | None) -> bool:
        """Judge as many turns as were closed; whether all of them stand."""
        offered, first = self._offer is not None, dones[0]
        if self._agreed(dones, look, lids):
            return True
        if offered and first.player is not self._book.record.to_play:
            dones = [replace(first, over=1), *dones[1:]]
        self._judging = dones
        if self._waits_for_lids(dones, look, lids):
            return False
        forgotten = self._with_forgotten(dones, look, lids)
        count, start = sum(1 for claim in dones if not claim.over), self._book.record.number
        if forgotten is None and not count:
            self._out_of_turn(dones[0].player)
            return False
        found = forgotten or self._legal(count, look, lids)
        if found is None:
            self._find_fault(count, look, lids)
        elif captured := all_of(hidden_captures(found, look)):
            self._show_again(look, captured)
            return False
        elif forgotten is not None:
            self._accept_forgotten(forgotten, dones)
            return True
        else:
            self._book.accept(found)
        if not self._claims:
            self._passing = None
        return self._book.record.number == start + count

    def _waits_for_lids(self, dones: list[Claim], look: Look, lids: Lids | None) -> bool:
        """Whether one of the closed turns may have been a delay that no lid tells, though stones were placed: the
        presses wait until it can be counted."""
        record, count = self._book.record, sum(claim.turns for claim in dones)
        if not self._book.minds_lids or not look.misfits(record.position):
            return False
        ways = ways_on(record, NONE_LEFT, Seen(look, lids, record, (count + 1, MOST_TRIED))) or []
        closed = [_first(way, count) for way in ways if len(way.turns) >= count]
        told = len({way.turns for way in closed}) == 1 and are_counted(closed[0], record, lids)
        if told or not any(delays_of(way) for way in closed):
            return False
        points = look.misfits(record.position)
        said = texts.waits_for(record, points, to_count(closed, record, lids), in_view=lids is not None)
        self._book.find(self._book.ruling(Status.UNFINISHED, said, points=points))
        self._wait()
        return True

    def _with_forgotten(self, dones: list[Claim], look: Look, lids: Lids | None) -> Consensus | None:
        """Both turns, where a player went on before the other had pressed `done`, and the look shows them."""
        if not any(claim.over for claim in dones):
            return None
        return self._legal(sum(claim.turns for claim in dones), look, lids)

    def _accept_forgotten(self, found: Consensus, dones: list[Claim]) -> None:
        """Both turns stand, and who forgot to press is told."""
        number = self._book.record.number
        self._book.accept(found)
        for claim in dones:
            for skipped, player in enumerate(self._skipped(claim), 1):
                self._book.remark(number + skipped, texts.forgotten(player))
            number += claim.turns

    def _skipped(self, claim: Claim) -> tuple[Colour, ...]:
        """Whose turns were still open when this was pressed, in the order of play."""
        playing = self._book.record.playing
        at = playing.index(claim.player)
        return tuple(playing[at - back] for back in range(claim.over, 0, -1))

    def _out_of_turn(self, player: Colour) -> None:
        said = texts.done_out_of_turn(player, self._book.record.to_play)
        refusal = self._book.ruling(Status.ILLEGAL, said, reason=Reason.NOT_YOUR_TURN)
        self._book.say(replace(refusal, player=player))

    def _legal(self, count: int, look: Look, lids: Lids | None) -> Consensus | None:
        """The closed turns, when every explanation of the look begins with them and nothing is left to do."""
        search = Search(look, self._book.record, most=count + 1, most_added=0)
        if lids is not None:
            search = replace(search, fits=lids.allow, delays=lids.provable(self._book.record.bowls))
        found = agreed(search.explanations())
        if found is None or len(found.explanation.records) < count or any(found.orders[:count]):
            return None
        best = found.explanation
        cut = replace(best, turns=best.turns[:count], records=best.records[:count], refused=None)
        return None if best.left != NONE_LEFT else Consensus(cut, found.orders[:count])

    def _find_fault(self, count: int, look: Look, lids: Lids | None) -> None:
        """Say why the closed turns cannot all stand; those before the faulty one do."""
        found = agreed(Search(look, self._book.record, most=count, most_added=0).explanations())
        if found is None:
            self._not_explained(look, lids)
        elif found.rivals > 1 or any(found.orders):
            self._show_again(look, found.open or look.misfits(self._book.record.position))
        elif captured := all_of(hidden_captures(found, look)):
            self._show_again(look, captured)
        elif found.explanation.refused is not None:
            self._book.accept(found)
            self._book.refuse(found.explanation.turns[-1], found.explanation.refused, always=True)
        elif len(found.explanation.records) == count:
            self._faulty_placement(found, lids)
        elif hiding := self._may_hide(found, look):
            self._show_again(look, hiding)
        else:
            self._book.accept(found)
            self._nothing_placed(lids)

    def _may_hide(self, found: Consensus, look: Look) -> Mask:
        """Where a stone of the next turn may lie unseen, under a hand, or what lies there looks like something else: a
        press says that the turn was made, unless a pass was called."""
        record = found.explanation.records[-1] if found.explanation.records else self._book.record
        mover = record.to_play
        hidden = record.position.empty & look.doubtful & look.may[COLOURS.index(mover) + 1]
        return 0 if self._passing is mover else hidden | differ(record.position, look.likeliest)

    def _show_again(self, look: Look, points: Mask) -> None:
        """These points have to be seen better."""
        self._book.unexplained(texts.unclear(look.board, points), points)
        self._wait()

    def _wait(self) -> None:
        """The presses that are being judged wait for the next look."""
        self._claims = [*self._judging, *self._claims]

    def _not_explained(self, look: Look, lids: Lids | None) -> None:
        """No turn led to what is seen; perhaps a hand lies over it, or both players agree on it."""
        record, changed = self._book.record, look.misfits(self._book.record.position)
        if changed and not changed & ~look.board.beside(look.doubtful):
            self._show_again(look, changed | look.doubtful)
            return
        self._offer = shown(record, look, lids)
        if self._offer is None:
            self._book.unexplained(texts.unexplained(record, look.likeliest, changed), changed)
        else:
            said = texts.removal_offered(record, changed)
            self._book.say(self._book.ruling(Status.UNFINISHED, said, points=changed))

    def _faulty_placement(self, found: Consensus, lids: Lids | None) -> None:
        best = found.explanation
        after, turn, left = best.records[-1], best.turns[-1], best.left
        before = without_last(found)
        self._book.accept(replace(before, explanation=replace(before.explanation, left=NONE_LEFT)))
        fault = after_placement(turn.player, taken(after), after.bowls, lids) if lids is not None else None
        points = all_of(left)
        if points and (fault is None or fault.status is Status.UNFINISHED):
            said = texts.lift(after, points)
            self._book.say(
                self._book.ruling(Status.UNFINISHED, said, move=turn, captured=taken_off(after), points=points)
            )
        elif fault is not None:
            self._find(fault, turn)

    def _nothing_placed(self, lids: Lids | None) -> None:
        """`done` was pressed and the board is as it was: a delay, a pass, or nothing."""
        record = self._book.record
        mover = record.to_play
        if record.rules.delays is None or self._passing is mover:
            self._pass_or_nothing(mover)
            return
        if lids is None:
            self._find(Fault(Status.UNFINISHED, texts.lids_hidden()), Delay(mover))
            return
        delay = judge(record, Delay(mover)).after
        fault = without_placement(mover, record.bowls, delay.bowls if delay else None, lids)
        if fault is not None and fault.exchange:
            fault = self._exchange_offered(fault)
        if fault is None and mover not in lids.provable(record.bowls) and delay is not None:
            fault = Fault(Status.UNFINISHED, texts.spread(mover))
        if self._ultimately(mover, fault):
            return
        if fault is not None:
            self._find(fault, Delay(mover))
        else:
            self._pass_or_nothing(mover)

    def _ultimately(self, mover: Colour, fault: Fault | None) -> bool:
        """The ultimate prisoner beside the bowl may have gone back (original rules 6 and 8), which no camera can tell:
        the player is asked, and says so by `done` once more. Whether that is all there is to say."""
        record, delay = self._book.record, Delay(mover, ultimate=True)
        unseen = fault is None or fault.message == texts.spread(mover)
        if not unseen or judge(record, delay).after is None:
            return False
        asked = self._asked is not None and self._asked[0] is record and self._judging[0].t > self._asked[1]
        if asked:
            self._book.judge(delay)
        else:
            self._asked = record, self._seen_at
            said = texts.which_went_back(mover, fault is not None)
            self._book.say(self._book.ruling(Status.UNFINISHED, said, move=delay))
        return True

    def _pass_or_nothing(self, mover: Colour) -> None:
        record, placement = self._took_itself or (None, None)
        if self._passing is mover:
            self._book.judge(Pass(mover))
        elif placement is not None and record is self._book.record:
            self._book.judge(placement)
        else:
            self._book.refuse(Pass(mover), Prohibition(Reason.PASS_NOT_AVAILABLE), always=True)

    def _find(self, fault: Fault, turn: Turn) -> None:
        move = None if fault.status is Status.UNEXPLAINED or fault.exchange else turn
        self._book.say(self._book.ruling(fault.status, fault.message, move=move, reason=fault.reason))

    # What both players agree on

    def _exchange_offered(self, fault: Fault) -> Fault:
        """Both lids lost as many; or why that cannot be agreed on."""
        settlement = Exchange(fault.exchange)
        verdict = settle(self._book.record, settlement)
        if verdict.after is None:
            return Fault(Status.UNEXPLAINED, texts.settling(self._book.record, settlement, verdict))
        self._offer = settlement
        return fault

    def _agreed(self, dones: list[Claim], look: Look, lids: Lids | None) -> bool:
        """The table shows what the players may agree on, and both have pressed `done`: at once, or the second of them
        after it was said."""
        record, offer = self._book.record, self._offer
        self._offer = None
        seen = shown(record, look, lids)
        second = offer is not None and seen == offer and dones[0].player is not record.to_play
        both = second or len({claim.player for claim in dones}) == 2
        if seen is None or not both or self._legal(len(dones), look, lids):
            return False
        self._book.settle(seen)
        return True


def _first(way: Explanation, count: int) -> Explanation:
    return replace(way, turns=way.turns[:count], records=way.records[:count])
