"""The referee of one game: a state machine without I/O. Events in, outcomes out, time passed in.

    Observation ---> BoardLikelihoods ---> which legal turns lead from the record to them?    ---> Ruling
    Pressed     ---> a turn is closed, or a pass, a draw or the end is claimed                ---> Ruling, Answer
    Word        ---> the players agree on a count, or that the game is void                   ---> Ruling or Reply
    Step        ---> acts of players and director about time and the result                   ---> Answer

A recorded game (`watch`, casual play) is followed look by look, see `casual_mode`. At a refereed table a player's
`done` closes the turn, which is judged on the first look taken after the press, see `button_mode`. The meaning of each
press is in `buttons`, the clocks are in `timing`, the agreement on the end is in `end_of_game`. The theory of the whole
table, of which this is the middle layer, is at the head of referee/table/match.py.

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
from referee.inference.missing_prisoners import (
    MissingPrisonerPenalty,
    MissingPrisoners,
    Prisoners,
    missing_message,
    stored_reminder,
)
from referee.rules.ing import is_adjourned
from referee.rules.legality import judge
from referee.rules.ruling_messages import lost_on_time, why_refused
from referee.table.button_mode import ButtonMode
from referee.table.buttons import Meaning, PressSituation, meaning_of
from referee.table.casual_mode import CasualMode
from referee.table.end_of_game import EndOfGame
from referee.table.events import (
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
from referee.table.history import GameHistory, HistoryCache
from referee.table.ledger import GameLedger, apply_decision, change_komi
from referee.table.outcome import Outcome, outcome_of
from referee.table.snapshot import Said, Snapshot
from referee.table.start import StartCheck
from referee.table.table_position import find_set_up
from referee.table.timing import Timing
from referee.time.clock import Adjourned
from referee.time.clock_events import ClockEvent
from referee.time.controls import TimeControl
from referee.time.records import Times
from referee.time.steps import Act, Step


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
        self._ledger = GameLedger(record, config.black_side, config.waits_for_lids)
        self._timing = Timing(record, config.control, config.procedures, config.taken_up)
        self._start_check = StartCheck(self._ledger, config.taken_up is not None)
        self._prisoners = Prisoners(config.prisoners)
        self._end_of_game = EndOfGame(self._ledger, self._timing, config.amendments, self._prisoners)
        self._button_mode = (
            ButtonMode(self._ledger, self._timing, self._start_check, self._end_of_game) if config.refereed else None
        )
        self._casual_mode = CasualMode(self._ledger, config.to_play_said, config.deep)
        self._record_before_result: GameRecord | None = None
        self._result: str | None = None
        self._komi: float | None = None
        self._rulings: tuple[Ruling, ...] = ()
        self._histories = HistoryCache()
        self._turns_cache: tuple[tuple[GameRecord, ...], tuple[Turn, ...]] = (), ()
        self.answers: tuple[Said, ...] = ()
        self._resigning: dict[int, ResignRequest] = {}
        self._possible_white_side: int | None = None
        self._differences_at_end: Mask | None = None
        self._weighed_look: tuple[tuple[PointSight, ...], BoardLikelihoods] | None = None

    @property
    def record(self) -> GameRecord:
        """Return the game as accepted so far."""
        return self._ledger.record

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
            black_side=self._ledger.lids.black_side,
            ended=record.ended,
            result=record.result,
            past=GameHistory(record, self._rulings, self._timing.times, self._histories),
            rulings=self._rulings,
            answers=self.answers,
            counting=self._end_of_game.counting,
            clocks=self._timing.clocks,
            verified=self._timing.players_verified,
            komi=record.komi,
            handicap=record.handicap,
            reminded=self._prisoners.players_reminded,
            rules_named=record.rules.named,
            penalties=self._end_of_game.penalties(),
            handicap_due=record.rules.handicap.stones_to_place(record) if record.handicap and not record.ended else 0,
        )

    def _turns(self) -> tuple[Turn, ...]:
        """Return the accepted turns, those that were known before as they were."""
        known_records, turns = self._turns_cache
        records, same = self.record.records(known_records)
        new = (record.turn for record in records[same:] if record.turn is not None)
        self._turns_cache = records, (*turns[: max(same - 1, 0)], *new)
        return self._turns_cache[1]

    @property
    def record_with_fines(self) -> GameRecord:
        """Return the game as accepted so far, with the players' fines."""
        return self.record.fine(self._end_of_game.penalties())

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
        return self._end_of_game.filling_progress

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
        return self._button_mode.waiting if self._button_mode is not None else ()

    @property
    def passing(self) -> tuple[Colour, ...]:
        """Return the player who has called a pass and still has to press `done`."""
        return self._button_mode.passing if self._button_mode is not None else ()

    @property
    def ruled_until(self) -> float:
        """Return when the newest closed turn was closed that is in the record, in seconds."""
        return self._button_mode.ruled_until if self._button_mode is not None else float("-inf")

    def take_press_after_end(self) -> Pressed | None:
        """Return, once, the first `done` that came after the passes that end play, before anybody had looked."""
        act = self._button_mode.take_press_after_end() if self._button_mode is not None else None
        black_side = self._ledger.lids.black_side
        if act is None or black_side is None:
            return None
        return Pressed(act.t, side_of(act.player, black_side, self.record.players), Button.DONE)

    @property
    def checking(self) -> bool:
        """Return True if a resumed game has not yet been seen as it was left."""
        return self._start_check.open and not self.record.ended

    @property
    def ready(self) -> bool:
        """Return True if nothing is known to be missing for the first move; only refereed tables have a start check."""
        return self._button_mode is None or self._button_mode.ready or bool(self.record.number)

    @property
    def unfinished_rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings on recorded turns that are not complete."""
        return self._ledger.unfinished_rulings

    def resigning(self, t: float) -> tuple[Colour, ...]:
        """Return the players who held `call` and may still confirm by `done`."""
        black_side = self._ledger.lids.black_side
        if self.record.result is not None or black_side is None:
            return ()
        sides = (side for side, request in self._resigning.items() if t - request.t <= CONFIRM_WITHIN)
        return tuple(player_at(side, black_side, self.record.players) for side in sides)

    def find_unpressed(self, observation: Observation) -> Turn | None:
        """Return a legal turn of the player to move that lies on the refereed table before anybody has pressed."""
        record = self.record
        if self._button_mode is None or self.checking or self.waiting or record.ended:
            return None
        if len(observation.points) != record.position.board.points:
            return None
        lids = self._ledger.lids.peek(observation.lids) if record.rules.delays is not None else None
        return self._button_mode.find_unpressed(self._weigh(observation), lids)

    def position_in(self, observation: Observation) -> Position | None:
        """Return the board in a look, doubtful points as in the record; None if it shows too little."""
        position = self.record.position
        if len(observation.points) != position.board.points:
            return None
        look = self._weigh(observation)
        if look.is_too_doubtful:
            return None
        pairs = zip(look.likeliest.stones, position.stones, strict=False)
        return Position(position.board, tuple(now & ~look.doubtful | was & look.doubtful for now, was in pairs))

    def find_set_up(self, observation: Observation) -> SetUp | Message:
        """Return the stones in a look, as the director may let the game go on from them, or why they may not."""
        record = self.record
        if self.checking:
            return message("lying.checking")
        if len(observation.points) != record.position.board.points:
            return message("lying.unseen")
        set_up = find_set_up(record, self._weigh(observation), self._ledger.lids.peek(observation.lids))
        is_turn = isinstance(set_up, SetUp) and self.find_unpressed(observation) is not None
        return message("lying.one-turn") if is_turn else set_up

    def needs_look(self, t: float) -> bool:
        """Return True if a recording needs another look to go on after a gap, though it shows nothing new."""
        return self._button_mode is None and not self.record.ended and self._casual_mode.gaps.needs_look(t)

    @property
    def lost_since(self) -> str | None:
        """Return since when no turns explain what a recording sees: a time, or a picture's name; None if they do."""
        return self._casual_mode.gaps.lost_since

    def agrees(self, observation: Observation) -> bool:
        """Return True if a look shows the table exactly as the record has it, visible lids included."""
        record = self.record
        if self.checking or len(observation.points) != record.position.board.points:
            return False
        look = self._weigh(observation)
        if look.is_too_doubtful:
            return False
        lids = self._ledger.lids.peek(observation.lids) if record.rules.delays is not None else None
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
                self._end_of_game.remark(event)
            case BoxProposal():
                self._end_of_game.consider(event)
            case Resume(author=Actor.DIRECTOR):
                self._start_check.let_pass()
            case Pause() | Resume():
                pass  # The table itself handles pauses that no clock counts.
            case _:
                self._end_of_game.handle(event, bool(self.waiting))
        self._keep_komi()
        self._follow(before, event.t, author or Actor.BOX)
        image = event.name if isinstance(event, Observation) else None
        self._ledger.stamp(event.t, image)
        outcome = outcome_of(event, self._ledger.take(), (*self._timing.take(), *self._end_of_game.take()))
        self._rulings += outcome.rulings
        self.answers += outcome.public
        return outcome

    def _end(self, t: float) -> None:
        if self._button_mode is not None:
            self._button_mode.end(t)
        else:
            self._casual_mode.end()

    def _follow(self, before: GameRecord, t: float, author: Actor) -> None:
        """Bring clock, result and agreement to the record's state, and the record to a result that came of time.

        author: who changed the record, if no player's press did
        """
        if self._button_mode is None:
            self._time_turns(before, t, author)
        self._take_over(t)
        self._end_of_game.count_alone(t)
        self._timing.follow(self.record, t, author)
        self._timing.wait_for_draw(self._button_mode is not None and self._button_mode.is_draw_declared, t)
        self._take_over(t)
        if self.record.ended and self._button_mode is not None and self.waiting:
            self._button_mode.end(t)
        self._end_of_game.follow()
        self._timing.stand(self._end_of_game.stands, t)

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
            self._ledger.record = after.decide(f"{str(after.result)[0]}+T") if after.ended else after
            text = lost_on_time(player)
            self._ledger.say(self._ledger.ruling(Status.LEGAL, text, turn=after.number, move=after.turn))
            if self._button_mode is not None:
                self._button_mode.forget_who_left()

    def _take_result(self, t: float) -> None:
        """Adopt a result that came of time, was reported otherwise, or is undone."""
        result = self._result
        if result is None and self._record_before_result is not None:
            self._ledger.record, self._record_before_result = self._record_before_result, None
        elif result is not None and result != self.record.result:
            self._record_before_result = self._record_before_result or self.record
            self._ledger.record = self.record.decide(result)
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

    def _weigh(self, observation: Observation) -> BoardLikelihoods:
        """Return the look, computed once for all that differ only in their time."""
        if (
            self._weighed_look is None
            or self._weighed_look[0] is not observation.points
            or self._weighed_look[1].between != observation.between
        ):
            board, players = self.record.position.board, self.record.players
            self._weighed_look = (
                observation.points,
                BoardLikelihoods.of(board, observation.points, observation.between, players),
            )
        return self._weighed_look[1]

    def _observe(self, observation: Observation) -> None:
        if len(observation.points) != self.record.position.board.points:
            return
        look = self._weigh(observation)
        if self.checking:
            self._start_check.take_up(look, observation.lids)
        elif self._end_of_game.fills:
            self._end_of_game.watch(look, observation.t)
        elif self.record.ended:
            self._refuse_after_end(look)
        elif self._end_of_game.waits_for is not None and not self.waiting:
            return
        elif self._button_mode is not None:
            self._judge_look(self._button_mode, look, observation)
        else:
            self._casual_mode.look(look, observation.lids, observation.t, observation.name)

    def _judge_look(self, button_mode: ButtonMode, look: BoardLikelihoods, observation: Observation) -> None:
        """Rule on the turns closed before it; then remind of captured stones that are not in their lid."""
        before, possible_white_side = self.record, self._possible_white_side
        if possible_white_side is not None and not look.is_too_doubtful:
            self._possible_white_side = None
            if look.likeliest.of(Colour.WHITE):
                self._reseat(black_side_of(possible_white_side, Colour.WHITE, before.players))
        button_mode.look(look, observation.lids, observation.t)
        self._differences_at_end = None
        is_settled = not look.is_too_doubtful and not look.misfits(self.record.position)
        lids = observation.lids, self._ledger.lids.black_side
        for missing_prisoners in self._prisoners.look((before, self.record), button_mode.closed, lids, is_settled):
            self._remind(missing_prisoners, observation.t)

    def _remind(self, missing_prisoners: MissingPrisoners, t: float) -> None:
        """Remind by lamp alone, unless the game is lost by it."""
        follows, record = self._prisoners.follows, self.record
        assert follows is not None
        if follows is MissingPrisonerPenalty.LOSS and record.result is None:
            self._ledger.say(
                self._ledger.ruling(Status.LEGAL, missing_message(missing_prisoners, follows), turn=record.number)
            )
            self._timing.report(missing_prisoners.loses, Actor.BOX, t)
        elif follows is not MissingPrisonerPenalty.LOSS:
            self._end_of_game.remind(stored_reminder(missing_prisoners, follows, t))

    def _refuse_after_end(self, look: BoardLikelihoods) -> None:
        """Refuse a stone placed after the end, once.

        Clearing the board is no turn. A stone that lies there at the first look may have been placed before the end.
        """
        position, changed = self.record.position, look.misfits(self.record.position)
        if self._differences_at_end is None and not look.is_too_doubtful:
            self._differences_at_end = changed
        changed &= ~(self._differences_at_end or 0)
        if look.is_too_doubtful or changed.bit_count() != 1 or any(r.reason is Reason.GAME_OVER for r in self._rulings):
            return
        point = next(points_of(changed))
        colour = look.likeliest.colour_at(point)
        if position.empty >> point & 1 and colour is not None:
            self._ledger.refuse(Placement(colour, point), Prohibition(Reason.GAME_OVER))

    # Presses

    def _press(self, press: Pressed, meaning: Meaning | None) -> None:
        if not 1 <= press.side <= self.record.players:
            return
        meaning = meaning or meaning_of(press, self.situation(press.side, press.t))
        if meaning is Meaning.HANDICAP and self._button_mode is not None:
            self._button_mode.agree_handicap(press.t)
            return
        player = self._find_presser(press, meaning is Meaning.CLAIM_BLACK)
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
                self._end_of_game.refuse(press.t, self._explain_vain_press(meaning, player), player)
            case Meaning.CLAIM_WIN:
                self._timing.handle(Step(press.t, Act.CLAIM, player))
            case Meaning.OVER:
                self._ledger.refuse(self._build_called_turn(player), Prohibition(Reason.GAME_OVER))
            case Meaning.PASS:
                self._claim(self._build_called_turn(player), press.t)
            case Meaning.CLOSE | Meaning.START | Meaning.READY | Meaning.AGREE | Meaning.SCORE:
                if press.button is Button.DONE:
                    self._handle_done(player, press.t)

    def situation(self, side: int, t: float) -> PressSituation:
        """Return the facts about a side that a press there depends on."""
        record, lids, clocks = self.record, self._ledger.lids, self._timing.clocks
        is_seated = lids.black_side is not None
        player = player_at(side, lids.black_side, record.players) if lids.black_side is not None else record.to_play
        waits_for = self._end_of_game.waits_for
        has_begun = record.number and not self.checking
        return PressSituation(
            confirming=is_seated and player in self.resigning(t),
            result=record.result is not None,
            putting_back=self.checking,
            asked=waits_for is player,
            proposed=waits_for is not None and waits_for is not player,
            over=record.ended,
            restored=clocks is not None and clocks.restored,
            out=player not in record.playing,
            claimable=self._timing.may_claim(player),
            opening=record.number == 0,
            handicap_asked=self._button_mode is not None and bool(self._button_mode.handicap.asked),
            seats_open=not has_begun
            and not record.ended
            and not self._is_closed
            and not lids.has_shown_seats(record.bowls),
            may_resign=self._may_resign(player) and not set(self.resigning(t)) - {player},
        )

    @property
    def _is_closed(self) -> bool:
        """Return True while a turn that was closed waits for a look."""
        return self._button_mode is not None and bool(self._button_mode.waiting)

    @property
    def _is_played_out(self) -> bool:
        """Return True once passes have ended or adjourned play."""
        return self.record.ended or is_adjourned(self.record)

    def _may_resign(self, player: Colour) -> bool:
        return self._is_played_out or self._button_mode is None or self._button_mode.may_resign(player)

    def _build_called_turn(self, player: Colour) -> Turn:
        """Return the turn that `call` means."""
        return Draw(player) if self.record.rules.draws is not None else Pass(player)

    def _explain_vain_press(self, meaning: Meaning, player: Colour) -> Message:
        """Return the reason why a press has no effect."""
        to_play = self.record.to_play
        if meaning is Meaning.LEFT:
            return message("press.left", player=player, to_play=to_play)
        return message("count.answer-first", player=self._end_of_game.waits_for or to_play)

    def _handle_done(self, player: Colour, t: float) -> None:
        record = self.record
        if record.result is not None:
            self._timing.handle(Step(t, Act.VERIFY, player))
        elif record.ended:
            self._end_of_game.refuse(t, message("count.play-ended"), player)
        elif self._end_of_game.waits_for is not None:
            self._end_of_game.refuse(t, self._explain_vain_press(Meaning.ANSWER_FIRST, player), player)
        elif (self._is_laying_handicap or not self._timing.woken(player, t)) and self._button_mode is not None:
            self._button_mode.handle_done(player, t)

    @property
    def _is_laying_handicap(self) -> bool:
        """Return True while handicap stones are due, or may be: `done` starts no clock then."""
        clocks = self._timing.clocks
        due = self._button_mode is not None and (
            self._button_mode.handicap.due or self._possible_white_side is not None
        )
        return bool(due) and not (clocks is not None and clocks.restored)

    def _claim(self, turn: Turn, t: float) -> None:
        if self._is_played_out and self.record.result is None and isinstance(turn, Resign):
            # It replaces the count, and is no longer a turn.
            self._timing.handle(Step(t, Act.RESIGN, turn.player))
        elif self.record.ended:
            self._ledger.refuse(turn, Prohibition(Reason.GAME_OVER))
        elif self._end_of_game.waits_for is not None and not isinstance(turn, Resign):
            self._end_of_game.refuse(t, self._explain_vain_press(Meaning.ANSWER_FIRST, turn.player), turn.player)
        elif self._button_mode is not None and not self._is_vain_pass(turn, t):
            self._button_mode.claim(turn, t)
        elif self._button_mode is None:
            self._casual_mode.claim(turn)

    def _is_vain_pass(self, turn: Turn, t: float) -> bool:
        """Return True if there is no pass that `done` could close.

        A pass called too early, or while a press waits, counts in its turn, and is answered.
        """
        if not isinstance(turn, Pass):
            return False
        prohibition = judge(self.record, turn).prohibition
        is_early = prohibition is not None and prohibition.reason is Reason.NOT_YOUR_TURN
        if is_early and not self.waiting:
            text = message("call.early", player=turn.player, to_play=self.record.to_play)
            self._end_of_game.tell(t, text, turn.player)
        if is_early or prohibition is None:
            return False
        self._end_of_game.refuse(t, why_refused(self.record, turn, prohibition), turn.player)
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
            self._end_of_game.refuse(step.t, message("clock.referee-rules"), step.by, step.author)
        else:
            if step.act is Act.RESUME and step.author is Actor.DIRECTOR:
                self._start_check.let_pass()
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
        outcome = apply_decision(self.record, decision)
        if isinstance(outcome, Message):
            self._end_of_game.refuse(decision.t, outcome, author=decision.author)
            return
        if self._button_mode is not None:
            if dropped := self._button_mode.acting:
                text = message("press.overruled", players=Listing(dropped))
                self._end_of_game.remark(Remark(decision.t, text, Actor.BOX))
            self._button_mode.end(decision.t)
        self._casual_mode.forget()
        if isinstance(decision, TakeBack):
            self._timing.take_back(decision.turns, decision.t)
        self._timing.bring_back({*self.record.situation.resigned} - {*outcome.record.situation.resigned})
        last_number = outcome.record.number - isinstance(decision, EnterTurn)
        self._prisoners.drop_after(last_number)
        before = self.record
        self._ledger.overrule(outcome)
        if self._button_mode is not None:  # Without buttons the record follows the board.
            self._button_mode.handicap.take_back(before)

    def _change_komi(self, change: ChangeKomi) -> None:
        """Change the komi; the remark on it tells the players."""
        outcome = change_komi(self.record, change.komi)
        if isinstance(outcome, Message):
            self._end_of_game.refuse(change.t, outcome, author=change.author)
        else:
            self._komi, self._ledger.record = change.komi, outcome

    def _keep_komi(self) -> None:
        """Give a record that was taken from before the change the komi of now: it is no turn that could be undone."""
        if self._komi is not None:
            self._ledger.record = self.record.with_komi(self._komi)

    def _waive(self, waive: WaiveReminder) -> None:
        """Waive the newest reminder; a game that was lost by it goes on."""
        missing_prisoners, result = self._prisoners.newest, self.record.result
        if missing_prisoners is None:
            self._end_of_game.refuse(waive.t, message("prisoners.none-to-waive"), author=waive.author)
            return
        is_lost = self._prisoners.follows is MissingPrisonerPenalty.LOSS and result == missing_prisoners.loses
        if is_lost and not self._timing.undo_result(missing_prisoners.loses, waive.t):
            self._end_of_game.refuse(waive.t, message("prisoners.verified", result=str(result)), author=waive.author)
            return
        self._prisoners.waive()
        key = "prisoners.goes-on" if is_lost else "prisoners.waived"
        self._end_of_game.remark(
            Remark(waive.t, message(key, player=missing_prisoners.player, turn=missing_prisoners.turn), waive.author)
        )

    # Seating

    def _find_presser(self, press: Pressed, claims_black: bool) -> Colour:
        """Return the player who pressed. If the seating is unknown, the first to press is the player to move."""
        lids, players = self._ledger.lids, self.record.players
        if self._possible_white_side != press.side:
            self._possible_white_side = None
        if claims_black:
            self._reseat(press.side)
            self._possible_white_side = None
        elif lids.black_side is None:
            lids.black_side = black_side_of(press.side, self._likeliest_presser, players)
            if self._button_mode is not None and self._button_mode.handicap.is_blacks_press:
                self._possible_white_side = press.side
        assert lids.black_side is not None
        return player_at(press.side, lids.black_side, players)

    @property
    def _likeliest_presser(self) -> Colour:
        """Return the player to move; Black also after the handicap stones, which their press may close.

        White may have played and pressed at once: the next look shows that by the stone.
        """
        is_blacks = self._button_mode is not None and self._button_mode.handicap.is_blacks_press
        return Colour.BLACK if is_blacks else self.record.to_play

    def _reseat(self, black_side: int) -> None:
        """Seat Black at this side: earlier presses belong to their side's player."""
        before, self._ledger.lids.black_side = self._ledger.lids.black_side, black_side
        if before is not None and before != black_side and self._button_mode is not None:
            was, players = before, self.record.players
            self._button_mode.reseat(lambda player: player_at(side_of(player, was, players), black_side, players))


def _find_author(event: Event) -> Actor | None:
    """Return the event's author, if the event has one."""
    return None if isinstance(event, Observation | Pressed | SourceEnded | Restarted) else event.author
