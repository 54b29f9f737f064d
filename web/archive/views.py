"""Archived games: their list and records, and each one as a page and on paper."""

from __future__ import annotations

import io
import time
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock

from flask import Flask, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as Redirect

from referee import OFF, Review, TableSnapshot, Tone, error_message
from web.allowed_hosts import address_for_others
from web.archive.codes import record_at
from web.archive.search import RESULTS, Search, day_of, search_games
from web.backend import Backend, Listed, Replay
from web.formats import LINES, SGF, format_for, format_of
from web.hall_api import record_seal
from web.language import find_translator
from web.language_traits import CODES
from web.page.headline import Headline
from web.page.model import PageModel, Player
from web.page.navigation import GamePosition
from web.page.partials import select_parts
from web.page.poster import NoPdf, pdf_of, poster_of
from web.page.public_views import OF_A_PLACE, parse_requested_position
from web.page.qr import qr_svg
from web.page.review_view import Worths, better_at, worths_of
from web.page.sheet import SheetModel
from web.page.svg import board_at, heat_of
from web.page.turn_list import Move
from web.responses import (
    RenderCache,
    as_json,
    download_response,
    error_response,
    keep_language,
    request_translator,
    text_response,
    with_lifetime,
)

STAYS, AGAIN = 60.0, 5.0
"""Seconds for which a replayed game is cached, and the shorter time while its turns are being analysed."""
MOST, EACH = 6, 40
"""Number of cached games, and of cached pages and boards of each."""
MOST_TOGETHER = 200
"""Number of records in one file, which this process holds in memory."""
MESSAGE_KEYS = ("http.no-film",)
SCRIPTS = ("idiomorph.min.js", "steps.js")


def add_games(app: Flask, backend: Backend) -> None:
    """Add the record of this game, and the list and the records of all."""

    @app.get("/game.sgf")
    def show_record() -> Response:
        record = backend.sgf()
        answer = _record_response(record, "game")
        answer.headers.update(record_seal(app, backend.director, record))
        return answer

    @app.get("/games")
    def show_games() -> Response:
        say, games, search = request_translator(), backend.listed(), Search.of(request.args)
        page = search_games(games, search, say)
        context = {"found": page, "search": search, "results": RESULTS, "any": bool(games)}
        context |= {"together": page.total <= MOST_TOGETHER, "directed": backend.director is not None}
        text = render_template("games.html", say=say, **context)
        return keep_language(Response(text, mimetype="text/html"))

    @app.get("/games.json")
    def list_games() -> Response:
        search = Search.of(request.args)
        return as_json({"games": [game.name for game in backend.listed() if search.is_match(game)]})

    @app.get("/games.zip")
    def show_records() -> Response:
        """Return the records of the games that are looked for, in one file."""
        search = Search.of(request.args)
        names = [game.name for game in backend.listed() if search.is_match(game)]
        if not names:
            return error_response("games.none-found", 404)
        if len(names) > MOST_TOGETHER:
            return text_response(request_translator()("games.too-many", n=MOST_TOGETHER), 400)
        records = {name: record for name in names if (record := backend.game(name)) is not None}
        return download_response(_zip_records(records), "application/zip", "games.zip")

    @app.get("/games/<name>.sgf", defaults={"ending": SGF.ending})
    @app.get("/games/<name>.jsonl", defaults={"ending": LINES.ending})
    def show_game(name: str, ending: str) -> Response:
        """Return the record, if it has the format of this file extension."""
        record = backend.game(name)
        if record is None or format_of(record).ending != ending:
            return error_response("http.no-game", 404)
        return _record_response(record, name)


def _record_response(record: bytes, name: str) -> Response:
    """Return a record as a download of this name."""
    form = format_of(record)
    return download_response(record, form.kind, f"{name}{form.ending}")


def _zip_records(records: Mapping[str, bytes]) -> bytes:
    """Return a ZIP file of records by their games' names."""
    together = io.BytesIO()
    with zipfile.ZipFile(together, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, record in records.items():
            archive.writestr(f"{name}{format_of(record).ending}", record)
    return together.getvalue()


def add_kept(app: Flask, backend: Backend, run: str, address: str) -> None:
    """Add each archived game's page and sheet, and the sheet of this game. address: the page's URL elsewhere."""
    shelf = ReplayCache(backend.replay, run, backend.director is not None, bool(address))
    app.extensions["replays"] = shelf

    @app.get("/games/<name>/")
    def show_kept(name: str) -> Response | Redirect:
        return shelf.answer(name, lambda game: keep_language(Response(game.page(), mimetype="text/html")))

    @app.get("/games/<name>/parts")
    def show_kept_parts(name: str) -> Response | Redirect:
        return shelf.answer(name, lambda game: Response(select_parts(game.page(), OF_A_PLACE), mimetype="text/html"))

    @app.get("/games/<name>/board.svg")
    def show_kept_board(name: str) -> Response | Redirect:
        return shelf.answer(name, lambda game: _svg_response(game.board()))

    @app.get("/games/<name>/sheet")
    def show_kept_sheet(name: str) -> Response | Redirect:
        return shelf.answer(name, lambda game: _render_sheet(game.snapshot, game.day, address, "./"))

    @app.get("/games/<name>/heat.svg")
    def show_heat(name: str) -> Response | Redirect:
        return shelf.answer(
            name, lambda game: keep_language(_svg_response(heat_of(game.snapshot, request_translator())))
        )

    @app.get("/games/<name>/film.webp")
    def show_film(name: str) -> Response:
        film = backend.film(name)
        return error_response("http.no-film", 404) if film is None else Response(film, mimetype="image/webp")

    @app.get("/games/<name>/small.svg")
    def show_thumbnail(name: str) -> Response:
        """Answer with the last position; for good where the address has the record's stamp."""
        svg = backend.thumbnail(name)
        return error_response("http.no-game", 404) if svg is None else with_lifetime(_svg_response(svg))

    @app.get("/games/<name>/poster.svg", defaults={"kind": "svg"})
    @app.get("/games/<name>/poster.pdf", defaults={"kind": "pdf"})
    def show_kept_poster(name: str, kind: str) -> Response | Redirect:
        return shelf.answer(name, lambda game: _poster_response(game.snapshot, game.day, kind))

    @app.get("/poster.svg", defaults={"kind": "svg"})
    @app.get("/poster.pdf", defaults={"kind": "pdf"})
    def show_poster(kind: str) -> Response:
        return _poster_response(backend.read_snapshot(), "", kind)

    @app.get("/sheet")
    def show_sheet() -> Response:
        return _render_sheet(backend.read_snapshot(), "", address, url_for("show_page"))


def clear_replays(app: Flask) -> None:
    """Show no archived game as it was before."""
    shelf = app.extensions["replays"]
    assert isinstance(shelf, ReplayCache)
    shelf.clear()


@dataclass(frozen=True)
class CachedReplay:
    """A cached replay of an archived game, with its drawings. until: its expiry, in seconds of the clock."""

    until: float
    replay: Replay
    pages: RenderCache
    boards: RenderCache

    @property
    def snapshot(self) -> TableSnapshot:
        """Return the game at its end."""
        assert self.replay.snapshot is not None
        return self.replay.snapshot

    @property
    def day(self) -> str:
        """Return the day on which it began."""
        return self.replay.day

    def page(self) -> str:
        """Return the page at the requested place in the game; raise NotThere."""
        return self.pages.of(self.snapshot, request_translator().code, parse_requested_position(self.snapshot.game))

    def board(self) -> str:
        """Return the board at the requested place in the game; raise NotThere."""
        return self.boards.of(self.snapshot, request_translator().code, parse_requested_position(self.snapshot.game))


class ReplayCache:
    """The cache of the most recently requested replays; thread-safe.

    replay: replays a game by its name.
    run: an identifier of this run of the box.
    directed: True if there is a director's desk.
    reachable: True if other devices can open the page.
    clock: in seconds.
    """

    def __init__(
        self,
        replay: Callable[[str], Replay | None],
        run: str,
        has_director: bool,
        reachable: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._replay, self._run, self._clock = replay, run, clock
        self._has_director, self._reachable = has_director, reachable
        self._replays: OrderedDict[str, CachedReplay] = OrderedDict()
        self._lock = Lock()

    def answer(self, name: str, respond: Callable[[CachedReplay], Response]) -> Response | Redirect:
        """Return the response for the game, or the reason why it cannot be shown; redirect for a running game."""
        volume = self._find_cached(name) or self._fetch_replay(name)
        if volume is None:
            return error_response("http.no-game", 404)
        if volume.replay.running:
            return redirect(url_for("show_page"))
        if volume.replay.why is not None:
            return text_response(request_translator().sentence(volume.replay.why), 404)
        return respond(volume)

    def clear(self) -> None:
        """Drop all replays: the next request asks the box again."""
        with self._lock:
            self._replays.clear()

    def _find_cached(self, name: str) -> CachedReplay | None:
        with self._lock:
            volume = self._replays.get(name)
            return volume if volume is not None and volume.until > self._clock() else None

    def _fetch_replay(self, name: str) -> CachedReplay | None:
        replay = self._replay(name)
        if replay is None or replay.running:
            return None if replay is None else self._build_cached(replay)
        with self._lock:
            cached = self._replays.pop(name, None)
            is_same = cached is not None and cached.replay == replay
            volume = (
                replace(cached, until=self._expiry_time(replay))
                if cached is not None and is_same
                else self._build_cached(replay)
            )
            self._replays[name] = volume
            if len(self._replays) > MOST:
                self._replays.popitem(last=False)
            return volume

    def _build_cached(self, replay: Replay) -> CachedReplay:
        pages = RenderCache(lambda snapshot, code, at: self._render_page(snapshot, replay, code, at), self._run, EACH)
        boards = RenderCache(
            lambda snapshot, code, at: board_at(snapshot, at, find_translator(code), better_at(replay.review, at)),
            self._run,
            EACH,
        )
        return CachedReplay(self._expiry_time(replay), replay, pages, boards)

    def _expiry_time(self, replay: Replay) -> float:
        return self._clock() + (AGAIN if replay.review is None else STAYS)

    def _render_page(self, snapshot: TableSnapshot, replay: Replay, code: str, game_position: GamePosition) -> str:
        say = find_translator(code)
        return render_template(
            "kept.html",
            view=KeptModel(snapshot, say, game_position, replay),
            say=say,
            others=[find_translator(other) for other in CODES if other != code],
            version=snapshot.archive_name,
            name=snapshot.archive_name,
            scripts=SCRIPTS,
            directed=self._has_director,
            reachable=self._reachable,
        )


@dataclass(frozen=True)
class KeptModel(PageModel):
    """The page of a game that is over, or was interrupted: nobody has anything to do."""

    replay: Replay = field(default_factory=Replay)
    # What a page in play works out, and what is certain here.
    bars = ()
    faults = ()
    is_final = False
    is_all_listed = True

    @cached_property
    def headline(self) -> Headline:
        """The result, and the day; of an earlier position what happened there."""
        if not self.is_live:
            return self._headline_then()
        return Headline(
            Tone.OFF, self.replay.day or self.snapshot.archive_name, self.result or self.say("kept.unfinished")
        )

    @cached_property
    def board(self) -> str:
        """A drawing of the board, with the better moves."""
        return board_at(self.snapshot, self.at, self.say, better_at(self.replay.review, self.at))

    @cached_property
    def players(self) -> tuple[Player, ...]:
        """The players' cards, at rest."""
        return tuple(map(_put_at_rest, super().players))

    @property
    def worths(self) -> Worths | None:
        """The analysis of the turns."""
        return worths_of(self.replay.review, self.at, self.say)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The turns, each with the phase of the game."""
        return tuple(_add_phases(super().moves, self.replay.review))

    @property
    def is_timed(self) -> bool:
        """Return True if the time that turns took is known."""
        return any(entry.spent for entry in self.game.past.thens)

    @property
    def listed(self) -> tuple[Move, ...]:
        """All turns."""
        return self.moves


def _add_phases(moves: Iterable[Move], review: Review | None) -> Iterator[Move]:
    """Yield the turns, each with the phase of the game."""
    for move in moves:
        phase = review.phase_of(move.number) if review is not None and not move.is_refused else None
        yield replace(move, phase=phase.value) if phase is not None else move


def _put_at_rest(player: Player) -> Player:
    clock = replace(player.clock, running=False) if player.clock is not None else None
    return replace(player, lamp=OFF, act="", moves=False, clock=clock)


def _svg_response(svg: str) -> Response:
    return Response(svg, mimetype="image/svg+xml")


def _poster_response(snapshot: TableSnapshot, day: str, kind: str) -> Response:
    """Return the poster as SVG or PDF."""
    svg = poster_of(snapshot, request_translator(), day or day_of(Listed(snapshot.archive_name)))
    if kind == "svg":
        return keep_language(_svg_response(svg))
    try:
        return keep_language(Response(pdf_of(svg), mimetype="application/pdf"))
    except NoPdf as error:
        return text_response(request_translator().sentence(error_message(error)), 501)


def _render_sheet(snapshot: TableSnapshot, day: str, address: str, back: str) -> Response:
    """Return the sheet, with a QR code of the record's URL if phones can open it."""
    say, found_at = request_translator(), address_for_others(address)
    form = format_for(len(snapshot.players))
    record = record_at(found_at, snapshot.archive_name, form) if found_at and snapshot.archive_name else ""
    view = SheetModel(snapshot, say, day=day or day_of(Listed(snapshot.archive_name)))
    text = render_template("sheet.html", view=view, say=say, qr=qr_svg(record), address=record, back=back)
    return keep_language(Response(text, mimetype="text/html"))
