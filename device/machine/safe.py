"""Safe mode: a box that cannot start still serves a page, which says why in one sentence, and tries again."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from html import escape
from pathlib import Path

from flask import Flask, Response, jsonify

from device.machine.label import describe_addresses
from device.machine.service import Service
from device.settings import BadSettings, Page, override_from_cli, read_section_leniently
from web.errors import CannotServe
from web.language import to_english
from web.page_server import serve_page

LOOK_AGAIN = 1.0
TRY_AGAIN = 25.0
"""Seconds before another attempt even if the settings are unchanged: a missing device may have come."""
PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>shinpan</title>
<h1>shinpan cannot start</h1><p>{sentence}</p><p>It is tried again as soon as this has been put right.</p></html>
"""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def safe_app(sentence: str) -> Flask:
    """Build an app with a page that shows only the sentence; /health says that the box is not well."""
    app = Flask(__name__, static_folder=None)

    @app.get("/")
    def show_page() -> str:
        return PAGE.format(sentence=escape(sentence))

    @app.get("/health")
    def show_health() -> tuple[Response, int]:
        return jsonify(ok=False, phase="safe-mode", faults=[sentence]), 503

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.update(HEADERS)
        return response

    return app


def page_of(path: Path | None, host: str | None = None, port: int | None = None) -> Page:
    """Return the page's settings, as far as invalid settings can be read; host and port are from the command line."""
    settings = read_section_leniently(path, "page")
    try:
        return override_from_cli(settings, {"host": host, "port": port}).page
    except BadSettings:
        return settings.page


def serve_until(sentence: str, page: Page, over: Callable[[], bool]) -> None:
    """Serve the sentence until `over` returns true; if that fails, only stderr has it."""
    with ExitStack() as stack:
        try:
            served = stack.enter_context(serve_page(safe_app(sentence), page.host, page.port))
            where = f"The page says so at {describe_addresses(Page(served.host, served.port))}."
        except CannotServe as error:
            where = to_english(error)
        print(f"shinpan: {sentence} {where}", file=sys.stderr)
        while not over():
            pass


class Watch:
    """The end of safe mode: when `stop` is set, when the settings file changes, or after TRY_AGAIN seconds."""

    def __init__(self, path: Path | None, service: Service, stop: threading.Event) -> None:
        self._path, self._service, self.stop = path, service, stop
        self._stamp, self._until = self._modified_at(), time.monotonic() + TRY_AGAIN

    def __call__(self) -> bool:
        """Wait a moment and return True if safe mode is over. The watchdog is fed, because safe mode is a working
        state."""
        self._service.beat((), time.monotonic())
        return self.stop.wait(LOOK_AGAIN) or self._modified_at() != self._stamp or time.monotonic() > self._until

    def _modified_at(self) -> object:
        try:
            return None if self._path is None else self._path.stat().st_mtime_ns
        except OSError:
            return None
