"""An adjourned game on paper: photograph, diagram, lids and clocks, and the QR code of the whole game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from flask import Flask, Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as Redirect

from referee import message
from web.backend import Backend, DirectorBackend
from web.errors import BadAct
from web.page.model import PageModel
from web.page.qr import qr_svg
from web.responses import error_response, keep_language, request_translator, text_response


@dataclass(frozen=True)
class PaperModel(PageModel):
    """The contents of the printed page of an adjourned game.

    text: the text of its code, which holds the whole game.
    seal: the journal's digest.
    """

    text: str = ""
    seal: str = ""

    @cached_property
    def code(self) -> str:
        """A drawing of the QR code."""
        return qr_svg(self.text)


def add_adjourned(
    app: Flask,
    backend: Backend,
    director: DirectorBackend,
    home: str,
    is_inside: Callable[[], bool],
    come_in: Callable[[], object],
) -> None:
    """Add the page of each adjourned game, beneath the director's home.

    home: the path of the director's home.
    is_inside: returns True if the client is a director.
    come_in: ends the request of any other client.
    """

    @app.get(f"{home}/adjourned")
    def show_this_adjourned() -> Response | Redirect:
        match = backend.read_snapshot().match
        return redirect(url_for("show_adjourned", name=match)) if match else error_response("http.no-game", 404)

    @app.get(f"{home}/games/<name>/adjourned")
    def show_adjourned(name: str) -> Response | Redirect:
        if not is_inside():
            return redirect(home)
        say, snapshot = request_translator(), backend.read_snapshot()
        try:
            text, seal = director.adjourned() if snapshot.match == name else ("", "")
        except BadAct as error:
            return text_response(say.sentence(error.args[0]), 404)
        if not text:
            replay = backend.replay(name)
            if replay is None or replay.snapshot is None or not replay.adjourned:
                return text_response(say.sentence(message("paper.none")), 404)
            snapshot, text, seal = replay.snapshot, replay.adjourned, replay.snapshot.seal
        has_photograph = director.photograph(name) is not None
        view = PaperModel(snapshot, say, text=text, seal=seal)
        page = render_template("adjourned.html", view=view, say=say, name=name, back=home, pictured=has_photograph)
        return keep_language(Response(page, mimetype="text/html"))

    @app.get(f"{home}/games/<name>/adjourned.jpg")
    def show_photograph(name: str) -> Response:
        come_in()
        photograph = director.photograph(name)
        return (
            error_response("http.no-picture", 404)
            if photograph is None
            else Response(photograph, mimetype="image/jpeg")
        )
