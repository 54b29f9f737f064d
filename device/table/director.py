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
from referee.time.controls import TimeLeft
from referee.time.steps import Act, Ground, Step
from referee.umpire.events import (
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
from referee.umpire.referee import TableConfig
from referee.umpire.table_position import why_not_set_up
from referee.umpire.table_state import Phase, TableSnapshot
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
        self, appliance: EventLoop, clock: Callable[[], float], calibrate: Callable[[Calibration], None]
    ) -> None:
        self._appliance, self._clock, self._calibrate = appliance, clock, calibrate
        self._undo: Undo | None = None

    def act(self, body: Mapping[str, object]) -> Sequence[Message]:
        """Carry out an action and return the messages to the players.

        With `preview` nothing is done: the messages are those that the players would get, and what would be lost.
        Raises BadAct for an impossible action, and Unsure if it destroys something else than was confirmed.
        """
        try:
            return self._appliance.ask(lambda box: self._act(box, body))
        except RefereeError as error:
            raise BadAct(*error.args) from error

    def _act(self, box: TableController, body: Mapping[str, object]) -> Sequence[Message]:
        fields, now = Fields(body), box.showing
        name, why, sure = fields.text("act", 20), fields.optional_text("why", 300), fields.confirmation("sure")
        preview, found = fields.flag("preview"), ACTS.get(name)
        if found is None:
            raise BadAct(f"There is no act {name!r:.30}; there are {', '.join(ACTS)}.")
        try:
            doing = found(fields, now, self._clock(), box.match.config)
            fields.check_done()
        except RefereeError as error:
            raise BadAct(*error.args) from error
        except BadAct:
            raise
        except Exception as error:  # Nothing was done yet: the table goes on.
            log.exception("This is a fault in shinpan: an act of the director's could not be planned.")
            raise BadAct(message("fault.act")) from error
        if doing.undoes:
            doing = self._undoing(now)
        if doing.goes_on:
            doing = _setting_up(box, doing, now, self._clock())
        if preview:
            return [doing.remark, *([doing.loses] if doing.loses is not None else [])]
        if doing.needs_why and not why:
            raise BadAct(message("director.say-why"))
        if doing.loses is not None and sure not in (True, word_for(doing.loses)):
            raise Unsure(doing.loses)
        reason = message("director.says" if name == "remark" else "director.why", why=why) if why else None
        settled = box.match.record.settlements
        said = self._do(box, doing, doing.remark + reason, why or "")
        self._undo = None if name == "undo" else undo_of(doing.then, doing.remark, now, self._clock(), settled)
        return said

    def _undoing(self, now: TableSnapshot) -> PlannedAction:
        """Return what undoes the newest act; raise BadAct if it is too late, or the game has gone on."""
        undo, t = self._undo, self._clock()
        if undo is None or not undo.is_open(now, t):
            raise BadAct(message("director.undo-late", seconds=UNDO_S))
        return PlannedAction(message("director.undo", act=undo.done), undo.events(t))

    def _do(self, box: TableController, doing: PlannedAction, remark: Message, why: str) -> Sequence[Message]:
        event = Remark(self._clock(), remark, BY)
        if doing.terms is not None:
            box.set_up(doing.terms, event)
            return [remark]
        if doing.rehearses:
            box.rehearse(event)
            return [remark]
        if doing.place is not None:
            self._calibrate(doing.place)
        acts = [replace(act, why=why) if isinstance(act, Pause) else act for act in doing.then]
        return box.direct(acts, event)


_Made = Callable[[Fields, TableSnapshot, float, TableConfig], PlannedAction]


def _pause(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.pause"), (Pause(t),))


def _resume(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.resume"), (Resume(t),), loses=by_resuming(now))


def _adjourn(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    why = why_not_adjournable(now)
    if why is not None:
        raise BadAct(why)
    return PlannedAction(message("director.adjourn"), (Pause(t, adjourned=True),))


def _take_up(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    adjourned = decode_game(fields.text("sealed", LONGEST))
    terms = taken_up(Terms(adjourned.setup, replace(config, black_side=None)), adjourned)
    return PlannedAction(resumed_message(adjourned), terms=terms, loses=confirm_set_up(now, terms))


def _set_up(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    wanted = terms_from_request(fields, config, now.game_info, len(now.players))
    return PlannedAction(
        _announcement(wanted),
        terms=wanted,
        loses=confirm_set_up(now, wanted),
    )


def _announcement(terms: Terms) -> Message:
    """Return the announcement of the match that is set up."""
    rules, players = message(f"title.{terms.setup.rules.name}"), [Colour(letter) for letter in terms.setup.players]
    names = zip(players, terms.names, strict=True)
    if len(players) == 2:
        black, white = (name or player for player, name in names)
        return message("director.set-up", rules=rules, black=black, white=white)
    named = [message("games.player", player=player, name=name) if name else player for player, name in names]
    return message("director.set-up-all", rules=rules, players=Listing(tuple(named)))


def _enter(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    _check_last(fields, now)
    turn, stands = fields.turn(now.game.position.board, now.players), fields.flag("stands")
    return PlannedAction(
        message("director.enter"),
        (EnterTurn(t, turn, stands, BY),),
        needs_why=True,
        loses=by_turn(now, turn),
    )


def _take_back(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    _check_last(fields, now)
    turns = fields.whole("turns", 1, 1000)
    return PlannedAction(
        message("director.take-back", n=turns),
        (TakeBack(t, turns, BY),),
        needs_why=True,
        loses=by_take_back(now, turns),
    )


def _check_last(fields: Fields, now: TableSnapshot) -> None:
    """Raise BadAct if the newest turn is another than the director has seen, where that is said."""
    last = fields.whole("last", 0, 100_000, now.game.turn)
    if last != now.game.turn:
        raise BadAct(message("director.gone-on", last=last))


def _go_on(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    _check_last(fields, now)
    to_play = fields.optional_player("to_play", now.players)
    return PlannedAction(message("director.pause"), goes_on=True, to_play=to_play, needs_why=True)


def _setting_up(box: TableController, doing: PlannedAction, now: TableSnapshot, t: float) -> PlannedAction:
    """Return what sets the record to the stones that lie there, in a pause, which lasts until the director resumes the
    game; raise BadAct if they cannot be seen plainly or no game can stand so."""
    found = why_not_set_up(box.match.record) or box.lying
    if isinstance(found, Message):
        raise BadAct(found)
    to_play = doing.to_play or found.to_play
    if to_play is None:
        raise BadAct(message("lying.whose-turn"))
    entered = EnterAgreement(t, replace(found, to_play=to_play), BY)
    at_rest = now.paused and not now.called
    then = (entered,) if at_rest else (Pause(t), entered)
    return replace(doing, remark=message("director.go-on", player=to_play), then=then)


def _exchange(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.settle"), (EnterAgreement(t, Exchange(fields.whole("count", 1, 1000)), BY),))


def _remove(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    stones = fields.points("stones", now.game.position.board)
    if not stones:
        raise BadAct("This act needs stones.")
    return PlannedAction(message("director.settle"), (EnterAgreement(t, Removal(stones), BY),))


def _clocks(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    """Set the clocks; under tournament procedures the players must agree, and the director enters their agreement."""
    lefts = tuple((player, _read_time_left(fields.object(player.value))) for player in now.players)
    agreeing = (None, *now.players) if config.procedures else (None,)
    proposals = tuple(Step(t, Act.PROPOSE, by, lefts=lefts, author=BY) for by in agreeing)
    return PlannedAction(message(for_players("director.clocks", len(now.players))), proposals, needs_why=True)


def _read_time_left(fields: Fields) -> TimeLeft:
    day = 24 * 3600 * 1000
    left = TimeLeft(
        fields.whole("main", 0, day),
        fields.whole("period", 0, day, 0),
        fields.whole("periods", 0, 999, 0),
        fields.whole("stones", 0, 999, 0),
    )
    fields.check_done()
    return left


def _report(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    result = fields.text("result", LONGEST_RESULT)
    return PlannedAction(
        message("director.report", result=result),
        (Step(t, Act.REPORT, result=result, author=BY),),
        needs_why=True,
        loses=by_result(now, result),
    )


def _verify(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    steps = tuple(Step(t, Act.VERIFY, player, author=BY) for player in now.players)
    return PlannedAction(message(for_players("director.verify", len(now.players))), steps, loses=by_verifying(now))


def _propose(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    board, player = now.game.position.board, fields.player("player", now.players)
    named = DeadStoneClaim(fields.points("dead", board), fields.points("seki", board))
    return PlannedAction(message("director.propose", player=player), (Propose(t, player, named, BY),))


def _agree(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    player = fields.player("player", now.players)
    return PlannedAction(message("director.agree", player=player), (Agree(t, player, BY),))


def _disagree(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    player = fields.player("player", now.players)
    return PlannedAction(message("director.disagree", player=player), (Disagree(t, player, BY),))


def _void(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.void"), (AgreeVoid(t, author=BY),), needs_why=True, loses=by_void(now))


def _komi(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    komi = fields.amount("komi", LARGEST_KOMI)
    return PlannedAction(
        message("director.komi", before=float(now.game.komi), komi=komi), (ChangeKomi(t, komi, BY),), needs_why=True
    )


def _waive(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.waive"), (WaiveReminder(t, BY),), needs_why=True)


def _remark(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.remark"), needs_why=True)


def _time(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    """Plan any other clock action; docs/clocks.md has a paragraph for each."""
    act = fields.one_of("step", [one.value for one in TIME_ACTS])
    ms = fields.whole("ms", 0, 24 * 3600 * 1000, 0) or None
    ground = Ground(fields.one_of("ground", [one.value for one in Ground], Ground.WRONG.value))
    result = fields.optional_text("result", LONGEST_RESULT)
    by, about = (fields.optional_player(key, now.players) for key in ("by", "about"))
    step = Step(t, Act(act), by, about, ms, result=result, ground=ground, author=BY)
    entered, lost = message(f"step.{act}"), confirm_step(now, step.act)
    if by is None:
        return PlannedAction(message("director.time", act=entered), (step,), loses=lost)
    return PlannedAction(message("director.time-for", act=entered, player=by), (step,), loses=lost)


def _calibrate(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.calibrate"), place=fields.calibration())


def _describe_point(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    """Describe a point for players who cannot see the board: the box speaks it, and the page shows it as a notice."""
    position = now.game.position
    return PlannedAction(describe_point(position, position.board.point(fields.text("point", 4))))


def _rehearse(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.rehearse"), rehearses=True, loses=by_rehearsal(now))


def _undo(fields: Fields, now: TableSnapshot, t: float, config: TableConfig) -> PlannedAction:
    return PlannedAction(message("director.undo-late", seconds=UNDO_S), undoes=True)


ACTS: dict[str, _Made] = {
    "pause": _pause,
    "resume": _resume,
    "adjourn": _adjourn,
    "take-up": _take_up,
    "set-up": _set_up,
    "rehearse": _rehearse,
    "enter": _enter,
    "take-back": _take_back,
    "go-on": _go_on,
    "exchange": _exchange,
    "remove": _remove,
    "clocks": _clocks,
    "report": _report,
    "verify": _verify,
    "propose": _propose,
    "agree": _agree,
    "disagree": _disagree,
    "void": _void,
    "komi": _komi,
    "waive": _waive,
    "remark": _remark,
    "read": _describe_point,
    "time": _time,
    "calibrate": _calibrate,
    "undo": _undo,
}
"""Every action by its name; docs/desk.md has a line for each."""

ENDING = frozenset({Act.RESIGN, Act.CLAIM, Act.REPORT, Act.ADJUDICATE, Act.NO_AGREEMENT, Act.TURN_OFF, Act.CLEAR})
"""Clock and result actions that can end a game, or make its result final."""


def confirm_set_up(now: TableSnapshot, terms: Terms) -> Message | None:
    """Confirm the loss of the running game and of the clocks."""
    clocks = now.game.clocks
    without = message("sure.no-clocks") if clocks is not None and terms.config.control is None else None
    lost = by_rehearsal(now)
    return without if lost is None else lost + without


def by_rehearsal(now: TableSnapshot) -> Message | None:
    """Confirm the loss of the running game; the director has to set it up again afterwards."""
    clocks = now.game.clocks
    begun = now.game.turn > 0 or now.game.result is not None or (clocks is not None and clocks.begun)
    adjourned = now.pause is not None and now.pause.adjourned
    if not begun or adjourned or now.phase is Phase.FINAL:
        return None
    if now.game.result is not None:
        return message("sure.set-up-result", result=now.game.result)
    return message("sure.set-up", n=now.game.turn)


def by_resuming(now: TableSnapshot) -> Message | None:
    """Confirm the end of the start check of an adjourned game."""
    return message("sure.resume") if now.taken_up else None


def by_take_back(now: TableSnapshot, turns: int) -> Message | None:
    """Confirm the loss of several turns; a single one is easily entered again."""
    last = now.game.turn
    if not 1 < turns <= last or now.game.result is not None:
        return None
    return message("sure.take-back", n=turns, first=last - turns + 1, last=last)


def by_turn(now: TableSnapshot, turn: Turn) -> Message | None:
    """Confirm a resignation, which ends the game."""
    resigned = isinstance(turn, Resign) and not now.game.ended
    return message("sure.resign", player=turn.player, n=now.game.turn) if resigned else None


def by_result(now: TableSnapshot, result: str) -> Message:
    """Confirm the loss of the running game, or of its present result."""
    if now.game.result is not None:
        return message("sure.other-result", before=now.game.result, result=result)
    return message("sure.report", n=now.game.turn, result=result)


def by_verifying(now: TableSnapshot) -> Message | None:
    """Confirm the end of the players' right to dispute the result."""
    if now.game.result is None:
        return None
    return message(for_players("sure.verify", len(now.players)), result=now.game.result)


def by_void(now: TableSnapshot) -> Message | None:
    """Confirm the loss of the running game."""
    return message("sure.void", n=now.game.turn) if not now.game.ended else None


def confirm_step(now: TableSnapshot, act: Act) -> Message | None:
    """Confirm a clock action that ends the running game, or makes its result final."""
    if act not in ENDING or now.phase is Phase.FINAL:
        return None
    return message("sure.time", act=message(f"step.{act}"))
