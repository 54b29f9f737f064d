"""The table's own icon and name in a browser's tabs and on a phone's screen."""

import xml.etree.ElementTree as Tree
from dataclasses import replace

import pytest

from referee import GameInfo
from tests.support.web.snapshots import box, ultimate_game
from web.app import create_app
from web.page.icons import icon_of

PLAIN = '<svg xmlns="http://www.w3.org/2000/svg"></svg>'


@pytest.mark.parametrize("table", ["7", "12", "A<1"])
def test_a_short_number_stands_in_the_icon(table):
    assert "".join(Tree.fromstring(icon_of(PLAIN, table)).itertext()) == table


@pytest.mark.parametrize("table", ["", "Main hall"])
def test_without_a_short_number_the_icon_stays_as_it_is(table):
    assert icon_of(PLAIN, table) == PLAIN


def test_the_app_is_named_after_its_table():
    shown_box = box(ultimate_game())
    shown_box.now = replace(shown_box.now, game_info=GameInfo(table="12"))
    client = create_app(shown_box.backend).test_client()
    manifest = client.get("/manifest.json?lang=en").get_json(force=True)
    assert manifest["short_name"] == "shinpan 12" and "12" in manifest["name"]
    assert all(">12</text>" in client.get(path).get_data(as_text=True) for path in ("/icon.svg", "/", "/games"))
