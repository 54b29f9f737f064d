"""A Showing as JSON for other programs: plain values, colours as letters, points by name. Pure."""

from __future__ import annotations

from typing import cast

from referee import (
    LAMPS,
    Board,
    Final,
    Paused,
    Placement,
    TableSnapshot,
    clocks_to_json,
    counting_to_json,
    result_read,
    rows_of,
    ruling_to_json,
)
from referee import Ruling as Found
from web import openapi
from web.language import ENGLISH
from web.openapi import MOST_RULINGS, SCHEMA, Clocks, Counting, Game, Pause, Ruling, Status
from web.page import labels
from web.page.clocks import answers_list
from web.page.model import PageModel


def status_of(showing: TableSnapshot, box: str = "") -> Status:
    """Return the contents of `/status.json`. box: the box's public key."""
    model, standing = PageModel(showing), showing.standing
    clocks, board = showing.game.clocks, showing.game.position.board
    return {
        "schema": SCHEMA,
        "box": box,
        "game": showing.match,
        "number": showing.number,
        "headline": model.headline.text,
        "tone": model.headline.tone.value,
        "phase": showing.phase.value,
        "sight": showing.sight.value,
        "refereed": showing.refereed,
        **_game(model),
        "state": standing.state.value,
        "lamps": {player.value: LAMPS[standing.task_of(player)].tone.value for player in showing.players},
        "trouble": _ruling(showing.trouble, board) if showing.trouble else None,
        "waiting": sorted(showing.waiting),
        "resigning": list(showing.resigning),
        "agreed": list(showing.agreed),
        "paused": showing.paused,
        "called": showing.called,
        "pause": _pause(showing.pause),
        "clocks": cast(Clocks, clocks_to_json(clocks, ENGLISH.sentence)) if clocks else None,
        "counting": cast(Counting, counting_to_json(showing.game.counting, board, ENGLISH.sentence)),
        "answers": answers_list(showing.game.answers),
        "notice": ENGLISH.sentence(showing.notice) if showing.notice else None,
        "asks": ENGLISH.sentence(showing.asks) if showing.asks else None,
        "certified": ENGLISH.sentence(showing.certified) if showing.certified else None,
        "faults": [ENGLISH.sentence(fault) for fault in showing.faults],
        "seal": showing.seal or None,
        "event": showing.game_info.event,
        "round": showing.game_info.round,
        "table": showing.game_info.table,
        "players": list(showing.names),
        "finals": [_final(one) for one in reversed(showing.finals)],
    }


def _final(one: Final) -> openapi.Final:
    occasion = {"event": one.game_info.event, "round": one.game_info.round, "table": one.game_info.table}
    said = {"game": one.game, "result": result_read(one.result), "players": list(one.names), "seal": one.seal or None}
    return cast(openapi.Final, said | occasion)


def _game(model: PageModel) -> Game:
    game = model.game
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
        "result_text": model.result,
        "rulings": [_ruling(one, board) for one in reversed(game.rulings[-MOST_RULINGS:])],
        "moves": [
            {"number": number, "player": turn.player.value, "text": labels.turn(board, turn)}
            for number, turn in enumerate(game.turns, 1)
        ],
    }


def _pause(pause: Paused | None) -> Pause | None:
    return None if pause is None else {"by": pause.by, "why": pause.why, "since": round(pause.since, 3)}


def _ruling(found: Found, board: Board) -> Ruling:
    return cast(Ruling, ruling_to_json(found, board, ENGLISH.sentence))
