"""The page on which a director has a person's name removed from all that is kept here, on that person's request."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Flask, Response, render_template
from werkzeug.wrappers import Response as Redirect

from referee import error_message
from web.backend import HOME, NameRemoval
from web.errors import BadAct
from web.responses import as_json, error_response, keep_language, request_translator, sent_object, text_response

FORGET = f"{HOME}/forget"


def add_name_removal(
    app: Flask,
    path: str,
    ask: Callable[[Mapping[str, object]], NameRemoval],
    token: Callable[[], str],
    ask_in: Callable[[], Response | Redirect],
    come_in: Callable[[], object],
    act: Callable[[], object],
    back: str = "pairing.back",
    silent: str = "http.box-silent",
) -> None:
    """Add the page at this path, which looks for a name first, and removes it on the director's word.

    ask: begins the act in a body, if there is one, and returns how far it is; raises BadAct.
    token: returns the client's, empty if it is no director's; ask_in: answers a client without one.
    come_in, act: end the request of any client who may not look, or not act.
    back, silent: the keys of the sentences that lead back, and that nobody answers.
    """

    def render_removal(template: str, **context: str) -> Response:
        page = render_template(template, say=request_translator(), removal=ask({}), **context)
        return keep_language(Response(page, mimetype="text/html"))

    @app.get(path)
    def show_name_removal() -> Response | Redirect:
        own = token()
        return render_removal("forget.html", token=own, back=back, silent=silent) if own else ask_in()

    @app.get(f"{path}/now")
    def show_name_removal_now() -> Response:
        come_in()
        return render_removal("forget_now.html")

    @app.post(path)
    def remove_name() -> Response:
        act()
        body = sent_object()
        if not body:
            return error_response("http.no-object", 400)
        try:
            return as_json({"busy": ask(body).is_busy})
        except BadAct as error:
            return text_response(request_translator().sentence(error_message(error)), 422)
