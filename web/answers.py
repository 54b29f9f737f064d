"""Kinds of answers that several parts of the page give, each made from a Showing once for all who ask."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from flask import Response, request

from referee import Showing
from web.language import Tongue, spoken

LANGUAGE = "lang"
"""The query that chooses a language, and the cookie that keeps it."""
YEAR = 365 * 24 * 3600


def sentence(text: str, code: int) -> Response:
    """One plain sentence."""
    return Response(text + "\n", status=code, mimetype="text/plain")


def refusal(key: str, code: int) -> Response:
    """The sentence of a key, in the language of who asks."""
    return sentence(reader()(key), code)


def as_json(body: Mapping[str, object], code: int = 200) -> Response:
    """An object for programs."""
    return Response(json.dumps(body, separators=(",", ":")), status=code, mimetype="application/json")


def download(data: bytes, kind: str, name: str) -> Response:
    """A file to be kept."""
    answer = Response(data, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def reader() -> Tongue:
    """The language of who asks: as chosen in the address, before, or in the browser."""
    asked, kept = request.args.get(LANGUAGE), request.cookies.get(LANGUAGE)
    return spoken([asked, kept, *request.accept_languages.values()])


def keep_language(answer: Response) -> Response:
    """Remember a language chosen in the address."""
    asked = request.args.get(LANGUAGE)
    if asked is not None:
        code = spoken([asked]).code
        answer.set_cookie(LANGUAGE, code, max_age=YEAR, httponly=True, samesite="Lax")
    return answer


class Rendering:
    """Keeps the newest Showing's text. Two threads may both make it; each gets a right one.

    run: a word for this run of the box, for numbers begin again with each.
    """

    def __init__(self, render: Callable[[Showing], str], run: str) -> None:
        self._render = render
        self._run = run
        self._newest: tuple[Showing, str] | None = None

    def of(self, showing: Showing) -> str:
        """The text of this Showing."""
        newest = self._newest
        if newest is None or newest[0] is not showing:
            newest = self._newest = (showing, self._render(showing))
        return newest[1]

    def version(self, showing: Showing) -> str:
        """What differs whenever the text may differ."""
        return f"{self._run}-{showing.number}"
