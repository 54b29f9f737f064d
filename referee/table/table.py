"""One game at a table, from the start check to the agreed result: pure, with time passed in.

Theory of operation. Events come in, in order of time: a look at the table that the camera has read, a press, a
statement of a player or the director, a step about time. `receive` makes one `Outcome` of each (outcome.py): rulings,
answers with the effect of each act, and `is_kept`, by which the journal keeps the event. Nothing else changes a table,
so that the same events in the same order give the same game (`device/journal/replay.py`).

    Observation ---> is it news? which legal turns lead from the record to it?              ---> Ruling
    Pressed     ---> its meaning in this situation: a turn is closed, a turn is claimed     ---> Ruling, Answer
    Word        ---> the players agree on a count, or that the game is void                 ---> Ruling or Reply
    Step        ---> acts of players and director about time and the result                 ---> Answer

An event goes through three stages. The first decides if it has an effect at all (`_handle_look`, `_handle_press`,
`_handle_pause` and so on): a look may be no news, a press may be in vain, a game may be paused. What has an effect
is taken by the part that it concerns (`_hand_to_part`): `LookJudge` passes a look to `RefereedGame`, which judges the
turns that presses close, or to `RecordedGame`, which follows a game without buttons; `PlayerActs`, `EndOfGame`,
`Timing` and `Decisions` do the rest. Then `Reconciliation` brings all parts to one state. `_take_event` is the second
and the third stage, and collects what came of them. All parts share one ledger, which has the record, and one set of
clocks (game_parts.py).

These rules hold:

- During play DONE says that a turn is over, not what it was: it waits for a look taken after it, and that look decides.
  A called pass waits for its DONE, a SCORE for the look that shows which stones were lifted.
- The clock changes over at the press and not at the ruling; a refused turn gives the time back to the player who has to
  correct it.
- With buttons the record grows only by legal turns that a look shows beyond doubt, or that a player or the director
  declares; a recording also writes what is merely likely, and says so (recorded.py). An illegal turn leaves the record
  as it was, and the turn open, unless play goes on over it in a recording, or the director lets it stand.
- While a game is paused, no look is judged: stones may be touched.
- The meaning of a press is asked once (buttons.py), before anything has changed, and handed down with it.
- An answer to the director's attempt that had no effect (`Effect.VAIN`) goes to the director alone, and is no part of
  the game.

The states are phases: START until the table was seen set up, or for an adjourned game as it was left; PLAY; RESULT from
the end of play, through the count, until each player has agreed; FINAL. PLAY can follow RESULT when players disagree
with a count, or the director takes a turn back. Beside its phase a table may be paused, or waiting for the director it
has called (pause.py), and a pause that the box began, because no turns explain the board, ends once it is right again;
and a trouble (notices.py) is the last ruling that somebody has still to act on, which a legal ruling ends, or a look
that agrees with the record (`_end_trouble`).

What is implicit. A look that was taken before the newest press may arrive after it: it is judged for the earlier
presses, and must not pass for known afterwards (look_filter.py). `record`, with its fines, and `snapshot` are made once
after each event that a part has taken (`_publish_snapshot`), because building them takes time and everybody reads them,
other threads too. The record as a file, with its words, is made elsewhere (device/match/record_writer.py).

What is ugly, and why. Presses wait in three lists, according to what they wait for: SCORE in `ScorePresses`, DONE, a
called pass and a confirmed resignation in the acts of `RefereedGame`, a held CALL as `ResignRequest`; a DONE that turns
out to have come after the end of play moves from the second to the first. One look may make two events of one, itself
and the count that a waiting SCORE then proposes (`_judge_look`). The notice is one sentence for the players, set and
cleared in many places; their order within one event decides which sentence wins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.game.actor import Actor, By
from referee.game.board import Colour, Mask, Position
from referee.game.game_info import NO_GAME_INFO, GameInfo
from referee.game.messages import Message, for_players, message
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.game.ruling import Reply, Ruling, Status
from referee.game.turns import Placement, Turn
from referee.inference.missing_prisoners import MissingPrisonerPenalty, Prisoners
from referee.rules.ruling_messages import resigns_in_vain
from referee.table.buttons import Meaning, PressSituation, meaning_of
from referee.table.decisions import Decisions
from referee.table.display_state import BoxStatus, Paused, Phase, TableSnapshot
from referee.table.end_of_game import EndOfGame
from referee.table.events import (
    BoxProposal,
    Button,
    ChangeKomi,
    Disagree,
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
from referee.table.game_parts import GameParts
from referee.table.ledger import GameLedger
from referee.table.look_filter import LookFilter, observation_key
from referee.table.look_judge import LookJudge
from referee.table.look_reader import LookReader
from referee.table.notices import Notices, clock_period_notice
from referee.table.outcome import KEPT, NO_NEWS, Outcome, outcome_of
from referee.table.pause import PauseState
from referee.table.player_acts import PlayerActs
from referee.table.reconciliation import Reconciliation
from referee.table.recorded import RecordedGame
from referee.table.refereed import RefereedGame
from referee.table.resignations import ResignRequest
from referee.table.score_presses import LOOK_FIRST_S, ScorePresses, proposal_or_answer, stones_lifted_as_dead
from referee.table.seats import Seats
from referee.table.snapshot import AnyAnswer, Clocks
from referee.table.snapshot_builder import SnapshotBuilder
from referee.table.start import StartCheck
from referee.table.table_position import BoardMatch, LyingStones, find_set_up
from referee.table.timing import Timing
from referee.time.clock import Adjourned
from referee.time.clock_events import ClockEvent
from referee.time.controls import TimeControl
from referee.time.records import Times
from referee.time.steps import Act, Step

SHOWN_FOR = 3.0
"""Seconds for which a refusal stays on the lamps after the table is right again."""
FORGOTTEN_AFTER = 10.0
"""Seconds after which a turn on the table counts as one whose press was forgotten."""
NOTHING_OPEN: tuple[Turn | None, float] = None, 0.0


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
    every_look: a look is judged also if it shows the same as the last, because no camera repeats itself here
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
    every_look: bool = False


class Table:
    """A game at a table; it takes every event in the order of time and returns its outcome.

    config: the table's options.
    names: Black's and White's.
    game_info: the event, round, table and place.
    began: the time of day at which it began (ISO 8601), used as a label; empty if unknown.
    record: the game as accepted so far, with the players' fines.
    snapshot: the game as it can be shown, as one immutable value.
    answers: the replies so far to the players' statements and to acts about time.
    """

    def __init__(
        self,
        record: GameRecord,
        config: TableConfig | None = None,
        names: tuple[str, ...] = ("", ""),
        game_info: GameInfo = NO_GAME_INFO,
        began: str = "",
    ) -> None:
        self.config = config = config or TableConfig()
        self.names, self.game_info, self.began = names, game_info, began
        parts = _build_parts(record, config)
        self._ledger, self._timing, self._end_of_game = parts.ledger, parts.timing, parts.end_of_game
        self._refereed, self._recorded, self._start_check = parts.refereed, parts.recorded, parts.start_check
        self._seats, self._player_acts, self._decisions = parts.seats, PlayerActs(parts), Decisions(parts)
        self._reconciliation, self._snapshot_builder = Reconciliation(parts), SnapshotBuilder(parts)
        self._look_reader, self._look_judge = LookReader(parts.ledger), LookJudge(parts)
        self._look_filter, self._notices = LookFilter(), Notices()
        self._score_presses, self._resign_requests = ScorePresses(), dict[int, ResignRequest]()
        self._begun = False
        self._proposed_at = 0.0
        self._unpressed_turn = NOTHING_OPEN
        self._rulings: tuple[Ruling, ...] = ()
        self.answers: tuple[AnyAnswer, ...] = ()
        self._seen_position: Position | None = None
        self._lying: tuple[GameRecord, object, LyingStones | Message] | None = None
        self._next_event: tuple[ClockEvent | None] | None = None
        self._pause = PauseState(self._clocks_in_play, self._timing.is_doubted)
        self._publish_snapshot()

    # The present state

    @property
    def phase(self) -> Phase:
        """Return the phase of the game."""
        record = self._ledger.record
        if record.ended:
            return Phase.FINAL if len(self._timing.players_verified) == record.players else Phase.RESULT
        has_begun = self._begun or record.number or (self.config.refereed and self._is_ready)
        return Phase.PLAY if has_begun and not self._start_check.is_open else Phase.START

    @property
    def is_clock_running(self) -> bool:
        """Return True while somebody's time runs."""
        return self._timing.is_running

    @property
    def times(self) -> Times | None:
        """Return the times of the turns; None without clocks."""
        return self._timing.times

    @property
    def ruled_until(self) -> float:
        """Return when the newest closed turn was closed that is in the record, in seconds."""
        return self._refereed.ruled_until if self._refereed is not None else float("-inf")

    @property
    def players_waiting(self) -> tuple[Colour, ...]:
        """Return the players whose press waits for a look at the table."""
        return self._refereed.players_waiting if self._refereed is not None else ()

    @property
    def players_passing(self) -> tuple[Colour, ...]:
        """Return the player who has called a pass and still has to press `done`."""
        return self._refereed.players_passing if self._refereed is not None else ()

    @property
    def unfinished_rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings on recorded turns that are not complete."""
        return self._ledger.unfinished_rulings

    @property
    def lost_since(self) -> str | None:
        """Return since when no turns explain what a recording sees: a time, or a picture's name; None if they do."""
        return self._recorded.gaps.lost_since

    @property
    def pause(self) -> Paused | None:
        """Return the present pause; None while the game goes on."""
        return self._pause.cause

    @property
    def is_waiting_for_director(self) -> bool:
        """Return True if no turn explains the table, or a pause lets the director put things right."""
        trouble = self._notices.trouble
        is_unexplained = trouble is not None and trouble.status is Status.UNEXPLAINED
        return self.config.refereed and (is_unexplained or self._pause.is_paused)

    @property
    def _is_ready(self) -> bool:
        """Return True if nothing is known to be missing for the first move; only refereed tables have a start check."""
        return self._refereed is None or self._refereed.ready or bool(self._ledger.record.number)

    @property
    def _clocks_in_play(self) -> Clocks | None:
        """Return the clocks, as long as the game has no result."""
        return self._timing.clocks if self._ledger.record.result is None else None

    def players_resigning(self, t: float) -> tuple[Colour, ...]:
        """Return the players who held `call` and may still confirm by `done`."""
        if self._ledger.record.result is not None:
            return ()
        sides = (side for side, request in self._resign_requests.items() if request.may_be_confirmed(t))
        players = map(self._seats.player_at, sides)
        return tuple(player for player in players if player is not None)

    def next_moment(self, t: float) -> ClockEvent | None:
        """Return the first scheduled clock event after t, None if there is none; a `due` step then reports its
        consequence.

        t: no earlier than in the call before, as long as no event came between them.
        """
        cached = self._next_event
        if cached is None or (cached[0] is not None and cached[0].t <= t):
            cached = self._next_event = (self._timing.next_moment(t),)
        return cached[0]

    # What a look shows, without a ruling

    def position_in(self, observation: Observation) -> Position | None:
        """Return the board in a look, doubtful points as in the record; None if it shows too little."""
        return self._look_reader.position_in(observation)

    def is_as_recorded(self, observation: Observation) -> bool:
        """Return True if a look shows the table exactly as the record has it, visible lids included."""
        return not self._start_check.is_open and self._look_reader.is_as_recorded(observation)

    def list_lids(self, observation: Observation) -> tuple[tuple[int, int], ...]:
        """Return the black and white stones of sides 1 and 2 that the record has in the lids, for whoever counts them.

        None are named unless a look shows the table as recorded, and nothing is asked, unfinished or waited for.
        """
        is_open = self._pause.is_paused or self._notices.trouble or self.unfinished_rulings or self.players_waiting
        if is_open or not self.is_as_recorded(observation):
            return ()
        return self._ledger.lids.list_contents(self._ledger.record.bowls)

    def find_unpressed(self, observation: Observation) -> Turn | None:
        """Return a legal turn of the player to move that lies on the refereed table before anybody has pressed."""
        if self._refereed is None or self._start_check.is_open or self.players_waiting or self._ledger.record.ended:
            return None
        look = self._look_reader.read_likelihoods(observation)
        return self._refereed.find_unpressed(look, self._look_reader.lids_of(observation)) if look is not None else None

    def match_board(self, observation: Observation) -> BoardMatch:
        """Return the relation of the board in a look to the record of a refereed game, if nobody is asked about it."""
        look, trouble = self._look_reader.read_likelihoods(observation), self._notices.trouble
        is_asked = trouble is not None and trouble.status is not Status.UNEXPLAINED and not trouble.is_vain_press
        is_counted = self._end_of_game.waits_for is not None or bool(self._score_presses)
        if look is None or self._refereed is None or self._start_check.is_open or is_asked or is_counted:
            return BoardMatch.OPEN
        return self._refereed.match_board(look, trouble is not None and trouble.status is Status.UNEXPLAINED)

    def find_set_up(self, observation: Observation) -> LyingStones | Message:
        """Return the stones in a look, as the director may let the game go on from them, or why they may not."""
        key = observation_key(observation), self.players_waiting
        if self._lying is None or self._lying[:2] != (self.record, key):
            self._lying = self.record, key, self._find_set_up(observation)
        return self._lying[2]

    def _find_set_up(self, observation: Observation) -> LyingStones | Message:
        if self._start_check.is_open:
            return message("lying.checking")
        look = self._look_reader.read_likelihoods(observation)
        if look is None:
            return message("lying.unseen")
        lying = find_set_up(self._ledger.record, look, self._ledger.lids.peek_at_lids(observation.lids))
        is_turn = isinstance(lying, LyingStones) and self.find_unpressed(observation) is not None
        return message("lying.one-turn") if is_turn else lying

    def needs_look(self, t: float) -> bool:
        """Return True if a recording needs another look to go on after a gap, though it shows nothing new."""
        return self._refereed is None and not self._ledger.record.ended and self._recorded.gaps.needs_look(t)

    # Snapshots

    def _publish_snapshot(self) -> None:
        """Make what others read, also in other threads, while the next event is being judged."""
        penalties = self._end_of_game.list_penalties()
        self.record = self._ledger.record.with_penalties(penalties)
        self.snapshot = self._snapshot_builder.build_snapshot(self._rulings, self.answers, penalties)
        self._next_event = None

    def build_snapshot(self, box: BoxStatus) -> TableSnapshot:
        """Return all that lamps and page show: the table, and what only its box knows."""
        seats, notices, pause = self._seats, self._notices, self._pause
        pressed_sides = [side for player in self.players_waiting if (side := seats.side_of(player)) is not None]
        return TableSnapshot(
            **vars(replace(box, notice=notices.notice or box.notice)),
            game=self.snapshot,
            refereed=self.config.refereed,
            phase=self.phase,
            trouble=notices.trouble,
            waiting=tuple(dict.fromkeys([*pressed_sides, *self._score_presses.sides])),
            resigning=seats.sides_of(self.players_resigning(box.t)),
            agreed=seats.sides_of(self._timing.players_verified),
            paused=pause.is_paused,
            called=pause.is_called,
            is_notice_granted=notices.is_granted,
            names=self.names,
            game_info=self.game_info,
            seen_position=self._seen_position,
            passing=seats.sides_of(self.players_passing),
            pause=pause.cause,
            taken_up=self._start_check.is_open,
            scoring=self._score_presses.scoring_sides,
        )

    # Events

    def receive(self, event: Event) -> Outcome:
        """Take one event and return its outcome."""
        before = self._end_of_game.box_proposal
        outcome = self._dispatch_event(event)
        if self._end_of_game.box_proposal not in (None, before):
            self._proposed_at = event.t
        by = event.by if isinstance(event, Step) else None
        self._pause = self._pause.with_cause(by or author_of(event), event.t)
        return outcome

    def _dispatch_event(self, event: Event) -> Outcome:
        match event:
            case Observation():
                return self._handle_look(event)
            case Pressed():
                return self._handle_press(event)
            case Step(act=Act.DUE):
                return self._handle_due(event)
            case Step() if self._is_clock_start(event) and (missing := self._missing_at_start):
                return self._refuse_event(event, missing)
            case Restarted():
                return self._restart_after_cut(event)
            case Step():
                return self._take_event(event)
            case BoxProposal():
                return self._consider_proposal(event)
            case Pause():
                return self._handle_pause(event)
            case Resume():
                return self._let_go_on(event)
            case _:
                self._look_filter = self._look_filter.after_act(event.t)
                return self._take_event(event)

    def _take_event(self, event: Event, meaning: Meaning | None = None) -> Outcome:
        """Let a part take an event, and bring all parts to one state. meaning: of a press."""
        before, progress = self._ledger.record, self._end_of_game.filling_progress
        self._hand_to_part(event, meaning)
        self._decisions.keep_komi()
        self._reconciliation.follow_record(before, event.t, _find_overruler(event) or Actor.BOX)
        self._ledger.stamp_rulings(event.t, event.name if isinstance(event, Observation) else None)
        outcome = outcome_of(
            event, self._ledger.take_rulings(), (*self._timing.take_answers(), *self._end_of_game.take_replies())
        )
        self._rulings += outcome.rulings
        self.answers += outcome.public_replies
        self._publish_snapshot()
        goes_on = self.is_clock_running or (self._ledger.record.result is not None and before.result is None)
        self._pause = self._pause.follow_clocks(self._clocks_in_play, self._timing.is_doubted, goes_on)
        if self._end_of_game.filling_progress != progress:
            self._show_notice(self._end_of_game.filling_progress)
        self._notices = self._notices.after_outcome(outcome, self._ledger.unfinished_rulings)
        return outcome

    def _hand_to_part(self, event: Event, meaning: Meaning | None) -> None:
        match event:
            case Observation():
                self._look_judge.judge_look(self._look_reader.read_likelihoods(event), event, self._rulings)
            case Pressed():
                assert meaning is not None, "a press has a meaning"
                self._do_press(event, meaning)
            case SourceEnded():
                self._reconciliation.finish_waiting(event.t)
            case Step(act=Act.RESIGN, by=Colour() as player, author=Actor.DIRECTOR):
                self._decisions.resign_player(event, player)
            case Step():
                if event.act is Act.RESUME and event.author is Actor.DIRECTOR:
                    self._start_check.let_pass()
                self._player_acts.handle_step(event)
            case Restarted():
                self._timing.restart_after_cut(event.t)
            case TakeBack() | EnterTurn() | EnterAgreement() | ChangeKomi() | WaiveReminder():
                self._decisions.take_decision(event)
            case Remark():
                self._end_of_game.add_reply(Reply(event.t, event.message, author=event.author))
            case BoxProposal():
                self._end_of_game.consider_proposal(event)
            case Resume(author=Actor.DIRECTOR):
                self._start_check.let_pass()
            case Pause() | Resume():
                pass  # A pause that no clock counts is the table's alone.
            case _:
                self._end_of_game.handle_statement(event, bool(self.players_waiting))

    def _show_notice(self, text: Message | None) -> None:
        """Let this be the notice to the players."""
        self._notices = self._notices.with_notice(text)

    def _refuse_event(self, event: Event, text: Message) -> Outcome:
        """Refuse an event: only the director is told if it was the director's, else the players."""
        if author_of(event) is Actor.DIRECTOR:
            return outcome_of(event, (), [Reply(event.t, text, refused=True, author=Actor.DIRECTOR)])
        self._show_notice(text)
        return KEPT

    def _consider_proposal(self, proposal: BoxProposal) -> Outcome:
        """Handle the box's proposal of a count; one that comes too late for the position, or a press, says nothing."""
        fits = proposal.position == self._ledger.record.position and self._end_of_game.needs_proposal
        return self._take_event(proposal) if fits and not self._score_presses else NO_NEWS

    def _restart_after_cut(self, event: Restarted) -> Outcome:
        """Go on after a power cut. The director's pause, and an adjournment, last; any other gives way to the question
        whether the players are ready."""
        self._show_notice(None)  # The notice was about the time before the power cut.
        lasts = self._pause.is_paused and self._pause.is_directors
        outcome = self._take_event(event)
        self._pause = self._pause.with_pause() if lasts else self._pause
        return outcome

    def _handle_due(self, step: Step) -> Outcome:
        """Handle a scheduled clock event: a fallen flag, or the start of another period."""
        then = self._timing.clocks
        outcome = self._take_event(step)
        now = self._timing.clocks
        if then is not None and now is not None:
            notices = [clock_period_notice(*faces) for faces in zip(then.faces, now.faces, strict=True)]
            self._show_notice(next((text for text in notices if text is not None), self._notices.notice))
        return replace(outcome, is_kept=bool(outcome.answers or outcome.rulings))

    # Looks

    def _handle_look(self, observation: Observation) -> Outcome:
        if self._pause.is_paused:
            return NO_NEWS
        key = observation_key(observation)
        before = self._begun, self._notices.trouble
        if self._is_known(key, observation):
            self._end_trouble(observation)
            self._remind_to_press(observation.t)
            return NO_NEWS if (self._begun, self._notices.trouble) == before else KEPT
        self._look_filter = self._look_filter.after_look(key, observation)
        self._seen_position = self.position_in(observation) or self._seen_position
        outcome, before = self._judge_look(observation), (self._begun, self._notices.trouble)
        self._end_trouble(observation)
        self._unpressed_turn = (self.find_unpressed(observation), observation.t)
        return outcome if (self._begun, self._notices.trouble) == before else replace(outcome, is_kept=True)

    def _is_known(self, key: object, observation: Observation) -> bool:
        """Return True if a look says nothing new, and nobody waits for its like."""
        if self.config.every_look:
            return False
        is_known = self._look_filter.is_known(key, observation, bool(self.players_waiting))
        return is_known and not self.needs_look(observation.t)

    def _remind_to_press(self, t: float) -> None:
        """Remind a player who has played and forgets to press, once, and only if their time runs meanwhile."""
        turn, since = self._unpressed_turn
        if not isinstance(turn, Placement) or t - since < FORGOTTEN_AFTER or (clocks := self._timing.clocks) is None:
            return
        self._unpressed_turn = NOTHING_OPEN
        if clocks.running_player is turn.player and not self.players_waiting:
            point = self._ledger.record.position.board.name(turn.point)
            self._show_notice(message("notice.unpressed", player=turn.player, point=point))

    def _judge_look(self, observation: Observation) -> Outcome:
        """Judge a look; if `score` was pressed before it, it shows which stones are meant."""
        due = self._score_presses.before_look(observation.t)
        outcome = self._take_event(observation) if self.players_waiting or not due else NO_NEWS
        if (press_after_end := self._find_press_after_end()) is not None:
            self._score_presses = self._score_presses.with_press(press_after_end)
            due = (press_after_end, *due)
        for press in due:
            missing = stones_lifted_as_dead(self._ledger.record, observation)
            if missing is None or self.players_waiting:
                self._look_filter = self._look_filter.without_key()
                break
            self._score_presses = self._score_presses.without_press(press)
            outcome = outcome.combine_with(self._name_dead(press, missing, observation.t))
        return outcome

    def _find_press_after_end(self) -> Pressed | None:
        """Return, once, the first `done` that came after the passes that end play, before anybody had looked."""
        act = self._refereed.take_press_after_end() if self._refereed is not None else None
        side = self._seats.side_of(act.player) if act is not None else None
        return Pressed(act.t, side, Button.DONE) if act is not None and side is not None else None

    def _name_dead(self, press: Pressed, missing: Mask | Message, t: float) -> Outcome:
        """Enter the meaning of a `score` press on a board from which these stones were lifted."""
        player = self._seats.player_at(press.side)
        if isinstance(missing, Message):
            self._show_notice(missing)
            return KEPT
        assert player is not None
        counting = self._end_of_game.counting
        if counting.proposal is not None:
            if press.t < self._proposed_at + LOOK_FIRST_S:
                self._show_notice(message("proposal.look-first", player=player))
                return KEPT
            missing |= counting.proposal.dead
        return self._take_event(proposal_or_answer(player, missing, counting, t))

    def _end_trouble(self, observation: Observation) -> None:
        """End the trouble when the table agrees with the record, once it has been shown long enough."""
        trouble = self._notices.trouble
        if trouble is not None and trouble.turn == 0 and self._is_set_up:
            self._notices = self._notices.with_trouble(None)
        if not self._may_be_over(observation) or not self.is_as_recorded(observation):
            return
        self._begun = True
        self._notices = self._notices.with_trouble(next(iter(self._ledger.unfinished_rulings), None))

    @property
    def _is_set_up(self) -> bool:
        """Return True if nothing is missing for the first move, which may lie there already."""
        is_before_play = not self._start_check.is_open and not self._ledger.record.number
        return self.config.refereed and self._is_ready and is_before_play

    def _may_be_over(self, observation: Observation) -> bool:
        trouble = self._notices.trouble
        if trouble is None:
            return not self._begun
        between = trouble.move is None and bool(trouble.points)
        if trouble.status is Status.UNFINISHED and trouble.turn > 0 and not between:
            return isinstance(trouble.move, Placement) and self.config.refereed and not self.players_waiting
        return observation.t - trouble.t >= SHOWN_FOR or trouble.turn == 0 or bool(trouble.points)

    # Presses

    def _handle_press(self, press: Pressed) -> Outcome:
        if press.button is not Button.PAUSE and press.side not in self._seats.sides:
            return NO_NEWS
        self._look_filter = self._look_filter.after_act(press.t)
        self._show_notice(None)
        self._unpressed_turn = NOTHING_OPEN
        meaning = meaning_of(press, self.press_situation(press))
        if press.button is Button.PAUSE:
            return self._press_pause(press, meaning)
        match meaning:
            case Meaning.FINAL:
                return self._refuse_event(press, message(for_players("notice.final", self._ledger.record.players)))
            case Meaning.PAUSED:
                return self._refuse_event(press, self._pause.message)
            case Meaning.UNREADY if (missing := self._missing_at_start) is not None:
                return self._refuse_event(press, missing)
            case Meaning.SCORE | Meaning.DISAGREE:
                player = self._seats.player_at(press.side)
                if player is None:
                    return self._refuse_event(press, message("notice.no-sides"))
                return (
                    self._handle_score(press, player)
                    if meaning is Meaning.SCORE
                    else self._handle_disagree(press, player)
                )
            case Meaning.DISPUTE:
                return self._handle_dispute(press)
            case Meaning.AGREE:
                return self._take_event(press, meaning)
        is_repeated = meaning is Meaning.RESIGN and self._seats.player_at(press.side) in self.players_resigning(press.t)
        outcome = self._take_event(press, meaning)
        if is_repeated:
            self._show_notice(message("resign.again"))
        elif not outcome.rulings:
            self._show_notice(self._notices.notice or self._acknowledge_press(press, meaning))
        return outcome

    def _do_press(self, press: Pressed, meaning: Meaning) -> None:
        """Do what a press means, if it is more than a statement about the count, or about a pause."""
        if meaning is Meaning.HANDICAP and self._refereed is not None:
            self._refereed.agree_handicap(press.t)
            return
        player = self._seats.find_presser(press, meaning is Meaning.CLAIM_BLACK)
        request = self._resign_requests.pop(press.side, None)  # Any press of its side ends it.
        match meaning:
            case Meaning.RESIGN:
                record = self._ledger.record
                self._resign_requests[press.side] = ResignRequest(press.t, record.ended and record.players == 2)
            case Meaning.CLOSE | Meaning.START | Meaning.READY | Meaning.AGREE:
                self._player_acts.handle_done(player, press.t)
            case _:
                self._player_acts.handle_press(meaning, player, press.t, request)

    def _acknowledge_press(self, press: Pressed, meaning: Meaning) -> Message | None:
        """Return the answer to a press that neither a lamp nor the game answers."""
        if meaning is Meaning.CLAIM_BLACK:
            return message("press.black-at", side=press.side)
        if meaning is Meaning.OVER:
            return message("notice.over")
        player, record = self._seats.player_at(press.side), self._ledger.record
        if player is None:
            return None
        if meaning is Meaning.CONFIRM and player in self.players_waiting:
            return message("resign.waits", player=player)
        if meaning is Meaning.NOT_NEXT:
            other = next(iter(self.players_resigning(press.t)), None)
            if other is not None:
                return message("resign.other-first", player=other)
            if player is record.to_play and player in self.players_waiting:
                return message("resign.closed-turn", player=player)
            return resigns_in_vain(player, record.to_play)
        if meaning is not Meaning.PASS or not self.players_waiting:
            return None
        return message("draw.waits" if record.rules.draws is not None else "call.waits", player=player)

    def press_situation(self, press: Pressed) -> PressSituation:
        """Return all that the meaning of a press depends on."""
        paused, directors_pause = self._pause.is_paused, self._pause.needs_director
        called = self._pause.is_players_call
        if press.button is Button.PAUSE:
            return PressSituation(paused=paused, directors_pause=directors_pause, called=called)
        record, lids, clocks, refereed = self._ledger.record, self._ledger.lids, self._timing.clocks, self._refereed
        seated_player = self._seats.player_at(press.side)
        player = seated_player or record.to_play
        resigning, waits_for = self.players_resigning(press.t), self._end_of_game.waits_for
        is_checking = self._start_check.is_open
        has_begun = record.number and not is_checking
        is_seat_fixed = has_begun or record.ended or self.players_waiting or lids.has_shown_seats(record.bowls)
        return PressSituation(
            confirming=seated_player in resigning,
            final=self.phase is Phase.FINAL,
            paused=paused,
            directors_pause=directors_pause,
            called=called,
            result=record.result is not None,
            putting_back=is_checking,
            unready=self._missing_at_start is not None,
            asked=waits_for is player,
            proposed=waits_for is not None and waits_for is not player,
            over=record.ended,
            restored=clocks is not None and clocks.restored,
            out=player not in record.remaining_players,
            claimable=self._timing.may_claim(player),
            opening=record.number == 0,
            handicap_asked=refereed is not None and bool(refereed.handicap.asked),
            seats_open=not is_seat_fixed,
            may_resign=self._player_acts.may_resign(player) and not set(resigning) - {player},
        )

    @property
    def _missing_at_start(self) -> Message | None:
        """Return what the start check still lacks if it holds back the clock or an adjourned game; else None."""
        clocks, trouble = self._timing.clocks, self._notices.trouble
        is_seen_unready = trouble is not None and trouble.status is Status.UNFINISHED
        is_unready = is_seen_unready or (self.phase is Phase.START and not self._is_ready)
        starts = clocks is not None and not clocks.begun and is_unready
        if not starts and not self._start_check.is_open:
            return None
        return message("notice.not-ready") + (trouble.message if trouble is not None else message("notice.unseen"))

    def _is_clock_start(self, step: Step) -> bool:
        """Return True if the step is a player's and starts the clock."""
        acts = (Act.START, Act.READY, Act.RESUME, Act.PRESS) if self._start_check.is_open else (Act.START,)
        return step.by is not None and step.act in acts

    def _handle_score(self, press: Pressed, player: Colour) -> Outcome:
        """Handle `score`: propose a count, agree to it or amend it, once an observation has shown the lifted stones."""
        counting = self._end_of_game.counting
        if player is counting.waits_for or player in counting.may_propose or self._score_presses:
            self._score_presses = self._score_presses.without_side(press.side).with_press(press)
            return KEPT
        return self._take_event(proposal_or_answer(player, 0, counting, press.t))

    def _handle_disagree(self, press: Pressed, player: Colour) -> Outcome:
        self._score_presses = self._score_presses.without_side(press.side)
        return self._take_event(Disagree(press.t, player))

    def _handle_dispute(self, press: Pressed) -> Outcome:
        """Call the director because a player does not agree to the result."""
        self._pause = self._pause.with_dispute()
        player = self._seats.player_at(press.side) or self._ledger.record.to_play
        outcome = self._take_event(Step(press.t, Act.DISPUTE, player))
        self._show_notice(message("notice.disagreed"))
        return outcome

    # Pauses

    def _press_pause(self, press: Pressed, meaning: Meaning) -> Outcome:
        """Handle the pause button."""
        before = self._pause
        if meaning is Meaning.DIRECTOR_GOES_ON and before.is_directors:
            return self._let_go_on(Resume(press.t, Actor.TABLE))
        after = before.press_pause(press, meaning)
        if isinstance(after, Message):
            return self._refuse_event(press, after)
        self._pause, step = after, before.step_of(press, meaning)
        return self._take_event(step) if step is not None else KEPT

    def _handle_pause(self, pause: Pause) -> Outcome:
        """Pause the game for the director, or because no turns explain the board."""
        step = self._pause.pause_clock(pause)
        if isinstance(step, Message):
            return self._refuse_event(pause, step)
        outcome = self._take_event(step) if step is not None else KEPT
        if pause.author is Actor.BOX:
            self._pause = self._pause.with_boxs_pause(pause)
            self._show_notice(message("lying.paused"))
            return outcome
        self._pause, self._notices = self._pause.with_directors_pause(pause), self._notices.open_to_remarks()
        return outcome

    def _let_go_on(self, resume: Resume) -> Outcome:
        """Resume the game for the director, also after a power cut, or because the board is right again."""
        event = self._pause.go_on(resume, self._start_check.is_open)
        if isinstance(event, Message):
            return self._refuse_event(resume, event)
        if resume.author is Actor.BOX:
            self._show_notice(None)
        outcome = self._take_event(event) if event is not None else KEPT
        if outcome.refusal is None:
            self._pause = self._pause.without_pause()
        return outcome


def _build_parts(record: GameRecord, config: TableConfig) -> GameParts:
    """Return the parts of a game that begins, or is resumed, at this record."""
    ledger = GameLedger(record, config.black_side, config.waits_for_lids)
    timing = Timing(record, config.control, config.procedures, config.taken_up)
    start_check, prisoners = StartCheck(ledger, config.taken_up is not None), Prisoners(config.prisoners)
    end_of_game = EndOfGame(ledger, timing, config.amendments, prisoners)
    refereed = RefereedGame(ledger, timing, start_check, end_of_game) if config.refereed else None
    recorded = RecordedGame(ledger, config.to_play_said, config.deep)
    seats = Seats(ledger, refereed)
    return GameParts(ledger, timing, start_check, prisoners, end_of_game, refereed, recorded, seats)


def author_of(event: Event) -> By:
    """Return the event's author as far as it names one; an observation is the box's."""
    match event:
        case Pressed():
            return Actor.TABLE
        case Observation() | Restarted() | SourceEnded():
            return Actor.BOX
        case Step():
            return event.author or event.by
    return event.author


def _find_overruler(event: Event) -> Actor | None:
    """Return who changes the record by an event that is no press and no look, if the event names them."""
    return None if isinstance(event, Observation | Pressed | SourceEnded | Restarted) else event.author
