"""The page on which a director has a person's name removed from all that is kept here, on that person's request."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, redirect, render_template
from werkzeug.wrappers import Response as Redirect

from referee import said_by
from web.archive.views import clear_replays
from web.auth import Session
from web.backend import HOME, DirectorBackend
from web.errors import BadAct
from web.responses import as_json, error_response, keep_language, request_translator, sent_object, text_response

FORGET = f"{HOME}/forget"


def add_name_removal(
    app: Flask,
    director: DirectorBackend,
    session: Callable[[], Session | None],
    come_in: Callable[[], object],
    act: Callable[[], object],
) -> None:
    """Add the page, which looks for a name first, and removes it on the director's word.

    session: returns the client's, None if it is no director's.
    come_in, act: end the request of any client who may not look, or not act.
    """

    def render_removal(template: str, token: str = "") -> Response:
        removal = director.forget({})
        if removal.is_removed and not removal.is_busy:
            clear_replays(app)
        page = render_template(template, say=request_translator(), removal=removal, token=token)
        return keep_language(Response(page, mimetype="text/html"))

    @app.get(FORGET)
    def show_name_removal() -> Response | Redirect:
        inside = session()
        return redirect(HOME) if inside is None else render_removal("forget.html", inside.token)

    @app.get(f"{FORGET}/now")
    def show_name_removal_now() -> Response:
        come_in()
        return render_removal("forget_now.html")

    @app.post(FORGET)
    def remove_name() -> Response:
        act()
        body = sent_object()
        if not body:
            return error_response("http.no-object", 400)
        try:
            return as_json({"busy": director.forget(body).is_busy})
        except BadAct as error:
            return text_response(request_translator().sentence(said_by(error)), 422)
