"""Requests with a large body, such as a picture: read from the browsers that may send one, and from nobody else.

Everybody's requests are small (web/page_server.py), so that a stranger cannot fill the memory. The parser asks for the
browser's cookie before it reads on.
"""

from __future__ import annotations

import copy
from collections import OrderedDict
from http.cookies import CookieError, SimpleCookie
from threading import Lock
from typing import Any

from waitress.parser import HTTPRequestParser, ParsingError

LARGE_BODY = "shinpan.large-body"
"""The key in a request's environment that is True if it came through here."""
MOST_KNOWN = 12


class LargeBodies:
    """The browsers that may send large bodies; thread-safe.

    path: the one to which they may.
    cookie: the name of the cookie by which they are known.
    most: bytes of a body.
    """

    def __init__(self, path: str, cookie: str, most: int) -> None:
        self._path, self._cookie, self.most = path, cookie, most
        self._secrets, self._lock = OrderedDict[str, None](), Lock()

    def add(self, secret: str) -> None:
        """Let the browser with this cookie send them."""
        with self._lock:
            self._secrets[secret] = None
            self._secrets.move_to_end(secret)
            if len(self._secrets) > MOST_KNOWN:
                self._secrets.popitem(last=False)

    def remove(self, secret: str) -> None:
        """Let it send them no more."""
        with self._lock:
            self._secrets.pop(secret, None)

    def is_allowed(self, path: str, cookies: str) -> bool:
        """Return True if the request of this path with this Cookie header may have a large body."""
        if path != self._path:
            return False
        try:
            cookie = SimpleCookie(cookies).get(self._cookie)
        except CookieError:
            return False
        with self._lock:
            return cookie is not None and cookie.value in self._secrets


class BoundedParser(HTTPRequestParser):  # type: ignore[misc]
    """A parser whose limit of a body depends on its header.

    It refuses a request with two lengths, because a proxy before it may go by the other one (RFC 9112, 6.1).
    """

    adj: Any
    bodies: LargeBodies | None = None
    is_large = False

    def parse_header(self, header_plus: bytes) -> None:
        """Parse as the base class does, then raise the limit for a browser that may send more; raise ParsingError for
        two lengths."""
        super().parse_header(header_plus)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("a request is chunked, or has a Content-Length")
        if self.bodies is not None and self.bodies.is_allowed(self.path, self.headers.get("COOKIE", "")):
            self.is_large = True
            self.adj = copy.copy(self.adj)
            self.adj.max_request_body_size = self.bodies.most
