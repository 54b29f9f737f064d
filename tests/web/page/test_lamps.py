"""The lamps by themselves: on a phone in the panel's place, and never a light that may no longer be true."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from device.panel.signals import signal_of
from referee.game.messages import message
from referee.table.events import BoxProposal
from tests.support.panel.tables import TABLES
from tests.support.referee.table import W
from tests.support.tiers import sample
from tests.support.web.browser import PHONE, Visit, resize, until
from tests.support.web.snapshots import Box, begun_table, box, superko, take_snapshot, ultimate_game
from web.app import create_app
from web.page.lamps import LampsModel


@pytest.fixture
def shown_box() -> Box:
    return box(ultimate_game(), number=8, names=("Maria <Schneider>", "Kim"))


@pytest.fixture
def client(shown_box: Box) -> FlaskClient:
    return create_app(shown_box.backend).test_client()


@pytest.mark.parametrize("name", TABLES)
def test_the_page_lights_what_the_panel_lights(name: str) -> None:
    snapshot = TABLES[name][2]
    signal, lit = signal_of(snapshot), LampsModel(snapshot)
    assert tuple(lamp.light for lamp in lit.lamps) == signal.sides and lit.table == signal.table
    assert tuple(lamp.ultimate for lamp in lit.lamps) == signal.ultimate


def test_the_whole_table_or_one_side_is_shown(client: FlaskClient) -> None:
    page = client.get("/lamps").get_data(as_text=True)
    assert page.count('<section class="lamp') == 3 and page.count(" far") == 1 and "Maria &lt;Schneider&gt;" in page
    one = client.get("/lamps?side=2").get_data(as_text=True)
    assert one.count('<section class="lamp') == 2 and " far" not in one and 'data-parts="lamps/2/parts"' in one
    for path in ("/lamps?side=3", "/lamps?side=-1", "/lamps/7/parts"):
        assert client.get(path).status_code == 404
    assert '<a href="/lamps">Lamps</a>' in client.get("/").get_data(as_text=True)


def test_what_changes_is_sent_alone(client: FlaskClient, shown_box: Box) -> None:
    page = client.get("/lamps?side=1").get_data(as_text=True)
    version = re.search(r'data-version="([^"]+)"', page)
    assert version is not None
    shown_box.show(take_snapshot(superko(), 9))
    parts = client.get(f"/lamps/1/parts?since={version[1]}").get_data(as_text=True)
    assert 'data-live="lamps"' in parts and "<script" not in parts


@pytest.mark.slow
def test_a_phone_shows_changes_at_once_but_none_without_contact(visit: Visit) -> None:
    browser, address = visit.browser, f"http://127.0.0.1:{visit.served.port}/lamps"

    def background(lamp: str) -> str:
        script = (
            f"const lamp = document.querySelector('{lamp}'); return lamp ? getComputedStyle(lamp).backgroundColor : ''"
        )
        return str(browser.execute_script(script))

    resize(browser, PHONE)
    browser.get(address)
    until(browser, lambda: browser.find_element("css selector", ".lamp.green").is_displayed())
    visit.shown_box.show(take_snapshot(superko(), 9))
    until(browser, lambda: background(".lamp.red") == "rgb(211, 18, 10)")
    height = "return document.querySelector('.lamp.red').offsetHeight / innerHeight"
    assert 0.4 < float(browser.execute_script(height)) < 0.5, "two lamps and the table's fill the screen"
    visit.served.close()
    until(browser, lambda: browser.find_element("id", "lost").is_displayed())
    assert background(".lamp.red") == "rgb(13, 15, 18)"


CUT = """
return [...document.querySelectorAll('.lamp')].filter((lamp) => {
  const whole = lamp.getBoundingClientRect();
  return [...lamp.children].some((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return part.scrollWidth > part.clientWidth || left < whole.left || right > whole.right || top < whole.top
      || bottom > whole.bottom;
  });
}).length"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "size",
    sample([pytest.param(size, id="x".join(map(str, size))) for size in [(390, 844), (844, 390), (1440, 900)]], 1),
)
def test_no_word_is_cut(visit: Visit, size: tuple[int, int]) -> None:
    visit.shown_box.show(take_snapshot(superko(), 50))
    resize(visit.browser, size)
    visit.browser.get(f"http://127.0.0.1:{visit.served.port}/lamps")
    assert "put the white stone back" in visit.browser.find_element("class name", "table").text
    assert visit.browser.execute_script(CUT) == 0


def test_a_count_that_the_box_proposes_is_shown_with_its_doubts(shown_box: Box) -> None:
    """On the lamps' page and on the phones as clocks; a sentence about a press comes first."""
    table = begun_table((".XO..", ".XO.X", ".XO..", "OXO..", ".XO.."), rules="chinese", komi=0).play("B pass", "W pass")
    masks = (table.board.mask(names) for names in (["E4", "A2"], ["E4"], ["B1"]))
    table.referee.receive(BoxProposal(table.t + 1, table.referee.record.position, *masks))
    sentences = ("Result if so: W+5, with 2 dead chains.", "Uncertain: B5.", "Hold SCORE to refuse.")
    lit = LampsModel(take_snapshot(table, 9))
    assert [lamp.act for lamp in lit.lamps] == ["check the count"] * 2
    assert lit.proposal == lit.beside_order == sentences
    shown_box.show(lit.snapshot)
    page = create_app(shown_box.backend).test_client().get("/lamps").get_data(as_text=True)
    assert all(sentence in page for sentence in sentences)
    model = LampsModel(take_snapshot(table, 9, notice=message("proposal.look-first", player=W)))
    assert model.beside_order == ("White, the box has just proposed a count. Look at it, then press SCORE again.",)
