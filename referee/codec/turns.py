"""Turns, agreements and the referee's answers as JSON values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from referee.codec.messages import Say, read_message, spoken_to_json
from referee.game.board import COLOURS, Board, Colour, Position
from referee.game.count_result import result_read
from referee.game.diagram import position_of, rows_of
from referee.game.errors import BadPoint, BadRecord, RefereeError, quote_value
from referee.game.prisoners import bowls_of
from referee.game.record import GameRecord
from referee.game.ruling import Reason, Reply, Ruling, Status
from referee.game.turns import (
    OFF_BOARD,
    Delay,
    Draw,
    Exchange,
    Pass,
    Placement,
    Removal,
    Resign,
    Settlement,
    SetUp,
    Turn,
)
from referee.table.snapshot import AnyAnswer

ACTS = ("place", "delay", "pass", "draw", "resign")
SETTLEMENTS = ("exchange", "remove", "set_up")
MOST_EXCHANGED = 10_000
DELAYS = ("prisoner", "ultimate")
_SET_UP_KEYS = frozenset(("rows", "to_play", "bowls", "ultimate", "since", "until"))
_BARE: dict[str, type[Pass] | type[Draw] | type[Resign]] = {"pass": Pass, "draw": Draw, "resign": Resign}
_NAMES = {kind: act for act, kind in _BARE.items()}
_ACT_OF = {"delay": ("delay", DELAYS[0]), "ultimate": ("delay", DELAYS[1])}


def turn_to_json(turn: Turn, board: Board) -> dict[str, object]:
    """Encode a turn. The record knows if it stood though illegal, or if play was resumed after it."""
    return {"player": turn.player.value, **_act_to_json(turn, board)}


def turn_from_json(body: Mapping[str, object], board: Board, players: int = 2) -> Turn:
    """Decode the turn in a body. Raise BadRecord, in one sentence, if there is none."""
    acts = [key for key in ACTS if key in body]
    if len(acts) != 1:
        raise BadRecord(f"A turn has a player and exactly one of {', '.join(ACTS)}.")
    act, value = acts[0], body[acts[0]]
    player = _parse_player(body.get("player"), players)
    if act == "place":
        return Placement(player, OFF_BOARD) if value is None else parse_placement(player, value, board)
    if act == "delay":
        return _parse_delay(player, value)
    if value is not True:
        raise BadRecord(f"{act} must be true, not {quote_value(value)}.")
    return _BARE[act](player)


def parse_act(kind: str, point: object) -> dict[str, object]:
    """Return a turn's JSON from one word: place (on that point), delay, ultimate, pass, draw, resign."""
    act, value = ("place", point) if kind == "place" else _ACT_OF.get(kind, (kind, True))
    return {act: value}


def parse_placement(player: Colour, name: object, board: Board) -> Placement:
    """Return a stone on the point with that name, or beside the board.

    Raise BadRecord for a name that no point can have.
    """
    if not isinstance(name, str) or not re.fullmatch("[A-Za-z]{1,2}[0-9]+", name):
        raise BadRecord(f"{quote_value(name)} names no point; name it like D4.")
    try:
        return Placement(player, board.point(name))
    except BadPoint:
        return Placement(player, OFF_BOARD)


def settlement_to_json(settlement: Settlement, board: Board) -> dict[str, object]:
    """Encode an agreement: the number of prisoners that each returned, or the removed stones; or the stones set up."""
    if isinstance(settlement, Exchange):
        return {"exchange": settlement.count}
    if isinstance(settlement, SetUp):
        return {"set_up": _set_up_to_json(settlement, board)}
    return {"remove": list(board.names(settlement.stones))}


def settlement_from_json(body: Mapping[str, object], board: Board) -> Settlement:
    """Decode the agreement in a body. Raise BadRecord, in one sentence, if there is none."""
    kinds = [key for key in (*SETTLEMENTS, *ACTS, "player") if key in body]
    if kinds not in [[name] for name in SETTLEMENTS]:
        raise BadRecord(f"An agreement of both players has exactly one of {', '.join(SETTLEMENTS)}, and no player.")
    value = body[kinds[0]]
    if kinds == ["set_up"]:
        return _set_up_from_json(value, board)
    if kinds == ["exchange"]:
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST_EXCHANGED:
            raise BadRecord(f"exchange must be how many prisoners each player returns, not {quote_value(value)}.")
        return Exchange(value)
    if not isinstance(value, list) or not value or not all(isinstance(name, str) for name in value):
        raise BadRecord(f'remove must be a list of stones, like ["D4","E4"], not {quote_value(value)}.')
    return Removal(board.mask(value))


def _set_up_to_json(setup: SetUp, board: Board) -> dict[str, object]:
    body: dict[str, object] = {"rows": list(rows_of(Position(board, setup.stones)))}
    body |= {"to_play": setup.to_play.value} if setup.to_play is not None else {}
    if setup.bowls is not None:
        owner = setup.bowls.ultimate_owner
        body |= {"bowls": setup.bowls.as_dict(), **({"ultimate": owner.value} if owner is not None else {})}
    return body | ({"since": setup.since, "until": setup.until} if setup.since or setup.until else {})


def _set_up_from_json(value: object, board: Board) -> SetUp:
    """Decode the stones set up after a gap. Raise BadRecord if they are not stones of this board."""
    shape = 'set_up must have the rows of the board, like {"rows":[..],"to_play":"B"}'
    if (
        not isinstance(value, dict)
        or not {"rows"} <= value.keys() <= _SET_UP_KEYS
        or not isinstance(value["rows"], list)
    ):
        raise BadRecord(f"{shape}, not {quote_value(value)}.")
    try:
        position = position_of(tuple(map(str, value["rows"])))
        bowls = bowls_of(value["bowls"]) if "bowls" in value else None
        if bowls is not None and "ultimate" in value:
            bowls = bowls.with_ultimate(_parse_player(value["ultimate"], 2))
    except (RefereeError, ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
        raise BadRecord(f"{shape}: {quote_value(value)} is none.") from error
    if position.board != board or len(position.stones) != 2:
        raise BadRecord(f"{shape}; these are not rows of {board.cols} by {board.rows} points.")
    to_play = _parse_player(value["to_play"], 2) if value.get("to_play") is not None else None
    return SetUp(position.stones, to_play, bowls, str(value.get("since", "")), str(value.get("until", "")))


def ruling_to_json(ruling: Ruling, board: Board, say: Say | None = None) -> dict[str, object]:
    """Encode a ruling; the player's turn has the same one key as in `turn_to_json`.

    Args:
        ruling: the ruling.
        board: the board.
        say: turns its message into a sentence, added as `text` for other programs.
    """
    return {
        "turn": ruling.turn,
        "status": ruling.status.value,
        "player": ruling.player.value if ruling.player else None,
        **(_act_to_json(ruling.move, board) if ruling.move else {}),
        "reason": ruling.reason.value if ruling.reason else None,
        "repeats": ruling.repeats,
        "captured": [board.name(point) for point in ruling.captured],
        "points": [board.name(point) for point in ruling.points],
        **spoken_to_json(ruling.message, say),
        "order": ruling.order,
    }


def ruling_from_json(body: Mapping[str, Any], board: Board) -> Ruling:
    """Decode the ruling in such a body, or in one of `ruling_line`."""
    player, reason = body["player"], body["reason"]
    has_turn = any(act in body for act in ACTS)
    return Ruling(
        Status(body["status"]),
        int(body["turn"]),
        read_message(body),
        Colour(player) if player else None,
        turn_from_json(body, board, len(COLOURS)) if has_turn else None,
        Reason(reason) if reason else None,
        body["repeats"],
        tuple(map(board.point, body["captured"])),
        tuple(map(board.point, body["points"])),
        body["order"],
        float(body.get("t", 0.0)),
        body.get("image"),
    )


def ruling_line(ruling: Ruling, record: GameRecord, say: Say | None = None) -> dict[str, object]:
    """Return one line of `watch`: the ruling, its picture's name or its time, and the game after it.

    Args:
        ruling: the ruling.
        record: the record after this ruling or any later one.
        say: turns its message into a sentence.
    """
    after = record_after(record, ruling)
    source = {"image": ruling.name} if ruling.name is not None else {"t": round(ruling.t, 3)}
    return {"turn": ruling.turn, **source, **ruling_to_json(ruling, after.position.board, say), **record_to_json(after)}


def record_after(record: GameRecord, ruling: Ruling) -> GameRecord:
    """Return the record after the ruling: with its turn if that was accepted, before it if not."""
    stands = ruling.status in (Status.LEGAL, Status.UNFINISHED)
    while record.number > (ruling.turn if stands else ruling.turn - 1):
        record = record.taken_back()
    return record


def record_to_json(record: GameRecord) -> dict[str, object]:
    """Encode the state of a game: the board's rows, the bowls, the ultimate stone's owner, the end and the result."""
    bowls = record.bowls
    return {
        "rows": list(rows_of(record.position)),
        "bowls": bowls.as_dict(),
        "ultimate": bowls.ultimate_owner.value if bowls.ultimate_owner else None,
        "ended": record.ended,
        "result": result_read(record.result) if record.result is not None else None,
    }


def answer_to_json(answer: AnyAnswer) -> dict[str, object]:
    """Encode an answer to a statement, or to a clock action."""
    if isinstance(answer, Reply):
        reply = {"player": answer.player, "refused": answer.refused, "author": answer.author}
        return {**reply, **spoken_to_json(answer.message, None)}
    step = {"act": answer.act, "who": answer.who, "refusal": answer.refusal, "result": answer.result}
    return {**step, "author": answer.author, **spoken_to_json(answer.message, None)}


def _act_to_json(turn: Turn, board: Board) -> dict[str, object]:
    match turn:
        case Placement(point=point):
            return {"place": board.name(point) if point != OFF_BOARD else None}
        case Delay(ultimate=ultimate):
            return {"delay": DELAYS[ultimate]}
    return {_NAMES[type(turn)]: True}


def _parse_player(value: object, players: int) -> Colour:
    letters = [colour.value for colour in COLOURS[:players]]
    if not isinstance(value, str) or value not in letters:
        raise BadRecord(f"The player must be {' or '.join(letters)}, not {quote_value(value)}.")
    return Colour(value)


def _parse_delay(player: Colour, value: object) -> Delay:
    if not isinstance(value, str) or value not in DELAYS:
        raise BadRecord(f"A delay is {' or '.join(DELAYS)}, not {quote_value(value)}.")
    return Delay(player, ultimate=value == "ultimate")
