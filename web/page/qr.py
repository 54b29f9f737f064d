"""QR codes as drawings, by which phones open a URL."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import segno
from flask import Flask, Response

from web.allowed_hosts import address_for_others
from web.backend import Backend
from web.formats import Format, format_of
from web.responses import error_response

QUIET = 4
"""Modules of white round a QR code, as its standard demands."""


def qr_drawing(text: str, side: float) -> str:
    """Return the code as a drawing of this width and height, quiet zone included, in the enclosing drawing's units."""
    code = _code(text)
    squares = code.symbol_size(border=0)[0] + 2 * QUIET
    drawn: str = code.svg_inline(scale=side / squares, border=QUIET, light="white", omitsize=False)
    return drawn


@lru_cache(16)
def qr_svg(text: str) -> str:
    """Return the code as a drawing that takes the size of its place; "" for no text."""
    if not text:
        return ""
    drawn = BytesIO()
    _code(text).save(drawn, "svg", border=QUIET, light="white", svgclass="qr", omitsize=True, xmldecl=False, nl=False)
    return drawn.getvalue().decode()


def _code(text: str) -> segno.QRCode:
    """Encode with the highest error correction that its size allows."""
    return segno.make(text, micro=False, error="m", boost_error=True)


MESSAGE_KEYS = ("http.no-game", "http.here-alone")


def add_codes(app: Flask, desk: Backend, address: str) -> None:
    """Add a code for each record. address: the page's URL for other devices, as the box reports it."""

    @app.get("/games/<name>.qr.svg")
    def show_code(name: str) -> Response:
        found = address_for_others(address)
        if not found:
            return error_response("http.here-alone", 404)
        record = desk.game(name)
        if record is None:
            return error_response("http.no-game", 404)
        return Response(qr_svg(record_at(found, name, format_of(record))), mimetype="image/svg+xml")


def record_at(page: str, name: str, form: Format) -> str:
    """Return the URL of a game's record in its format. page: the page's URL."""
    return f"{page}games/{name}{form.ending}"
