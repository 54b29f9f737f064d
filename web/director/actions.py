"""The director's one-tap actions, and the log of past ones: made from a snapshot. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from referee import (
    Actor,
    Answer,
    Colour,
    Pass,
    Phase,
    Placement,
    Reason,
    Stage,
    State,
    TableSnapshot,
    for_players,
    rule_set,
)
from web.backend import UNDO_S
from web.language import ENGLISH, Translator
from web.page import labels

MOST_LOGGED = 100
OPEN_TURNS = (State.ILLEGAL, State.UNEXPLAINED)
"""The states about a turn that is not settled: a tap that took back the legal turn before it would be a trap."""
COUNTS = (State.UNCOUNTED, State.BOX_PROPOSAL, State.COUNT)
"""The states in which a count is proposed, or can be."""
MAY_STAND = (
    Reason.SURROUNDED,
    Reason.KO,
    Reason.SUPERKO,
    Reason.PATH,
    Reason.HOT_STONE,
    Reason.DISTURBING,
    Reason.CYCLE,
)
"""The reasons for a refusal that the director may set aside by letting the stone stand."""


@dataclass(frozen=True)
class Tap:
    """A button.

    body: the action for `/director/acts`.
    main: True if the table waits for it.
    undo: the seconds for which it can be undone, 0 if it cannot.
    sure: the question to be asked before an action that cannot be undone, unless the box asks it anyway.
    """

    label: str
    body: str
    main: bool = False
    undo: int = 0
    sure: str = ""


@dataclass(frozen=True)
class LoggedAction:
    """A director's action with its reason. t: its time, in seconds on the box's clock."""

    t: float
    sentence: labels.LocalisedText


def taps_of(now: TableSnapshot, say: Translator = ENGLISH) -> tuple[Tap, ...]:
    """Return the buttons for the table's state: those it waits for, then the newest turn's or the refused one's."""
    say = say.on(now)
    about_turn = _refused_taps(now, say) if now.display_state.state in OPEN_TURNS else _take_back_taps(now, say)
    return (*_requested_actions(now, say), *about_turn)


def pause_tap(now: TableSnapshot, say: Translator = ENGLISH) -> Tap | None:
    """Return the button that pauses or resumes the game; it has a place of its own until the result is final."""
    return next(_stand_taps(now, say), None)


def log_of(now: TableSnapshot, say: Translator = ENGLISH) -> tuple[LoggedAction, ...]:
    """Return the director's actions, newest first."""
    say = say.on(now)
    remarks = [
        remark for remark in now.game.answers if remark.author is Actor.DIRECTOR and not isinstance(remark, Answer)
    ]
    mine = [remark for remark in remarks if remark.message.key.startswith("director.")]
    return tuple(
        LoggedAction(remark.t, labels.translate_message(remark.message, say))
        for remark in mine[: -MOST_LOGGED - 1 : -1]
    )


def parts_that_fit(now: TableSnapshot) -> tuple[str, ...]:
    """Return the parts of the desk that can apply now; what needs clocks does not without clocks."""
    game, counting = now.game, now.game.counting
    counts = now.display_state.state in COUNTS or counting.stage is not Stage.CLOSED
    fits = {
        "turn": game.result is None,
        "dead": game.ended or counts or bool(game.turns and isinstance(game.turns[-1], Pass)),
        "komi": game.result is None and len(now.players) == 2 and rule_set(game.rules).delays is None,
        "agreed": game.turn > 0 and not game.ended,
        "go-on": now.refereed and len(now.players) == 2 and not game.ended,
        "waive": bool(game.reminded or game.penalties),
        "begun": game.turn > 0 or game.result is not None or game.clocks is not None,
        "clocks": game.clocks is not None,
        "adjourn": game.turn == 0 or not game.ended,
    }
    return tuple(part for part, applies in fits.items() if applies)


def first_group(now: TableSnapshot) -> str:
    """Return the group of the desk that fits now: the turn, the time, or match and table."""
    if now.display_state.state in (State.CLAIM, State.PAUSED, State.RESTORED):
        return "time"
    return "match" if now.phase in (Phase.START, Phase.FINAL) and not now.taken_up else "turn"


def default_players(now: TableSnapshot) -> dict[str, str]:
    """Return the default players of the player fields, by the fact that they follow."""
    asked_player = now.game.counting.waits_for or now.game.to_play
    return {"to-play": now.game.to_play.value, "asked": asked_player.value}


def _build_tap(label: str, act: str, main: bool = False, /, undo: int = 0, sure: str = "", **fields: object) -> Tap:
    return Tap(label, json.dumps({"act": act, **fields}), main, undo, sure)


def _requested_actions(now: TableSnapshot, say: Translator) -> Iterator[Tap]:
    """Yield the actions that the table waits for."""
    clocks, asked_player = now.game.clocks, now.game.counting.waits_for
    if now.called:
        yield _build_tap(say("tap.answered"), "pause", True)
    if asked_player is not None:
        who = labels.player_name(asked_player, say)
        yield _build_tap(
            say("tap.agree", player=who), "agree", True, sure=say("tap.no-undo"), player=asked_player.value
        )
        yield _build_tap(
            say("tap.disagree", player=who), "disagree", sure=say("tap.no-undo"), player=asked_player.value
        )
    if now.lying is not None:
        yield from _go_on_taps(now, now.lying.set_up.to_play, say)
    if now.phase is Phase.RESULT and now.game.result is not None:
        yield _build_tap(say(for_players("tap.verify", len(now.players)), result=now.game.result), "verify", True)
    if clocks is not None and not now.game.ended:
        yield from (_claim_action(player, say) for player in clocks.may_claim)
        if not clocks.begun and not now.paused:
            yield _build_tap(say("tap.start"), "time", True, UNDO_S, step="start")


def _go_on_taps(now: TableSnapshot, to_play: Colour | None, say: Translator) -> Iterator[Tap]:
    """Yield the button that lets the game go on from what lies there; one a player if the stones do not tell whose turn
    it is."""
    for player in (to_play,) if to_play is not None else now.players:
        label = say("tap.go-on", player=labels.player_name(player, say))
        why = say("desk.unseen")
        yield _build_tap(label, "go-on", undo=UNDO_S, to_play=player.value, last=now.game.turn, why=why)


def _claim_action(player: Colour, say: Translator) -> Tap:
    return _build_tap(
        say("tap.claim", player=labels.player_name(player, say)), "time", True, step="claim", by=player.value
    )


def _stand_taps(now: TableSnapshot, say: Translator) -> Iterator[Tap]:
    clocks = now.game.clocks
    if now.paused or now.called or (clocks is not None and clocks.restored):
        yield _build_tap(
            say("desk.do-resume"),
            "resume",
            not (now.called or now.taken_up),
            0 if now.taken_up or not now.paused else UNDO_S,
        )
    elif now.phase is not Phase.FINAL:
        yield _build_tap(say("tap.pause"), "pause", undo=UNDO_S)


def _refused_taps(now: TableSnapshot, say: Translator) -> Iterator[Tap]:
    """Yield the button that lets a refused placement stand; none takes back the legal turn before it."""
    trouble = now.trouble
    if trouble is not None and trouble.reason in MAY_STAND and isinstance(trouble.move, Placement):
        player, point = trouble.move.player, now.game.position.board.name(trouble.move.point)
        label = say("tap.stand", player=labels.player_name(player, say), turn=say.point(point))
        turn = {"player": player.value, "turn": "place", "point": point, "why": say("desk.ruled")}
        yield _build_tap(label, "enter", undo=UNDO_S, stands=True, last=now.game.turn, **turn)


def _take_back_taps(now: TableSnapshot, say: Translator) -> Iterator[Tap]:
    game = now.game
    if game.turns and game.result is None and game.counting.waits_for is None:
        newest = game.turns[-1]
        who, what = labels.player_name(newest.player, say), labels.turn_text(game.position.board, newest, say)
        label = say("tap.take-back", player=who, turn=what)
        yield _build_tap(label, "take-back", undo=UNDO_S, turns=1, last=game.turn, why=say("desk.misread"))
