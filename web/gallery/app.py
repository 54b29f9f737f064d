"""The gallery: a separate Flask application that has access to public data only.

Anybody may cache and pass on its responses, so it sets no cookies and responds in the language of the URL.
"""

from __future__ import annotations

import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterator
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from threading import Lock
from urllib.parse import quote

import msgspec
from flask import Flask, Response, render_template, request

from referee import RULESETS, Coordinates, Position, board_of
from web import __name__ as web_package
from web.app import add_errors, add_security_headers, as_stream
from web.failure_log import FailureLog
from web.formats import LINES, SGF
from web.gallery.publication import Exhibition, LastBoardNews, PublicTable, Room
from web.hall.sentences import coordinates_of
from web.language import Translator, choose_translator, find_translator
from web.language_traits import CODES
from web.page.labels import rules_title
from web.page.svg import board_svg
from web.page.thumbnail import place_of, small_board
from web.responses import error_response
from web.server.fair_server import ReservedAddresses, sleep_for
from web.sse import COMMENT, HEARTBEAT, LOOK_UP, Viewers

log = logging.getLogger("shinpan")
VIEWERS = 40
"""The maximum number of event streams of the hall's own gallery; other clients poll."""
FRESH, FOR_GOOD = "public, max-age=2", "public, max-age=31536000, immutable"
"""The cache lifetimes of changing responses, and of those that never change at their URL."""
PAGE = "public, max-age=60"
MOST_TILES = 4000
"""The maximum number of tiles that remain available."""
_CODE = f"any({', '.join(map(repr, CODES))}):code"
_COORDINATES = f"any({', '.join(repr(str(one)) for one in Coordinates)}):coordinates"
STATIC = Path(__file__).parents[1] / "static"


def create_gallery_app(room: Room, viewers: int = VIEWERS) -> Flask:
    """Create the public pages of the room.

    room: the public data
    viewers: maximum number of simultaneous event streams
    """
    app = Flask(web_package)
    app.extensions["viewers"], app.extensions["kept"] = Viewers(viewers), ReservedAddresses()
    _add_pages(app, room)
    _add_games(app, room)
    _add_live(app, room)
    _add_tiles(app, room)
    _add_versions(app)
    add_security_headers(app)
    add_errors(app)
    return app


def _add_pages(app: Flask, room: Room) -> None:
    @app.get("/", defaults={"code": None, "kind": "gallery"}, endpoint="show_any")
    @app.get(f"/<{_CODE}>/", defaults={"kind": "gallery"}, endpoint="show_gallery")
    @app.get(f"/<{_CODE}>/tv", defaults={"kind": "wall"}, endpoint="show_television")
    def show_page(code: str | None, kind: str) -> Response:
        say, exhibition = (
            find_translator(code or choose_translator(list(request.accept_languages.values())).code),
            room.public_state(),
        )
        others = [find_translator(other) for other in CODES if other != say.code]
        text = render_template(
            "gallery.html",
            say=say,
            others=others,
            kind=kind,
            event=exhibition.event,
            minutes=_delay_minutes(exhibition),
            rules={name: rules_title(name, say) for name in RULESETS},
            outcomes=_outcome_patterns(say),
        )
        answer = _respond_with_etag(text.encode(), "text/html", PAGE)
        answer.vary.add("Accept-Language")
        return answer


def _add_games(app: Flask, room: Room) -> None:
    @app.get(f"/<{_CODE}>/table/<path:table>")
    def show_game(code: str, table: str) -> Response:
        """Answer with a table's game as a page, which replays the public record."""
        say, exhibition = find_translator(code), room.public_state()
        names = [one.table for one in exhibition.in_order]
        if table not in exhibition.tables:
            return error_response("http.no-game", 404)
        index = names.index(table)
        text = render_template(
            "gallery_game.html",
            say=say,
            others=[find_translator(other) for other in CODES if other != say.code],
            table=exhibition.tables[table],
            minutes=_delay_minutes(exhibition),
            before=names[index - 1] if index else "",
            after=names[index + 1] if index + 1 < len(names) else "",
        )
        return _respond_with_etag(text.encode(), "text/html", PAGE)

    @app.get(f"/live/boards/<{_CODE}>/<{_COORDINATES}>/<int(min=1, max=25):cols>x<int(min=1, max=25):rows>.svg")
    def show_bare_board(code: str, coordinates: str, cols: int, rows: int) -> Response:
        """Answer with the board on which a record is replayed; that page puts the stones there."""
        board = board_of(cols, rows)
        say = find_translator(code).on_board(board, Coordinates(coordinates), "")
        svg = board_svg(Position(board, (0, 0)), say=say)
        return _respond_with_etag(svg.encode(), "image/svg+xml", PAGE)


def _outcome_patterns(say: Translator) -> dict[str, dict[str, str]]:
    """Return the labels of results by rule set; those of "" are of all others."""
    usual = say.outcome_patterns()
    by_rules = {name: say.under(name).outcome_patterns() for name in RULESETS}
    return {"": usual} | {name: labels for name, labels in by_rules.items() if labels != usual}


def _delay_minutes(exhibition: Exhibition) -> str:
    """Return the longest delay of a board in minutes; empty if there is none."""
    return f"{exhibition.delay / 60:g}" if exhibition.delay else ""


def _add_live(app: Flask, room: Room) -> None:
    index = _NewestValue(_render_index)

    @app.get("/live/index.json")
    def show_index() -> Response:
        return _respond_with_etag(index.of(room.public_state()), "application/json", FRESH)

    @app.get("/live/round.sgf")
    def show_round() -> Response:
        records = [one.record for one in room.public_state().in_order if one.record is not None]
        newest = max((record.round for record in records), key=_length_key, default="")
        records_text = [one.sgf for one in records if one.round == newest and one.format is SGF]
        return _respond_with_etag("\n".join(records_text).encode(), SGF.kind, FRESH)

    @app.get("/live/<path:table>.sgf", defaults={"ending": SGF.ending})
    @app.get("/live/<path:table>.jsonl", defaults={"ending": LINES.ending})
    def show_record(table: str, ending: str) -> Response:
        """Answer with the record, if the URL has the ending of its format."""
        public_table = room.public_state().tables.get(table)
        if public_table is None or public_table.record is None or public_table.record.format.ending != ending:
            return error_response("http.no-game", 404)
        return _respond_with_etag(public_table.record.sgf.encode(), public_table.record.format.kind, FRESH)

    @app.get("/live/last/<mark>.svg")
    def show_last_board(mark: str) -> Response:
        """Answer with the last position of a finished game, for good."""
        one = room.public_state().marked_boards.get(mark)
        if one is None:
            return error_response("http.nothing-here", 404)
        svg = small_board(one.rows, place_of(one.last_move, len(one.rows)))
        return _respond_with_etag(svg.encode(), "image/svg+xml", FOR_GOOD)

    @app.get("/live/events")
    def stream_events() -> Response:
        return as_stream(app, partial(_stream_news, room))


def _length_key(name: str) -> tuple[int, str]:
    """Return a sort key that puts 9 before 10."""
    return len(name), name


def _render_index(exhibition: Exhibition) -> bytes:
    tables = [_index_entry(one) for one in exhibition.in_order]
    results = [
        {
            "table": table,
            **msgspec.to_builtins(one),
            "board": _last_board_url(exhibition.last_boards.get((table, game))),
        }
        for (table, game), one in exhibition.results.items()
    ]
    whole = {"event": exhibition.event, "number": exhibition.number, "tables": tables, "results": results}
    return json.dumps(whole, separators=(",", ":")).encode()


def _last_board_url(one: LastBoardNews | None) -> str | None:
    return None if one is None else f"live/last/{one.mark}.svg"


def _index_entry(one: PublicTable) -> dict[str, object]:
    board = one.board
    game = (
        {}
        if board is None
        else {
            "round": board.round,
            "game": board.game,
            "players": board.players,
            "rules": board.rules,
            "turn": board.turn,
            "last_move": board.last_move,
            "to_play": board.to_play,
        }
    )
    record = None if one.record is None else f"live/{quote(one.table, safe='')}{one.record.format.ending}"
    return {
        "table": one.table,
        "version": one.version,
        "delay": one.delay,
        "coordinates": coordinates_of(board.coordinates if board is not None else ""),
        **game,
        "result": one.result,
        "record": record,
    }


def _stream_news(room: Room, has_ended: Callable[[], bool]) -> Iterator[str]:
    """Stream the newest news's number, at most once a second; a heartbeat distinguishes quiet from dead connections."""
    exhibition, quiet = room.public_state(), 0
    yield f"retry: 3000\nevent: news\ndata: {exhibition.number}\n\n"
    while not has_ended():
        newest, quiet = room.wait(exhibition, LOOK_UP), quiet + 1
        if newest is not exhibition:
            exhibition, quiet = newest, 0
            yield f"event: news\ndata: {exhibition.number}\n\n"
            sleep_for(LOOK_UP)
        elif quiet >= HEARTBEAT:
            quiet = 0
            yield COMMENT


def _add_tiles(app: Flask, room: Room) -> None:
    versions = _Versions(room)

    @app.get(f"/live/tiles/<{_CODE}>/<version>.html")
    def show_tile(code: str, version: str) -> Response:
        one = versions.table(version)
        if one is None:
            return error_response("http.nothing-here", 404)
        return _respond_with_etag(versions.render_tile(one, code), "text/html", FOR_GOOD)


class _Versions:
    """A thread-safe cache of tables by the versions in their tiles' URLs, and of the tiles, each rendered once."""

    def __init__(self, room: Room) -> None:
        self._room, self._lock, self._failures = room, Lock(), FailureLog(log)
        self._newest: Exhibition | None = None
        self._tables, self._drawn = OrderedDict[str, PublicTable](), OrderedDict[tuple[str, str], bytes]()

    def table(self, version: str) -> PublicTable | None:
        """Return the table in that version; None if it was not seen lately."""
        with self._lock:
            exhibition = self._room.public_state()
            if exhibition is not self._newest:
                self._newest = exhibition
                for one in exhibition.tables.values():
                    self._tables[one.version] = one
                    self._tables.move_to_end(one.version)
                while len(self._tables) > MOST_TILES:
                    self._tables.popitem(last=False)
            return self._tables.get(version)

    def render_tile(self, one: PublicTable, code: str) -> bytes:
        """Return the table's tile."""
        with self._lock:
            key = one.version, code
            if key not in self._drawn:
                self._drawn[key] = _render_tile_safely(one, code, self._failures)
                while len(self._drawn) > MOST_TILES:
                    self._drawn.popitem(last=False)
            return self._drawn[key]


def _render_tile_safely(one: PublicTable, code: str, failures: FailureLog) -> bytes:
    """Render a table's tile; one that cannot be drawn says so."""
    try:
        return _render_tile(one, code)
    except Exception as error:
        failures.warn(f"Table {one.table} cannot be drawn", error)
        text = render_template(
            "gallery_tile.html", table=one, status=None, result=None, say=find_translator(code), lost=True
        )
        return text.encode()


def _render_tile(one: PublicTable, code: str) -> bytes:
    board = one.board
    svg = small_board(board.rows, place_of(board.last_move, len(board.rows)), one.table) if board is not None else ""
    text = render_template(
        "gallery_tile.html", table=one, status=board, result=one.result, say=find_translator(code), board=svg
    )
    return text.encode()


class _NewestValue:
    """A cache of one value computed from the newest Exhibition, for all clients."""

    def __init__(self, build: Callable[[Exhibition], bytes]) -> None:
        self._build = build
        self._newest: tuple[Exhibition, bytes] | None = None

    def of(self, exhibition: Exhibition) -> bytes:
        """Return the value for this one."""
        newest = self._newest
        if newest is None or newest[0] is not exhibition:
            newest = self._newest = exhibition, self._build(exhibition)
        return newest[1]


def _respond_with_etag(data: bytes, kind: str, how: str) -> Response:
    """Build a response with an ETag, empty for a client that has it already.

    how: the Cache-Control header
    """
    answer = Response(data, mimetype=kind)
    answer.headers["Cache-Control"], answer.headers["Access-Control-Allow-Origin"] = how, "*"
    answer.set_etag(_version_hash(data))
    answer.make_conditional(request)
    return answer


def _version_hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def _file_version(name: str) -> str:
    return _file_versions().get(name, "")


@cache
def _file_versions() -> dict[str, str]:
    """Return the version of every file of the page; of no other name anything is kept."""
    return {path.name: _version_hash(path.read_bytes()) for path in STATIC.iterdir() if path.is_file()}


def _add_versions(app: Flask) -> None:
    """Put a version into the URL of every file that does not change while the program runs, and cache it for good."""

    @app.url_defaults
    def add_file_version(endpoint: str, values: dict[str, object]) -> None:
        if endpoint == "static":
            values["v"] = _file_version(str(values["filename"]))

    @app.after_request
    def cache_versioned(answer: Response) -> Response:
        name = request.view_args.get("filename", "") if request.view_args else ""
        if request.endpoint == "static" and request.args.get("v") == _file_version(name) != "":
            answer.headers["Cache-Control"] = FOR_GOOD
        return answer
