"""The phones' pages: pairing by a code, the camera, and the clock; over TLS alone, and for paired browsers alone.

A code is in the fragment of its address, which browsers keep to themselves: it is in no log, and a program that looks
at an address before a person does, does not use it up. A paired browser is known by a cookie that scripts cannot read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Flask, Response, redirect, render_template, request
from werkzeug.wrappers import Response as Redirect

from referee import Message, TableSnapshot
from web.allowed_hosts import host_of
from web.auth import Session
from web.backend import CAMERA, HOME, PHONE_PARTS, Backend, PhoneBackend
from web.bounded_json import parse_object
from web.connections import paired_addresses_of
from web.language import ENGLISH, Translator, find_translator
from web.page.lamps import ALL, LampsModel
from web.page.partials import DiffedPage
from web.page.qr import qr_svg
from web.page_config import PageIdentity
from web.responses import (
    as_json,
    download_response,
    error_response,
    is_from_own_page,
    keep_language,
    request_translator,
    sent_object,
)
from web.server.fair_server import SECURE, address_of
from web.server.large_bodies import LARGE_BODY, LargeBodies
from web.server.tls import ServerCertificate

PHONE = "/phone"
COOKIE = "__Secure-phone"
LASTS_S = 30 * 24 * 3600
LONGEST_CODE, LONGEST_AGENT = 100, 300
LONGEST_STATE = 2000
STATE = "X-State"
"""The header with a picture's time, and the phone's state, as JSON."""
MESSAGE_KEYS = (
    *(f"phone.part-{part}" for part in PHONE_PARTS),
    *(f"phones.{part}" for part in PHONE_PARTS),
    *("phone.not-secure", "phone.not-paired", "phone.code-used", "phone.not-yours", "phone.bad-picture"),
)
PICTURE = f"{PHONE}/picture"
ACTS = (PICTURE, *(f"{PHONE}/{act}" for act in ("contact", "press", "pair")))
"""The addresses that answer paired phones alone."""


@dataclass(frozen=True)
class PhoneCode:
    """A code on the desk. part: of PHONE_PARTS. address: what it holds."""

    part: str
    address: str
    svg: str


@dataclass(frozen=True)
class ListedPhone:
    """A paired browser on the desk. state: what is wrong with it, "" if nothing is."""

    number: int
    part: str
    name: str
    may: bool
    state: str


def add_phones(
    app: Flask,
    backend: Backend,
    run: str,
    certificate: ServerCertificate | None,
    bodies: LargeBodies,
) -> None:
    """Add the phones' pages, if the table has phones; and the authority's certificate, if there is one.

    Paired phones get reserved connections. bodies: the browsers that may send pictures.
    """
    if certificate is not None:
        _add_authority(app, certificate)
    if backend.phones is None:
        return
    pages = DiffedPage(partial(_render_clock, run), run)
    _add_pairing(app, backend.phones, bodies)
    _add_camera(app, backend.phones, bodies)
    _add_clock(app, backend, backend.phones, pages)

    @app.after_request
    def keep_place(answer: Response) -> Response:
        """Reserve connections for a phone that was answered as a paired one."""
        if request.path in ACTS and answer.status_code == 200:
            paired_addresses_of(app).add(address_of(request.remote_addr))
        return answer

    @app.post(f"{PHONE}/contact")
    def note_contact() -> Response:
        arrival, secret, body = time.monotonic(), _cookie_secret(), sent_object()
        if not _is_own():
            return error_response("http.foreign", 403)
        if body is None:
            return error_response("http.no-object", 422)
        contact = backend.phones.phone_contact(secret, arrival, body) if backend.phones is not None and secret else None
        return _not_paired() if contact is None else as_json({**contact, "held": time.monotonic() - arrival})


def _add_authority(app: Flask, certificate: ServerCertificate) -> None:
    @app.get("/ca.crt")
    def show_authority() -> Response:
        """Return the box's certificate authority, for phones that are to show no warning."""
        authority = certificate.files.authority
        if authority is None:
            return error_response("http.nothing-here", 404)
        return download_response(authority.read_bytes(), "application/x-x509-ca-cert", "shinpan-ca.crt")


def _add_pairing(app: Flask, phones: PhoneBackend, bodies: LargeBodies) -> None:
    @app.get(PHONE)
    def show_phone() -> Response | Redirect:
        secret = _cookie_secret()
        phone = phones.phone_part(secret) if _is_secure() and secret else None
        if phone is not None and "new" not in request.args:
            return redirect(_home_of(phone))
        page = render_template("phone_pair.html", say=request_translator(), secure=_is_secure())
        return keep_language(Response(page, mimetype="text/html"))

    @app.post(f"{PHONE}/pair")
    def pair_phone() -> Response:
        body = sent_object()
        code = body.get("code") if body is not None else None
        if not _is_secure() or not _is_own():
            return error_response("phone.not-secure" if not _is_secure() else "http.foreign", 403)
        if not isinstance(code, str) or not 0 < len(code) <= LONGEST_CODE:
            return error_response("phone.code-used", 403)
        phone = phones.phone_pair(code, browser_name(request.headers.get("User-Agent", "")))
        if phone is None:
            return error_response("phone.code-used", 403)
        secret = str(phone["secret"])
        if phone["part"] == CAMERA:
            bodies.add(secret)
        answer = as_json({"at": _home_of(phone)})
        answer.set_cookie(COOKIE, secret, max_age=LASTS_S, path=PHONE, secure=True, httponly=True, samesite="Strict")
        return answer


def _add_camera(app: Flask, phones: PhoneBackend, bodies: LargeBodies) -> None:
    @app.get(f"{PHONE}/camera")
    def show_camera() -> Response | Redirect:
        secret = _cookie_secret()
        phone = phones.phone_part(secret) if secret and _is_secure() else None
        if phone is None or phone["part"] != CAMERA:
            return redirect(f"{PHONE}?new")
        bodies.add(secret)
        page = render_template("phone_camera.html", say=request_translator())
        return keep_language(Response(page, mimetype="text/html"))

    @app.post(PICTURE)
    def take_picture() -> Response:
        arrival, secret, state = time.monotonic(), _cookie_secret(), _header_state()
        if not secret or not _is_own() or state is None:
            return _not_paired()
        large, length = request.environ.get(LARGE_BODY), min(request.content_length or 0, bodies.most)
        data = request.environ["wsgi.input"].read(length) if large else b""
        reply = phones.phone_picture(secret, arrival, state, data)
        if reply is None:
            bodies.remove(secret)
            return _not_paired()
        return as_json(_camera_answer(reply, arrival, bool(data), request_translator()))


def _camera_answer(reply: Mapping[str, Any], arrival: float, has_picture: bool, say: Translator) -> dict[str, object]:
    """Return what the camera's page shows over its picture, with the times by which it measures its delay."""
    advice, refusal = reply["say"], reply["refused"]
    text = (
        say("phone.bad-picture", why=refusal)
        if refusal is not None
        else _translate_message(advice, say) or say("phone.well")
    )
    values = {key: reply[key] for key in ("t", "run", "nonce", "rate", "size", "corners", "lids", "good")}
    return {**values, "say": text, "taken": has_picture, "held": time.monotonic() - arrival}


def _add_clock(app: Flask, backend: Backend, phones: PhoneBackend, pages: DiffedPage) -> None:
    @app.get(f"{PHONE}/clock")
    def show_clock() -> Response | Redirect:
        secret = _cookie_secret()
        phone = phones.phone_part(secret) if secret and _is_secure() else None
        if phone is None or not phone["sides"]:
            return redirect(f"{PHONE}?new")
        text = pages.page(backend.read_snapshot(), request_translator().code, *phone["sides"])
        return keep_language(Response(text, mimetype="text/html"))

    @app.get(f"{PHONE}/clock/<sides>/parts")
    def show_clock_parts(sides: str) -> Response:
        """Return the differences from the client's version."""
        snapshot = backend.read_snapshot()
        side_numbers = [int(side) for side in sides.split("-") if side.isdecimal() and len(side) == 1]
        if not side_numbers or not set(side_numbers) <= set(snapshot.game.sides):
            return error_response("http.nothing-here", 404)
        text = pages.since(snapshot, request.args.get("since", "")[:80], request_translator().code, *side_numbers)
        return Response(text, mimetype="text/html")

    @app.post(f"{PHONE}/press")
    def take_press() -> Response:
        arrival, secret, body = time.monotonic(), _cookie_secret(), sent_object()
        if not _is_own():
            return error_response("http.foreign", 403)
        if not secret or phones.phone_part(secret) is None:
            return _not_paired()
        if body is None:
            return error_response("http.no-object", 422)
        reply = phones.phone_press(secret, arrival, body)
        if reply is None:
            return error_response("phone.not-yours", 422)
        sentence = _translate_message(reply["said"], request_translator().on(backend.read_snapshot()))
        return as_json({**reply, "said": sentence, "held": time.monotonic() - arrival})


def _render_clock(run: str, snapshot: TableSnapshot, code: str, *sides: int) -> str:
    say, version = find_translator(code), f"{run}-{snapshot.number}"
    lit = LampsModel(snapshot, say, side=ALL if len(sides) > 1 else sides[0])
    return render_template("phone_clock.html", lit=lit, sides=sides, say=say, version=version)


def add_phones_desk(
    app: Flask,
    phones: PhoneBackend,
    identity: PageIdentity,
    session: Callable[[], Session | None],
    come_in: Callable[[], object],
    act: Callable[[], object],
) -> None:
    """Add the director's page of phones: their codes, and the list of those that are paired.

    session: returns the client's, None if it is no director's.
    come_in, act: end the request of any client who may not look, or not act.
    """

    def render_phones(template: str, token: str = "") -> Response:
        say, address = request_translator(), _secure_address(identity.secure_address)
        certificate = identity.certificate
        page = render_template(
            template,
            say=say,
            codes=_list_codes(phones.phone_codes(), address),
            phones=[_listed_phone(one, say) for one in phones.phone_list()],
            fingerprint=certificate.fingerprint if certificate is not None else "",
            authority=certificate is not None and certificate.files.authority is not None,
            address=address,
            token=token,
        )
        return keep_language(Response(page, mimetype="text/html"))

    @app.get(f"{HOME}/phones")
    def show_phones() -> Response | Redirect:
        inside = session()
        return redirect(HOME) if inside is None else render_phones("phones.html", inside.token)

    @app.get(f"{HOME}/phones/now")
    def show_phones_now() -> Response:
        come_in()
        return render_phones("phones_now.html")

    @app.post(f"{HOME}/phones/<int:number>/revoke")
    def revoke_phone(number: int) -> Response:
        act()
        phones.phone_revoke(number)
        return as_json({"revoked": number})

    @app.post(f"{HOME}/phones/keep")
    def keep_phones() -> Response:
        act()
        phones.phone_keep()
        return as_json({"kept": True})


def _list_codes(codes: Mapping[str, str], address: str) -> list[PhoneCode]:
    links = [(part, f"{address}{PHONE.lstrip('/')}#{codes[part]}") for part in PHONE_PARTS]
    return [PhoneCode(part, text, qr_svg(text)) for part, text in links]


def _listed_phone(one: Mapping[str, Any], say: Translator) -> ListedPhone:
    sides = say.comma.join(map(str, one["sides"]))
    part = say(f"phone.part-{one['part']}", sides=sides)
    return ListedPhone(one["number"], part, one["name"], one["may"], _translate_message(one["state"], say))


def _secure_address(reported_url: str) -> str:
    """Return the page's URL over TLS: the request's host if it came by that, so that its name is known to work."""
    return (
        request.host_url if _is_secure() and host_of(request.host) not in ("localhost", "127.0.0.1") else reported_url
    )


def _translate_message(message: Message | None, say: Translator) -> str:
    return say.sentence(message) if message is not None else ""


def _home_of(phone: Mapping[str, Any]) -> str:
    return f"{PHONE}/{'camera' if phone['part'] == CAMERA else 'clock'}"


def _cookie_secret() -> str:
    return request.cookies.get(COOKIE, "")[:LONGEST_CODE]


def _is_secure() -> bool:
    return request.scheme == SECURE


def _is_own() -> bool:
    return _is_secure() and is_from_own_page()


def _not_paired() -> Response:
    return error_response("phone.not-paired", 403)


def _header_state() -> Mapping[str, object] | None:
    """Return the state in a picture's header."""
    return parse_object(request.headers.get(STATE, "")[:LONGEST_STATE])


SYSTEMS = (("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"), ("Linux", "Linux"))
BROWSERS = (("Firefox", "Firefox"), ("FxiOS", "Firefox"), ("Edg", "Edge"), ("SamsungBrowser", "Samsung"))
OTHERS = (("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"))


def browser_name(agent: str) -> str:
    """Return what a browser calls itself, in two words; enough to tell two phones from each other."""
    agent = agent[:LONGEST_AGENT]
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    browser = next((name for sign, name in (*BROWSERS, *OTHERS) if sign in agent), "")
    return " ".join(filter(None, (system, browser))) or ENGLISH("phone.unnamed")
