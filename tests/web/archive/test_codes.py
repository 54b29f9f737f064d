"""The codes by which phones find the records of games."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from tests.support.vision.pictures import read
from tests.support.web.snapshots import Box, box, ultimate_game
from web.app import create_app
from web.language import ENGLISH
from web.page_config import PageIdentity

ADDRESS, NAME = "http://shinpan-3.local:8000/", "2026-11-22-1"


@pytest.fixture
def table_box() -> Box:
    table_box = box(ultimate_game())
    table_box.games = {NAME: b"(;FF[4])"}
    return table_box


@pytest.fixture
def client(table_box: Box) -> FlaskClient:
    return create_app(table_box.backend, PageIdentity(address=ADDRESS)).test_client()


def test_a_phone_reads_the_address_of_the_record(client):
    answer = client.get(f"/games/{NAME}.qr.svg")
    assert (answer.status_code, answer.mimetype) == (200, "image/svg+xml")
    assert read(answer.get_data(as_text=True)) == [f"{ADDRESS}games/{NAME}.sgf"]
    assert client.get(f"/games/{NAME}.sgf").status_code == 200


def test_a_page_that_nobody_reaches_has_no_code(client, table_box):
    answer = client.get("/games/other.qr.svg")
    assert (answer.status_code, answer.get_data(as_text=True)) == (404, ENGLISH("http.no-game") + "\n")
    alone = create_app(table_box.backend).test_client().get(f"/games/{NAME}.qr.svg")
    assert (alone.status_code, alone.get_data(as_text=True)) == (404, ENGLISH("http.here-alone") + "\n")


def test_after_the_game_the_page_leads_phones_to_its_record(client, table_box):
    assert "qr.svg" not in client.get("/").get_data(as_text=True)
    table_box.show(replace(table_box.now, number=2, archive_name=NAME))
    page = client.get("/").get_data(as_text=True)
    assert f'href="/games/{NAME}.sgf"><img src="/games/{NAME}.qr.svg"' in page and ENGLISH("page.keep") in page
    alone = create_app(table_box.backend).test_client().get("/").get_data(as_text=True)
    assert "qr.svg" not in alone
