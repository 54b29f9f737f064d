"""Responses shared by several parts of the page, and a cache of texts rendered once per snapshot for all clients."""

from __future__ import annotations

import gzip
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Protocol

from flask import Response, render_template, request

from web.bounded_json import parse_object
from web.csv_files import csv_text
from web.language import Translator, choose_translator

LANGUAGE = "lang"
"""The query parameter that chooses a language, and the cookie that keeps it."""
YEAR = 365 * 24 * 3600
FOR_GOOD = f"private, max-age={YEAR}, immutable"
AS_PAGES = frozenset({400, 403, 404, 405, 501, 503})
"""The refusals to which an address or a link can lead: a person who follows it sees them as a page."""


def text_response(text: str, code: int) -> Response:
    """Return a response of one sentence: plain text, or a page with a way back if a person opens the address."""
    if code in AS_PAGES and request.method in ("GET", "HEAD") and "text/html" in request.headers.get("Accept", ""):
        page = render_template("refusal.html", say=request_translator(), sentence=text, code=code)
        return Response(page, status=code, mimetype="text/html")
    return Response(text + "\n", status=code, mimetype="text/plain")


def error_response(key: str, code: int) -> Response:
    """Return the sentence of a key as a response, in the client's language."""
    return text_response(request_translator()(key), code)


def as_json(body: Mapping[str, object], code: int = 200) -> Response:
    """Return an object as a JSON response."""
    return Response(json.dumps(body, separators=(",", ":")), status=code, mimetype="application/json")


def download_response(data: bytes, kind: str, name: str) -> Response:
    """Return a file download."""
    answer = Response(data, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def as_csv(name: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Response:
    """Return a table as a file download for spreadsheets."""
    return download_response(csv_text((columns, *rows)).encode("utf-8-sig"), "text/csv", name)


def request_translator() -> Translator:
    """Return the client's language: `?lang=`, then cookie, then Accept-Language."""
    from_url, from_cookie = request.args.get(LANGUAGE), request.cookies.get(LANGUAGE)
    return choose_translator([from_url, from_cookie, *request.accept_languages.values()])


def is_from_own_page() -> bool:
    """Return True if the request comes from a page of this origin, by its Origin header."""
    return request.headers.get("Origin") == request.host_url.rstrip("/")


def sent_object() -> Mapping[str, object] | None:
    """Return the JSON object in the request body; None if it is none, or has a number out of bounds."""
    return parse_object(request.get_data()) if request.mimetype == "application/json" else None


def keep_language(answer: Response) -> Response:
    """Set the cookie of a language chosen in the URL."""
    tag = request.args.get(LANGUAGE)
    if tag is not None:
        code = choose_translator([tag]).code
        answer.set_cookie(LANGUAGE, code, max_age=YEAR, httponly=True, samesite="Lax")
    return answer


def with_lifetime(answer: Response) -> Response:
    """Let the client keep the response for good if its address names the version, `?v=`."""
    answer.headers["Cache-Control"] = FOR_GOOD if request.args.get("v") else "no-cache"
    return answer


def with_etag(answer: Response, *values: Hashable) -> Response:
    """Set the ETag from the values the response depends on; answer 304 to a client that has it."""
    answer.set_etag(sha256(repr(values).encode()).hexdigest()[:24])
    answer.headers["Cache-Control"] = "no-cache"
    answer.vary.update(("Accept-Language", "Cookie"))
    answer.make_conditional(request)
    return answer


SMALL = 300
"""Smallest size in bytes worth compressing."""
_WORDS = ("text/", "application/json", "image/svg", "application/manifest")
_FOR_READERS = {
    "text/javascript": re.compile(rb"^[ \t]*//.*\n|^[ \t]+|(?<=[;{,]) +//.*$", re.M),
    "text/css": re.compile(rb"/\*.*?\*/|^[ \t]+|(?<=[:;,{}]) +| +(?=\{)|;(?=\s*\})|\n", re.M | re.S),
}
"""Comments, indents and other spaces, by the kind of file: for its readers here, and a tenth of what it weighs."""


def gzip_response(answer: Response) -> Response:
    """Compress the response for a client that accepts gzip; streams, pictures and downloads stay as they are."""
    kind, encodings = answer.mimetype or "", [str(name) for name, _ in request.accept_encodings]
    words = kind.startswith(_WORDS) and kind != "text/event-stream"
    if not words or answer.status_code != 200 or "gzip" not in encodings:
        return answer
    answer.direct_passthrough = False
    data = answer.get_data()
    answer.vary.add("Accept-Encoding")
    if len(data) > SMALL and request.method == "GET":
        answer.set_data(_gzip_cached(data, kind))
        answer.headers["Content-Encoding"] = "gzip"
    return answer


@lru_cache(32)
def _gzip_cached(data: bytes, kind: str) -> bytes:
    """Compress once for all clients that request the same, without what only its readers need."""
    needless = _FOR_READERS.get(kind)
    return gzip.compress(data, 6, mtime=0) if needless is None else gzip.compress(needless.sub(b"", data), 9, mtime=0)


class Numbered(Protocol):
    """A displayed value: a snapshot, or a hall's wall. number: grows with every change."""

    @property
    def number(self) -> int: ...


class RenderCache:
    """A cache of texts rendered from the newest displayed value.

    Each is rendered once for all clients, one at a time, so that waiting clients cost nothing.

    render: renders a text from the value and further keys.
    run: an identifier of this run of the box, because the numbers restart with each.
    most: number of cached texts.
    """

    def __init__(self, render: Callable[..., str], run: str, most: int = 8) -> None:
        self._render, self.run, self._most = render, run, most
        self._lock = Lock()
        self._newest: tuple[Numbered | None, OrderedDict[tuple[Hashable, ...], str]] = None, OrderedDict()

    def of(self, value: Numbered, *keys: Hashable) -> str:
        """Return the text of this value, and of the further keys it depends on."""
        return self._find_cached(value, keys) or self._render_once(value, keys)

    def version(self, value: Numbered) -> str:
        """Return a version that differs whenever the text may differ."""
        return f"{self.run}-{value.number}"

    def _find_cached(self, value: Numbered, keys: tuple[Hashable, ...]) -> str | None:
        newest, texts = self._newest
        return texts.get(keys) if newest is value else None

    def _render_once(self, value: Numbered, keys: tuple[Hashable, ...]) -> str:
        with self._lock:
            text = self._find_cached(value, keys)
            if text is None:
                text = self._render(value, *keys)
                if self._newest[0] is not value:
                    self._newest = value, OrderedDict()
                texts = self._newest[1]
                texts[keys] = text
                if len(texts) > self._most:
                    texts.popitem(last=False)
            return text
