"""The Flask app of the page: all contents come from the backend that is passed in; spectators only read."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import IntegerConverter

from web.allowed_hosts import refuse_other_hosts
from web.archive.codes import add_codes
from web.archive.views import add_games, add_kept
from web.backend import HOME, LARGEST_PICTURE, Backend
from web.connections import reserved_addresses_of, viewers_of
from web.director.views import add_director
from web.errors import Failed, Unanswered
from web.failure_log import FailureLog
from web.hall_api import HOME as FROM_HALL
from web.hall_api import find_stream_signer
from web.language import ENGLISH
from web.openapi import address_of_rule, bounds_of, served_document
from web.page.icons import add_icons
from web.page.lamps import add_lamps
from web.page.public_views import add_page
from web.page.status import StatusWriter
from web.page.wall import add_wall
from web.page_config import NOBODYS, USUAL_ACCESS, AccessConfig, PageIdentity
from web.phone.views import COOKIE, PHONE, PICTURE, add_phones
from web.responses import RenderCache, as_json, error_response, gzip_response, request_translator, text_response
from web.server.fair_server import BEHIND, LASTS, ReservedAddresses, address_of
from web.server.large_bodies import LargeBodies
from web.sse import HEARTBEAT, MOST_BEHIND, QUICK_HEARTBEAT, Viewers, yield_events
from web.voice.clips import Clips
from web.voice.page import add_voice

log = logging.getLogger("shinpan")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}
NEEDLESS = ("Content-Disposition", "Last-Modified", "Accept-Ranges")
"""Headers that Flask gives to files of the page; their ETag is enough, and each would come with every file."""
WORKER = "/static/worker.js"
"""The service worker, which has to be allowed to serve the pages above its folder."""
READING = ("GET", "HEAD")
LONGEST_FILE_NAME = 100
SENTENCES = {404: "http.nothing-here", 500: "http.failed"}
MESSAGE_KEYS = (*SENTENCES.values(), "http.read-only", "http.box-silent", "http.choice", "http.too-long")


class BoundedCount(IntegerConverter):
    """A whole number in a route; a longer one is another address."""

    regex = r"[0-9]{1,9}"


def create_app(
    backend: Backend,
    identity: PageIdentity = NOBODYS,
    access: AccessConfig = USUAL_ACCESS,
    clips: Clips | None = None,
) -> Flask:
    """Build the app over a backend.

    backend: whom the page asks
    clips: of the box's voice; None if it does not speak.
    """
    app = Flask(__name__)
    app.url_map.converters["int"] = BoundedCount
    app.extensions["viewers"], app.extensions["kept"] = Viewers(access.viewers), ReservedAddresses(access.reserved)
    run = secrets.token_hex(4)
    status = RenderCache(StatusWriter(identity.box).write, run)
    add_page(app, backend, run, bool(identity.address), clips is not None)
    add_voice(app, backend, run, clips)
    add_games(app, backend)
    add_kept(app, backend, run, identity.address)
    add_wall(app, backend, run, identity.address)
    add_lamps(app, backend, run)
    add_codes(app, backend, identity.address)
    add_icons(app, backend)
    app.extensions["bodies"] = bodies = LargeBodies(PICTURE, COOKIE, LARGEST_PICTURE)
    add_phones(app, backend, run, identity.certificate, bodies)
    add_director(app, backend, run, identity, access.memory)
    _add_status(app, backend, status)
    _add_events(app, backend, status)
    _add_files(app, backend)
    _add_request_guards(app)
    refuse_other_hosts(app, identity.names)
    return app


def _add_status(app: Flask, backend: Backend, status: RenderCache) -> None:
    @app.get("/status.json")
    def show_status() -> Response:
        snapshot = backend.read_snapshot()
        answer = Response(status.of(snapshot), mimetype="application/json")
        answer.set_etag(status.version(snapshot))
        answer.make_conditional(request)
        return answer

    @app.get("/health")
    def show_health() -> Response:
        try:
            health = backend.health()
        except Unanswered:
            health = {"ok": False, "faults": [ENGLISH("http.box-silent")]}
        return as_json(health, 200 if health.get("ok") else 503)


def _add_events(app: Flask, backend: Backend, status: RenderCache) -> None:
    versions_alone = RenderCache(lambda snapshot: json.dumps({"number": snapshot.number}), status.run)

    @app.get("/events")
    def stream_events() -> Response:
        backend.read_snapshot()  # A silent box has no stream.
        seals = find_stream_signer(app, backend.director, reserved_addresses_of(app))
        brief = request.args.get("only") == "version"
        cache, heartbeat = (versions_alone, QUICK_HEARTBEAT) if brief else (status, HEARTBEAT)

        def open_stream(has_ended: Callable[[], bool]) -> Iterator[str]:
            event_stream = yield_events(backend, cache, has_ended, heartbeat)
            return event_stream if seals is None else seals(event_stream)

        return as_stream(app, open_stream)


def as_stream(app: Flask, stream: Callable[[Callable[[], bool]], Iterator[str]]) -> Response:
    """Open an event stream for the client, if a place is free.

    stream: builds the events; its argument returns True once the stream has to end.
    """
    if request.method == "HEAD":
        return Response(mimetype="text/event-stream")
    viewers, address = viewers_of(app), address_of(request.remote_addr)
    viewer = viewers.enter(address, address in reserved_addresses_of(app))
    if viewer is None:
        return error_response("http.full", 503)
    request.environ.get(LASTS, lambda: None)()
    is_gone = request.environ.get("waitress.client_disconnected", lambda: False)
    behind = request.environ.get(BEHIND, lambda: 0)

    def has_ended() -> bool:
        return viewer.over or is_gone() or behind() > MOST_BEHIND

    answer = Response(stream(has_ended), mimetype="text/event-stream")
    answer.call_on_close(partial(viewers.leave, viewer))
    return answer


def _add_files(app: Flask, backend: Backend) -> None:
    @app.get("/openapi.json")
    def show_schemas() -> Response:
        addresses = {address_of_rule(str(rule)) for rule in app.url_map.iter_rules()}
        return Response(json.dumps(served_document(addresses)), mimetype="application/json")

    @app.get("/frame.jpg")
    def show_picture() -> Response:
        picture = backend.picture(request.args.get("overlay", "0") == "1")
        return error_response("http.no-picture", 404) if picture is None else Response(picture, mimetype="image/jpeg")


def _add_request_guards(app: Flask) -> None:
    @app.before_request
    def only_read() -> Response | None:
        if isinstance(request.routing_exception, MethodNotAllowed):
            return None  # It names the methods that the address has.
        acts = request.url_rule is not None and request.path.startswith((f"{HOME}/", f"{FROM_HALL}/", f"{PHONE}/"))
        methods = (*READING, "POST", "DELETE") if acts else READING
        if request.method in methods:
            return None
        has = app.create_url_adapter(request) if request.url_rule is not None else None
        return _method_refusal(has.allowed_methods() if has is not None else READING)

    @app.before_request
    def keep_bounds() -> Response | None:
        """Refuse what the description does not allow, with one sentence."""
        bounds = bounds_of(address_of_rule(str(request.url_rule))) if request.args and request.url_rule else {}
        for name, schema in bounds.items():
            value, say = request.args.get(name), request_translator()
            if value is not None and value not in schema.get("enum", [value]):
                return text_response(
                    say("http.choice", name=name, choices=", ".join(filter(None, schema["enum"]))), 400
                )
            if value is not None and len(value) > schema.get("maxLength", len(value)):
                return text_response(say("http.too-long", name=name, most=str(schema["maxLength"])), 400)
        return None

    add_security_headers(app)
    add_errors(app)


def add_errors(app: Flask) -> None:
    """Answer errors with one plain sentence."""

    @app.errorhandler(MethodNotAllowed)
    def refuse_method(error: MethodNotAllowed) -> Response:
        return _method_refusal(error.valid_methods or READING)

    failures = FailureLog(log)

    @app.before_request
    def find_no_long_name() -> Response | None:
        """Answer for names of files that the disk would refuse to look for."""
        name = (request.view_args or {}).get("filename", "") if request.endpoint == "static" else ""
        return error_response("http.nothing-here", 404) if len(name) > LONGEST_FILE_NAME else None

    @app.errorhandler(Exception)
    def report_failure(error: Exception) -> Response:
        failures.warn(f"{request.method} {request.path} failed", error)
        return error_response("http.failed", 500)

    @app.errorhandler(Failed)
    def failed_at_the_box(error: Failed) -> Response:
        return error_response("http.failed", 500)

    @app.errorhandler(Unanswered)
    def report_silence(error: Unanswered) -> Response:
        return error_response("http.box-silent", 503)

    @app.errorhandler(HTTPException)
    def answer_plainly(error: HTTPException) -> Response:
        code = error.code or 500
        return (
            error_response(SENTENCES[code], code) if code in SENTENCES else text_response(str(error.description), code)
        )


def add_security_headers(app: Flask) -> None:
    """Add the security headers to every response, so that no other page can use it."""

    @app.after_request
    def add_headers(answer: Response) -> Response:
        answer.headers.update(HEADERS)
        answer.headers.setdefault("Cache-Control", "no-store")
        for name in NEEDLESS if request.endpoint == "static" else ():
            answer.headers.pop(name, None)
        if request.path == WORKER:
            answer.headers["Service-Worker-Allowed"] = "/"
        return gzip_response(answer)


def _method_refusal(methods: Iterable[str]) -> Response:
    """Return the answer to a method that an address has not: it names these, which it has."""
    names = sorted({*methods} - {"OPTIONS"})
    answer = error_response("http.read-only" if {*names} <= {*READING} else "http.nothing-here", 405)
    answer.headers["Allow"] = ", ".join(names)
    return answer
