"""The camera's pictures of an archived game, ruling by ruling: for directors alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, Response, redirect, render_template
from werkzeug.wrappers import Response as Redirect

from web.backend import DirectorBackend
from web.language import Translator
from web.responses import keep_language, reader, refusal

_NAME = re.compile(r"0*([0-9]+)\.(legal|unfinished|illegal|unexplained)\.")


@dataclass(frozen=True)
class Picture:
    """A picture by its name, and its caption."""

    name: str
    told: str


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
        say, pictures = reader(), director.frames(name)
        shown = [Picture(one, _told(one, say)) for one in pictures]
        return keep_language(Response(render_template("evidence.html", say=say, name=name, pictures=shown)))

    @app.get(f"{home}/games/<name>/<picture>")
    def show_kept_picture(name: str, picture: str) -> Response:
        come_in()
        found = director.frame(name, picture)
        return refusal("http.no-picture", 404) if found is None else Response(found, mimetype="image/jpeg")


def _told(name: str, say: Translator) -> str:
    found = _NAME.match(name)
    return say("kept.picture", entry=found[1], status=say(f"status.{found[2]}")) if found else name
