"""A snapshot as JSON for other programs: plain values, colours as letters, points by name. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import msgspec

from referee import (
    COLOURS,
    LAMPS,
    Board,
    ClockReading,
    Clocks,
    Coordinates,
    Count,
    Counting,
    CountStep,
    Final,
    Layout,
    Paused,
    Placement,
    ProposedCount,
    Ruling,
    Snapshot,
    Stage,
    TableSnapshot,
    Turn,
    common_length,
    message_to_json,
    result_read,
    rows_of,
    ruling_to_json,
)
from web import openapi
from web.language import ENGLISH
from web.openapi import MOST_RULINGS, SCHEMA
from web.page import labels
from web.page.clocks import answers_list
from web.page.headline import headline_of


class StatusWriter:
    """The writer of `/status.json`: as a game goes on, it keeps the text of the turns that are the same.

    Used by one thread at a time. box: the box's public key.
    """

    def __init__(self, box: str = "") -> None:
        self._box = box
        self._newest: tuple[Board | None, tuple[Turn, ...]] = None, ()
        self._texts = list[bytes]()

    def write(self, snapshot: TableSnapshot) -> str:
        """Return the contents as JSON."""
        game, (board, turns) = snapshot.game, self._newest
        unchanged = common_length(turns, game.turns) if game.position.board is board else 0
        self._texts[unchanged:] = map(msgspec.json.encode, _moves_to_json(game, unchanged))
        self._newest = game.position.board, game.turns
        moves = msgspec.Raw(b"[%s]" % b",".join(self._texts))
        return msgspec.json.encode(_build_status(snapshot, self._box, moves)).decode()


def status_of(snapshot: TableSnapshot, box: str = "") -> openapi.Status:
    """Return the contents of `/status.json`. box: the box's public key."""
    return _build_status(snapshot, box, _moves_to_json(snapshot.game))


def _build_status(snapshot: TableSnapshot, box: str, moves: list[openapi.Turn] | msgspec.Raw) -> openapi.Status:
    """Return the contents with these turns, which may be written already."""
    coordinates = snapshot.coordinates
    if coordinates is not Coordinates.LETTERS:
        snapshot = replace(snapshot, coordinates=Coordinates.LETTERS)
    headline, standing = headline_of(snapshot), snapshot.display_state
    clocks, board = snapshot.game.clocks, snapshot.game.position.board
    return {
        "schema": SCHEMA,
        "box": box,
        "game": snapshot.match,
        "number": snapshot.number,
        "headline": headline.text,
        "tone": headline.tone.value,
        "phase": snapshot.phase.value,
        "sight": snapshot.sight.value,
        "refereed": snapshot.refereed,
        **_game_to_json(snapshot.game, moves),
        "state": standing.state.value,
        "lamps": {player.value: LAMPS[standing.task_of(player)].tone.value for player in snapshot.players},
        "trouble": _ruling_to_json(snapshot.trouble, board) if snapshot.trouble else None,
        "waiting": sorted(snapshot.waiting),
        "resigning": list(snapshot.resigning),
        "agreed": list(snapshot.agreed),
        "paused": snapshot.paused,
        "called": snapshot.called,
        "pause": _pause_to_json(snapshot.pause),
        "clocks": _clocks_to_json(clocks) if clocks else None,
        "counting": _counting_to_json(snapshot.game.counting, board),
        "answers": answers_list(snapshot.game.answers),
        "notice": ENGLISH.sentence(snapshot.notice) if snapshot.notice else None,
        "asks": ENGLISH.sentence(snapshot.asks) if snapshot.asks else None,
        "certified": ENGLISH.sentence(snapshot.certified) if snapshot.certified else None,
        "faults": [ENGLISH.sentence(fault) for fault in snapshot.faults],
        "fault_messages": list(map(message_to_json, snapshot.faults)),
        "coordinates": coordinates.value,
        "seal": snapshot.seal or None,
        "event": snapshot.game_info.event,
        "round": snapshot.game_info.round,
        "table": snapshot.game_info.table,
        "players": list(snapshot.names),
        "finals": [_final_to_json(one) for one in reversed(snapshot.finals)],
    }


def _final_to_json(one: Final) -> openapi.Final:
    return {
        "game": one.game,
        "result": result_read(one.result),
        "players": list(one.names),
        "seal": one.seal or None,
        "event": one.game_info.event,
        "round": one.game_info.round,
        "table": one.game_info.table,
    }


def _game_to_json(game: Snapshot, moves: list[openapi.Turn] | msgspec.Raw) -> openapi.Game:
    board = game.position.board
    newest = game.turns[-1] if game.turns else None
    return {
        "rules": game.rules,
        "rules_named": game.rules_named,
        "size": [board.cols, board.rows],
        "rows": list(rows_of(game.position)),
        "bowls": game.bowls.as_dict(),
        "ultimate": game.bowls.ultimate.value if game.bowls.ultimate else None,
        "black_side": game.black_side,
        "to_play": None if game.ended else game.to_play.value,
        "turn": game.turn,
        "last_move": board.name(newest.point) if isinstance(newest, Placement) else None,
        "ended": game.ended,
        "result": result_read(game.result) if game.result is not None else None,
        "result_text": labels.result_text(game),
        "rulings": [_ruling_to_json(one, board) for one in reversed(game.rulings[-MOST_RULINGS:])],
        "moves": cast(list[openapi.Turn], moves),
    }


def _moves_to_json(game: Snapshot, first: int = 0) -> list[openapi.Turn]:
    """Return the turns after the first so many."""
    board = game.position.board
    return [
        {"number": number, "player": turn.player.value, "text": labels.turn_text(board, turn)}
        for number, turn in enumerate(game.turns[first:], first + 1)
    ]


def _pause_to_json(pause: Paused | None) -> openapi.Pause | None:
    return None if pause is None else {"by": pause.by, "why": pause.why, "since": round(pause.since, 3)}


def _ruling_to_json(ruling: Ruling, board: Board) -> openapi.Ruling:
    message_part = {"message": message_to_json(ruling.message)}
    return cast(openapi.Ruling, ruling_to_json(ruling, board, ENGLISH.sentence) | message_part)


def _clocks_to_json(clocks: Clocks) -> openapi.Clocks:
    return {
        "control": clocks.control,
        "t": round(clocks.t, 3),
        "begun": clocks.begun,
        "halted": clocks.halted,
        "called": clocks.called,
        "restored": clocks.restored,
        "ready": list(clocks.ready),
        "absent": list(clocks.absent),
        "fallen": list(clocks.fallen),
        "players": {face.player.value: _face_to_json(face) for face in clocks.faces},
    }


def _face_to_json(face: ClockReading) -> openapi.Face:
    return {
        "time": face.time,
        "text": ENGLISH.sentence(face.text),
        "main": face.main,
        "period": face.period,
        "periods": face.periods,
        "stones": face.stones,
        "bought": face.bought,
        "points": face.points,
        "spent": face.spent,
        "overtime": face.in_overtime,
        "fallen": face.fallen,
        "running": face.running,
    }


def _counting_to_json(counting: Counting, board: Board) -> openapi.Counting:
    return {
        "stage": counting.stage.value,
        "may_propose": list(counting.may_propose),
        "waits_for": counting.waits_for,
        "dead": board.names(counting.named.dead),
        "seki": board.names(counting.named.seki),
        "territory": _territory_to_json(counting.layout) if counting.layout is not None else {},
        "void": list(counting.void),
        "count": _count_to_json(counting.count, board) if counting.count is not None else None,
        "dead_by": _dead_by(counting, board),
        "proposed": _proposal_to_json(counting.proposal, board) if counting.proposal is not None else None,
    }


def _dead_by(counting: Counting, board: Board) -> dict[str, str]:
    """Return the ground of each stone that was named last."""
    dead, ground = counting.named.dead, "agreed" if counting.stage is Stage.AGREED else "given"
    if counting.proposal is not None:
        return counting.proposal.ground_by_point(board, dead, ground)
    return dict.fromkeys(board.names(dead), ground)


def _proposal_to_json(proposal: ProposedCount, board: Board) -> openapi.ProposedCount:
    return {
        "dead": board.names(proposal.dead),
        "dead_by": proposal.ground_by_point(board, proposal.dead, "likely"),
        "uncertain": board.names(proposal.uncertain),
        "open": board.names(proposal.open_points),
        "territory": _territory_to_json(proposal.layout),
        "result": proposal.count.result,
    }


def _territory_to_json(layout: Layout) -> dict[str, list[str]]:
    names = map(layout.position.board.names, layout.owned)
    return {colour.value: points for colour, points in zip(COLOURS, names, strict=False)}


def _count_to_json(count: Count, board: Board) -> openapi.Count:
    return {
        "method": count.method,
        "result": count.result,
        "steps": [_count_step(step, board) for step in count.steps],
        "order_matters": count.order_matters,
        "remarks": list(map(ENGLISH.sentence, count.remarks)),
    }


def _count_step(step: CountStep, board: Board) -> openapi.Step:
    return {
        "player": step.player,
        "point": board.name(step.point) if step.point is not None else None,
        "text": ENGLISH.sentence(step.message),
    }
