"""The entry for tables.toml by which the hall knows this box, also as a QR code: for directors alone."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, redirect, render_template
from werkzeug.wrappers import Response as Redirect

from web.allowed_hosts import address_for_others
from web.backend import Backend
from web.page.qr import qr_svg
from web.responses import keep_language, reader


def add_pairing(app: Flask, desk: Backend, path: str, box: str, address: str, is_inside: Callable[[], bool]) -> None:
    """Add the page at this path. box: its public key. address: the page's URL for other devices."""
    director = desk.director
    assert director is not None

    @app.get(path)
    def show_pairing() -> Response | Redirect:
        if not is_inside():
            return redirect(path.rpartition("/")[0])
        say, line = reader(), _line(desk.showing().occasion.table, address_for_others(address), box, director.hall())
        text = render_template("pairing.html", say=say, line=line, qr=qr_svg(line))
        return keep_language(Response(text, mimetype="text/html"))


def _line(table: str, address: str, box: str, secret: str) -> str:
    """Return a TOML table, to be pasted whole."""
    return f'[[tables]]\ntable = "{_plain(table)}"\naddress = "{address}"\nbox = "{box}"\nsecret = "{secret}"\n'


def _plain(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
