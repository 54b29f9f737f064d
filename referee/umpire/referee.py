"""The referee of one game: a state machine without I/O. Events in, outcomes out, time passed in.

    Observation ---> BoardLikelihoods ---> which legal turns lead from the record to them?    ---> Ruling
    Pressed     ---> a turn is closed, or a pass, a draw or the end is claimed                ---> Ruling, Answer
    Word        ---> the players agree on a count, or that the game is void                   ---> Ruling or Reply
    Step        ---> acts of players and director about time and the result                   ---> Answer

A recorded game (`watch`, casual play) is followed look by look, see `casual_mode`. At a refereed table a player's
`done` closes the turn, which is judged on the first look taken after the press, see `button_mode`. The meaning of each
press is in `buttons`, the clocks are in `timing`, the agreement on the end is in `end_of_game`. The theory of the whole
table, of which this is the middle layer, is at the head of device/match/match.py.

An event is first handled by the part that it concerns, and then `_follow` brings all parts to the same state, in an
order that matters: results that came of time go into the record, a finished game of more than two is counted, the clock
follows the record, and what that decided goes into the record again; only then does the count begin anew, or the clock
stop for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from referee.game.actor import Actor
from referee.game.board import Colour, Mask, Position, points_of
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Listing, Message, message
from referee.game.observation import Observation, PointSight
from referee.game.record import GameRecord
from referee.game.ruling import Prohibition, Reason, Ruling, Status
from referee.game.seating import black_side_of, player_at, side_of
from referee.game.turns import Draw, Pass, Placement, Resign, SetUp, Turn
from referee.rules.ing import is_adjourned
from referee.rules.legality import judge
from referee.time.clock import Adjourned
from referee.time.clock_events import ClockEvent
from referee.time.controls import TimeControl
from referee.time.records import Times
from referee.time.steps import Act, Step
from referee.umpire.button_mode import ButtonMode
from referee.umpire.buttons import Meaning, PressSituation, meaning_of
from referee.umpire.casual_mode import CasualMode
from referee.umpire.end_of_game import EndOfGame
from referee.umpire.events import (
    BoxProposal,
    Button,
    ChangeKomi,
    EnterAgreement,
    EnterTurn,
    Event,
    Pause,
    Pressed,
    Remark,
    Restarted,
    Resume,
    SourceEnded,
    TakeBack,
    WaiveReminder,
)
from referee.umpire.history import GameHistory, HistoryCache
from referee.umpire.ledger import GameLedger, apply_decision, change_komi
from referee.umpire.missing_prisoners import (
    MissingPrisonerPenalty,
    MissingPrisoners,
    Prisoners,
    missing_message,
    stored_reminder,
)
from referee.umpire.outcome import Outcome, outcome_of
from referee.umpire.ruling_messages import lost_on_time, why_refused
from referee.umpire.snapshot import Said, Snapshot
from referee.umpire.start import StartCheck
from referee.umpire.table_position import find_set_up
from referee.umpire.timing import Timing


@dataclass(frozen=True)
class TableConfig:
    """The configuration of a table.

    refereed: `done` presses close turns; otherwise a steady look does
    black_side: 1 or 2, if known; under rules with stones in the lids these identify it themselves
    to_play_said: a person named the record's player to move, which holds for a game first seen in its middle
    control: the time control; None: no clocks
    procedures: tournament procedures apply, see `referee.time`
    amendments: the players have agreed on the amendments of the expedited count
    deep: the game was filmed before, so there is time for a deep search
    waits_for_lids: no turn is written while an undetected delay may have come before it
    prisoners: the consequence if captured stones are not in the lid; None: not checked
    taken_up: the clocks of an adjourned game that is resumed here, see `start`
    """

    refereed: bool = False
    black_side: int | None = None
    to_play_said: bool = False
    control: TimeControl | None = None
    procedures: bool = True
    amendments: bool = False
    deep: bool = False
    waits_for_lids: bool = True
    prisoners: MissingPrisonerPenalty | None = None
    taken_up: Adjourned | None = None


CONFIRM_WITHIN = 10.0
"""The time in seconds after holding `call` within which `done` confirms a resignation."""


@dataclass(frozen=True)
class ResignRequest:
    """A player's held CALL, which DONE confirms.

    t: when it was held, in seconds
    play_over: passes had ended play, so that either player might resign
    """

    t: float
    play_over: bool


class Referee:
    """The referee of one game. It takes events in order of time and returns the outcome of each.

    answers: the replies so far to the players' statements and to acts about time
    """

    def __init__(self, record: GameRecord, config: TableConfig | None = None) -> None:
        config = config or TableConfig()
        self._book = GameLedger(record, config.black_side, config.waits_for_lids)
        self._timing = Timing(record, config.control, config.procedures, config.taken_up)
        self._start = StartCheck(self._book, config.taken_up is not None)
        self._prisoners = Prisoners(config.prisoners)
        self._closing = EndOfGame(self._book, self._timing, config.amendments, self._prisoners)
        self._refereed = ButtonMode(self._book, self._timing, self._start, self._closing) if config.refereed else None
        self._recording = CasualMode(self._book, config.to_play_said, config.deep)
        self._undecided: GameRecord | None = None
        self._result: str | None = None
        self._komi: float | None = None
        self._rulings: tuple[Ruling, ...] = ()
        self._histories = HistoryCache()
        self._played: tuple[tuple[GameRecord, ...], tuple[Turn, ...]] = (), ()
        self.answers: tuple[Said, ...] = ()
        self._resigning: dict[int, ResignRequest] = {}
        self._perhaps_white: int | None = None
        self._lay_there: Mask | None = None
        self._look: tuple[tuple[PointSight, ...], BoardLikelihoods] | None = None

    @property
    def record(self) -> GameRecord:
        """Return the game as accepted so far."""
        return self._book.record

    @property
    def snapshot(self) -> Snapshot:
        """Return everything displayable, as one immutable value."""
        record = self.record
        return Snapshot(
            rules=record.rules.name,
            position=record.position,
            bowls=record.bowls,
            to_play=record.to_play,
            turn=record.number,
            turns=self._turns(),
            black_side=self._book.lids.black_side,
            ended=record.ended,
            result=record.result,
            past=GameHistory(record, self._rulings, self._timing.times, self._histories),
            rulings=self._rulings,
            answers=self.answers,
            counting=self._closing.counting,
            clocks=self._timing.clocks,
            verified=self._timing.players_verified,
            komi=record.komi,
            handicap=record.handicap,
            reminded=self._prisoners.players_reminded,
            rules_named=record.rules.named,
            penalties=self._closing.penalties(),
            handicap_due=record.rules.handicap.stones_to_place(record) if record.handicap and not record.ended else 0,
        )

    def _turns(self) -> tuple[Turn, ...]:
        """Return the accepted turns, those that were known before as they were."""
        known, turns = self._played
        records, same = self.record.records(known)
        new = (held.turn for held in records[same:] if held.turn is not None)
        self._played = records, (*turns[: max(same - 1, 0)], *new)
        return self._played[1]

    @property
    def record_with_fines(self) -> GameRecord:
        """Return the game as accepted so far, with the players' fines."""
        return self.record.fine(self._closing.penalties())

    @property
    def players_verified(self) -> tuple[Colour, ...]:
        """Return the players who have verified the result."""
        return self._timing.players_verified

    @property
    def is_doubted(self) -> bool:
        """Return True if a doubt about the clock, which the director settles first, may still undo the result."""
        return self._timing.is_doubted

    @property
    def clock_runs(self) -> bool:
        """Return True if a player's time runs."""
        return self._timing.runs

    @property
    def filling_progress(self) -> Message | None:
        """Return the progress of a fill-in, as a sentence; None if none was begun."""
        return self._closing.filling_progress

    @property
    def times(self) -> Times | None:
        """Return the times of the turns, for the game record; None without clocks."""
        return self._timing.times

    def next_moment(self, t: float) -> ClockEvent | None:
        """Return the first automatic clock event after t; a `due` step then reports its consequence."""
        return self._timing.next_moment(t)

    @property
    def waiting(self) -> tuple[Colour, ...]:
        """Return the players whose press waits for a look at the table."""
        return self._refereed.waiting if self._refereed is not None else ()

    @property
    def passing(self) -> tuple[Colour, ...]:
        """Return the player who has called a pass and still has to press `done`."""
        return self._refereed.passing if self._refereed is not None else ()

    @property
    def ruled_until(self) -> float:
        """Return when the newest closed turn was closed that is in the record, in seconds."""
        return self._refereed.ruled_until if self._refereed is not None else float("-inf")

    def take_press_after_end(self) -> Pressed | None:
        """Return, once, the first `done` that came after the passes that end play, before anybody had looked."""
        act = self._refereed.take_press_after_end() if self._refereed is not None else None
        black_side = self._book.lids.black_side
        if act is None or black_side is None:
            return None
        return Pressed(act.t, side_of(act.player, black_side, self.record.players), Button.DONE)

    @property
    def checking(self) -> bool:
        """Return True if a resumed game has not yet been seen as it was left."""
        return self._start.open and not self.record.ended

    @property
    def ready(self) -> bool:
        """Return True if nothing is known to be missing for the first move; only refereed tables have a start check."""
        return self._refereed is None or self._refereed.ready or bool(self.record.number)

    @property
    def unfinished_rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings on recorded turns that are not complete."""
        return self._book.unfinished_rulings

    def resigning(self, t: float) -> tuple[Colour, ...]:
        """Return the players who held `call` and may still confirm by `done`."""
        black_side = self._book.lids.black_side
        if self.record.result is not None or black_side is None:
            return ()
        held = (side for side, request in self._resigning.items() if t - request.t <= CONFIRM_WITHIN)
        return tuple(player_at(side, black_side, self.record.players) for side in held)

    def find_unpressed(self, seen: Observation) -> Turn | None:
        """Return a legal turn of the player to move that lies on the refereed table before anybody has pressed."""
        record = self.record
        if self._refereed is None or self.checking or self.waiting or record.ended:
            return None
        if len(seen.points) != record.position.board.points:
            return None
        lids = self._book.lids.peek(seen.lids) if record.rules.delays is not None else None
        return self._refereed.find_unpressed(self._weigh(seen), lids)

    def position_in(self, seen: Observation) -> Position | None:
        """Return the board in a look, doubtful points as in the record; None if it shows too little."""
        held = self.record.position
        if len(seen.points) != held.board.points:
            return None
        look = self._weigh(seen)
        if look.too_doubtful:
            return None
        pairs = zip(look.likeliest.stones, held.stones, strict=False)
        return Position(held.board, tuple(now & ~look.doubtful | was & look.doubtful for now, was in pairs))

    def find_set_up(self, seen: Observation) -> SetUp | Message:
        """Return the stones in a look, as the director may let the game go on from them, or why they may not."""
        record = self.record
        if self.checking:
            return message("lying.checking")
        if len(seen.points) != record.position.board.points:
            return message("lying.unseen")
        found = find_set_up(record, self._weigh(seen), self._book.lids.peek(seen.lids))
        is_turn = isinstance(found, SetUp) and self.find_unpressed(seen) is not None
        return message("lying.one-turn") if is_turn else found

    def needs_look(self, t: float) -> bool:
        """Return True if a recording needs another look to go on after a gap, though it shows nothing new."""
        return self._refereed is None and not self.record.ended and self._recording.gaps.needs_look(t)

    @property
    def lost_since(self) -> str | None:
        """Return since when no turns explain what a recording sees: a time, or a picture's name; None if they do."""
        return self._recording.gaps.lost_since

    def agrees(self, seen: Observation) -> bool:
        """Return True if a look shows the table exactly as the record has it, visible lids included."""
        record = self.record
        if self.checking or len(seen.points) != record.position.board.points:
            return False
        look = self._weigh(seen)
        if look.too_doubtful:
            return False
        lids = self._book.lids.peek(seen.lids) if record.rules.delays is not None else None
        set_down = look.likeliest == record.position and not look.unset(record.position)
        return set_down and (lids is None or lids.fit(record.bowls))

    def receive(self, event: Event, meaning: Meaning | None = None) -> Outcome:
        """Take one event and return its outcome.

        meaning: of a press at a table that knows more of its situation than the referee; None: the referee finds it
        """
        before, author = self.record, _find_author(event)
        match event:
            case Observation():
                self._observe(event)
            case Pressed():
                self._press(event, meaning)
            case SourceEnded():
                self._end(event.t)
            case Step():
                self._step(event)
            case Restarted():
                self._timing.restart(event.t)
            case TakeBack() | EnterTurn() | EnterAgreement():
                self._decide(event)
            case ChangeKomi():
                self._change_komi(event)
            case WaiveReminder():
                self._waive(event)
            case Remark():
                self._closing.remark(event)
            case BoxProposal():
                self._closing.consider(event)
            case Resume(author=Actor.DIRECTOR):
                self._start.let_pass()
            case Pause() | Resume():
                pass  # The table itself handles pauses that no clock counts.
            case _:
                self._closing.handle(event, bool(self.waiting))
        self._keep_komi()
        self._follow(before, event.t, author or Actor.BOX)
        image = event.name if isinstance(event, Observation) else None
        self._book.stamp(event.t, image)
        outcome = outcome_of(event, self._book.take(), (*self._timing.take(), *self._closing.take()))
        self._rulings += outcome.rulings
        self.answers += outcome.public
        return outcome

    def _end(self, t: float) -> None:
        if self._refereed is not None:
            self._refereed.end(t)
        else:
            self._recording.end()

    def _follow(self, before: GameRecord, t: float, author: Actor) -> None:
        """Bring clock, result and agreement to the record's state, and the record to a result that came of time.

        author: who changed the record, if no player's press did
        """
        if self._refereed is None:
            self._time_turns(before, t, author)
        self._take_over(t)
        self._closing.count_alone(t)
        self._timing.follow(self.record, t, author)
        self._timing.wait_for_draw(self._refereed is not None and self._refereed.is_draw_declared, t)
        self._take_over(t)
        if self.record.ended and self._refereed is not None and self.waiting:
            self._refereed.end(t)
        self._closing.follow()
        self._timing.stand(self._closing.stands, t)

    def _take_over(self, t: float) -> None:
        """Adopt the clock's decisions since the last time."""
        if self._timing.result != self._result:
            self._result = self._timing.result
            self._take_result(t)
        self._take_out()

    def _take_out(self) -> None:
        """Take players who lost on time out of a game that others play on, as if they had resigned."""
        while not self.record.ended and (player := self.record.to_play) in self._timing.out:
            after = judge(self.record, Resign(player)).after
            assert after is not None, "at their own turn anybody may resign"
            self._book.record = after.decide(f"{str(after.result)[0]}+T") if after.ended else after
            said = lost_on_time(player)
            self._book.say(self._book.ruling(Status.LEGAL, said, turn=after.number, move=after.turn))
            if self._refereed is not None:
                self._refereed.forget_who_left()

    def _take_result(self, t: float) -> None:
        """Adopt a result that came of time, was reported otherwise, or is undone."""
        result = self._result
        if result is None and self._undecided is not None:
            self._book.record, self._undecided = self._undecided, None
        elif result is not None and result != self.record.result:
            self._undecided = self._undecided or self.record
            self._book.record = self.record.decide(result)
            self._end(t)

    def _time_turns(self, before: GameRecord, t: float, author: Actor) -> None:
        """Time the new turns at the look that shows them, because no press closes them."""
        new = takewhile(lambda record: record.number > before.number, self.record.back())
        for record in reversed(list(new)):
            if record.before is not None and record.rules.handicap.stones_to_place(record.before) > 1:
                continue  # No clock runs while handicap stones are laid; White's begins at the last.
            if record.turn is not None and not isinstance(record.turn, Draw | Resign):
                self._timing.end_turn(record.turn.player, record.to_play, t, author)

    # Looks

    def _weigh(self, seen: Observation) -> BoardLikelihoods:
        """Return the look, computed once for all that differ only in their time."""
        if self._look is None or self._look[0] is not seen.points or self._look[1].between != seen.between:
            board, players = self.record.position.board, self.record.players
            self._look = seen.points, BoardLikelihoods.of(board, seen.points, seen.between, players)
        return self._look[1]

    def _observe(self, seen: Observation) -> None:
        if len(seen.points) != self.record.position.board.points:
            return
        look = self._weigh(seen)
        if self.checking:
            self._start.take_up(look, seen.lids)
        elif self._closing.fills:
            self._closing.watch(look, seen.t)
        elif self.record.ended:
            self._after_the_end(look)
        elif self._closing.waits_for is not None and not self.waiting:
            return
        elif self._refereed is not None:
            self._judge_look(self._refereed, look, seen)
        else:
            self._recording.look(look, seen.lids, seen.t, seen.name)

    def _judge_look(self, refereed: ButtonMode, look: BoardLikelihoods, seen: Observation) -> None:
        """Rule on the turns closed before it; then remind of captured stones that are not in their lid."""
        before, perhaps_white = self.record, self._perhaps_white
        if perhaps_white is not None and not look.too_doubtful:
            self._perhaps_white = None
            if look.likeliest.of(Colour.WHITE):
                self._reseat(black_side_of(perhaps_white, Colour.WHITE, before.players))
        refereed.look(look, seen.lids, seen.t)
        self._lay_there = None
        settled = not look.too_doubtful and not look.misfits(self.record.position)
        lids = seen.lids, self._book.lids.black_side
        for missed in self._prisoners.look((before, self.record), refereed.closed, lids, settled):
            self._remind(missed, seen.t)

    def _remind(self, missed: MissingPrisoners, t: float) -> None:
        """Remind by lamp alone, unless the game is lost by it."""
        follows, record = self._prisoners.follows, self.record
        assert follows is not None
        if follows is MissingPrisonerPenalty.LOSS and record.result is None:
            self._book.say(self._book.ruling(Status.LEGAL, missing_message(missed, follows), turn=record.number))
            self._timing.report(missed.loses, Actor.BOX, t)
        elif follows is not MissingPrisonerPenalty.LOSS:
            self._closing.remind(stored_reminder(missed, follows, t))

    def _after_the_end(self, look: BoardLikelihoods) -> None:
        """Refuse a stone placed after the end, once.

        Clearing the board is no turn. A stone that lies there at the first look may have been placed before the end.
        """
        position, changed = self.record.position, look.misfits(self.record.position)
        if self._lay_there is None and not look.too_doubtful:
            self._lay_there = changed
        changed &= ~(self._lay_there or 0)
        if look.too_doubtful or changed.bit_count() != 1 or any(r.reason is Reason.GAME_OVER for r in self._rulings):
            return
        point = next(points_of(changed))
        colour = look.likeliest.colour_at(point)
        if position.empty >> point & 1 and colour is not None:
            self._book.refuse(Placement(colour, point), Prohibition(Reason.GAME_OVER))

    # Presses

    def _press(self, press: Pressed, meaning: Meaning | None) -> None:
        if not 1 <= press.side <= self.record.players:
            return
        meaning = meaning or meaning_of(press, self.situation(press.side, press.t))
        if meaning is Meaning.HANDICAP and self._refereed is not None:
            self._refereed.agree_handicap(press.t)
            return
        player = self._presser(press, meaning is Meaning.CLAIM_BLACK)
        request = self._resigning.pop(press.side, None)
        match meaning:
            case Meaning.CONFIRM:
                if request is not None and request.play_over and not self.record.ended:
                    # Asked when either might resign; the other side has let play go on since.
                    self._timing.handle(Step(press.t, Act.RESIGN, player))
                else:
                    self._claim(Resign(player), press.t)
            case Meaning.RESIGN:
                self._resigning[press.side] = ResignRequest(press.t, self.record.ended and self.record.players == 2)
            case Meaning.LEFT | Meaning.ANSWER_FIRST:
                self._closing.refuse(press.t, self._why_vain(meaning, player), player)
            case Meaning.CLAIM_WIN:
                self._timing.handle(Step(press.t, Act.CLAIM, player))
            case Meaning.OVER:
                self._book.refuse(self._turn_called(player), Prohibition(Reason.GAME_OVER))
            case Meaning.PASS:
                self._claim(self._turn_called(player), press.t)
            case Meaning.CLOSE | Meaning.START | Meaning.READY | Meaning.AGREE | Meaning.SCORE:
                if press.button is Button.DONE:
                    self._handle_done(player, press.t)

    def situation(self, side: int, t: float) -> PressSituation:
        """Return the facts about a side that a press there depends on."""
        record, lids, clocks = self.record, self._book.lids, self._timing.clocks
        seated = lids.black_side is not None
        player = player_at(side, lids.black_side, record.players) if lids.black_side is not None else record.to_play
        waits_for = self._closing.waits_for
        begun = record.number and not self.checking
        return PressSituation(
            confirming=seated and player in self.resigning(t),
            result=record.result is not None,
            putting_back=self.checking,
            asked=waits_for is player,
            proposed=waits_for is not None and waits_for is not player,
            over=record.ended,
            restored=clocks is not None and clocks.restored,
            out=player not in record.playing,
            claimable=self._timing.may_claim(player),
            opening=record.number == 0,
            handicap_asked=self._refereed is not None and bool(self._refereed.handicap.asked),
            seats_open=not begun and not record.ended and not self._is_closed and not lids.show_seats(record.bowls),
            may_resign=self._may_resign(player) and not set(self.resigning(t)) - {player},
        )

    @property
    def _is_closed(self) -> bool:
        """Return True while a turn that was closed waits for a look."""
        return self._refereed is not None and bool(self._refereed.waiting)

    @property
    def _played_out(self) -> bool:
        """Return True once passes have ended or adjourned play."""
        return self.record.ended or is_adjourned(self.record)

    def _may_resign(self, player: Colour) -> bool:
        return self._played_out or self._refereed is None or self._refereed.may_resign(player)

    def _turn_called(self, player: Colour) -> Turn:
        """Return the turn that `call` means."""
        return Draw(player) if self.record.rules.draws is not None else Pass(player)

    def _why_vain(self, meaning: Meaning, player: Colour) -> Message:
        """Return the reason why a press has no effect."""
        to_play = self.record.to_play
        if meaning is Meaning.LEFT:
            return message("press.left", player=player, to_play=to_play)
        return message("count.answer-first", player=self._closing.waits_for or to_play)

    def _handle_done(self, player: Colour, t: float) -> None:
        record = self.record
        if record.result is not None:
            self._timing.handle(Step(t, Act.VERIFY, player))
        elif record.ended:
            self._closing.refuse(t, message("count.play-ended"), player)
        elif self._closing.waits_for is not None:
            self._closing.refuse(t, self._why_vain(Meaning.ANSWER_FIRST, player), player)
        elif (self._lays_handicap or not self._timing.woken(player, t)) and self._refereed is not None:
            self._refereed.handle_done(player, t)

    @property
    def _lays_handicap(self) -> bool:
        """Return True while handicap stones are due, or may be: `done` starts no clock then."""
        clocks = self._timing.clocks
        due = self._refereed is not None and (self._refereed.handicap.due or self._perhaps_white is not None)
        return bool(due) and not (clocks is not None and clocks.restored)

    def _claim(self, turn: Turn, t: float) -> None:
        if self._played_out and self.record.result is None and isinstance(turn, Resign):
            # It replaces the count, and is no longer a turn.
            self._timing.handle(Step(t, Act.RESIGN, turn.player))
        elif self.record.ended:
            self._book.refuse(turn, Prohibition(Reason.GAME_OVER))
        elif self._closing.waits_for is not None and not isinstance(turn, Resign):
            self._closing.refuse(t, self._why_vain(Meaning.ANSWER_FIRST, turn.player), turn.player)
        elif self._refereed is not None and not self._is_vain_pass(turn, t):
            self._refereed.claim(turn, t)
        elif self._refereed is None:
            self._recording.claim(turn)

    def _is_vain_pass(self, turn: Turn, t: float) -> bool:
        """Return True if there is no pass that `done` could close.

        A pass called too early, or while a press waits, counts in its turn, and is answered.
        """
        if not isinstance(turn, Pass):
            return False
        prohibition = judge(self.record, turn).prohibition
        is_early = prohibition is not None and prohibition.reason is Reason.NOT_YOUR_TURN
        if is_early and not self.waiting:
            said = message("call.early", player=turn.player, to_play=self.record.to_play)
            self._closing.tell(t, said, turn.player)
        if is_early or prohibition is None:
            return False
        self._closing.refuse(t, why_refused(self.record, turn, prohibition), turn.player)
        return True

    # Acts about time and the result

    def _step(self, step: Step) -> None:
        """Handle a step; here `done` closes turns, which are ruled on, and a resignation is a turn."""
        if step.act is Act.RESIGN and step.by is not None and step.author is Actor.DIRECTOR:
            self._resign(step, step.by)
        elif step.act in (Act.PRESS, Act.RESIGN) and step.by is not None:
            if step.act is Act.RESIGN:
                self._claim(Resign(step.by), step.t)
            else:
                self._handle_done(step.by, step.t)
        elif step.act in (Act.ACCEPT, Act.HAND_BACK):
            self._closing.refuse(step.t, message("clock.referee-rules"), step.by, step.author)
        else:
            if step.act is Act.RESUME and step.author is Actor.DIRECTOR:
                self._start.let_pass()
            self._timing.handle(step)

    def _resign(self, step: Step, player: Colour) -> None:
        """Enter a player's resignation for the director, as if made at the table."""
        if self.record.ended:
            self._timing.handle(step)
        else:
            self._decide(EnterTurn(step.t, Resign(player), author=step.author))

    # The director's decisions

    def _decide(self, decision: TakeBack | EnterTurn | EnterAgreement) -> None:
        """Apply a director's decision, which also overrules all that waited for a look or was unfinished."""
        found = apply_decision(self.record, decision)
        if isinstance(found, Message):
            self._closing.refuse(decision.t, found, author=decision.author)
            return
        if self._refereed is not None:
            if dropped := self._refereed.acting:
                said = message("press.overruled", players=Listing(dropped))
                self._closing.remark(Remark(decision.t, said, Actor.BOX))
            self._refereed.end(decision.t)
        self._recording.forget()
        if isinstance(decision, TakeBack):
            self._timing.take_back(decision.turns, decision.t)
        self._timing.bring_back({*self.record.situation.resigned} - {*found.record.situation.resigned})
        kept = found.record.number - isinstance(decision, EnterTurn)
        self._prisoners.drop_after(kept)
        before = self.record
        self._book.overrule(found)
        if self._refereed is not None:  # Without buttons the record follows the board.
            self._refereed.handicap.take_back(before)

    def _change_komi(self, change: ChangeKomi) -> None:
        """Change the komi; the remark on it tells the players."""
        found = change_komi(self.record, change.komi)
        if isinstance(found, Message):
            self._closing.refuse(change.t, found, author=change.author)
        else:
            self._komi, self._book.record = change.komi, found

    def _keep_komi(self) -> None:
        """Give a record that was taken from before the change the komi of now: it is no turn that could be undone."""
        if self._komi is not None:
            self._book.record = self.record.with_komi(self._komi)

    def _waive(self, waive: WaiveReminder) -> None:
        """Waive the newest reminder; a game that was lost by it goes on."""
        missed, result = self._prisoners.newest, self.record.result
        if missed is None:
            self._closing.refuse(waive.t, message("prisoners.none-to-waive"), author=waive.author)
            return
        lost = self._prisoners.follows is MissingPrisonerPenalty.LOSS and result == missed.loses
        if lost and not self._timing.undo_result(missed.loses, waive.t):
            self._closing.refuse(waive.t, message("prisoners.verified", result=str(result)), author=waive.author)
            return
        self._prisoners.waive()
        key = "prisoners.goes-on" if lost else "prisoners.waived"
        self._closing.remark(Remark(waive.t, message(key, player=missed.player, turn=missed.turn), waive.author))

    # Seating

    def _presser(self, press: Pressed, claims_black: bool) -> Colour:
        """Return the player who pressed. If the seating is unknown, the first to press is the player to move."""
        lids, players = self._book.lids, self.record.players
        if self._perhaps_white != press.side:
            self._perhaps_white = None
        if claims_black:
            self._reseat(press.side)
            self._perhaps_white = None
        elif lids.black_side is None:
            lids.black_side = black_side_of(press.side, self._likeliest_presser, players)
            if self._refereed is not None and self._refereed.handicap.is_blacks_press:
                self._perhaps_white = press.side
        assert lids.black_side is not None
        return player_at(press.side, lids.black_side, players)

    @property
    def _likeliest_presser(self) -> Colour:
        """Return the player to move; Black also after the handicap stones, which their press may close.

        White may have played and pressed at once: the next look shows that by the stone.
        """
        is_blacks = self._refereed is not None and self._refereed.handicap.is_blacks_press
        return Colour.BLACK if is_blacks else self.record.to_play

    def _reseat(self, black_side: int) -> None:
        """Seat Black at this side: earlier presses belong to their side's player."""
        before, self._book.lids.black_side = self._book.lids.black_side, black_side
        if before is not None and before != black_side and self._refereed is not None:
            was, players = before, self.record.players
            self._refereed.reseat(lambda player: player_at(side_of(player, was, players), black_side, players))


def _find_author(event: Event) -> Actor | None:
    """Return the event's author, if the event has one."""
    return None if isinstance(event, Observation | Pressed | SourceEnded | Restarted) else event.author
