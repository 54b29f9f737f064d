"""The director's actions as the page sends them: validated, announced to the players as a remark, and carried out.

An action is an object with `act`, that action's fields, and `why`. The journal has every action twice: the remark
that tells the players what was done and why, and the event that the match handled.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from device.journal.entries import Terms, taken_up
from device.match.adjournment_code import LONGEST, decode_game
from device.match.request_fields import Fields
from device.table.adjournment import resumed_message, why_not_adjournable
from device.table.controller import TableController
from device.table.event_loop import EventLoop
from device.table.match_config import terms_from_request
from device.table.undo import Undo, undo_of
from referee.game.actor import Actor
from referee.game.board import Colour
from referee.game.count_result import DeadStoneClaim
from referee.game.diagram import describe_point
from referee.game.errors import RefereeError
from referee.game.messages import Listing, Message, for_players, message
from referee.game.turns import Exchange, Removal, Resign, Turn
from referee.rules.setup import LARGEST_KOMI
from referee.table.display_state import Phase, TableSnapshot
from referee.table.events import (
    Agree,
    AgreeVoid,
    ChangeKomi,
    Decision,
    Disagree,
    EnterAgreement,
    EnterTurn,
    Pause,
    Propose,
    Remark,
    Resume,
    TakeBack,
    WaiveReminder,
    Word,
)
from referee.table.table import TableConfig
from referee.table.table_position import why_not_set_up
from referee.time.controls import TimeLeft
from referee.time.steps import Act, Ground, Step
from vision.calibration.model import Calibration
from web.backend import UNDO_S
from web.director.confirmation import word_for
from web.errors import BadAct, Unsure

log = logging.getLogger("shinpan")
LONGEST_RESULT = 60
"""In letters: enough for six players each with their points."""
BY = Actor.DIRECTOR
TIME_ACTS = tuple(act for act in Act if act not in (Act.PRESS, Act.ACCEPT, Act.HAND_BACK, Act.DUE, Act.PROPOSE))
"""Clock actions that a director enters, in their own name or a player's."""


@dataclass(frozen=True)
class PlannedAction:
    """A planned action of the director.

    remark: the announcement to the players.
    then: the events for the match.
    terms: the match to set up.
    place: the new calibration.
    rehearses: True to begin a rehearsal.
    undoes: True to undo the newest act.
    goes_on: True to set the record to the stones that lie there; `to_play` is the next player, if that was said.
    needs_why: True if the director has to give a reason.
    loses: the confirmation text, if the action destroys something.
    """

    remark: Message
    then: tuple[Word | Decision | Step, ...] = ()
    terms: Terms | None = None
    place: Calibration | None = None
    rehearses: bool = False
    undoes: bool = False
    goes_on: bool = False
    to_play: Colour | None = None
    needs_why: bool = False
    loses: Message | None = None


class Director:
    """The executor of the director's actions, each on the owner's thread: it is planned for the table as it is done,
    however many directors act at the same time.

    calibrate: passes the positions of board and lids to the camera.
    """

    def __init__(
        self, event_loop: EventLoop, clock: Callable[[], float], calibrate: Callable[[Calibration], None]
    ) -> None:
        self._event_loop, self._clock, self._calibrate = event_loop, clock, calibrate
        self._undo: Undo | None = None

    def act(self, body: Mapping[str, object]) -> Sequence[Message]:
        """Carry out an action and return the messages to the players.

        With `preview` nothing is done: the messages are those that the players would get, and what would be lost.
        Raises BadAct for an impossible action, and Unsure if it destroys something else than was confirmed.
        """
        try:
            return self._event_loop.run_on_owner(lambda box: self._act_on_table(box, body))
        except RefereeError as error:
            raise BadAct(*error.args) from error

    def _act_on_table(self, box: TableController, body: Mapping[str, object]) -> Sequence[Message]:
        fields, snapshot = Fields(body), box.snapshot
        name, why, sure = (
            fields.take_text("act", 20),
            fields.take_optional_text("why", 300),
            fields.take_confirmation("sure"),
        )
        preview, planner = fields.take_flag("preview"), ACTS.get(name)
        if planner is None:
            raise BadAct(f"There is no act {name!r:.30}; there are {', '.join(ACTS)}.")
        try:
            action = planner(fields, snapshot, self._clock(), box.table.config)
            fields.check_done()
        except RefereeError as error:
            raise BadAct(*error.args) from error
        except BadAct:
            raise
        except Exception as error:  # Nothing was done yet: the table goes on.
            log.exception("This is a fault in shinpan: an act of the director's could not be planned.")
            raise BadAct(message("fault.act")) from error
        if action.undoes:
            action = self._plan_undo(snapshot)
        if action.goes_on:
            action = _plan_set_up(box, action, snapshot, self._clock())
        if preview:
            return [action.remark, *([action.loses] if action.loses is not None else [])]
        if action.needs_why and not why:
            raise BadAct(message("director.say-why"))
        if action.loses is not None and sure not in (True, word_for(action.loses)):
            raise Unsure(action.loses)
        reason = message("director.says" if name == "remark" else "director.why", why=why) if why else None
        settlements = box.table.record.settlements
        messages = self._carry_out(box, action, action.remark + reason, why or "")
        self._undo = (
            None if name == "undo" else undo_of(action.then, action.remark, snapshot, self._clock(), settlements)
        )
        return messages

    def _plan_undo(self, snapshot: TableSnapshot) -> PlannedAction:
        """Return what undoes the newest act; raise BadAct if it is too late, or the game has gone on."""
        undo, t = self._undo, self._clock()
        if undo is None or not undo.is_open(snapshot, t):
            raise BadAct(message("director.undo-late", seconds=UNDO_S))
        return PlannedAction(message("director.undo", act=undo.done), undo.events(t))

    def _carry_out(self, box: TableController, action: PlannedAction, remark: Message, why: str) -> Sequence[Message]:
        event = Remark(self._clock(), remark, BY)
        if action.terms is not None:
            box.set_up(action.terms, event)
            return [remark]
        if action.rehearses:
            box.begin_rehearsal(event)
            return [remark]
        if action.place is not None:
            self._calibrate(action.place)
        acts = [replace(act, why=why) if isinstance(act, Pause) else act for act in action.then]
        return box.carry_out(acts, event)


_Planner = Callable[[Fields, TableSnapshot, float, TableConfig], PlannedAction]


def _plan_pause(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.pause"), (Pause(t),))


def _plan_resuming(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.resume"), (Resume(t),), loses=confirm_resuming(snapshot))


def _plan_adjournment(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    why = why_not_adjournable(snapshot)
    if why is not None:
        raise BadAct(why)
    return PlannedAction(message("director.adjourn"), (Pause(t, adjourned=True),))


def _take_up(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    adjourned = decode_game(fields.take_text("sealed", LONGEST))
    terms = taken_up(Terms(adjourned.setup, replace(config, black_side=None)), adjourned)
    return PlannedAction(resumed_message(adjourned), terms=terms, loses=confirm_set_up(snapshot, terms))


def _set_up(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    terms = terms_from_request(fields, config, snapshot.game_info, len(snapshot.players))
    return PlannedAction(
        _announce_set_up(terms),
        terms=terms,
        loses=confirm_set_up(snapshot, terms),
    )


def _announce_set_up(terms: Terms) -> Message:
    """Return the announcement of the match that is set up."""
    rules, players = message(f"title.{terms.setup.rules.name}"), [Colour(letter) for letter in terms.setup.players]
    names = zip(players, terms.names, strict=True)
    if len(players) == 2:
        black, white = (name or player for player, name in names)
        return message("director.set-up", rules=rules, black=black, white=white)
    player_names = [message("games.player", player=player, name=name) if name else player for player, name in names]
    return message("director.set-up-all", rules=rules, players=Listing(tuple(player_names)))


def _plan_turn(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    _check_last(fields, snapshot)
    turn, stands = fields.take_turn(snapshot.game.position.board, snapshot.players), fields.take_flag("stands")
    return PlannedAction(
        message("director.enter"),
        (EnterTurn(t, turn, stands, BY),),
        needs_why=True,
        loses=confirm_turn(snapshot, turn),
    )


def _take_back(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    _check_last(fields, snapshot)
    turns = fields.take_integer("turns", 1, 1000)
    return PlannedAction(
        message("director.take-back", n=turns),
        (TakeBack(t, turns, BY),),
        needs_why=True,
        loses=confirm_take_back(snapshot, turns),
    )


def _check_last(fields: Fields, snapshot: TableSnapshot) -> None:
    """Raise BadAct if the newest turn is another than the director has seen, where that is said."""
    last = fields.take_integer("last", 0, 100_000, snapshot.game.turn)
    if last != snapshot.game.turn:
        raise BadAct(message("director.gone-on", last=last))


def _go_on(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    _check_last(fields, snapshot)
    to_play = fields.optional_player("to_play", snapshot.players)
    return PlannedAction(message("director.pause"), goes_on=True, to_play=to_play, needs_why=True)


def _plan_set_up(box: TableController, action: PlannedAction, snapshot: TableSnapshot, t: float) -> PlannedAction:
    """Return what sets the record to the stones that lie there, in a pause, which lasts until the director resumes the
    game, or ends by it if the box has paused; raise BadAct if they cannot be seen plainly or no game can stand so."""
    lying = why_not_set_up(box.table.record) or box.resting_stones
    if isinstance(lying, Message):
        raise BadAct(lying)
    to_play = action.to_play or lying.set_up.to_play
    if to_play is None:
        raise BadAct(message("lying.whose-turn"))
    agreement = EnterAgreement(t, replace(lying.set_up, to_play=to_play), BY)
    is_at_rest = snapshot.paused and not snapshot.called
    then: tuple[Decision, ...] = (agreement,) if is_at_rest else (Pause(t), agreement)
    if is_at_rest and snapshot.pause is not None and snapshot.pause.unexplained:
        then = agreement, Resume(t)
    return replace(action, remark=message("director.go-on", player=to_play) + lying.warning, then=then)


def _plan_exchange(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    exchange = Exchange(fields.take_integer("count", 1, 1000))
    return PlannedAction(message("director.settle"), (EnterAgreement(t, exchange, BY),))


def _plan_stone_removal(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    stones = fields.take_points("stones", snapshot.game.position.board)
    if not stones:
        raise BadAct("This act needs stones.")
    return PlannedAction(message("director.settle"), (EnterAgreement(t, Removal(stones), BY),))


def _plan_clocks(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    """Set the clocks; under tournament procedures the players must agree, and the director enters their agreement."""
    lefts = tuple((player, _read_time_left(fields.take_object(player.value))) for player in snapshot.players)
    agreeing = (None, *snapshot.players) if config.procedures else (None,)
    proposals = tuple(Step(t, Act.PROPOSE, by, lefts=lefts, author=BY) for by in agreeing)
    return PlannedAction(message(for_players("director.clocks", len(snapshot.players))), proposals, needs_why=True)


def _read_time_left(fields: Fields) -> TimeLeft:
    day = 24 * 3600 * 1000
    time_left = TimeLeft(
        fields.take_integer("main", 0, day),
        fields.take_integer("period", 0, day, 0),
        fields.take_integer("periods", 0, 999, 0),
        fields.take_integer("stones", 0, 999, 0),
    )
    fields.check_done()
    return time_left


def _plan_result(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    result = fields.take_text("result", LONGEST_RESULT)
    return PlannedAction(
        message("director.report", result=result),
        (Step(t, Act.REPORT, result=result, author=BY),),
        needs_why=True,
        loses=confirm_result(snapshot, result),
    )


def _plan_verifying(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    steps = tuple(Step(t, Act.VERIFY, player, author=BY) for player in snapshot.players)
    return PlannedAction(
        message(for_players("director.verify", len(snapshot.players))), steps, loses=confirm_verifying(snapshot)
    )


def _plan_proposal(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    board, player = snapshot.game.position.board, fields.take_player("player", snapshot.players)
    claim = DeadStoneClaim(fields.take_points("dead", board), fields.take_points("seki", board))
    return PlannedAction(message("director.propose", player=player), (Propose(t, player, claim, BY),))


def _plan_agreement(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    player = fields.take_player("player", snapshot.players)
    return PlannedAction(message("director.agree", player=player), (Agree(t, player, BY),))


def _plan_disagreement(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    player = fields.take_player("player", snapshot.players)
    return PlannedAction(message("director.disagree", player=player), (Disagree(t, player, BY),))


def _plan_void(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(
        message("director.void"), (AgreeVoid(t, author=BY),), needs_why=True, loses=confirm_void(snapshot)
    )


def _plan_komi(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    komi = fields.take_amount("komi", LARGEST_KOMI)
    return PlannedAction(
        message("director.komi", before=float(snapshot.game.komi), komi=komi),
        (ChangeKomi(t, komi, BY),),
        needs_why=True,
    )


def _plan_waiver(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.waive"), (WaiveReminder(t, BY),), needs_why=True)


def _plan_remark(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.remark"), needs_why=True)


def _plan_clock_act(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    """Plan any other clock action; docs/clocks.md has a paragraph for each."""
    act = fields.take_one_of("step", [one.value for one in TIME_ACTS])
    ms = fields.take_integer("ms", 0, 24 * 3600 * 1000, 0) or None
    ground = Ground(fields.take_one_of("ground", [one.value for one in Ground], Ground.WRONG.value))
    result = fields.take_optional_text("result", LONGEST_RESULT)
    by, about = (fields.optional_player(key, snapshot.players) for key in ("by", "about"))
    step = Step(t, Act(act), by, about, ms, result=result, ground=ground, author=BY)
    step_name, loss = message(f"step.{act}"), confirm_step(snapshot, step.act)
    if by is None:
        return PlannedAction(message("director.time", act=step_name), (step,), loses=loss)
    return PlannedAction(message("director.time-for", act=step_name, player=by), (step,), loses=loss)


def _plan_calibration(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.calibrate"), place=fields.take_calibration())


def _describe_point(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    """Describe a point for players who cannot see the board: the box speaks it, and the page shows it as a notice."""
    position = snapshot.game.position
    return PlannedAction(describe_point(position, position.board.point(fields.take_text("point", 4))))


def _plan_rehearsal(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.rehearse"), rehearses=True, loses=confirm_rehearsal(snapshot))


def _plan_undo(fields: Fields, snapshot: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.undo-late", seconds=UNDO_S), undoes=True)


ACTS: dict[str, _Planner] = {
    "pause": _plan_pause,
    "resume": _plan_resuming,
    "adjourn": _plan_adjournment,
    "take-up": _take_up,
    "set-up": _set_up,
    "rehearse": _plan_rehearsal,
    "enter": _plan_turn,
    "take-back": _take_back,
    "go-on": _go_on,
    "exchange": _plan_exchange,
    "remove": _plan_stone_removal,
    "clocks": _plan_clocks,
    "report": _plan_result,
    "verify": _plan_verifying,
    "propose": _plan_proposal,
    "agree": _plan_agreement,
    "disagree": _plan_disagreement,
    "void": _plan_void,
    "komi": _plan_komi,
    "waive": _plan_waiver,
    "remark": _plan_remark,
    "read": _describe_point,
    "time": _plan_clock_act,
    "calibrate": _plan_calibration,
    "undo": _plan_undo,
}
"""Every action by its name; docs/desk.md has a line for each."""

ENDING = frozenset({Act.RESIGN, Act.CLAIM, Act.REPORT, Act.ADJUDICATE, Act.NO_AGREEMENT, Act.TURN_OFF, Act.CLEAR})
"""Clock and result actions that can end a game, or make its result final."""


def confirm_set_up(snapshot: TableSnapshot, terms: Terms) -> Message | None:
    """Confirm the loss of the running game and of the clocks."""
    clocks = snapshot.game.clocks
    no_clocks = message("sure.no-clocks") if clocks is not None and terms.config.control is None else None
    loss = confirm_rehearsal(snapshot)
    return no_clocks if loss is None else loss + no_clocks


def confirm_rehearsal(snapshot: TableSnapshot) -> Message | None:
    """Confirm the loss of the running game; the director has to set it up again afterwards."""
    clocks = snapshot.game.clocks
    is_begun = snapshot.game.turn > 0 or snapshot.game.result is not None or (clocks is not None and clocks.begun)
    is_adjourned = snapshot.pause is not None and snapshot.pause.adjourned
    if not is_begun or is_adjourned or snapshot.phase is Phase.FINAL:
        return None
    if snapshot.game.result is not None:
        return message("sure.set-up-result", result=snapshot.game.result)
    return message("sure.set-up", n=snapshot.game.turn)


def confirm_resuming(snapshot: TableSnapshot) -> Message | None:
    """Confirm the end of the start check of an adjourned game."""
    return message("sure.resume") if snapshot.taken_up else None


def confirm_take_back(snapshot: TableSnapshot, turns: int) -> Message | None:
    """Confirm the loss of several turns; a single one is easily entered again."""
    last = snapshot.game.turn
    if not 1 < turns <= last or snapshot.game.result is not None:
        return None
    return message("sure.take-back", n=turns, first=last - turns + 1, last=last)


def confirm_turn(snapshot: TableSnapshot, turn: Turn) -> Message | None:
    """Confirm a resignation, which ends the game."""
    is_resignation = isinstance(turn, Resign) and not snapshot.game.ended
    return message("sure.resign", player=turn.player, n=snapshot.game.turn) if is_resignation else None


def confirm_result(snapshot: TableSnapshot, result: str) -> Message:
    """Confirm the loss of the running game, or of its present result."""
    if snapshot.game.result is not None:
        return message("sure.other-result", before=snapshot.game.result, result=result)
    return message("sure.report", n=snapshot.game.turn, result=result)


def confirm_verifying(snapshot: TableSnapshot) -> Message | None:
    """Confirm the end of the players' right to dispute the result."""
    if snapshot.game.result is None:
        return None
    return message(for_players("sure.verify", len(snapshot.players)), result=snapshot.game.result)


def confirm_void(snapshot: TableSnapshot) -> Message | None:
    """Confirm the loss of the running game."""
    return message("sure.void", n=snapshot.game.turn) if not snapshot.game.ended else None


def confirm_step(snapshot: TableSnapshot, act: Act) -> Message | None:
    """Confirm a clock action that ends the running game, or makes its result final."""
    if act not in ENDING or snapshot.phase is Phase.FINAL:
        return None
    return message("sure.time", act=message(f"step.{act}"))
