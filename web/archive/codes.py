"""QR codes of the records of games, by which phones fetch them."""

from __future__ import annotations

from flask import Flask, Response

from web.allowed_hosts import address_for_others
from web.backend import Backend
from web.formats import Format, format_of
from web.page.qr import qr_svg
from web.responses import error_response

MESSAGE_KEYS = ("http.no-game", "http.here-alone")


def add_codes(app: Flask, backend: Backend, address: str) -> None:
    """Add a code for each record. address: the page's URL for other devices, as the box reports it."""

    @app.get("/games/<name>.qr.svg")
    def show_code(name: str) -> Response:
        base_url = address_for_others(address)
        if not base_url:
            return error_response("http.here-alone", 404)
        record = backend.game(name)
        if record is None:
            return error_response("http.no-game", 404)
        return Response(qr_svg(record_at(base_url, name, format_of(record))), mimetype="image/svg+xml")


def record_at(page: str, name: str, form: Format) -> str:
    """Return the URL of a game's record in its format. page: the page's URL."""
    return f"{page}games/{name}{form.ending}"
