"""Responses that several parts of the page share."""

from __future__ import annotations

import csv
import gzip
import io
import re

import pytest
from flask import Flask
from markupsafe import escape

from tests.support import ROOT
from tests.support.web.snapshots import Box, take_snapshot, ultimate_game
from web.app import create_app
from web.responses import as_csv, error_response


def test_a_file_for_spreadsheets_protects_its_head_too():
    with Flask("x").test_request_context():
        text = as_csv("x.csv", ("=head", "b"), [("\n=1", "\r\n＝1")]).get_data().decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["'=head", "b"], ["'\n=1", "'\r\n＝1"]]


def table_app() -> Flask:
    return create_app(Box(take_snapshot(ultimate_game())).backend)


OPENED = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "de"}
"""What a browser sends if a person opens an address."""


@pytest.mark.parametrize("address", ["/nothing", "/games/none/", "/games.zip?name=zz", "/?lang=xx"])
def test_a_person_is_refused_on_a_page_with_a_way_back(address):
    client = table_app().test_client()
    page, answer = client.get(address, headers=OPENED), client.get(address, headers={"Accept-Language": "de"})
    assert (page.status_code, page.mimetype, answer.mimetype) == (answer.status_code, "text/html", "text/plain")
    assert f"<h1>{escape(answer.get_data(as_text=True).strip())}</h1>" in page.get_data(as_text=True)
    assert '<a class="plain" href="/">Zur Startseite</a>' in page.get_data(as_text=True)


@pytest.mark.parametrize("address", ["/nothing", "/games"])
def test_the_head_of_a_page_is_as_wide_as_what_is_below(address):
    page = table_app().test_client().get(address, headers=OPENED).get_data(as_text=True)
    head, main = re.search('<header class="top (.*)">', page), re.search('<main class="(.*)">', page)
    assert head is not None and main is not None and head[1] == main[1]


def test_a_page_of_a_silent_box_is_asked_for_again():
    with table_app().test_request_context(headers=OPENED):
        assert 'http-equiv="refresh"' in error_response("http.box-silent", 503).get_data(as_text=True)
        assert 'http-equiv="refresh"' not in error_response("http.nothing-here", 404).get_data(as_text=True)
        assert error_response("http.failed", 500).mimetype == "text/plain"  # The templates may be at fault.


@pytest.mark.parametrize("name", ["page.js", "steps.js", "phone-clock.js"])
def test_comments_of_a_script_stay_here(name):
    client = table_app().test_client()
    whole = client.get(f"/static/{name}").get_data(as_text=True)
    packed = client.get(f"/static/{name}", headers={"Accept-Encoding": "gzip"})
    script = gzip.decompress(packed.data).decode()
    lines = [line.lstrip() for line in whole.splitlines() if not line.lstrip().startswith("//")]
    assert "\n//" in whole and " // " not in script and len(script.splitlines()) == len(lines)
    for line, code in zip(lines, script.splitlines(), strict=True):
        assert line.startswith(code) and line.removeprefix(code).lstrip()[:3] in ("", "// ")


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "web/static").glob("*.css")))
def test_a_style_sheet_keeps_its_strings_and_rules(name):
    client = table_app().test_client()
    whole = client.get(f"/static/{name}").get_data(as_text=True)
    packed = client.get(f"/static/{name}", headers={"Accept-Encoding": "gzip"})
    style, code = gzip.decompress(packed.data).decode(), re.sub(r"(?s)/\*.*?\*/", "", whole)
    assert re.findall('"[^"]*"', style) == re.findall('"[^"]*"', code)
    assert "/*" not in style and style.count("{") == code.count("{")
    # Lines are sent as one: a word at the end of a line would become one word with the first of the next.
    assert {line.rstrip()[-1] for line in code.splitlines() if line.strip()} <= set("{};,:(")
