"""The director's pages: login by PIN, and actions checked for session, origin and token before they are read."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial

from flask import Flask, Response, redirect, render_template, request
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as Redirect

from referee import Act, GameInfo, error_message, name_key
from web.allowed_hosts import address_for_others
from web.archive.views import clear_replays
from web.auth import LASTS, Guard, Memory, Refused, Session, is_token
from web.backend import HOME, UNDO_S, Backend, DirectorBackend, NameRemoval
from web.connections import reserved_addresses_of
from web.director.actions import default_players, first_group, log_of, parts_that_fit, pause_tap, taps_of
from web.director.adjourned import add_adjourned
from web.director.confirmation import HEADER, word_for
from web.director.name_removal import FORGET, add_name_removal
from web.errors import BadAct, Unsure
from web.hall_api import add_hall, refusal_response
from web.language import ENGLISH, Translator, find_translator
from web.language_traits import CODES
from web.page.model import PageModel
from web.page.qr import qr_svg
from web.page.svg import CELL, MARGIN
from web.page_config import PageIdentity
from web.phone.views import add_phones_desk
from web.responses import (
    as_json,
    download_response,
    error_response,
    is_from_own_page,
    keep_language,
    request_translator,
    sent_object,
)
from web.server.fair_server import HERE, SECURE
from web.toml_lines import LISTED, toml_lines

COOKIE = "director"
TOKEN = "X-Token"
LARGEST_BODY = 16 * 1024
MOST_NAMED = 30
"""Games listed on the desk; /games has all."""
STEPS: tuple[tuple[str, tuple[tuple[Act, str], ...]], ...] = (
    (
        "begin",
        (
            (Act.START, ""),
            (Act.ANNOUNCE, ""),
            (Act.MISSING, "about"),
            (Act.ARRIVE, "about"),
            (Act.PENALISE, "about ms"),
            (Act.READY, "by"),
        ),
    ),
    ("pause", ((Act.PAUSE, "by"), (Act.RESUME, ""), (Act.TURN_OFF, "by"), (Act.NO_AGREEMENT, ""))),
    ("overtime", ((Act.CLAIM, "by about"), (Act.LAST_POINT, "by"), (Act.DENY_LAST_POINT, "about"))),
    ("leave", ((Act.ASK_LEAVE, "by"), (Act.GRANT_LEAVE, "by"), (Act.REFUSE_LEAVE, "by"), (Act.RETURN, "by"))),
    ("doubt", ((Act.MALFUNCTION, "by"), (Act.ADMIT, "by"), (Act.DISMISS, ""), (Act.ADJUDICATE, "result"))),
    (
        "end",
        ((Act.RESIGN, "by"), (Act.REPORT, "by result"), (Act.VERIFY, "by"), (Act.DISPUTE, "by"), (Act.CLEAR, "")),
    ),
)
"""Clock and result actions by what they are about, each with the fields that it has."""
MESSAGE_KEYS = (
    *(f"step.{act}" for _, acts in STEPS for act, _ in acts),
    *(f"desk.steps.{part}" for part, _ in STEPS),
    *(f"desk.{part.name}" for part in fields(GameInfo)),
    *(f"desk.{why}" for why in ("misread", "both-agree", "both-agree-all", "ruled")),
    *(f"desk.{part}{ending}" for part in ("clocks.hint", "result.hint", "do-verify") for ending in ("", "-all")),
    *(f"desk.{part}{ending}" for part in ("lie", "lie.hint") for ending in ("", "-board")),
)


class _Stop(Exception):
    """An abort of the request with this response."""

    def __init__(self, answer: Response) -> None:
        super().__init__()
        self.answer = answer


def add_director(
    app: Flask,
    backend: Backend,
    run: str,
    identity: PageIdentity,
    memory: Memory | None,
) -> None:
    """Add the director's routes, if the backend has a director. Directors' addresses get reserved connections.

    app: the Flask app.
    backend: whom the page asks
    run: an identifier of this run of the box.
    memory: the sessions kept beyond this process.
    """
    if backend.director is None:
        return
    reserved = reserved_addresses_of(app)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY
    guard = Guard(backend.director.pin, backend.director.stamp, time.monotonic, reserved, memory)
    app.register_error_handler(_Stop, lambda stop: stop.answer)
    app.register_error_handler(RequestEntityTooLarge, lambda error: error_response("http.too-large", 413))
    _add_door(app, guard)
    _add_page(app, backend, guard, run)
    _add_acts(app, backend, backend.director, guard)
    _add_files(app, backend.director, guard)
    add_hall(app, backend.director, reserved, partial(_carry_out, backend, backend.director))

    def is_inside() -> bool:
        return _client_session(guard) is not None

    add_evidence(app, backend.director, HOME, is_inside, partial(_require_session, guard))
    add_adjourned(app, backend, backend.director, HOME, is_inside, partial(_require_session, guard))
    add_pairing(app, backend, f"{HOME}/pairing", identity, is_inside)
    come_in, act = partial(_require_session, guard), partial(_require_acting_session, guard)
    ask = partial(_ask_name_removal, app, backend.director)
    add_name_removal(app, FORGET, ask, partial(_session_token, guard), lambda: redirect(HOME), come_in, act)
    if backend.phones is not None:
        add_phones_desk(app, backend.phones, identity, lambda: _client_session(guard), come_in, act)


def _ask_name_removal(app: Flask, director: DirectorBackend, body: Mapping[str, object]) -> NameRemoval:
    """Return how far the removal of a name is; once it is done, no replay of before it is shown again."""
    removal = director.forget(body)
    if removal.is_removed and not removal.is_busy:
        clear_replays(app)
    return removal


def _add_door(app: Flask, guard: Guard) -> None:
    @app.post(f"{HOME}/session")
    def come_in() -> Response:
        _require_own_origin()
        pin = _require_object().get("pin")
        try:
            session = guard.enter(
                pin if isinstance(pin, str) else "", request.remote_addr, request.environ.get(HERE, "")
            )
        except Refused as error:
            return error_response("pin.later", 429) if error.late else error_response("pin.wrong", 403)
        answer = as_json({"token": session.token})
        name, secure = _cookie_name(), request.scheme == SECURE
        answer.set_cookie(
            name, session.name, max_age=int(LASTS), path=HOME, secure=secure, httponly=True, samesite="Strict"
        )
        return answer

    @app.delete(f"{HOME}/session")
    def go_out() -> Response:
        guard.leave(_require_acting_session(guard))
        answer = as_json({"left": True})
        answer.delete_cookie(
            _cookie_name(), path=HOME, secure=request.scheme == SECURE, httponly=True, samesite="Strict"
        )
        return answer


def _add_page(app: Flask, backend: Backend, guard: Guard, run: str) -> None:
    director = backend.director
    assert director is not None

    @app.get(HOME)
    def show_desk() -> Response:
        say, session = request_translator(), _client_session(guard)
        if session is None:
            return keep_language(Response(render_template("door.html", say=say), mimetype="text/html"))
        snapshot = backend.read_snapshot()
        text = render_template(
            "desk.html",
            view=PageModel(snapshot, say),
            say=say,
            others=[find_translator(code) for code in CODES if code != say.code],
            version=f"{run}-{snapshot.number}",
            token=session.token,
            game=snapshot.game,
            occasion=snapshot.game_info.to_json(),
            seated=() if snapshot.game.turn else snapshot.names,
            follows=default_players(snapshot),
            players=snapshot.players,
            two=len(snapshot.players) == 2,
            names_asked=[(player, name_key(player)) for player in snapshot.players],
            margin=MARGIN,
            cell=CELL,
            choices=director.choices(say.code),
            faults=PageModel(snapshot, say).faults,
            called=snapshot.called,
            last=snapshot.game.turn,
            taps=taps_of(snapshot, say),
            pause=pause_tap(snapshot, say),
            undo=UNDO_S,
            steps=STEPS,
            fits=parts_that_fit(snapshot),
            first=first_group(snapshot),
            names=backend.games()[:MOST_NAMED],
            phones=backend.phones is not None,
        )
        return keep_language(Response(text, mimetype="text/html"))

    @app.get(f"{HOME}/now")
    def show_now() -> Response:
        """Return the one-tap actions, and the log of the director's actions."""
        _require_session(guard)
        say, snapshot = request_translator(), backend.read_snapshot()
        text = render_template(
            "desk_now.html",
            say=say,
            faults=PageModel(snapshot, say).faults,
            called=snapshot.called,
            last=snapshot.game.turn,
            taps=taps_of(snapshot, say),
            pause=pause_tap(snapshot, say),
            log=log_of(snapshot, say),
            follows=default_players(snapshot),
            fits=parts_that_fit(snapshot),
            first=first_group(snapshot),
        )
        return Response(text, mimetype="text/html")


def _add_acts(app: Flask, backend: Backend, director: DirectorBackend, guard: Guard) -> None:
    @app.post(f"{HOME}/acts")
    def act() -> Response:
        _require_acting_session(guard)
        return _carry_out(backend, director)

    @app.get(f"{HOME}/place.json")
    def show_place() -> Response:
        _require_session(guard)
        place = director.place()
        return error_response("http.no-picture", 404) if place is None else as_json(place)

    @app.get(f"{HOME}/choices.json")
    def show_choices() -> Response:
        _require_session(guard)
        return as_json(director.choices(ENGLISH.code))


def _carry_out(backend: Backend, director: DirectorBackend) -> Response:
    """Carry out the action in the request and return the resulting messages."""
    say = request_translator().on(backend.read_snapshot())
    try:
        return as_json({"said": [say.sentence(reply) for reply in director.act(_require_object())]})
    except BadAct as error:
        answer = refusal_response(error_message(error), say, 409 if isinstance(error, Unsure) else 422)
        if isinstance(error, Unsure):
            answer.headers[HEADER] = word_for(error_message(error))
        return answer


def _add_files(app: Flask, director: DirectorBackend, guard: Guard) -> None:
    @app.get(f"{HOME}/games/<name>.journal")
    def show_journal(name: str) -> Response:
        _require_session(guard)
        data = director.journal(name)
        if data is None:
            return error_response("http.no-game", 404)
        return download_response(data, "application/vnd.sqlite3", f"{name}.journal")

    @app.get(f"{HOME}/bundle.zip")
    def show_bundle() -> Response:
        _require_session(guard)
        data = director.bundle()
        return (
            error_response("http.no-game", 404)
            if data is None
            else download_response(data, "application/zip", "shinpan-match.zip")
        )


def _session_token(guard: Guard) -> str:
    """Return the token of the client's session, empty if it has none."""
    session = _client_session(guard)
    return session.token if session is not None else ""


def _client_session(guard: Guard) -> Session | None:
    return guard.session(request.cookies.get(_cookie_name()))


def _cookie_name() -> str:
    """Return the cookie's name: one of its own over TLS, because a plain page may not replace a secure cookie."""
    return f"__Secure-{COOKIE}" if request.scheme == SECURE else COOKIE


def _require_session(guard: Guard) -> Session:
    """Return the client's session, by the cookie; abort the request if there is none."""
    session = _client_session(guard)
    if session is None:
        raise _Stop(error_response("http.outside", 401))
    return session


def _require_acting_session(guard: Guard) -> Session:
    """Return the session of a client who acts; abort the request otherwise.

    The request has to come from our own page, with the session's cookie and token.
    """
    _require_own_origin()
    session = _require_session(guard)
    if not is_token(session, request.headers.get(TOKEN)):
        raise _Stop(error_response("http.no-token", 403))
    return session


def _require_own_origin() -> None:
    if not is_from_own_page():
        raise _Stop(error_response("http.foreign", 403))


def _require_object() -> Mapping[str, object]:
    """Return the JSON object in the request body; abort the request if there is none."""
    body = sent_object()
    if body is None:
        raise _Stop(error_response("http.no-object", 400))
    return body


def add_pairing(
    app: Flask,
    backend: Backend,
    path: str,
    identity: PageIdentity,
    is_inside: Callable[[], bool],
) -> None:
    """Add the page at this path."""
    director = backend.director
    assert director is not None

    @app.get(path)
    def show_pairing() -> Response | Redirect:
        if not is_inside():
            return redirect(path.rpartition("/")[0])
        say, line = (
            request_translator(),
            _hall_list_lines(backend.read_snapshot().game_info.table, identity, director.hall()),
        )
        text = render_template("pairing.html", say=say, line=line, qr=qr_svg(line))
        return keep_language(Response(text, mimetype="text/html"))


def _hall_list_lines(table: str, identity: PageIdentity, secret: str) -> str:
    """Return the lines for a hall's list; the fingerprint only if the address is one over TLS."""
    address, certificate = address_for_others(identity.address), identity.certificate
    values = {"table": table, "address": address, "box": identity.box, "secret": secret}
    if certificate is not None and address.startswith(f"{SECURE}:"):
        values["fingerprint"] = certificate.key_fingerprint
    return toml_lines(LISTED, values)


_NAME = re.compile(r"0*([0-9]+)\.(legal|unfinished|illegal|unexplained)\.")


@dataclass(frozen=True)
class Picture:
    """A picture by its name, and its caption."""

    name: str
    caption: str


def add_evidence(
    app: Flask, director: DirectorBackend, home: str, is_inside: Callable[[], bool], come_in: Callable[[], object]
) -> None:
    """Add the pictures of each archived game, beneath the director's home.

    home: the path of the director's home.
    is_inside: returns True if the client is a director.
    come_in: ends the request of any other client.
    """

    @app.get(f"{home}/games/<name>/")
    def show_evidence(name: str) -> Response | Redirect:
        if not is_inside():
            return redirect(home)
        say, pictures = request_translator(), director.frames(name)
        entries = [Picture(one, _name_picture(one, say)) for one in pictures]
        return keep_language(Response(render_template("evidence.html", say=say, name=name, pictures=entries)))

    @app.get(f"{home}/games/<name>/<picture>")
    def show_kept_picture(name: str, picture: str) -> Response:
        come_in()
        data = director.frame(name, picture)
        return error_response("http.no-picture", 404) if data is None else Response(data, mimetype="image/jpeg")


def _name_picture(name: str, say: Translator) -> str:
    match = _NAME.match(name)
    return say("kept.picture", entry=match[1], status=say(f"status.{match[2]}")) if match else name
