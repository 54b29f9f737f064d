"""The phones' pages as the server makes them, and the clock that counts in a browser over TLS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from selenium import webdriver

from device.machine.tls import PageCertificate
from referee.table.display_state import TableSnapshot
from tests.support.referee.table import PlayedTable
from tests.support.tiers import LONG, sample
from tests.support.web.browser import PHONE, resize, until
from tests.support.web.moments import moments
from tests.support.web.snapshots import Box, backend_with, box, fallen, running, take_snapshot
from web.app import create_app
from web.language import ENGLISH, find_translator
from web.language_traits import CODES
from web.page.headline import headline_of
from web.page.lamps import LampsModel
from web.page.partials import parts_of
from web.page_server import serve_page
from web.phone.views import COOKIE
from web.server.listening import listen_at
from web.server.tls import ServerCertificate, TlsServer
from web.voice.speech import silent_from

NAMES = ("Maximiliane-Wilhelmine Mustermann-Beispielhausen-Oberdorfers", "Maximilian Schwarzenegger-Oberhauser")


@pytest.mark.parametrize("sides", [[1, 2], [1], [2]])
def test_the_clock_has_a_half_for_each_of_its_sides(sides):
    table = PlayedTable(("." * 9,) * 9, rules="new-zealand", refereed=True, black_side=1, control="30m")
    table.look()
    backend = backend_with(box(table).backend, part="clock", sides=sides)
    client = create_app(backend).test_client()
    client.set_cookie(COOKIE, "secret", path="/phone")
    page = client.get("/phone/clock", base_url="https://localhost")
    parts = client.get(f"/phone/clock/{'-'.join(map(str, sides))}/parts", base_url="https://localhost")
    for answer in (page, parts):
        text = answer.get_data(as_text=True)
        assert answer.status_code == 200, text
        assert [side for side in (1, 2) if f'data-live="half{side}"' in text] == sides
        assert text.count('<span class="time">30:00</span>') == len(sides)
        assert text.count(headline_of(take_snapshot(table), ENGLISH).text) == len(sides)


@pytest.mark.parametrize(("black_side", "control", "shown"), [(None, "30m", 2), (1, "30m", 2), (None, None, 0)])
def test_the_time_is_shown_before_the_start(black_side, control, shown):
    table = PlayedTable(("." * 9,) * 9, rules="chinese", refereed=True, black_side=black_side, control=control)
    table.look()
    client = create_app(backend_with(box(table).backend, part="clock", sides=[1, 2])).test_client()
    client.set_cookie(COOKIE, "secret", path="/phone")
    page = client.get("/phone/clock", base_url="https://localhost").get_data(as_text=True)
    assert page.count('<span class="time">30:00</span>') == shown


DIGITS = """
const half = document.querySelector(".half").getBoundingClientRect();
const range = document.createRange();
range.selectNodeContents(document.querySelector(".time"));
const {x, y, width, height} = range.getBoundingClientRect();
return [width / half.width, x + width / 2 - half.x - half.width / 2, y + height / 2 - half.y - half.height / 2];
"""
HOLD = """
const button = document.querySelector("[data-button=call]");
button.dispatchEvent(new PointerEvent("pointerdown", {bubbles: true, button: 0, pointerId: 1}));
const fill = button.getAnimations({subtree: true})[0].effect.getComputedTiming();
button.dispatchEvent(new PointerEvent("pointercancel", {bubbles: true, button: 0, pointerId: 1}));
return [fill.endTime, button.getAnimations({subtree: true}).length];
"""


@pytest.mark.slow
def test_the_digits_fill_their_half_in_its_middle_and_a_held_button_fills(clock_page):
    page = clock_page(1, 100.0)
    width, across, down = page.browser.execute_script(DIGITS)
    assert 0.7 < width < 0.95 and abs(across) < 2 and abs(down) < 2
    assert page.browser.execute_script(HOLD) == [2000, 0]


COVERED = """
const all = [...document.querySelectorAll(".act, .more, .small button")].map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return [one.textContent, (one.tagName === "BUTTON" ? one : range).getBoundingClientRect()];
});
const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
const covers = ([text, a], at) =>
  all.slice(at + 1).filter(([, b]) => !apart(a, b)).map(([other]) => [text, other]);
return all.flatMap(covers);
"""
"""The texts and buttons that cover each other."""


@pytest.mark.slow
@pytest.mark.parametrize("code", sample(CODES, 1))
def test_on_its_side_a_phone_for_both_shows_all_texts_beside_its_buttons(clock_page, code):
    page = clock_page([1, 2], 100.0, code)
    for size in ((844, 390), (1280, 800), (667, 375)):
        resize(page.browser, size)
        assert page.browser.find_element("css selector", ".act").text
        assert page.browser.execute_script(COVERED) == []


CUT = """
document.querySelector(".half .lit").outerHTML = arguments[0];
const above = document.querySelector(".half .above"), who = above.querySelector(".who");
who.style.textOverflow = "clip";
const name = document.createRange(), { paddingLeft, paddingRight } = getComputedStyle(who);
name.selectNodeContents(who);
const room = who.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
return Math.max(above.scrollHeight - above.clientHeight - 1, name.getBoundingClientRect().width - room - 1, 0);
"""
LONGEST = 3
"""Moments a language."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, (844, 390)], ids=str)
def test_the_longest_orders_fit_above_the_digits(clock_page, size):
    page = clock_page([1, 2], 100.0)
    resize(page.browser, size)
    start = PlayedTable(("." * 9,) * 9, rules="chinese", refereed=True, black_side=1, control="30m+5x30s")
    start.look()
    shown = [
        take_snapshot(start, names=NAMES),
        *(replace(one.now, names=NAMES) for one in moments(1) if one.now.game.clocks),
    ]
    for code in CODES:
        models = [LampsModel(now, find_translator(code)) for now in shown]
        longest = sorted(models, key=lambda one: -len(" ".join((one.headline.text, *one.beside_order))))
        for one in longest[:LONGEST]:
            client = create_app(backend_with(Box(one.snapshot).backend, part="clock", sides=[1, 2])).test_client()
            client.set_cookie(COOKIE, "secret", path="/phone")
            answer = client.get(f"/phone/clock?lang={code}", base_url="https://localhost")
            parts = parts_of(answer.get_data(as_text=True))
            for half in (parts["half1"], parts["half2"]):
                assert page.browser.execute_script(CUT, half) == 0, half


SPEAKS = """
window.spoken = [];
speechSynthesis.speak = (said) => {
  window.spoken.push([said.text, said.lang]);
  said.dispatchEvent(new Event("end"));
};
"""
"""The browser's own voice, which notes what it is to say and has said it at once."""


class ClockPage:
    """A browser on the clock's page of a side."""

    def __init__(self, browser: webdriver.Chrome, shown_box: Box) -> None:
        self.browser, self.shown_box = browser, shown_box

    def show(self, now: TableSnapshot) -> None:
        """Show a state of the table, and wait until the page has it."""
        now = replace(now, number=self.shown_box.now.number + 1)
        self.shown_box.show(now)
        ends = f"return document.querySelector('main').dataset.version.endsWith('-{now.number}')"
        until(self.browser, lambda: self.browser.execute_script(ends))

    def turn(self) -> None:
        """Touch the switch of the sounds."""
        self.browser.find_element("id", "sound").click()

    @property
    def spoken(self) -> list[str]:
        utterances = self.browser.execute_script("return window.spoken")
        assert {lang for _, lang in utterances} <= {"en"}
        return [text for text, _ in utterances]

    def hear(self, *texts: str) -> None:
        """Wait until these are the newest that were said."""
        until(self.browser, lambda: self.spoken[-len(texts) :] == list(texts))


OpenClock = Callable[..., ClockPage]


@pytest.fixture
def clock_page(chromium: webdriver.Chrome, tmp_path: Path) -> Iterator[OpenClock]:
    """Opens the clock of sides over TLS while Black's clock runs.

    Its arguments are the time before the last ten seconds, in seconds, and the language.
    """
    with ExitStack() as stack:

        def open_clock(sides: int | list[int], before: float, code: str = "en") -> ClockPage:
            part, sides = ("side", [sides]) if isinstance(sides, int) else ("clock", sides)
            now = take_snapshot(running("5s+2x40s"))
            begins = silent_from(now)
            assert begins is not None
            shown_box = Box(now, health={"ok": True, "seconds": begins - before})
            app = create_app(backend_with(shown_box.backend, part=part, sides=sides))
            served = stack.enter_context(serve_page(app, port=0))
            page_certificate = PageCertificate(tmp_path)
            page_certificate.renew()
            listening = listen_at("127.0.0.1", 0)
            stack.callback(TlsServer(ServerCertificate(page_certificate.files), listening, served.adopt).close)
            url = f"https://127.0.0.1:{listening.getsockname()[1]}/phone/clock?lang={code}"
            chromium.execute_cdp_cmd("Security.setIgnoreCertificateErrors", {"ignore": True})
            chromium.execute_cdp_cmd("Network.setCookie", {"name": COOKIE, "value": "x", "url": url, "secure": True})
            resize(chromium, PHONE)
            chromium.get(url)
            chromium.execute_script(SPEAKS)
            until(chromium, lambda: chromium.execute_script("return !!document.querySelector('#link').dataset.state"))
            return ClockPage(chromium, shown_box)

        yield open_clock
        chromium.get("about:blank")


def counted() -> dict[int, TableSnapshot]:
    """The table at each second that is counted of Black's clock, by that second."""
    table, snapshots = running("5s+2x40s"), dict[int, TableSnapshot]()
    for _ in range(40):
        table.due()
        now = take_snapshot(table)
        assert now.game.clocks is not None
        snapshots.setdefault(now.game.clocks.counted, now)
    return snapshots


def next_period() -> TableSnapshot:
    """The table after a period of Black's clock was used up."""
    table = running("5s+2x40s")
    for _ in range(40):
        table.due()
        now = take_snapshot(table)
        assert now.game.clocks is not None
        if now.game.clocks.faces[0].periods == 1:
            return now
    raise AssertionError("no period ended")


@pytest.mark.slow
def test_a_clock_counts_the_last_seconds_of_its_own_side_once_each(clock_page):
    page, seconds = clock_page(1, 100.0), counted()
    page.show(seconds[30])
    assert page.spoken == []  # It is off until somebody turns it on.
    page.turn()
    page.hear("Black: 2 periods left.")  # Who turns it on hears how things stand.
    page.show(seconds[20])
    page.hear("20 seconds")
    for second in (10, 9, 8):
        page.show(seconds[second])
        page.show(seconds[second])
        page.hear(str(second))
    page.turn()
    page.show(seconds[7])
    page.turn()
    page.hear("Black: 2 periods left.")
    page.show(seconds[6])
    page.hear("6")
    page.show(next_period())
    page.hear("Black: 1 period left.")
    assert [text for text in page.spoken if text[0].isdigit()] == ["20 seconds", "10", "9", "8", "6"]


@pytest.mark.slow
def test_the_last_ten_seconds_stand_out_on_a_clock(clock_page):
    assert clock_page(1, 100.0).browser.find_elements("css selector", ".clock:not(.soon)")
    page = clock_page(1, -1.0)
    until(page.browser, lambda: page.browser.find_elements("css selector", ".clock.soon"))


HOT = "return window.shinpanContact.own().hot"


@pytest.mark.slow
def test_a_camera_that_gives_far_fewer_pictures_is_told_as_hot(clock_page):
    script = clock_page(1, 100.0).browser.execute_script
    is_told = [script(f"window.shinpanHeat.measure(arguments[0]); {HOT}", each) for each in (30, 15, 11, 11, 11, 30)]
    assert is_told == [False, False, False, False, True, False]
    assert script(f"window.shinpanHeat.forget(); window.shinpanHeat.measure(11); {HOT}") is False


@LONG
def test_a_processor_at_its_limit_for_half_a_minute_is_told_as_hot(chromium, clock_page):
    source = {"source": "cpu", "metadata": {"available": True}}
    chromium.execute_cdp_cmd("Emulation.setPressureSourceOverrideEnabled", {"enabled": True, **source})
    page = clock_page(1, 100.0)
    later = "const now = performance.now.bind(performance); performance.now = () => now() + 1000 * arguments[0];"

    def press(state: str) -> None:
        chromium.execute_cdp_cmd("Emulation.setPressureStateOverride", {"source": "cpu", "state": state})

    press("critical")
    until(chromium, lambda: chromium.execute_script("return window.shinpanHeat.isPressed()"))
    assert chromium.execute_script(HOT) is False
    page.browser.execute_script(later, 31)
    assert chromium.execute_script(HOT) is True
    press("nominal")
    until(chromium, lambda: not chromium.execute_script(HOT))
    chromium.execute_cdp_cmd("Emulation.setPressureSourceOverrideEnabled", {"enabled": False, "source": "cpu"})


@pytest.mark.slow
def test_a_clock_leaves_out_what_comes_late(clock_page):
    page, seconds = clock_page(1, -15.0), counted()
    page.turn()
    for second in (20, 10, 9):
        page.show(seconds[second])
    page.show(next_period())
    page.hear("Black: 1 period left.")
    assert [text for text in page.spoken if text[0].isdigit()] == []


@pytest.mark.slow
def test_a_clock_counts_nothing_of_another_side(clock_page):
    page, seconds = clock_page(2, 100.0), counted()
    page.turn()
    for second in (20, 10, 9):
        page.show(seconds[second])
    page.show(take_snapshot(fallen()))
    page.hear("Black is out of time. White: press CALL before the next move to claim the win.")
    assert [text for text in page.spoken if text[0].isdigit()] == []
