"""Things that browsers keep of the page besides its contents: icons, the colours round it, and how it is printed."""

from __future__ import annotations

import base64
import io
import json
import re

import cv2
import numpy as np
import pypdfium2
import pytest
from flask.testing import FlaskClient
from selenium import webdriver

from referee.game.game_info import GameInfo
from referee.game.messages import message
from tests.support.tiers import LONG
from tests.support.web.browser import DESKTOP, choose_theme, resize
from tests.support.web.snapshots import box, counted_table, random_game, superko
from web.app import create_app
from web.page_server import serve_page

PAGES = ("/", "/games", "/wall", "/wall?overlay", "/lamps")


@pytest.fixture
def client() -> FlaskClient:
    return create_app(box(superko()).backend).test_client()


@pytest.mark.parametrize("page", PAGES)
def test_icons_and_the_manifest_are_there(client, page):
    head = client.get(page).get_data(as_text=True)
    links = re.findall(r'<link rel="(icon|apple-touch-icon|manifest)" href="([^"]+)"', head)
    assert [kind for kind, _ in links] == ["icon", "apple-touch-icon", "manifest"]
    assert 'name="theme-color"' in head
    for _, address in links:
        assert client.get(address).status_code == 200


def test_the_manifest_names_pictures_of_the_sizes_that_it_says(client):
    answer = client.get("/manifest.json")
    assert answer.mimetype == "application/manifest+json"
    manifest = json.loads(answer.data)
    for icon in manifest["icons"]:
        picture = client.get(icon["src"])
        assert picture.mimetype == icon["type"]
        if icon["sizes"] != "any":
            high, wide, _ = decoded(picture.data).shape
            assert icon["sizes"] == f"{wide}x{high}"
    assert {icon["sizes"] for icon in manifest["icons"]} == {"any", "192x192"}


def test_each_table_has_a_name_and_an_icon_of_its_own():
    client = create_app(box(superko(), game_info=GameInfo("Cup", "3", "<7"), names=("A", "B")).backend).test_client()
    manifest = json.loads(client.get("/manifest.json?lang=de").data)
    assert (manifest["name"], manifest["short_name"]) == ("shinpan, Tisch <7", "shinpan <7")
    assert ">&lt;7</text>" in client.get("/icon.svg").get_data(as_text=True)
    long = create_app(box(superko(), game_info=GameInfo("Cup", "3", "Top Board")).backend).test_client()
    assert "<text" not in long.get("/icon.svg").get_data(as_text=True)
    assert json.loads(long.get("/manifest.json").data)["name"] == "shinpan, table Top Board"


def test_without_a_number_icon_and_name_are_everybodys(client):
    assert client.get("/icon.svg").data == client.get("/static/icon.svg").data
    assert json.loads(client.get("/manifest.json").data)["name"] == "shinpan"


def decoded(data: bytes) -> np.ndarray:
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return image


@pytest.fixture(scope="module")
def paper(chromium: webdriver.Chrome) -> tuple[list[np.ndarray], str]:
    """The page of a counted game as A4 paper without the colours of backgrounds, 100 dots an inch, and its text."""
    shown_box = box(counted_table(), names=("Anna Berg", "Ben Ode"), faults=(message("camera.silent"),))
    with serve_page(create_app(shown_box.backend), port=0) as served:
        resize(chromium, DESKTOP)
        choose_theme(chromium, "dark")
        chromium.get(served.url)
        paper = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": False}
        printed = chromium.execute_cdp_cmd("Page.printToPDF", paper)["data"]
        choose_theme(chromium, "light")
        chromium.get("about:blank")
    with pypdfium2.PdfDocument(io.BytesIO(base64.b64decode(printed))) as document:
        pictures = [np.asarray(page.render(scale=100 / 72).to_numpy())[..., :3] for page in document]
        text = "".join(page.get_textpage().get_text_bounded() for page in document)
    return pictures, text


@pytest.mark.slow
def test_black_and_white_differ_on_paper(paper):
    pictures, _ = paper
    assert len(pictures) == 1
    first = cv2.cvtColor(pictures[0], cv2.COLOR_RGB2GRAY)
    assert first[:20].min() > 250 and first[:, :15].min() > 250, "the paper is white"
    discs = cv2.HoughCircles(
        cv2.medianBlur(first, 3), cv2.HOUGH_GRADIENT, 1, 30, param1=80, param2=22, minRadius=20, maxRadius=48
    )
    assert discs is not None
    shades = [int(np.median(first[int(y) - 4 : int(y) + 5, int(x) - 4 : int(x) + 5])) for x, y, _ in discs[0]]
    assert sum(shade < 90 for shade in shades) >= 5 and sum(shade > 225 for shade in shades) >= 5


def printed(chromium: webdriver.Chrome, turns: int) -> list[str]:
    """The text of each sheet of a game of so many turns."""
    with serve_page(create_app(box(random_game(turns), names=("Anna Berg", "Ben Ode")).backend), port=0) as served:
        resize(chromium, DESKTOP)
        chromium.get(served.url)
        data = chromium.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"]
        chromium.get("about:blank")
    with pypdfium2.PdfDocument(io.BytesIO(base64.b64decode(data))) as document:
        return [page.get_textpage().get_text_bounded() for page in document]


@LONG
def test_sixty_turns_fit_on_one_sheet(chromium):
    sheets = printed(chromium, 60)
    assert len(sheets) == 1 and "60" in sheets[0]


@pytest.mark.long
def test_paper_lists_every_turn_of_a_long_game(chromium):
    text = "".join(printed(chromium, 72)).partition("Turns")[2]
    assert {str(turn) for turn in range(1, 73)} <= set(text.split()) and "All turns" not in text


@pytest.mark.slow
def test_paper_has_the_game_and_nothing_to_press(paper):
    _, text = paper
    for text_part in ("Anna Berg", "Ben Ode", "White wins by 12.5 points", "Chinese rules", "The count", "Turns"):
        assert text_part in text
    for label in ("Sound", "Deutsch", "Camera picture", "Earlier games"):
        assert label not in text
