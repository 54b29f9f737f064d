"""One match at the table, from the start check to the agreed result: pure, with time passed in.

Theory of operation of a refereed table. Events come in, in order of time: a look at the table that the camera has
read, a press, a statement, a step about time. Each makes one `Outcome` (referee/table/outcome.py): rulings, answers
with the effect of each act, and `is_kept`, by which the controller decides that it goes into the journal. Nothing else
changes a match, so that the same events in the same order give the same game (`device/journal/replay.py`).

Three layers share the work. `Match` knows the table: what is a new look, pauses, SCORE, and what lamps and page show.
`Referee` (referee/table/referee.py) knows the game: it connects record, clocks, start check and count, and after each
event brings them to the same state (`_follow`). `ButtonMode` (referee/table/button_mode.py) rules on closed turns.

These rules hold:

- DONE says that a turn is over, not what it was: it waits for a look taken after it, and that look decides. A called
  pass waits for its DONE, a SCORE for the look that shows which stones were lifted.
- The clock changes over at the press and not at the ruling; a refused turn gives the time back to the player who has to
  correct it.
- The record grows only by legal turns that a look shows beyond doubt, or that a player or the director declares. An
  illegal turn leaves it as it was, and the turn open.
- While a game is paused, no look is judged: stones may be touched.
- An answer to the director's attempt that had no effect (`Effect.VAIN`) goes to the director alone, and is no part of
  the game.

The states of a match are its phases: START until the table was seen set up, or for an adjourned game as it was left;
PLAY; RESULT from the end of play, through the count, until each player has agreed; FINAL. PLAY can follow RESULT when
players disagree with a count, or the director takes a turn back. Beside its phase a table may be paused, or waiting for
the director it has called (`_pause`, see referee/table/pause.py); and `_trouble` is the last ruling that somebody has
still to act on, which a legal ruling ends, or a look that agrees with the record (`_calm`).

What is implicit. A look that shows the same as the last one is not passed on, because a camera sends the same table all
evening; but a waiting press needs one whose confidences differ, hence `_news`, `_sure` and `_is_awaited`, and presses
and statements clear `_news`. A look that was taken before the newest press may arrive after it: it is judged for the
earlier presses, and must not pass for known afterwards. `record` and `snapshot` are copies, made once after each event,
because building them takes time and everybody reads them. The record as a file, with its words, is made from them
elsewhere (record_writer.py).

What is ugly, and why. The referee is complete without a table, and the table was built around it. Therefore:

- The facts that a press depends on are of two layers: the referee's, and those that `situation` adds. So its meaning is
  found here, once, and handed down with it; a referee without a table finds it by itself.
- Waiting presses live in several places, according to what they wait for: SCORE in `_scoring`, DONE, a called pass and
  a confirmed resignation in `ButtonMode._acts`, a held CALL in `Referee._resigning`; and a DONE that turns out to have
  come after the end of play moves from the third layer to the first to become SCORE (`take_press_after_end`).
- `_notice` is one sentence for the players, set and cleared in many places; their order within one event decides which
  sentence wins.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.actor import Actor, By
from referee.game.board import Colour, Mask, Position
from referee.game.count_result import DeadStoneClaim
from referee.game.game_info import NO_GAME_INFO, GameInfo
from referee.game.likelihoods import BoardLikelihoods
from referee.game.messages import Message, for_players, message, points
from referee.game.observation import Observation
from referee.game.record import GameRecord
from referee.game.ruling import Reply, Ruling, Status
from referee.game.turns import Placement, SetUp, Turn
from referee.rules.ruling_messages import is_gap, resigns_in_vain
from referee.table.buttons import Meaning, PressSituation, meaning_of
from referee.table.display_state import BoxStatus, Phase, TableSnapshot
from referee.table.events import (
    Agree,
    Amend,
    BoxProposal,
    Button,
    Disagree,
    Event,
    Pause,
    Pressed,
    Propose,
    Remark,
    Restarted,
    Resume,
    SourceEnded,
)
from referee.table.outcome import KEPT, NO_NEWS, ActAnswer, Effect, Outcome, outcome_of
from referee.table.pause import PauseState
from referee.table.referee import Referee, TableConfig
from referee.table.snapshot import Clocks, Counting, Snapshot
from referee.time.clock import ClockReading
from referee.time.clock_events import ClockEvent
from referee.time.records import Times
from referee.time.steps import Act, Step

DOUBTS = 0.8
"""Confidence threshold: an observation is news if a point's likeliest content changes or crosses this confidence."""


SHOWN_FOR = 3.0
"""Seconds for which a refusal stays on the lamps after the table is right again."""
LOOK_FIRST_S = 1.5
"""Seconds for which a count that the box proposes, or changes, has to be shown before a press can answer it."""
FORGOTTEN_AFTER = 10.0
"""Seconds after which a turn on the table counts as one whose press was forgotten."""
NOTHING_OPEN: tuple[Turn | None, float] = None, 0.0


class Match:
    """A match; it takes every observation, press, statement and step in the order of time; read `snapshot` after each.

    record: the game as accepted so far.
    snapshot: the game as it can be shown.
    clock_runs: True while somebody's time runs.
    config: the table's options.
    names: Black's and White's.
    game_info: the event, round, table and place.
    began: the time of day at which it began (ISO 8601), used as a label; empty if unknown.
    """

    def __init__(
        self,
        record: GameRecord,
        config: TableConfig,
        names: tuple[str, ...] = ("", ""),
        game_info: GameInfo = NO_GAME_INFO,
        began: str = "",
    ) -> None:
        self._referee = Referee(record, config)
        self.names, self.game_info, self.began = names, game_info, began
        self.config = config
        self._begun = False
        self._trouble: Ruling | None = None
        self._scoring: tuple[Pressed, ...] = ()
        self._proposed_at = 0.0
        self._notice: Message | None = None
        self._granted_notice: Message | None = None
        self._noticed_at = -1.0
        self._news: object = None
        self._sure: tuple[float, ...] = ()
        self._asked_at = 0.0
        self._unpressed_turn = NOTHING_OPEN
        self._seen_position: Position | None = None
        self._lying: tuple[GameRecord, object, SetUp | Message] | None = None
        self._read_referee()
        self._pause = PauseState(self._clocks_in_play, self._referee.is_doubted)

    def _read_referee(self) -> None:
        """Copy from the referee, once after each event, the values that others read."""
        self.record, self.snapshot = self._referee.record_with_fines, self._referee.snapshot
        self.clock_runs = self._referee.clock_runs
        self._next_event: tuple[ClockEvent | None] | None = None

    @property
    def phase(self) -> Phase:
        """Return the phase of the match."""
        if self.record.ended:
            return Phase.FINAL if len(self._referee.players_verified) == self.record.players else Phase.RESULT
        has_begun = self._begun or self.record.number or (self.config.refereed and self._referee.ready)
        return Phase.PLAY if has_begun and not self._referee.checking else Phase.START

    @property
    def times(self) -> Times | None:
        """Return the times of the turns; None without clocks."""
        return self._referee.times

    @property
    def ruled_until(self) -> float:
        """Return when the newest closed turn was closed that is in the record, in seconds."""
        return self._referee.ruled_until

    def position_in(self, observation: Observation) -> Position | None:
        """Return the position in an observation of this match's board, None if it shows too little."""
        return self._referee.position_in(observation)

    def find_set_up(self, observation: Observation) -> SetUp | Message:
        """Return the stones in a look, as the director may let the game go on from them, or why they may not."""
        key = observation_key(observation), self._referee.waiting
        if self._lying is None or self._lying[:2] != (self.record, key):
            self._lying = self.record, key, self._referee.find_set_up(observation)
        return self._lying[2]

    @property
    def waits_for_director(self) -> bool:
        """Return True if no turn explains the table, or a pause lets the director put things right."""
        trouble = self._trouble
        is_unexplained = trouble is not None and trouble.status is Status.UNEXPLAINED
        return self.config.refereed and (is_unexplained or self._pause.is_paused)

    def next_moment(self, t: float) -> ClockEvent | None:
        """Return the first scheduled clock event after t, None if there is none; a `due` step tells the match of it.

        t: no earlier than in the call before, as long as no event came between them.
        """
        cached = self._next_event
        if cached is None or (cached[0] is not None and cached[0].t <= t):
            cached = self._next_event = (self._referee.next_moment(t),)
        return cached[0]

    def build_snapshot(self, box: BoxStatus) -> TableSnapshot:
        """Return all that lamps and page show: the match, and what only its box knows."""
        game = self.snapshot
        pressed_sides = [side for player in self._referee.waiting if (side := game.side_of(player)) is not None]
        return TableSnapshot(
            number=box.number,
            t=box.t,
            game=game,
            refereed=self.config.refereed,
            phase=self.phase,
            sight=box.sight,
            trouble=self._trouble,
            waiting=tuple(dict.fromkeys([*pressed_sides, *(press.side for press in self._scoring)])),
            resigning=_find_sides(game, self._referee.resigning(box.t)),
            agreed=_find_sides(game, game.verified),
            paused=self._pause.is_paused,
            called=self._pause.is_called,
            notice=self._notice or box.notice,
            faults=box.faults,
            names=self.names,
            unable=box.unable,
            unheard=box.unheard,
            seal=box.seal,
            kept=box.kept,
            blind=box.blind,
            game_info=self.game_info,
            seen=self._seen_position,
            passing=_find_sides(game, self._referee.passing),
            pause=self._pause.cause,
            match=box.match,
            finals=box.finals,
            asks=box.asks,
            certified=box.certified,
            taken_up=self._referee.checking,
            scoring=tuple(press.side for press in self._scoring if press.button is Button.SCORE),
            lying=box.lying,
            coordinates=box.coordinates,
            is_notice_granted=self._notice is not None and self._notice is self._granted_notice,
        )

    def handle(self, event: Event) -> Outcome:
        """Handle an observation, a press, a statement or a step."""
        before = self.snapshot.counting.proposal
        outcome = self._dispatch(event)
        if self.snapshot.counting.proposal not in (None, before):
            self._proposed_at = event.t
        by = event.by if isinstance(event, Step) else None
        self._pause = self._pause.settle(by or author_of(event), event.t)
        return outcome

    def _dispatch(self, event: Event) -> Outcome:
        match event:
            case Observation():
                return self._look(event)
            case Pressed():
                return self._press(event)
            case Step(act=Act.DUE):
                return self._handle_due(event)
            case Step() if self._is_clock_start(event) and (missing := self._missing):
                return self._refuse(event, missing)
            case Restarted():
                return self._restart(event)
            case Step():
                return self._pass_to_referee(event)
            case BoxProposal():
                return self._consider(event)
            case Pause():
                return self._halt(event)
            case Resume():
                return self._let_go_on(event)
            case _:
                self._news = None
                self._asked_at = event.t
                return self._pass_to_referee(event)

    def _consider(self, proposal: BoxProposal) -> Outcome:
        """Handle the box's proposal of a count; one that comes too late for the position, or a press, says nothing."""
        fits = proposal.position == self.record.position and self.snapshot.counting.wants_proposal
        return self._pass_to_referee(proposal) if fits and not self._scoring else NO_NEWS

    def _restart(self, event: Restarted) -> Outcome:
        """Go on after a power cut. The director's pause, and an adjournment, last; any other gives way to the question
        whether the players are ready."""
        self._notice = None  # The notice was about the time before the power cut.
        lasts = self._pause.is_paused and self._pause.is_directors
        outcome = self._pass_to_referee(event)
        self._pause = self._pause.with_pause() if lasts else self._pause
        return outcome

    def _handle_due(self, step: Step) -> Outcome:
        """Handle a scheduled clock event: a fallen flag, or the start of another period."""
        then = self.snapshot.clocks
        outcome = self._pass_to_referee(step)
        now = self.snapshot.clocks
        if then is not None and now is not None:
            notices = [clock_period_notice(*faces) for faces in zip(then.faces, now.faces, strict=True)]
            self._notice = next((text for text in notices if text is not None), self._notice)
        return replace(outcome, is_kept=bool(outcome.answers or outcome.rulings))

    def _pass_to_referee(self, event: Event, meaning: Meaning | None = None) -> Outcome:
        """Pass an event to the referee; its answers become trouble or notice. meaning: of a press."""
        result, progress = self.record.result, self._referee.filling_progress
        outcome = self._referee.receive(event, meaning)
        self._read_referee()
        goes_on = self.clock_runs or (self.record.result is not None and result is None)
        self._pause = self._pause.follow(self._clocks_in_play, self._referee.is_doubted, goes_on)
        if self._referee.filling_progress != progress:
            self._notice = self._referee.filling_progress
        for ruling in outcome.rulings:
            self._take_ruling(ruling)
        gap = next((ruling.message for ruling in reversed(outcome.rulings) if is_gap(ruling.message)), None)
        self._notice = gap or self._notice
        self._take_notice(outcome.notices)
        return outcome

    def _take_ruling(self, ruling: Ruling) -> None:
        """Make the newest ruling the trouble to be put right; a press without effect hides no earlier trouble."""
        trouble, self._notice = self._trouble, None
        if ruling.is_vain_press and trouble is not None and not trouble.is_vain_press:
            self._notice = ruling.message
        elif ruling.status is Status.LEGAL:
            self._trouble = next(iter(self._referee.unfinished_rulings), None)
        else:
            self._trouble = ruling

    def _take_notice(self, answers: tuple[ActAnswer, ...]) -> None:
        """Show the newest answer; the director's remark on an action only if the action itself left no message."""
        if not answers:
            return
        newest = answers[-1]
        event = newest.event
        is_remark = isinstance(event, Remark) and event.author is Actor.DIRECTOR
        if not (is_remark and self._noticed_at == event.t):
            self._notice, self._noticed_at = newest.said.message, -1.0 if is_remark else event.t
            self._granted_notice = self._notice if newest.effect is Effect.TAKEN else None

    # Observations

    def _look(self, observation: Observation) -> Outcome:
        if self._pause.is_paused:
            return NO_NEWS
        news = observation_key(observation)
        if news == self._news and not self._is_awaited(observation) and not self._referee.needs_look(observation.t):
            before = self._begun, self._trouble
            self._calm(observation)
            self._remind(observation.t)
            return NO_NEWS if (self._begun, self._trouble) == before else KEPT
        # An observation that was taken before the newest press, and comes after it, is no news about that press.
        self._news = news if observation.t > self._asked_at else None
        self._sure = rounded_confidences(observation)
        self._seen_position = self.position_in(observation) or self._seen_position
        outcome, before = self._judge(observation), (self._begun, self._trouble)
        self._calm(observation)
        self._unpressed_turn = (self._referee.find_unpressed(observation), observation.t)
        return outcome if (self._begun, self._trouble) == before else replace(outcome, is_kept=True)

    def _is_awaited(self, observation: Observation) -> bool:
        """Return True if a waiting press was not judged by the last observation, and this one has other confidences."""
        return bool(self._referee.waiting) and rounded_confidences(observation) != self._sure

    def _remind(self, t: float) -> None:
        """Remind a player who has played and forgets to press, once, and only if their time runs meanwhile."""
        turn, since = self._unpressed_turn
        clocks = self.snapshot.clocks
        if not isinstance(turn, Placement) or t - since < FORGOTTEN_AFTER or clocks is None:
            return
        self._unpressed_turn = NOTHING_OPEN
        if clocks.running is turn.player and not self._referee.waiting:
            self._notice = message(
                "notice.unpressed", player=turn.player, point=self.record.position.board.name(turn.point)
            )

    def _judge(self, observation: Observation) -> Outcome:
        """Pass an observation to the referee; if `score` was pressed before it, it shows which stones are meant."""
        due = tuple(press for press in self._scoring if press.t < observation.t)
        outcome = self._pass_to_referee(observation) if self._referee.waiting or not due else NO_NEWS
        if (press_after_end := self._referee.take_press_after_end()) is not None:
            self._scoring = (*self._scoring, press_after_end)
            due = (press_after_end, *due)
        for press in due:
            missing = stones_lifted_as_dead(self.record, observation)
            if missing is None or self._referee.waiting:
                self._news = None
                break
            self._scoring = tuple(one for one in self._scoring if one is not press)
            outcome = outcome.then(self._name_dead(press, missing, observation.t))
        return outcome

    def _name_dead(self, press: Pressed, missing: Mask | Message, t: float) -> Outcome:
        """Enter the meaning of a `score` press on a board from which these stones were lifted."""
        player = self.snapshot.at_side(press.side)
        if isinstance(missing, Message):
            self._notice = missing
            return KEPT
        assert player is not None
        counting = self.snapshot.counting
        if counting.proposal is not None:
            if press.t < self._proposed_at + LOOK_FIRST_S:
                self._notice = message("proposal.look-first", player=player)
                return KEPT
            missing |= counting.proposal.dead
        return self._pass_to_referee(proposal_or_answer(player, missing, counting, t))

    def _calm(self, observation: Observation) -> None:
        """End the trouble when the table agrees with the record, once it has been shown long enough."""
        if self._trouble is not None and self._trouble.turn == 0 and self._is_set_up:
            self._trouble = None
        if not self._may_be_over(observation) or not self._referee.agrees(observation):
            return
        self._begun = True
        self._trouble = next(iter(self._referee.unfinished_rulings), None)

    @property
    def _is_set_up(self) -> bool:
        """Return True if nothing is missing for the first move, which may lie there already."""
        return self.config.refereed and self._referee.ready and not self._referee.checking and not self.record.number

    def _may_be_over(self, observation: Observation) -> bool:
        trouble = self._trouble
        if trouble is None:
            return not self._begun
        between = trouble.move is None and bool(trouble.points)
        if trouble.status is Status.UNFINISHED and trouble.turn > 0 and not between:
            return isinstance(trouble.move, Placement) and self.config.refereed and not self._referee.waiting
        return observation.t - trouble.t >= SHOWN_FOR or trouble.turn == 0 or bool(trouble.points)

    # Presses

    def _press(self, press: Pressed) -> Outcome:
        if press.button is not Button.PAUSE and press.side not in self.snapshot.sides:
            return NO_NEWS
        self._news = self._notice = None
        self._asked_at = press.t
        self._unpressed_turn = NOTHING_OPEN
        meaning = meaning_of(press, self.situation(press))
        match meaning:
            case Meaning.FINAL:
                return self._refuse(press, message(for_players("notice.final", self.record.players)))
            case Meaning.PAUSED:
                return self._refuse(press, self._pause.message)
            case Meaning.UNREADY if (missing := self._missing) is not None:
                return self._refuse(press, missing)
            case Meaning.SCORE | Meaning.DISAGREE:
                player = self.snapshot.at_side(press.side)
                if player is None:
                    return self._refuse(press, message("notice.no-sides"))
                return self._score(press, player) if meaning is Meaning.SCORE else self._disagree(press, player)
            case Meaning.AGREE:
                return self._pass_to_referee(replace(press, button=Button.DONE, held=False), meaning)
            case Meaning.DISPUTE:
                return self._dispute(press)
        if press.button is Button.PAUSE:
            return self._press_pause(press, meaning)
        is_repeated = meaning is Meaning.RESIGN and self.snapshot.at_side(press.side) in self._referee.resigning(
            press.t
        )
        outcome = self._pass_to_referee(press, meaning)
        if is_repeated:
            self._notice = message("resign.again")
        elif not outcome.rulings:
            self._notice = self._notice or self._acknowledge(press, meaning)
        return outcome

    def _acknowledge(self, press: Pressed, meaning: Meaning) -> Message | None:
        """Return the answer to a press that neither a lamp nor the referee answers."""
        if meaning is Meaning.CLAIM_BLACK:
            return message("press.black-at", side=press.side)
        if meaning is Meaning.OVER:
            return message("notice.over")
        player = self.snapshot.at_side(press.side)
        if player is None:
            return None
        if meaning is Meaning.CONFIRM and player in self._referee.waiting:
            return message("resign.waits", player=player)
        if meaning is Meaning.NOT_NEXT:
            other = next(iter(self._referee.resigning(press.t)), None)
            if other is not None:
                return message("resign.other-first", player=other)
            if player is self.record.to_play and player in self._referee.waiting:
                return message("resign.closed-turn", player=player)
            return resigns_in_vain(player, self.record.to_play)
        if meaning is not Meaning.PASS or not self._referee.waiting:
            return None
        return message("draw.waits" if self.record.rules.draws is not None else "call.waits", player=player)

    def situation(self, press: Pressed) -> PressSituation:
        """Return all that the meaning of a press depends on."""
        situation = (
            self._referee.situation(press.side, press.t) if press.button is not Button.PAUSE else PressSituation()
        )
        return replace(
            situation,
            final=self.phase is Phase.FINAL,
            paused=self._pause.is_paused,
            directors_pause=self._pause.needs_director,
            called=self._pause.is_players_call,
            unready=self._missing is not None,
        )

    @property
    def _missing(self) -> Message | None:
        """Return what the start check still lacks if it holds back the clock or an adjourned game; else None."""
        clocks, trouble = self.snapshot.clocks, self._trouble
        starts = clocks is not None and not clocks.begun and self.phase is Phase.START and not self._referee.ready
        if not starts and not self._referee.checking:
            return None
        return message("notice.not-ready") + (trouble.message if trouble is not None else message("notice.unseen"))

    def _is_clock_start(self, step: Step) -> bool:
        """Return True if the step is a player's and starts the clock."""
        acts = (Act.START, Act.READY, Act.RESUME, Act.PRESS) if self._referee.checking else (Act.START,)
        return step.by is not None and step.act in acts

    def _refuse(self, event: Event, text: Message) -> Outcome:
        """Refuse an event: only the director is told if it was the director's, else the players."""
        if author_of(event) is Actor.DIRECTOR:
            return outcome_of(event, (), [Reply(event.t, text, refused=True, author=Actor.DIRECTOR)])
        self._notice = text
        return KEPT

    def _score(self, press: Pressed, player: Colour) -> Outcome:
        """Handle `score`: propose a count, agree to it or amend it, once an observation has shown the lifted stones."""
        counting = self.snapshot.counting
        if player is counting.waits_for or player in counting.may_propose or self._scoring:
            self._scoring = (*(one for one in self._scoring if one.side != press.side), press)
            return KEPT
        return self._pass_to_referee(proposal_or_answer(player, 0, counting, press.t))

    def _disagree(self, press: Pressed, player: Colour) -> Outcome:
        self._scoring = tuple(one for one in self._scoring if one.side != press.side)
        return self._pass_to_referee(Disagree(press.t, player))

    def _dispute(self, press: Pressed) -> Outcome:
        """Call the director because a player does not agree to the result."""
        self._pause = self._pause.with_dispute()
        outcome = self._pass_to_referee(
            Step(press.t, Act.DISPUTE, self.snapshot.at_side(press.side) or self.record.to_play)
        )
        self._notice = message("notice.disagreed")
        return outcome

    # Pauses

    def _press_pause(self, press: Pressed, meaning: Meaning) -> Outcome:
        """Handle the pause button."""
        before = self._pause
        if meaning is Meaning.DIRECTOR_GOES_ON and before.is_directors:
            return self._let_go_on(Resume(press.t, Actor.TABLE))
        after = before.press(press, meaning)
        if isinstance(after, Message):
            return self._refuse(press, after)
        self._pause, step = after, before.step_of(press, meaning)
        return self._pass_to_referee(step) if step is not None else KEPT

    def _halt(self, pause: Pause) -> Outcome:
        """Pause the game for the director."""
        step = self._pause.halt(pause)
        if isinstance(step, Message):
            return self._refuse(pause, step)
        outcome = self._pass_to_referee(step) if step is not None else KEPT
        self._pause, self._noticed_at = self._pause.with_directors_pause(pause), -1.0
        return outcome

    def _let_go_on(self, resume: Resume) -> Outcome:
        """Resume the game for the director, also after a power cut."""
        event = self._pause.go_on(resume, self._referee.checking)
        if isinstance(event, Message):
            return self._refuse(resume, event)
        outcome = self._pass_to_referee(event) if event is not None else KEPT
        if outcome.refusal is None:
            self._pause = self._pause.without_pause()
        return outcome

    @property
    def _clocks_in_play(self) -> Clocks | None:
        """Return the clocks, as long as the game has no result."""
        return self.snapshot.clocks if self.snapshot.result is None else None


def _find_sides(game: Snapshot, players: tuple[Colour, ...]) -> tuple[int, ...]:
    sides = {game.side_of(player) for player in players}
    return tuple(sorted(side for side in sides if side is not None))


def stones_lifted_as_dead(record: GameRecord, observation: Observation) -> Mask | Message | None:
    """Return the stones that are missing on the board.

    A message if something else has changed too; None if the observation is too doubtful.
    """
    look = BoardLikelihoods.of(record.position.board, observation.points, players=record.players)
    if look.is_too_doubtful:
        return None
    changed = look.misfits(record.position)
    missing = changed & record.position.occupied & look.likeliest.empty
    if changed & ~missing:
        return message("count.lift-only", points=points(record.position.board, changed & ~missing))
    return missing


def proposal_or_answer(player: Colour, missing: Mask, counting: Counting, t: float) -> Propose | Amend | Agree:
    """Return the proposal, amendment or agreement of a player who pressed `score` with these stones lifted."""
    if counting.waits_for is not player:
        return Propose(t, player, DeadStoneClaim(missing))
    return Agree(t, player) if missing == counting.named.dead else Amend(t, player, DeadStoneClaim(missing))


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


def observation_key(observation: Observation) -> object:
    """Return the part of an observation that makes it news: each point's likeliest content and whether it is doubtful,
    stones between points, and the lids' counts; how likely these are wavers.
    """
    likeliest = tuple((sight.index(best), best < DOUBTS) for sight in observation.points for best in [max(sight)])
    return likeliest, observation.between, tuple(replace(lid, chances=None) for lid in observation.lids)


def rounded_confidences(observation: Observation) -> tuple[float, ...]:
    """Return each point's confidence in hundredths: news to a waiting press, which needs a more certain stone."""
    return tuple(round(max(sight), 2) for sight in observation.points)


def clock_period_notice(then: ClockReading, now: ClockReading) -> Message | None:
    """Return the notice of a clock period that has begun: a bought period, overtime, another period; None otherwise."""
    if now.fallen:
        return None
    if now.bought > then.bought:
        if not now.periods:
            return message("notice.bought-last", player=now.player, points=now.points)
        return message("notice.bought", player=now.player, points=now.points, n=now.periods)
    if now.in_overtime and not then.in_overtime:
        return message("notice.overtime", player=now.player, left=now.text)
    if now.in_overtime and now.periods < then.periods:
        return message("notice.period", player=now.player, left=now.text)
    return None
