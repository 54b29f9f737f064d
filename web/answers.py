"""Kinds of answers that several parts of the page give, each made from a Showing once for all who ask."""

from __future__ import annotations

import gzip
import json
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Protocol

from flask import Response, request

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


MOST_BRACKETS = 500
"""In what is sent; more could be nested deeper than the box can take on its way through the link."""


def is_from_own_page() -> bool:
    """Whether what is sent comes from a page of this origin, as browsers say."""
    return request.headers.get("Origin") == request.host_url.rstrip("/")


def sent_object() -> Mapping[str, object] | None:
    """The JSON object that was sent; None where it is none."""
    data = request.get_data()
    shallow = data.count(b"[") + data.count(b"{") <= MOST_BRACKETS
    try:
        body = json.loads(data) if shallow and request.mimetype == "application/json" else None
    except ValueError:
        return None
    return body if isinstance(body, dict) else None


def keep_language(answer: Response) -> Response:
    """Remember a language chosen in the address."""
    asked = request.args.get(LANGUAGE)
    if asked is not None:
        code = spoken([asked]).code
        answer.set_cookie(LANGUAGE, code, max_age=YEAR, httponly=True, samesite="Lax")
    return answer


def unless_known(answer: Response, *of: Hashable) -> Response:
    """Marked by what it is made of; not sent again to who has it."""
    answer.set_etag(sha256(repr(of).encode()).hexdigest()[:24])
    answer.headers["Cache-Control"] = "no-cache"
    answer.vary.update(("Accept-Language", "Cookie"))
    answer.make_conditional(request)
    return answer


SMALL = 600
"""Bytes that are not worth the trouble."""
_WORDS = ("text/", "application/json", "image/svg", "application/manifest")


def smaller(answer: Response) -> Response:
    """Compressed, for a reader that can take it; streams, pictures and files to be kept stay as they are."""
    kind, taken = answer.mimetype or "", [str(name) for name, _ in request.accept_encodings]
    words = kind.startswith(_WORDS) and kind != "text/event-stream"
    if not words or answer.status_code != 200 or "gzip" not in taken:
        return answer
    answer.direct_passthrough = False
    data = answer.get_data()
    answer.vary.add("Accept-Encoding")
    if len(data) > SMALL and request.method == "GET":
        answer.set_data(_packed(data))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


@lru_cache(32)
def _packed(data: bytes) -> bytes:
    """Once for all who ask for the same."""
    return gzip.compress(data, 6, mtime=0)


class Numbered(Protocol):
    """What is shown: a Showing, or a hall's wall. number: grows with every change."""

    @property
    def number(self) -> int: ...


class Rendering:
    """Keeps texts made from the newest of what is shown, each made once for all who ask, and one after the other:
    whoever waits for one costs nothing.

    run: a word for this run of the box, for numbers begin again with each. most: so many texts are kept.
    """

    def __init__(self, render: Callable[..., str], run: str, most: int = 8) -> None:
        self._render, self.run, self._most = render, run, most
        self._lock = Lock()
        self._newest: tuple[Numbered | None, OrderedDict[tuple[Hashable, ...], str]] = None, OrderedDict()

    def of(self, showing: Numbered, *of: Hashable) -> str:
        """The text of this one, and of whatever else it depends on."""
        return self._kept(showing, of) or self._made(showing, of)

    def version(self, showing: Numbered) -> str:
        """What differs whenever the text may differ."""
        return f"{self.run}-{showing.number}"

    def _kept(self, showing: Numbered, of: tuple[Hashable, ...]) -> str | None:
        newest, texts = self._newest
        return texts.get(of) if newest is showing else None

    def _made(self, showing: Numbered, of: tuple[Hashable, ...]) -> str:
        with self._lock:
            text = self._kept(showing, of)
            if text is None:
                text = self._render(showing, *of)
                if self._newest[0] is not showing:
                    self._newest = showing, OrderedDict()
                texts = self._newest[1]
                texts[of] = text
                if len(texts) > self._most:
                    texts.popitem(last=False)
            return text
