"""The hall's Flask application: the wall, the tables that need attention, incidents, and the answer to a call."""

from __future__ import annotations

import json
import logging
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from flask import Flask, Response, abort, render_template, request

from web import __name__ as web_package
from web.allowed_hosts import refuse_other_hosts
from web.app import add_errors, add_security_headers, as_stream
from web.backend import NameRemoval, remove_no_name
from web.bounded_json import parse_count
from web.director.name_removal import add_name_removal
from web.failure_log import FailureLog
from web.hall.auth import DIRECTOR, Door, Keys, Logins
from web.hall.round import RoundDesk, add_rounds, ask_director_in
from web.hall.sentences import faults_of
from web.hall.tiles import (
    NEEDY,
    Entering,
    HallWall,
    Incident,
    LastBoard,
    Outcome,
    RatingList,
    Reported,
    Result,
    Tile,
    Trouble,
    Urgency,
    by_number,
    in_order,
)
from web.language import Translator, find_translator
from web.language_traits import CODES
from web.page.labels import rules_title
from web.page.thumbnail import place_of, small_board
from web.responses import (
    RenderCache,
    as_csv,
    as_json,
    download_response,
    error_response,
    keep_language,
    request_translator,
    sent_object,
    with_lifetime,
)
from web.sse import LOOK_UP, QUICK_HEARTBEAT, Viewers

log = logging.getLogger("shinpan")
VIEWERS = 60
MOST_ANSWERS = 24
"""The maximum number of cached answers for one wall, to clients that have seen different walls before."""
MOST_FAULTS = 2
"""The maximum number of faults on a tile."""
MESSAGE_KEYS = (
    *(f"hall.urgency.{one}" for one in Urgency),
    *(f"hall.trouble.{one}" for one in Trouble),
    *(f"hall.outcome.{one}" for one in Outcome),
    *(f"hall.not-reported.{one}" for one in RatingList),
)


@dataclass(frozen=True)
class HallDesk:
    """The backend of the hall's pages.

    shown: returns the whole wall
    wait: returns it once its number is above the given one, or after that many seconds
    ages: seconds since each box last sent anything, None for never
    waits: seconds since the call of each table that still waits for somebody
    now: seconds on the clock that the tiles' times refer to
    comes: records that somebody comes to a table; True if it had called and nobody had answered
    entering: returns the results and the outcome of each
    pin: returns True for the helpers' PIN
    stamp: a value that changes with the PIN
    rounds: the director's backend
    report: the results for a rating list, if a text with its players is named
    last_board: returns the last position of the result with that number, None if there is none
    forget: begins the act of removing a name in a body, if there is one, and returns how far it is; raises BadAct
    logins: of helpers and directors
    """

    read_wall: Callable[[], HallWall]
    wait: Callable[[int, float], HallWall]
    ages: Callable[[], Mapping[str, float | None]]
    waits: Callable[[], Mapping[str, float]]
    now: Callable[[], float]
    comes: Callable[[str, str], bool]
    entering: Callable[[], Entering]
    pin: Callable[[str], bool]
    stamp: Callable[[], str | None]
    rounds: RoundDesk | None = None
    report: Callable[[RatingList], Reported | None] = lambda one: None
    last_board: Callable[[int], LastBoard | None] = lambda number: None
    forget: Callable[[Mapping[str, object]], NameRemoval] = remove_no_name
    logins: Logins = field(default_factory=Logins)


def create_hall_app(desk: HallDesk) -> Flask:
    """Create the hall's application on this backend."""
    app = Flask(web_package)
    app.extensions["viewers"] = Viewers(VIEWERS)
    door = Door(app, Keys(desk.pin, desk.stamp), desk.rounds.keys if desk.rounds is not None else None, desk.logins)
    _add_wall(app, desk, door, secrets.token_hex(4))
    _add_incidents(app, desk)
    _add_results(app, desk)
    _add_helpers(app, desk, door)
    if desk.rounds is not None:
        add_rounds(app, desk.rounds, door)
        _add_name_removal(app, desk, door)
    app.context_processor(lambda: {"unkept": _unwritten_sentence(desk.read_wall(), request_translator())})
    refuse_other_hosts(app)
    add_security_headers(app)
    add_errors(app)
    return app


def _add_wall(app: Flask, desk: HallDesk, door: Door, run: str) -> None:
    cache, failures = dict[tuple[str, str], tuple[Tile, str]](), FailureLog(log)

    def draw_tile(tile: Tile, say: Translator) -> str:
        """Render a tile, once for all clients."""
        cached_tile, text = cache.get((tile.table, say.code), (None, ""))
        if cached_tile is not tile:
            text = _draw_tile(tile, say, failures)
            cache[tile.table, say.code] = tile, text
        return text

    def render_changes(wall: HallWall, code: str, since: int, *_: float) -> str:
        tiles = {one.table: draw_tile(one, find_translator(code)) for one in wall.tiles if one.number > since}
        order = [[one.table, one.urgency.value, one.urgency in NEEDY] for one in in_order(wall.tiles)]
        ages = {"ages": desk.ages(), "waits": desk.waits(), "now": desk.now()}
        answer = {
            "number": wall.number,
            "order": order,
            "places": [one.table for one in sorted(wall.tiles, key=lambda one: by_number(one.table))],
            "progress": _round_progress(wall, find_translator(code)),
            "tiles": tiles,
            "unkept": _unwritten_sentence(wall, find_translator(code)),
            **ages,
        }
        return json.dumps(answer, separators=(",", ":"))

    answers = RenderCache(render_changes, run, MOST_ANSWERS)

    @app.get("/", defaults={"kind": "wall"}, endpoint="show_wall")
    @app.get("/me", defaults={"kind": "me"}, endpoint="show_me")
    def show_tables(kind: str) -> Response:
        say = request_translator()
        others = [find_translator(code) for code in CODES if code != say.code]
        context = {"kind": kind, "event": desk.read_wall().event, "token": door.token(), "run": run}
        text = render_template("hall.html", say=say, others=others, rounds=desk.rounds is not None, **context)
        return keep_language(Response(text))

    @app.get("/tiles")
    def show_tiles() -> Response:
        """Answer with the tiles that changed since a wall's number, their order, and each one's age.

        Computed once for all clients that ask the same within a second.
        """
        since_text = request.args.get("since", "")
        since = parse_count(since_text) if request.args.get("run") == run else None
        text = answers.of(
            desk.read_wall(), request_translator().code, -1 if since is None else since, int(time.monotonic())
        )
        return Response(text, mimetype="application/json")

    @app.get("/tables.json")
    def show_for_programs() -> Response:
        wall = desk.read_wall()
        tables = [_tile_to_json(one) for one in wall.tiles]
        return as_json({"event": wall.event, "kept": not wall.unkept, "tables": tables})

    @app.get("/events")
    def stream_events() -> Response:
        """Stream the number of each wall; a heartbeat distinguishes quiet halls from dead connections."""
        return as_stream(app, partial(_stream_walls, desk))


def _unwritten_sentence(wall: HallWall, say: Translator) -> str:
    """Return the sentence that nothing can be noted; empty if all is well."""
    return say("hall.unkept", folder=wall.unkept) if wall.unkept else ""


def _round_progress(wall: HallWall, say: Translator) -> str:
    """Return how many of the round's games have finished; empty before any box was heard."""
    statuses = [one.status for one in wall.tiles if one.status is not None]
    if not statuses:
        return ""
    done = sum(one.urgency is Urgency.FINISHED for one in wall.tiles)
    rounds = {status["round"] for status in statuses}
    if len(rounds) == 1 and (name := rounds.pop()):
        return say("hall.progress-round", round=name, done=done, total=len(wall.tiles))
    return say("hall.progress", done=done, total=len(wall.tiles))


def _stream_walls(desk: HallDesk, has_ended: Callable[[], bool]) -> Iterator[str]:
    wall, quiet = desk.read_wall(), 0
    yield f"retry: 2000\nevent: wall\ndata: {wall.number}\n\n"
    while not has_ended():
        newest, quiet = desk.wait(wall.number, LOOK_UP), quiet + 1
        if newest.number != wall.number or quiet >= QUICK_HEARTBEAT:
            wall, quiet = newest, 0
            yield f"event: wall\ndata: {wall.number}\n\n"


def _draw_tile(tile: Tile, say: Translator, failures: FailureLog) -> str:
    """Render a tile; one that cannot be drawn says so, and takes no other from the wall."""
    try:
        return _render_tile(tile, say)
    except Exception as error:
        failures.warn(f"Table {tile.table} cannot be drawn", error)
        return _render_tile(replace(tile, status=None, trouble=Trouble.UNREADABLE), say)


def _render_tile(tile: Tile, say: Translator) -> str:
    status = tile.status
    board = (
        small_board(status["rows"], place_of(status["last_move"], len(status["rows"])), tile.table) if status else ""
    )
    faults = [one.word(say) for one in faults_of(status)[:MOST_FAULTS]] if status else []
    return render_template("hall_tile.html", tile=tile, status=status, say=say, board=board, faults=faults)


def _tile_to_json(tile: Tile) -> Mapping[str, object]:
    call = None if tile.call is None else {"since": tile.call.since, "by": tile.call.by}
    trouble = None if tile.trouble is None else tile.trouble.value
    return {
        "table": tile.table,
        "address": tile.address,
        "urgency": tile.urgency.value,
        "stale": tile.stale,
        "trouble": trouble,
        "call": call,
        "status": tile.status,
    }


def _add_incidents(app: Flask, desk: HallDesk) -> None:
    @app.get("/incidents")
    def show_incidents() -> Response:
        addresses, say = {one.table: one.address for one in desk.read_wall().tiles}, request_translator()
        rows = [
            (one, _time_text(one), one.sentence.word(say), addresses.get(one.table, ""))
            for one in reversed(desk.read_wall().incidents)
        ]
        return keep_language(Response(render_template("incidents.html", say=say, rows=rows)))

    @app.get("/incidents.csv")
    def show_incidents_csv() -> Response:
        rows = (
            (_time_text(one), one.table, one.game, one.turn, one.sentence.text) for one in desk.read_wall().incidents
        )
        return as_csv("incidents.csv", ("time", "table", "game", "turn", "what"), rows)


def _add_results(app: Flask, desk: HallDesk) -> None:
    @app.get("/results/<int(max=9223372036854775807):number>/small.svg")
    def show_last_board(number: int) -> Response:
        """Answer with a last position, for good: no result of a journal ever changes, and v tells which journal."""
        board = desk.last_board(number)
        if board is None:
            return error_response("http.nothing-here", 404)
        svg = small_board(board.rows, place_of(board.last_move, len(board.rows)))
        return with_lifetime(Response(svg, mimetype="image/svg+xml"))

    @app.get("/results")
    def show_results() -> Response:
        entering = desk.entering()
        rows = [(one, _time_text(one), outcome) for one, outcome in reversed(entering.results)]
        all_reports = ((one, desk.report(one)) for one in RatingList)
        reports = [(one, report) for one, report in all_reports if report is not None]
        context = {"rows": rows, "entering": entering, "reports": reports, "rules_title": rules_title}
        return keep_language(Response(render_template("results.html", say=request_translator(), **context)))

    @app.get("/results/aga.txt", defaults={"taker": RatingList.AGA})
    @app.get("/results/egd.h9", defaults={"taker": RatingList.EGD})
    def show_report(taker: RatingList) -> Response:
        report = desk.report(taker)
        return (
            error_response("http.nothing-here", 404)
            if report is None or report.why
            else download_response(report.data, "text/plain", taker.file_name)
        )

    @app.get("/results.csv")
    def show_results_csv() -> Response:
        rows = (
            (
                _time_text(one),
                one.round,
                one.table,
                one.black,
                one.white,
                one.result,
                outcome.value,
                ", ".join(one.others),
            )
            for one, outcome in desk.entering().results
        )
        return as_csv("results.csv", ("time", "round", "table", "black", "white", "result", "outcome", "others"), rows)

    @app.get("/results.xml")
    @app.get("/results/made", endpoint="show_made")
    def show_results_to_merge() -> Response:
        """Answer with the file for the pairing program, if it takes a file."""
        entering = desk.entering()
        kind = "text/csv" if entering.made.endswith(".csv") else "application/xml"
        return download_response(entering.file, kind, entering.made or "results.xml")


def _time_text(one: Incident | Result) -> str:
    return f"{datetime.fromtimestamp(one.at):%Y-%m-%d %H:%M:%S}"


def _add_name_removal(app: Flask, desk: HallDesk, door: Door) -> None:
    def require_inside(is_inside: Callable[[], object]) -> None:
        if not is_inside():
            abort(error_response("http.outside", 401))

    token, acting = partial(door.token, DIRECTOR), partial(door.acting, DIRECTOR)
    come_in, act = partial(require_inside, token), partial(require_inside, acting)
    add_name_removal(app, "/forget", desk.forget, token, ask_director_in, come_in, act, "hall.wall", "hall.lost")


def _add_helpers(app: Flask, desk: HallDesk, door: Door) -> None:
    @app.post("/comes")
    def note_helper() -> Response:
        helper = door.acting()
        if helper is None:
            return error_response("http.outside", 401)
        is_noted = desk.comes(str((sent_object() or {}).get("table", "")), helper)
        return as_json({"said": []}) if is_noted else error_response("hall.no-call", 409)
