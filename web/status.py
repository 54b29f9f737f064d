"""A Showing as JSON for other programs: plain values, colours as letters, points by name. Pure."""

from __future__ import annotations

from referee.board import Board
from referee.diagram import rows_of
from referee.ruling import Ruling
from referee.snapshot import Showing, Snapshot
from referee.turns import Delay, Draw, Pass, Placement, Resign, Turn
from web import words
from web.clocks import answers_list, clocks_dict, counting_dict
from web.headline import headline_of
from web.lamps import lamps_of

MOST_RULINGS = 50


def status_of(showing: Showing) -> dict[str, object]:
    """All that `/status.json` says; its schema is Status in openapi.json."""
    headline = headline_of(showing)
    return {
        "number": showing.number,
        "headline": headline.text,
        "tone": headline.tone.value,
        "phase": showing.phase.value,
        "sight": showing.sight.value,
        "refereed": showing.refereed,
        **_game(showing.game),
        "lamps": {colour.value: lamp.tone.value for colour, lamp in lamps_of(showing).items()},
        "trouble": _optional_ruling(showing.trouble, showing.game),
        "waiting": list(showing.waiting),
        "resigning": list(showing.resigning),
        "agreed": list(showing.agreed),
        "paused": showing.paused,
        "called": showing.called,
        "clocks": clocks_dict(showing.game.clocks),
        "counting": counting_dict(showing.game),
        "answers": answers_list(showing.game.answers),
        "notice": showing.notice,
        "faults": list(showing.faults),
    }


def _game(game: Snapshot) -> dict[str, object]:
    board = game.position.board
    newest = game.turns[-1] if game.turns else None
    return {
        "rules": game.rules,
        "size": [board.cols, board.rows],
        "rows": list(rows_of(game.position)),
        "bowls": game.bowls.as_dict(),
        "ultimate": game.bowls.ultimate.value if game.bowls.ultimate else None,
        "black_side": game.black_side,
        "to_play": None if game.ended else game.to_play.value,
        "turn": game.turn,
        "last_move": board.name(newest.point) if isinstance(newest, Placement) else None,
        "ended": game.ended,
        "result": game.result,
        "result_text": words.result(game),
        "rulings": [ruling_dict(ruling, board) for ruling in reversed(game.rulings[-MOST_RULINGS:])],
        "moves": [
            {"number": number, "player": turn.player.value, "text": words.turn(board, turn)}
            for number, turn in enumerate(game.turns, 1)
        ],
    }


def _optional_ruling(ruling: Ruling | None, game: Snapshot) -> dict[str, object] | None:
    return None if ruling is None else ruling_dict(ruling, game.position.board)


def ruling_dict(ruling: Ruling, board: Board) -> dict[str, object]:
    """A ruling; what the player did stands under the one key that `watch` and `judge` use for it."""
    return {
        "turn": ruling.turn,
        "status": ruling.status.value,
        "player": ruling.player.value if ruling.player else None,
        **(_move(ruling.move, board) if ruling.move else {}),
        "reason": ruling.reason.value if ruling.reason else None,
        "repeats": ruling.repeats,
        "captured": [board.name(point) for point in ruling.captured],
        "points": [board.name(point) for point in ruling.points],
        "text": ruling.text,
        "order": ruling.order,
    }


def _move(move: Turn, board: Board) -> dict[str, object]:
    match move:
        case Placement(point=point):
            return {"place": board.name(point) if point >= 0 else None}
        case Delay(ultimate=ultimate):
            return {"delay": "ultimate" if ultimate else "prisoner"}
        case Pass():
            return {"pass": True}
        case Draw():
            return {"draw": True}
        case Resign():
            return {"resign": True}
