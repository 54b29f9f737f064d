"""Kinds of answers that several parts of the page give."""

from __future__ import annotations

import json
from collections.abc import Mapping

from flask import Response, request

from web.tongues import Tongue, spoken

LANGUAGE = "lang"
"""The query that chooses a language, and the cookie that keeps it."""
YEAR = 365 * 24 * 3600


def sentence(text: str, code: int) -> Response:
    """One plain sentence."""
    return Response(text + "\n", status=code, mimetype="text/plain")


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
