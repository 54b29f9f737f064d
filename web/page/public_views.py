"""The spectators' views of the game: the page, the board and earlier turns."""

from __future__ import annotations

from functools import partial

from flask import Flask, Response, render_template, request

from referee import HistoryEntry, Snapshot, TableSnapshot, rows_of
from web import openapi
from web.backend import Backend
from web.bounded_json import parse_count
from web.language import ENGLISH, find_translator
from web.language_traits import CODES
from web.page.labels import turn_text as turn_words
from web.page.model import PageModel
from web.page.navigation import NOW, GamePosition, steps_of
from web.page.partials import DiffedPage, select_parts
from web.page.svg import board_at
from web.responses import RenderCache, as_json, error_response, keep_language, request_translator, with_etag

MESSAGE_KEYS = ("http.no-step", "http.no-turn")
OF_A_PLACE = ("banner", "board", "steps", "players", "ruling")
"""Parts that show a position of the game: after a turn, at a refused one, in the count."""
EARLIER = 100
"""Number of pages, and of boards, of earlier turns that are cached until the next change."""


class NotThere(Exception):
    """A requested turn or step that the game does not have. key: of its error sentence."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def add_page(app: Flask, backend: Backend, run: str, reachable: bool, speaks: bool = False) -> None:
    """Add the page and its board, for the present and for earlier turns.

    reachable: True if other devices can open the page.
    speaks: True if it has a voice.
    """
    page = partial(_render_page, run, backend.director is not None, reachable, speaks)
    pages, earlier_pages = (
        DiffedPage(lambda snapshot, code: page(snapshot, code, NOW), run),
        RenderCache(page, run, EARLIER),
    )
    boards, earlier_boards = RenderCache(_render_board, run), RenderCache(_render_board, run, EARLIER)

    @app.get("/")
    def show_page() -> Response:
        say, snapshot = request_translator(), backend.read_snapshot()
        game_position = parse_requested_position(snapshot.game)
        text = _rendered_page(snapshot, say.code, game_position)
        return keep_language(
            with_etag(Response(text, mimetype="text/html"), pages.version(snapshot), say.code, game_position)
        )

    @app.get("/parts")
    def show_parts() -> Response:
        """Return the differences of the present page from the client's version; or the parts of another position."""
        say, snapshot = request_translator(), backend.read_snapshot()
        game_position, known_version = parse_requested_position(snapshot.game), request.args.get("since")
        text = (
            select_parts(_rendered_page(snapshot, say.code, game_position), OF_A_PLACE)
            if known_version is None
            else pages.since(snapshot, known_version, say.code)
        )
        return Response(text, mimetype="text/html")

    def _rendered_page(snapshot: TableSnapshot, code: str, game_position: GamePosition) -> str:
        return pages.page(snapshot, code) if game_position == NOW else earlier_pages.of(snapshot, code, game_position)

    @app.get("/board.svg")
    def show_board() -> Response:
        say, snapshot = request_translator(), backend.read_snapshot()
        game_position = parse_requested_position(snapshot.game)
        svg = (boards if game_position == NOW else earlier_boards).of(snapshot, say.code, game_position)
        return with_etag(Response(svg, mimetype="image/svg+xml"), boards.version(snapshot), say.code, game_position)

    @app.get("/position.json")
    def show_position() -> Response:
        game = backend.read_snapshot().game
        turn = _requested_turn(game)
        entry = game.past.entry_after(game.turn if turn is None else turn)
        assert entry is not None
        return as_json(_describe_position(entry, game))

    app.register_error_handler(NotThere, lambda error: error_response(error.key, 404))


def _render_page(
    run: str,
    has_director: bool,
    reachable: bool,
    speaks: bool,
    snapshot: TableSnapshot,
    code: str,
    game_position: GamePosition,
) -> str:
    say = find_translator(code)
    others = [find_translator(code) for code in CODES if code != say.code]
    version = f"{run}-{snapshot.number}"
    context = {"view": PageModel(snapshot, say, game_position), "say": say, "others": others, "version": version}
    return render_template("page.html", **context, directed=has_director, reachable=reachable, speaks=speaks)


def _render_board(snapshot: TableSnapshot, code: str, game_position: GamePosition) -> str:
    return board_at(snapshot, game_position, find_translator(code))


def parse_requested_position(game: Snapshot) -> GamePosition:
    """Return the position in the URL: a turn, a refused one after it, or a step; raise NotThere."""
    step = _requested_number("step", steps_of(game), "http.no-step")
    if step == 0:
        raise NotThere("http.no-step")
    turn = _requested_turn(game)
    entry = game.past.entry_after(turn) if turn is not None else None
    tried = _requested_number("tried", len(entry.tried) if entry is not None else 0, "http.no-turn")
    if tried == 0:
        raise NotThere("http.no-turn")
    return GamePosition(turn, step or 0, tried or 0)


def _requested_turn(game: Snapshot) -> int | None:
    """Return the turn in the URL, None for the newest; raise NotThere."""
    return _requested_number("turn", game.turn, "http.no-turn")


def _requested_number(name: str, most: int, otherwise: str) -> int | None:
    text = request.args.get(name)
    if text is None:
        return None
    number = parse_count(text, most)
    if number is None:
        raise NotThere(otherwise)
    return number


def _describe_position(entry: HistoryEntry, game: Snapshot) -> openapi.Then:
    """Return a position of the game for other programs; barred: only if it is the newest."""
    board, bowls = entry.position.board, entry.bowls
    say = ENGLISH.sentence
    barred = game.past.forbidden_points if entry.number == game.turn else ()
    return {
        "turn": entry.number,
        "player": entry.turn.player.value if entry.turn else None,
        "text": turn_words(board, entry.turn) if entry.turn else None,
        "rows": list(rows_of(entry.position)),
        "bowls": bowls.as_dict(),
        "ultimate": bowls.ultimate.value if bowls.ultimate else None,
        "barred": [
            {
                "point": board.name(one.point),
                "reason": one.reason.value,
                "repeats": one.repeats,
                "text": say(one.message),
            }
            for one in barred
        ],
    }
