"""Safe mode: a box that cannot start still serves a page, which says why in one sentence, and tries again."""

from __future__ import annotations

import pytest

from device.machine.safe import page_of, safe_app, serve_until
from device.settings import Page

pytestmark = pytest.mark.slow


def test_the_page_is_where_bad_settings_still_say_it(tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text('[game]\nrules = 5\n[page]\nport = 8123\nhost = "0.0.0.0"\n')
    assert (page_of(settings).port, page_of(settings).host) == (8123, "0.0.0.0")
    settings.write_text("no toml at all")
    assert page_of(settings).port == 8000 and page_of(settings, port=9).port == 9 and page_of(None).port == 8000
    assert page_of(settings, "0.0.0.0", 70000) == page_of(None), "what cannot be is left"


def test_safe_mode_without_a_page_says_so_and_waits(capsys):
    left = iter((False, False, True))
    serve_until("No rules.", Page("x" * 300), lambda: next(left))
    stderr = capsys.readouterr().err
    assert stderr.startswith("shinpan: No rules. The page cannot be served at xxx") and stderr.count("\n") == 1
    assert next(left, None) is None


def test_the_safe_page_shows_the_sentence_as_text():
    page = safe_app("<b>No</b> rules.").test_client().get("/")
    assert (
        "&lt;b&gt;No&lt;/b&gt; rules." in page.text and "default-src 'none'" in page.headers["Content-Security-Policy"]
    )
