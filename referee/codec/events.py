"""The referee's input events as JSON values: observations, presses, statements and decisions."""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from referee.codec.messages import message_to_json, read_message
from referee.codec.turns import (
    parse_act,
    settlement_from_json,
    settlement_to_json,
    turn_from_json,
    turn_to_json,
)
from referee.game.actor import Actor
from referee.game.board import COLOURS, LARGEST_SIDE, Board, Colour, Mask
from referee.game.count_result import DeadStoneClaim
from referee.game.diagram import position_of, rows_of
from referee.game.observation import LidSight, Observation, OffGridStone, PointSight
from referee.table.events import (
    Agree,
    AgreeVoid,
    Amend,
    BoxProposal,
    Button,
    ChangeKomi,
    Decision,
    Disagree,
    EnterAgreement,
    EnterTurn,
    Pause,
    Pressed,
    Propose,
    Remark,
    Resume,
    TakeBack,
    WaiveReminder,
    Word,
)

STEPS = 65535
"""The number of steps of an encoded probability; an observation decoded once stays the same however often it is encoded
and decoded."""


def observation_to_json(observation: Observation) -> dict[str, object]:
    """Encode an observation.

    It has each player's probability at every point, packed; each lid's counts, their ranges, whether sure, and whether
    clear, the fault of a prisoner field with its circle, and how likely each count of its ranges is; for every stone
    between points, if there are any, the nearest point and the one towards which it lies; and the number of players if
    it is more than two.
    """
    lids = list(map(_lid_to_json, observation.lids))
    body: dict[str, object] = {"points": observation.packed or _pack_sights(observation.points), "lids": lids}
    between = [[stone.point, stone.towards] for stone in observation.between]
    players = len(observation.points[0]) - 1 if observation.points else 2
    body |= {"players": players} if players != 2 else {}
    return body | ({"between": between} if between else {})


def observation_from_json(body: Mapping[str, Any], t: float) -> Observation:
    """Decode the observation at t; it keeps `packed`, to avoid packing again. Old ones do not say what is clear."""
    packed = str(body["points"])
    lids = tuple(map(_lid_from_json, body["lids"]))
    between = tuple(OffGridStone(point, towards) for point, towards in body.get("between", ()))
    points = _unpack_sights(packed, int(body.get("players", 2)))
    return Observation(t, points, lids, packed=packed, between=between)


def _lid_to_json(lid: LidSight) -> list[object]:
    values = [lid.black, lid.white, list(lid.black_range), list(lid.white_range), lid.sure, lid.clear]
    if lid.chances is not None:
        return [*values, lid.fault, list(lid.circle or ()), list(map(list, lid.chances))]
    return values if lid.fault is None else [*values, lid.fault, list(lid.circle or ())]


def _lid_from_json(values: Sequence[Any]) -> LidSight:
    black, white, blacks, whites, sure, *more = values
    clear = bool(more[0]) if more else False
    fault, circle, *chances = more[1:] or (None, ())
    sight = LidSight(black, white, tuple(blacks), tuple(whites), sure, clear, fault, tuple(circle) or None)
    for of_black, of_white in chances:
        sight = replace(sight, chances=(tuple(of_black), tuple(of_white)))
    return sight


def _pack_sights(points: Sequence[PointSight]) -> str:
    """Return each player's probabilities in base64 of zlib of 16-bit numbers, little-endian."""
    steps = [round(chance * STEPS) for sight in points for chance in sight[1:]]
    if steps and (min(steps) < 0 or max(steps) > STEPS):
        steps = [min(max(step, 0), STEPS) for step in steps]
    return base64.b64encode(zlib.compress(struct.pack(f"<{len(steps)}H", *steps))).decode()


def _inflate_at_most(packed: bytes, most: int) -> bytes:
    """Decompress data of at most this many bytes."""
    decompressor = zlib.decompressobj()
    data = decompressor.decompress(packed, most + 1)
    if not decompressor.eof or len(data) > most:
        raise zlib.error("it is cut off, or of no board")
    return data


def _unpack_sights(packed: str, players: int) -> tuple[PointSight, ...]:
    try:
        steps = struct.iter_unpack(
            f"<{players}H", _inflate_at_most(base64.b64decode(packed), 2 * players * LARGEST_SIDE**2)
        )
        stones = [[step / STEPS for step in chances] for chances in steps]
    except (zlib.error, struct.error) as error:
        raise ValueError(f"the look cannot be unpacked: {error}") from error
    return tuple([(max(0.0, _rest_for_empty(chances)), *chances) for chances in stones])


def _rest_for_empty(chances: list[float]) -> float:
    """Return the remaining probability of an empty point."""
    left = 1.0
    for chance in chances:
        left -= chance
    return left


def press_to_json(press: Pressed) -> dict[str, object]:
    """Encode a press."""
    return {"side": press.side, "button": press.button.value, "held": press.is_held}


def press_from_json(body: Mapping[str, Any], t: float) -> Pressed:
    """Decode the press at t."""
    return Pressed(t, int(body["side"]), Button(body["button"]), bool(body["held"]))


WORDS: dict[str, type[Word | Decision]] = {
    "propose": Propose,
    "amend": Amend,
    "agree": Agree,
    "disagree": Disagree,
    "void": AgreeVoid,
    "remark": Remark,
    "take-back": TakeBack,
    "enter": EnterTurn,
    "settle": EnterAgreement,
    "komi": ChangeKomi,
    "waive": WaiveReminder,
    "pause": Pause,
    "resume": Resume,
    "box-proposal": BoxProposal,
}
"""The statements and decisions of players and director, by name."""
_NAMES = {kind: name for name, kind in WORDS.items()}


def statement_to_json(statement: Word | Decision, board: Board) -> dict[str, object]:
    """Encode a statement about the count or the end, or a decision of the director."""
    name: dict[str, object] = {"word": _NAMES[type(statement)]}
    name |= {"author": statement.author.value} if statement.author is not None else {}
    match statement:
        case Remark():
            return name | {"message": message_to_json(statement.message)}
        case TakeBack():
            return name | {"turns": statement.turns}
        case EnterTurn():
            return name | {"stands": statement.stands, **turn_to_json(statement.turn, board)}
        case EnterAgreement():
            return name | settlement_to_json(statement.settlement, board)
        case BoxProposal():
            sets = {"dead": statement.dead, "proved": statement.proved, "uncertain": statement.uncertain}
            return (
                name
                | {"rows": list(rows_of(statement.position))}
                | {key: board.names(mask) for key, mask in sets.items()}
            )
        case Pause():
            return name | {"why": statement.why} | ({"adjourned": True} if statement.adjourned else {})
        case ChangeKomi():
            return name | {"komi": statement.komi}
        case Resume() | WaiveReminder():
            return name
        case Propose() | Amend():
            return name | {"player": statement.player.value, **_claim_to_json(statement.named, board)}
    return name | {"player": statement.player.value if statement.player else None}


def statement_from_json(body: Mapping[str, Any], t: float, board: Board) -> Word | Decision:
    """Decode the statement or decision at t."""
    statement = _statement_from_json(body, t, board)
    return replace(statement, author=Actor(body["author"]) if "author" in body else None)


def _statement_from_json(body: Mapping[str, Any], t: float, board: Board) -> Word | Decision:
    kind = WORDS[body["word"]]
    if kind is Remark:
        return Remark(t, read_message(body))
    if kind is TakeBack:
        return TakeBack(t, int(body["turns"]))
    if kind is EnterTurn:
        return EnterTurn(t, turn_from_json(_read_turn(body, board), board, len(COLOURS)), bool(body["stands"]))
    if kind is EnterAgreement:
        return EnterAgreement(t, settlement_from_json(body, board))
    if kind is ChangeKomi:
        return ChangeKomi(t, float(body["komi"]))
    if kind is WaiveReminder:
        return WaiveReminder(t)
    if kind is BoxProposal:
        dead, proved, uncertain = (_parse_mask(body[key], board) for key in ("dead", "proved", "uncertain"))
        return BoxProposal(t, position_of(body["rows"]), dead, proved, uncertain)
    if kind is Pause:
        return Pause(t, str(body["why"]), adjourned=body.get("adjourned") is True)
    if kind is Resume:
        return Resume(t)
    if kind is AgreeVoid:
        return AgreeVoid(t, Colour(body["player"]) if body["player"] else None)
    player = Colour(body["player"])
    if kind is Agree or kind is Disagree:
        return kind(t, player)
    claim = _claim_from_json(body, board)
    return Propose(t, player, claim) if kind is Propose else Amend(t, player, claim)


def _read_turn(body: Mapping[str, Any], board: Board) -> Mapping[str, Any]:
    """Return the body with its turn; version 0.1 wrote one word for it, and a point by its number."""
    if "turn" not in body:
        return body
    point = body.get("point")
    place = board.name(point) if point is not None and point in range(board.points) else None
    return {"player": body["player"], **parse_act(body["turn"], place)}


def _claim_to_json(claim: DeadStoneClaim, board: Board) -> dict[str, object]:
    one_sided = [board.names(points) for points in claim.one_sided]
    supplies = list(claim.supplies) if claim.supplies else None
    return {
        "dead": board.names(claim.dead),
        "seki": board.names(claim.seki),
        "one_sided": one_sided,
        "supplies": supplies,
    }


def _claim_from_json(body: Mapping[str, Any], board: Board) -> DeadStoneClaim:
    black, white = (_parse_mask(points, board) for points in body["one_sided"])
    supplies = tuple(body["supplies"]) if body["supplies"] else None
    return DeadStoneClaim(_parse_mask(body["dead"], board), _parse_mask(body["seki"], board), (black, white), supplies)


def _parse_mask(points: Iterable[str | int], board: Board) -> Mask:
    """Return the set of these points; version 0.1 wrote their numbers."""
    return board.mask(board.name(point) if isinstance(point, int) else point for point in points)
