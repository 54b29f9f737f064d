"""The controller of one table, without threads: it passes events to the match, then the journal, then lamps and page.

Nothing is shown that is not in the journal. One thread calls it; its output is one immutable value for any reader.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from device.journal.entries import Terms, match_entry, new_match, placed_entry, taken_up, to_entry
from device.journal.head import Head
from device.journal.keyframes import Moment as KeyMoment
from device.journal.replay import Folder, ReplayedMatch, replay_journal, said_entries
from device.journal.store import Entry, Journal, Kind
from device.match.adjournment_code import AdjournedGame
from device.match.cleared import was_cleared
from device.match.record_writer import RecordWriter
from device.panel.debouncer import Presses
from device.panel.panel import UNHEARD, Edge, Panel, button_fault, down_from_the_start
from device.panel.signals import sentence_of, signal_of, sound_of
from device.table.certificate import Certification
from device.table.faults import Faults
from device.table.match_store import Finals, MatchStore
from device.table.rehearsal import rehearsal_terms
from device.table.resting_stones import RestingStones
from device.table.unexplained_board import UnexplainedBoard
from referee.game.actor import Actor
from referee.game.coordinates import Coordinates
from referee.game.errors import BadSetup, NoEffect
from referee.game.messages import Message, error_message, message
from referee.game.observation import Observation
from referee.table.display_state import BoxStatus, Phase, Sight, TableSnapshot
from referee.table.events import BoxProposal, Button, Decision, Pressed, Remark, Restarted, Word
from referee.table.outcome import Outcome
from referee.table.table_position import LyingStones
from referee.time.clock_events import ClockEvent, ClockEventKind
from referee.time.steps import Act, Step
from vision.calibration.model import Calibration
from web.formats import format_for

log = logging.getLogger("shinpan")
USUAL_SIZE = 19
LATE_PRESS = 0.1
"""Seconds by which a fallen flag is held back: a press made before it may still be in transit."""
AFTER_S = 0.001
"""Seconds after the last act from which a press counts that was made before it: the clocks' unit."""
PASSES = 30.0
"""Seconds for which a passing notice is shown."""
_DISABLING = frozenset({"terms", "size", "look"})
"""Faults under which no position on the table can be judged."""
_UNFIT = ("camera", "panel", "look")
"""Faults under which no box is certified, however well it ruled."""
RESULT_STANDS = 60.0
"""Seconds for which the result of a match that left no stone on the board is shown while none is put on it."""


class TableController:
    """The controller of one table.

    terms: of the matches played; if they name no size, the first observed board decides it.
    publish: receives every new snapshot.
    keep: receives every ruling once it is in the journal.
    wall: the time of day, used as a label only.
    certification: the box's record in rehearsals.
    hold_lids: receives after each look what the record has in the lids (`Table.list_lids`), and the look's time.
    coordinates: the way intersections are named to people.
    table: the state machine of the current match.
    record_writer: of its game record.
    place: the newest calibration of board and lids.
    """

    def __init__(
        self,
        terms: Terms,
        folder: Folder,
        panel: Panel,
        publish: Callable[[TableSnapshot], None],
        keep: Callable[[KeyMoment], None] = lambda moment: None,
        wall: Callable[[], datetime] = lambda: datetime.now().astimezone(),
        certification: Certification | None = None,
        coordinates: Coordinates = Coordinates.LETTERS,
        hold_lids: Callable[[Sequence[tuple[int, int]], float], None] = lambda contents, t: None,
    ) -> None:
        self._hold_lids = hold_lids
        self._keep, self._certification, self._coordinates = keep, certification or Certification(), coordinates
        self._terms, self._panel, self._publish = terms, panel, publish
        self._faults = Faults()
        self._match_store = MatchStore(folder, self._faults, wall)
        self._presses = Presses()
        self.table, self.record_writer = new_match(terms.with_size(USUAL_SIZE)), RecordWriter()
        self._finals = Finals(folder.path)
        self._is_open = False
        self.place: Calibration | None = None
        self._sight = Sight.SEARCHING
        self._expiry_times: dict[str, float] = {}
        self._notice: Message | None = None
        self._pending_remark: Remark | None = None
        self._ticked_at = self._acted_at = 0.0
        self._resting_stones, self._unexplained_board = RestingStones(), UnexplainedBoard()
        self.snapshot = self._build_snapshot(0, 0.0)

    @property
    def deadline(self) -> float | None:
        """Return the latest time at which `tick` should be called, on the box's clock."""
        moment = self.table.next_moment(self._ticked_at)
        alive_at = self._match_store.alive_at if self.table.is_clock_running else None
        times = (self._presses.deadline, _due_time(moment) if moment is not None else None, alive_at)
        return min((t for t in times if t is not None), default=None)

    def read_results(self) -> None:
        """Read the earlier matches' results again, because their file was rewritten."""
        self._finals.read()

    # Events

    def resume_match(self, journal: Journal, replayed: ReplayedMatch, t: float) -> None:
        """Resume a match: one that was interrupted, or one whose result is shown until the board is cleared."""
        self._match_store.journal, self.table, self.place = journal, replayed.table, replayed.place
        self._is_open = True
        self._keep_named_rules(replayed.terms)
        self.set_fault("replay", replayed.differs)
        self.set_fault("damage", replayed.lost)
        self._ticked_at = self._acted_at = t
        self._record_outcome(Entry(Kind.RESUMED, t, {"entries": replayed.entries}), self.table.receive(Restarted(t)))
        self._match_store.record_due = True
        self._tell_now(t)
        self._update_outputs(t)

    def tell_players(self, notice: Message) -> None:
        """Tell the players something as soon as there is a match, whose journal then records it."""
        self._notice, self._pending_remark = notice, Remark(self.snapshot.t, notice, Actor.BOX)
        self._update_outputs(self.snapshot.t)

    @property
    def resting_stones(self) -> LyingStones | Message:
        """Return the stones that rest on the table, as the game may go on from them, or why it may not."""
        return self._resting_stones.find_stones(self.table.record.situation)

    @property
    def journal(self) -> Path | None:
        """Return the match's journal, None before there is one."""
        journal = self._match_store.journal
        return journal.path if journal is not None else None

    @property
    def running_journal(self) -> Path | None:
        """Return the journal of a running match, None once both players have agreed to its result."""
        return None if self.snapshot.phase is Phase.FINAL else self.journal

    @property
    def head(self) -> Head | None:
        """Return the head of the match's journal, None before there is one."""
        journal = self._match_store.journal
        return journal.head if journal is not None else None

    @property
    def is_written(self) -> bool:
        """Return True if everything that matters is in the journal."""
        return "journal" not in self._faults

    @property
    def seal(self) -> str:
        """Return the digest of the match's journal; empty before there is one."""
        return self.head.short if self.head is not None else ""

    @property
    def sgf_record(self) -> bytes:
        """Return the game record with its journal's digest; raise BadRecord for one that SGF cannot hold."""
        return self.record_writer.write(self.table, self.seal)

    def set_fault(self, what: str, fault: Message | None) -> None:
        """Set a fault of the box, shown until it is cleared with None."""
        self._faults.report(what, fault)

    def show_briefly(self, what: str, fault: Message, t: float) -> None:
        """Show a message for a limited time."""
        self._expiry_times[what] = t + PASSES
        self.set_fault(what, fault)

    def rebuild_match(self, look: bool, t: float) -> None:
        """Go on without an event that failed: rebuild the match from its journal, which does not contain it.

        look: True if the event was an observation. Raises JournalError if the journal cannot be replayed.
        """
        if look:
            self.set_fault("look", message("fault.look"))
        else:
            self.show_briefly("act", message("fault.act"), t)
        if self.journal is not None:
            self.table = replay_journal(self.journal, self._match_store.unwritten).table

    def sight(self, sight: Sight, t: float, fault: Message | None = None) -> None:
        """Take the camera's state; fault: why it gives no picture, or which of the mat's cards lie wrong."""
        is_news = (sight, fault) != (self._sight, self._faults.message("camera"))
        self.set_fault("camera", fault)
        if is_news and not self._is_open and self._pending_remark is None:
            self._notice = None  # The notice said what was missing before.
        self._sight = sight
        if sight is not Sight.SEEN:
            self._resting_stones.forget_stones()
            self._unexplained_board.cover()
        self._update_outputs(t)

    def handle_positions(self, place: Calibration, t: float) -> None:
        """Take the current calibration of board and lids; an open match's journal records it."""
        if place != self.place:
            self.place = place
            if self._is_open:
                self._match_store.write([placed_entry(place, t)])

    def handle_observation(self, observation: Observation) -> None:
        """Take an observation of the table, in the journal's form."""
        self._begin_if_due(observation)
        if self._has_match_size(observation):
            self._handle_event(observation)
            set_up = self.table.find_set_up(observation)
            self._resting_stones.take_look(set_up, self.table.record.situation, observation.t)
            self._follow_unexplained_board(observation)
            self._hold_lids(self.table.list_lids(observation), observation.t)
        self.set_fault("look", None)
        self._update_outputs(observation.t)

    def _follow_unexplained_board(self, observation: Observation) -> None:
        """Pause the game if no turns explain the board, and let it go on once it is put right."""
        board, table = self._unexplained_board, self.table
        position = table.position_in(observation)
        board.see(table.match_board(observation), position, table.record.situation, observation.t)
        act = board.find_act(table.pause)
        if act is not None:
            self._run_clock(act.t)
            self._handle_event(act)

    def set_up(self, terms: Terms, remark: Remark) -> None:
        """Set up a match for the director: it begins now, and later matches are played on the same terms.

        Both journals record the remark. Raises BadSetup, and changes nothing, if the terms do not fit the board on the
        table, or if the previous match cannot be written.
        """
        size = self.place.grid.size if self.place is not None else self.table.record.position.board.cols
        sized = terms.with_size(size)
        sized.record()
        sized.check_place(self.place)
        player_count = self.table.record.players
        if len(sized.setup.players) != player_count:
            raise BadSetup(message("notice.other-players", players=player_count))
        if not self._match_store.write_all():
            raise BadSetup(message("notice.unwritten"))
        self.say(remark)
        self._terms = terms if terms.adjourned is None else self._terms
        self._begin_match(sized, remark.t)
        self.say(remark)

    def take_up(self, adjourned: AdjournedGame, notice: Message) -> None:
        """Begin the first match as the resumption of an adjourned game, with this table's options."""
        now = self.snapshot.t
        self.set_up(taken_up(self._terms, adjourned), Remark(now, notice, Actor.BOX))

    def begin_rehearsal(self, remark: Remark) -> None:
        """Begin a rehearsal. Raises BadSetup, and changes nothing, if that is impossible."""
        if not self._may_be_certified:
            raise BadSetup(message("rehearsal.two-players"))
        if self.place is None:
            raise BadSetup(message("rehearsal.no-board"))
        usual, size = self._terms, self.place.grid.size
        self.set_up(rehearsal_terms(usual, size), remark)
        self._terms = usual
        self._certification.begin_rehearsal(size, usual.config.refereed, remark.t)

    def say(self, word: Word | Decision | Step | Pressed) -> None:
        """Take a player's statement or press, a message of the box, or a clock step."""
        if self._is_open:
            self._run_clock(word.t)
            self._handle_event(word)
        else:
            self._notice = self._not_begun
        self._update_outputs(word.t)

    def press(self, press: Pressed, now: float, touched: float | None = None) -> Message | None:
        """Take a press that came over a network, made at its own time; return a message if it came too late to count.

        It counts from its own time, but from after the last act that the match has heard of: time that has been given
        is not taken back, and no two acts are of one time, because their order says what each means. A DONE that was
        made before a turn was closed that is in the record by now is over.

        touched: when it was made by what its phone says, if it counts from later; it can only make the press too late.
        """
        touched = press.t if touched is None else touched
        if press.button is Button.DONE and not press.is_held and touched < self.table.ruled_until:
            return message("phone.too-late", side=press.side, seconds=round(now - touched, 1))
        self._handle_presses((replace(press, t=max(press.t, self._acted_at + AFTER_S)),), now)
        return None

    def carry_out(self, acts: Sequence[Word | Decision | Step], remark: Remark) -> Sequence[Message]:
        """Carry out the director's actions, tell the players, and return the messages and rulings.

        Raises InVain, and tells the players nothing, if an action has no effect; the journal records the attempt.
        """
        if not self._is_open and acts:
            raise NoEffect(self._not_begun)
        if not self._is_open:
            self._notice, self._pending_remark = remark.message, remark
            self._update_outputs(remark.t)
            return [remark.message]
        messages: list[Message] = [remark.message]
        for act in acts:
            self._run_clock(act.t)
            outcome = self._handle_event(act)
            if outcome.refusal is not None:
                self._update_outputs(act.t)
                raise NoEffect(outcome.refusal)
            messages += outcome.actor_messages
        self._handle_event(remark)
        self._update_outputs(remark.t)
        return messages

    def take_edge(self, edge: Edge) -> None:
        """Take a button edge; the fault of a button that was down from the start ends when it comes up."""
        if not edge.down or not edge.done:
            found_down = down_from_the_start(edge.side, edge.button) if edge.down else None
            self.set_fault(button_fault(edge.side, edge.button), found_down)
        self._handle_presses(self._presses.edge(edge), edge.t)

    def tick(self, t: float) -> None:
        """Advance to time t: handle held buttons, fallen flags and expired notices."""
        for what in [what for what, until in self._expiry_times.items() if t >= until]:
            del self._expiry_times[what]
            self.set_fault(what, None)
        self._handle_presses(self._presses.due(t), t)
        self._announce_certificate(t)

    @property
    def _may_be_certified(self) -> bool:
        """Return True if the table can be rehearsed: a rehearsal takes two players."""
        return self.table.record.players == 2

    @property
    def _not_begun(self) -> Message:
        """Return the reason why no match has begun yet."""
        shown_first = self._faults.message("camera") if self._sight is Sight.UNSHOWN else None
        return shown_first or message("notice.no-board")

    def close(self) -> None:
        """Close the journal."""
        self._match_store.close()

    def _keep_named_rules(self, resumed: Terms) -> None:
        """If the settings name no rules, keep the rules chosen before the box was restarted."""
        rules = resumed.setup.rules
        if rules.named and not self._terms.setup.rules.named and not resumed.rehearsal and resumed.adjourned is None:
            self._terms = replace(self._terms, setup=replace(self._terms.setup, rules=rules))

    # Effects

    def _handle_presses(self, presses: tuple[Pressed, ...], t: float) -> None:
        for press in presses:
            self._run_clock(press.t)
            self._handle_press(press)
        self._run_clock(t)
        if self.table.is_clock_running:
            self._match_store.note_alive(t)
        self._retry_writes(t)
        self._update_outputs(t)

    def _handle_press(self, press: Pressed) -> None:
        self._certification.handle_press(press)
        if self._is_open:
            self._handle_event(press)
        else:
            self._notice = self._not_begun

    def _handle_event(self, event: Observation | Word | Decision | Step | Pressed) -> Outcome:
        outcome = self.table.receive(event)
        is_act = not isinstance(event, Observation | Remark | BoxProposal) and not (
            isinstance(event, Step) and event.act is Act.DUE
        )
        if is_act:  # What is only told holds no press up.
            self._acted_at = max(self._acted_at, event.t)
        if outcome.is_kept:
            self._record_outcome(to_entry(event, self.table.record.position.board), outcome)
        self._certification.handle_outcome(event, outcome.rulings)
        return outcome

    def _announce_certificate(self, t: float) -> None:
        """Announce the certificate once the rehearsal is over, and begin a match on the usual terms."""
        if self._certification.asks is None or not self._match_store.write_all():
            return
        faults = [fault for what in _UNFIT if (fault := self._faults.message(what)) is not None]
        if certificate := self._certification.advance_rehearsal(t, faults):
            self._handle_event(Remark(t, certificate, Actor.BOX))
            self._begin_match(self._terms.with_size(self.table.record.position.board.cols), t)
            self._update_outputs(t)

    def _record_outcome(self, entry: Entry, outcome: Outcome) -> None:
        """Write an event and its outcome to the journal."""
        self._match_store.write([entry, *said_entries(outcome, self.table.record)])
        self._match_store.record_due |= outcome.is_in_record
        if (journal := self._match_store.journal) is not None:
            for ruling in outcome.rulings:
                self._keep(KeyMoment(journal.path.stem, journal.entries, ruling, self.table.record))

    # The clock

    def _run_clock(self, t: float) -> None:
        """Let the match handle all scheduled clock events up to t, in order."""
        while (moment := self.table.next_moment(self._ticked_at)) is not None and _due_time(moment) <= t:
            self._ticked_at = moment.t
            self._handle_event(Step(moment.t, Act.DUE))
            self._update_outputs(moment.t)
        flag_comes = moment is not None and moment.what is ClockEventKind.FLAG and moment.t <= t
        self._ticked_at = self._ticked_at if flag_comes else max(self._ticked_at, t)

    def _has_match_size(self, observation: Observation) -> bool:
        """Return True if the observed board has the match's size; set the fault otherwise."""
        lines, match_lines = observation.lines, self.table.record.position.board.cols
        fits = self._is_open and lines == match_lines
        is_reported = fits or "terms" in self._faults
        self.set_fault("size", None if is_reported else message("notice.other-board", lines=lines, played=match_lines))
        return fits

    def _begin_if_due(self, observation: Observation) -> None:
        """Begin a match at the first observation, after a change of board, or for a new game after a final result."""
        size, table = observation.lines, self.table
        is_other_size = table.record.position.board.cols != size and not table.record.number
        is_cleared = self.table.phase is Phase.FINAL and self._is_next_game(observation)
        terms, unfit = self._terms.with_size(size), None
        if (
            (not self._is_open or is_other_size or is_cleared)
            and terms.setup.size == (size, size)
            and self._match_store.write_all()
        ):
            try:
                terms.check_place(self.place)
                self._begin_match(terms, observation.t)
            except BadSetup as error:
                unfit = message("notice.terms-do-not-fit", lines=size) + error_message(error)
        self.set_fault("terms", unfit)

    def _is_next_game(self, observation: Observation) -> bool:
        """Return True if the board was cleared after a final result, even if stones of the next game lie on it.

        A board that was empty anyway shows the result for RESULT_STANDS seconds, or until a stone lies on it.
        """
        final = self.table.record.position
        if not final.occupied and observation.is_bare:
            return observation.t - self.snapshot.t >= RESULT_STANDS
        position = self.table.position_in(observation)
        return observation.is_bare or (position is not None and was_cleared(final, position))

    def _begin_match(self, terms: Terms, t: float) -> None:
        """Begin a match; raise BadSetup, and change nothing, if it cannot be played."""
        terms.record()
        if self.table.phase is Phase.FINAL:
            self._handle_event(Step(t, Act.CLEAR))
        self._keep_record()
        self._match_store.end_match()
        self._is_open, self._notice = True, None
        self._certification.end_rehearsal()
        opening_entry = replace(match_entry(terms, t), wall=self._match_store.now())
        self.table = new_match(terms, opening_entry.wall)
        placed_entries = [placed_entry(self.place, t)] if self.place is not None else []
        self._match_store.write([opening_entry, *placed_entries])
        self._acted_at = max(self._acted_at, t)  # No press is of before the match.
        self._tell_now(t)
        certificate = self._certification.certificate_message if self._may_be_certified else None
        if certificate is not None and not terms.rehearsal:
            self._handle_event(Remark(t, certificate, Actor.BOX))

    def _tell_now(self, t: float) -> None:
        if self._pending_remark is not None:
            remark, self._pending_remark, self._notice = replace(self._pending_remark, t=t), None, None
            self._handle_event(remark)

    def _retry_writes(self, t: float) -> None:
        """Retry writes that the disk refused, even without events: there may be room now."""
        if (not self.is_written or self._match_store.record_refused) and self._match_store.retry_writes(t):
            self.set_fault("journal", None)
            self._match_store.settle_journal(math.inf)
            if self._match_store.record_refused:
                self._keep_record()

    def _keep_record(self) -> None:
        """Write the game record beside the journal; it is rewritten in full after each ruling."""
        self._match_store.keep_record(format_for(self.table.record.players).ending, lambda: self.sgf_record)

    # Output

    def _update_outputs(self, t: float) -> None:
        """Update lamps, then page, then what nobody waits for: the journal's log, and the game record."""
        self._update_lamps_and_page(t)
        faults = self._faults.by_name
        self._match_store.settle_journal(t)
        if self._match_store.record_due:
            self._keep_record()
        if self._faults.by_name != faults:
            self._update_lamps_and_page(t)

    def _update_lamps_and_page(self, t: float) -> None:
        """Update lamps, then page, if anything has changed."""
        previous = self.snapshot
        snapshot = self._build_snapshot(previous.number + 1, t)
        if snapshot == previous:
            return
        faults = self._faults.by_name
        self._drive_panel(previous, snapshot)
        self.snapshot = snapshot if faults == self._faults.by_name else self._build_snapshot(snapshot.number, t)
        self._publish(self.snapshot)
        if snapshot.phase is Phase.FINAL:
            self.set_fault("finals", self._finals.store_result(snapshot))

    def _drive_panel(self, previous: TableSnapshot, snapshot: TableSnapshot) -> None:
        """Drive lamps, buzzer and display; if these fail, the game goes on without them."""
        sound = sound_of(previous, snapshot)
        try:
            self._panel.show(signal_of(snapshot))
            if sound is not None:
                self._panel.sound(sound)
            self._panel.say(sentence_of(snapshot))
        except Exception:
            if "panel" not in self._faults:
                log.exception("The panel cannot be driven.")
            self.set_fault("panel", message("fault.panel"))
        else:
            self.set_fault("panel", None)

    def _build_snapshot(self, number: int, t: float) -> TableSnapshot:
        match = self.journal.stem if self.journal is not None else ""
        is_kept = match and self.table.snapshot.result is not None
        resting = self.resting_stones if self.table.is_waiting_for_director else None
        lying = resting if isinstance(resting, LyingStones) else None
        offer = message("lying.offer") + lying.warning if lying is not None else None
        box = BoxStatus(
            number=number,
            t=t,
            sight=self._sight,
            faults=tuple(self._faults.by_name.values()),
            notice=self._notice or offer,
            unable=not _DISABLING.isdisjoint(self._faults),
            unheard=any(what.partition(" ")[0] == UNHEARD for what in self._faults),
            seal=self.seal if is_kept else "",
            archive_name=match if is_kept else "",
            blind=self._faults.message("camera") if self._sight in (Sight.LOST, Sight.UNSHOWN) else None,
            match=match,
            finals=self._finals.all_but(match) if match else (),
            asks=self._certification.asks,
            certified=self._certification.rehearsal_message if self._may_be_certified else None,
            lying=lying,
            coordinates=self._coordinates,
        )
        return self.table.build_snapshot(box)


def _due_time(moment: ClockEvent) -> float:
    """Return the time at which the match is told of a clock event."""
    return moment.t + LATE_PRESS if moment.what is ClockEventKind.FLAG else moment.t
