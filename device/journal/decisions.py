"""What the director decides as journal entries, and back."""

from __future__ import annotations

from typing import Any

from device.journal.store import Entry, Kind
from referee.board import Colour
from referee.events import Decision, Enter, Remark, TakeBack
from referee.turns import Delay, Draw, Pass, Placement, Resign, Turn

_BARE: dict[str, type[Pass] | type[Draw] | type[Resign]] = {"pass": Pass, "draw": Draw, "resign": Resign}


def decision_entry(decision: Decision) -> Entry:
    """A decision as an entry; points are numbered row by row from the top left."""
    match decision:
        case Remark():
            body: dict[str, object] = {"word": "remark", "text": decision.text}
        case TakeBack():
            body = {"word": "take-back", "turns": decision.turns}
        case Enter():
            body = {"word": "enter", "stands": decision.stands, **_turn_body(decision.turn)}
    return Entry(Kind.SAID, decision.t, body)


def decision_of(entry: Entry) -> Decision | None:
    """The decision in an entry, None where it holds another word."""
    body: dict[str, Any] = entry.body
    match body["word"]:
        case "remark":
            return Remark(entry.t, str(body["text"]))
        case "take-back":
            return TakeBack(entry.t, int(body["turns"]))
        case "enter":
            return Enter(entry.t, _turn_of(body), bool(body["stands"]))
    return None


def _turn_body(turn: Turn) -> dict[str, object]:
    match turn:
        case Placement():
            return {"player": turn.player.value, "turn": "place", "point": turn.point}
        case Delay():
            return {"player": turn.player.value, "turn": "ultimate" if turn.ultimate else "delay"}
    return {"player": turn.player.value, "turn": next(name for name, kind in _BARE.items() if isinstance(turn, kind))}


def _turn_of(body: dict[str, Any]) -> Turn:
    player, kind = Colour(body["player"]), body["turn"]
    if kind == "place":
        return Placement(player, int(body["point"]))
    if kind in ("delay", "ultimate"):
        return Delay(player, ultimate=kind == "ultimate")
    return _BARE[kind](player)
