"""Pictures for the documentation: plays the demo and photographs its page and its panel at telling moments.

    python -m tests.benchmarks.pictures --out docs/pictures --speed 1
    python -m tests.benchmarks.pictures --out docs/pictures --phones

What the box showed at a moment, with what its camera saw, is kept and given to the page again after the game, so that
headless Chromium can take its time. The hall's wall and incidents show made-up tables
(tests/benchmarks/parts/venue.py). The
phones' pages are those of a box of their own.
Needs Debian's chromium and chromium-driver.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text
from selenium import webdriver
from selenium.webdriver.support.ui import WebDriverWait

from device.camera import VIRTUAL
from device.panel.signals import sentence_of, signal_of
from device.panel.terminal import HELP, draw_lamps
from device.settings import Camera, Data, Game, Page, PanelSettings, RimSettings, Settings
from device.simulator.serve import TableProcess
from device.table.bootstrap import Application
from device.table.match_config import describe_choices
from referee.game.ruling import Status
from referee.table.display_state import Phase, TableSnapshot
from tests.benchmarks.parts.venue import venue
from tests.benchmarks.phone_pictures import photograph_phones
from tests.support.web.browser import DESKTOP, PHONE, choose_theme, open_browser, resize, screenshot
from vision.camera.frame import Image
from web.app import create_app
from web.backend import Backend, DirectorBackend
from web.hall.app import create_hall_app
from web.page_server import serve_page

OUT = Path("docs/pictures")
WITHIN = 300.0
"""Wall seconds for the game."""
MOST_BYTES = 1_000_000
"""All pictures together."""
PANEL = "panel.svg"
FILM, FILMED = "superko.webp", range(7, 10)
"""The moving picture, and the accepted turns that it is about."""
FILM_HIGH, FILM_MARGIN = 570, 60
"""Its height, and what is left round board and lids in the camera's picture, in pixels."""
SHOWN_FOR, REFUSED_FOR = 700, 1500
"""Milliseconds for which a picture of it is shown."""
COLUMNS = 80
QUALITY = 75
"""Of the WebP files, percent: small, and still easy to read."""
LIT = "rim.webp"
"""The drawn table of which a turn is refused, with the lights that point at the stone."""
LIT_AT, LIT_WIDE, LOOKS, REDDER = "superko", 720, 10, 90
"""The moment of that picture and its width, how many looks are taken, and how much redder a light is than wood."""
HALL = (("hall-wall.webp", "", (1280, 720)), ("hall-incidents.webp", "incidents", (1000, 640)))
"""The hall's pages, each with its path and the window's size."""


@dataclass(frozen=True)
class Moment:
    """A moment of the game: the first snapshot of which `when` holds."""

    name: str
    when: Callable[[TableSnapshot], bool]


@dataclass(frozen=True)
class CapturedFrame:
    """The box's snapshot at a moment, what its camera saw, and where board and lids lay in that.

    seen, plain: JPEG, with what was read drawn on it and without.
    """

    snapshot: TableSnapshot
    seen: bytes
    plain: bytes
    place: Mapping[str, object]


@dataclass(frozen=True)
class Picture:
    """A picture of the page. camera: with the camera's picture opened; it is then as high as the whole page.

    part: of the director's desk, which is then shown in the page's place, with this part opened.
    path: of another page of the box.
    """

    name: str
    moment: str
    size: tuple[int, int]
    dark: bool = False
    camera: bool = False
    part: str | None = None
    path: str = ""


def _has_trouble(snapshot: TableSnapshot, status: Status) -> bool:
    return snapshot.trouble is not None and snapshot.trouble.status is status and snapshot.phase is Phase.PLAY


def _has_captured(snapshot: TableSnapshot) -> bool:
    newest = snapshot.game.newest_ruling
    return newest is not None and newest.status is Status.LEGAL and len(newest.captured) > 1 and not snapshot.waiting


MOMENTS = (
    Moment("superko", lambda now: _has_trouble(now, Status.ILLEGAL)),
    Moment("unexplained", lambda now: _has_trouble(now, Status.UNEXPLAINED)),
    Moment("ultimate", lambda now: now.game.bowls.ultimate is not None),
    Moment("forgotten", lambda now: _has_trouble(now, Status.UNFINISHED)),
    Moment("captured", _has_captured),
    Moment("result", lambda now: now.phase is Phase.FINAL),
)
PICTURES = (
    Picture("superko-phone.webp", "superko", PHONE),
    Picture("unexplained-phone.webp", "unexplained", PHONE, dark=True),
    Picture("ultimate-phone.webp", "ultimate", PHONE),
    Picture("forgotten-phone.webp", "forgotten", PHONE),
    Picture("camera-desktop.webp", "captured", DESKTOP, camera=True),
    Picture("result-desktop.webp", "result", DESKTOP, dark=True),
    Picture("desk-phone.webp", "unexplained", PHONE, dark=True, part="turn"),
    Picture("wall-desktop.webp", "superko", (1280, 720), path="wall"),
)


def main() -> int:
    """Play, keep, photograph; 1 when the pictures are too large together."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--out", type=Path, default=OUT, metavar="FOLDER")
    parser.add_argument("--speed", type=float, default=1.0, metavar="X", help="so many times as fast, if it follows")
    parser.add_argument("--phones", action="store_true", help="the phones' pages alone")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="shinpan-pictures-") as scratch:
        for name, pixels in photograph_phones(Path(scratch)).items():
            (args.out / name).write_bytes(_webp(pixels))
        if args.phones:
            return 0
        frames, filmed = play(Path(scratch), args.speed)
        (args.out / PANEL).write_text(panel_of(frames["superko"].snapshot), encoding="utf-8")
        (args.out / LIT).write_bytes(_webp(_table_of(frames[LIT_AT], LIT_WIDE * 2 // 3)))
        with open_browser(Path(scratch) / "browser") as browser:
            for picture in PICTURES:
                (args.out / picture.name).write_bytes(photograph(browser, picture, frames[picture.moment]))
            film(browser, filmed, args.out / FILM)
            for name, path, size in HALL:
                (args.out / name).write_bytes(photograph_hall(browser, path, size))
    sizes = {path.name: path.stat().st_size for path in sorted(args.out.iterdir())}
    print("\n".join(f"{size:8,} {name}" for name, size in sizes.items()), f"{sum(sizes.values()):8,}", sep="\n")
    return 0 if sum(sizes.values()) <= MOST_BYTES else 1


def play(scratch: Path, speed: float) -> tuple[dict[str, CapturedFrame], list[CapturedFrame]]:
    """The demo's game: what was kept of it by the moments' names, and all that was shown during the filmed turns."""
    socket = scratch / "table"
    settings = Settings(
        Game("ultimate"),
        camera=Camera(f"{VIRTUAL}{socket}"),
        panel=PanelSettings("none"),
        rim=RimSettings("drawn"),
        page=Page(port=0),
        data=Data(str(scratch / "games")),
    )
    with TableProcess(socket, "--speed", str(speed)) as table:
        while not socket.exists() and table.status is None:
            time.sleep(0.1)
        running = Application(settings, new=True)
        running.start()
        try:
            return _keep(running)
        finally:
            running.stop()


def _keep(running: Application) -> tuple[dict[str, CapturedFrame], list[CapturedFrame]]:
    frames: dict[str, CapturedFrame] = {}
    filmed: list[CapturedFrame] = []
    place = _open_place_reader(running)
    until, number = time.monotonic() + WITHIN, 0
    while len(frames) < len(MOMENTS) and time.monotonic() < until:
        now = running.board.wait(number, 1.0)
        number = now.number
        if now.game.turn in FILMED and not _put_right(filmed):
            where = filmed[0].place if filmed else place()
            filmed.append(CapturedFrame(now, b"", _read(f"{running.address}/frame.jpg"), where))
        for moment in MOMENTS:
            if moment.name not in frames and moment.when(now):
                overlay = _read(f"{running.address}/frame.jpg?overlay=1")
                plain = _reddest(f"{running.address}/frame.jpg?overlay=0", LOOKS if moment.name == LIT_AT else 1)
                frames[moment.name] = CapturedFrame(now, overlay, plain, place())
    missed = [moment.name for moment in MOMENTS if moment.name not in frames]
    if missed:
        raise SystemExit(f"The game did not come to: {', '.join(missed)}.")
    return frames, filmed


def _put_right(filmed: list[CapturedFrame]) -> bool:
    """Return whether the film is over: it has shown the refusal, and the table after it."""
    refused = any(_has_trouble(frame.snapshot, Status.ILLEGAL) for frame in filmed)
    return refused and not _has_trouble(filmed[-1].snapshot, Status.ILLEGAL)


def _reddest(url: str, looks: int) -> bytes:
    """Of so many pictures, a tenth of a second apart, that with the most red: the lights of the rim flash."""
    pictures = list[bytes]()
    for _ in range(looks):
        pictures.append(_read(url))
        time.sleep(0.1)
    return max(pictures, key=_red)


def _red(jpeg: bytes) -> int:
    blue, green, red = cv2.split(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).astype(int))
    return int((red - np.maximum(blue, green) > REDDER).sum())


def _read(url: str) -> bytes:
    with urllib.request.urlopen(url) as answer:
        return bytes(answer.read())


def _open_place_reader(running: Application) -> Callable[[], Mapping[str, object]]:
    """Come in as the director; what then tells where board and lids lie."""
    pin = re.search("PIN is ([0-9]+)", running.start_message())
    assert pin is not None
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    headers = {"Origin": running.address, "Content-Type": "application/json"}
    body = json.dumps({"pin": pin[1]}).encode()
    opener.open(urllib.request.Request(f"{running.address}/director/session", body, headers)).close()

    def place() -> Mapping[str, object]:
        with opener.open(f"{running.address}/director/place.json") as answer:
            status: Mapping[str, object] = json.load(answer)
            return status

    return place


def _desk(frame: CapturedFrame) -> Backend:
    """Build the backend that a page is handed at that moment; any PIN opens the director's desk."""
    director = DirectorBackend(
        lambda pin: True,
        lambda: "made",
        lambda body: [],
        lambda: frame.place,
        describe_choices,
        lambda name: None,
        lambda: None,
    )
    return Backend(
        lambda: frame.snapshot,
        lambda number, timeout: frame.snapshot,
        lambda overlay: frame.seen if overlay else frame.plain,
        bytes,
        dict,
        director=director,
    )


def photograph(browser: webdriver.Chrome, picture: Picture, frame: CapturedFrame) -> bytes:
    """The page at that moment, in the form that the picture's name says."""
    with serve_page(create_app(_desk(frame)), port=0) as served:
        choose_theme(browser, "dark" if picture.dark else "light", still=True)
        resize(browser, picture.size)
        browser.get(f"{served.url}{picture.path}")
        if picture.part is not None:
            _open_desk(browser, served.url, picture.part)
        _wait_until(browser, "return document.getElementById('link').dataset.state === 'live'")
        if picture.camera:
            browser.execute_script("document.getElementById('camera').open = true")
            _wait_until(
                browser, "const p = document.getElementById('picture'); return p.complete && p.naturalWidth > 0"
            )
        shot = screenshot(browser, picture.size, whole=picture.camera)
        browser.get("about:blank")
    return _packed(shot, Path(picture.name).suffix)


def photograph_hall(browser: webdriver.Chrome, path: str, size: tuple[int, int]) -> bytes:
    """A page of a hall with made-up tables."""
    with serve_page(create_hall_app(venue()), port=0) as served:
        choose_theme(browser, "light", still=True)
        resize(browser, size)
        browser.get(f"{served.url}{path}")
        if not path:
            _wait_until(browser, "return document.querySelectorAll('#tiles > *').length > 1")
        shot = screenshot(browser, size)
        browser.get("about:blank")
    return _packed(shot, ".webp")


def film(browser: webdriver.Chrome, filmed: list[CapturedFrame], out: Path) -> None:
    """A moving picture: the drawn table as the camera sees it, and beside it a phone with the page."""
    moving = cv2.Animation()
    moving.frames = [
        _join_table_and_page(frame, photograph(browser, Picture("phone.png", "", PHONE), frame)) for frame in filmed
    ]
    refused = [_has_trouble(frame.snapshot, Status.ILLEGAL) for frame in filmed]
    moving.durations = np.array([REFUSED_FOR if is_refused else SHOWN_FOR for is_refused in refused], np.int32)
    cv2.imwriteanimation(str(out), moving, [cv2.IMWRITE_WEBP_QUALITY, 70])


def _join_table_and_page(frame: CapturedFrame, phone: bytes) -> Image:
    """Board and lids out of the camera's picture, and the upper part of the page."""
    page = cv2.imdecode(np.frombuffer(phone, np.uint8), cv2.IMREAD_COLOR)
    assert page is not None
    return np.hstack([_table_of(frame, FILM_HIGH), page[:FILM_HIGH]])


def _table_of(frame: CapturedFrame, high: int) -> Image:
    """Board and lids out of the camera's picture, in this height."""
    table = cv2.imdecode(np.frombuffer(frame.plain, np.uint8), cv2.IMREAD_COLOR)
    assert table is not None
    left, top, right, bottom = _crop_bounds(frame.place, table.shape[1], table.shape[0])
    wide = round(high * (right - left) / (bottom - top))
    image = cv2.resize(table[top:bottom, left:right], (wide, high), interpolation=cv2.INTER_AREA)
    return np.asarray(image, np.uint8)


def _crop_bounds(place: Mapping[str, Any], wide: int, high: int) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of board and lids with a margin, in pixels."""
    lids = [corner for x, y, w, h in place["lids"] for corner in ((x, y), (x + w, y + h))]
    xs, ys = zip(*place["corners"], *lids, strict=True)
    left, top = max(min(xs) - FILM_MARGIN, 0), max(min(ys) - FILM_MARGIN, 0)
    return int(left), int(top), int(min(max(xs) + FILM_MARGIN, wide)), int(min(max(ys) + FILM_MARGIN, high))


def _open_desk(browser: webdriver.Chrome, url: str, part: str) -> None:
    browser.get(f"{url}director")
    if browser.find_elements("id", "pin"):
        browser.find_element("id", "pin").send_keys("any\n")
        _wait_until(browser, "return document.getElementById('leave') !== null")
    browser.execute_script("document.body.classList.add('acting')")
    browser.execute_script(f"document.getElementById('act-{part}').open = true")
    if part == "lie":
        _wait_until(browser, "return document.querySelector('.grid') !== null")
        _wait_until(
            browser, "const p = document.getElementById('lie-picture'); return p.complete && p.naturalWidth > 0"
        )


def _wait_until(browser: webdriver.Chrome, script: str) -> None:
    WebDriverWait(browser, 20, poll_frequency=0.05).until(lambda _: browser.execute_script(script))


def _packed(png: bytes, suffix: str) -> bytes:
    """Smaller than the browser makes it: .webp for the pages, .png for a part of another picture."""
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert pixels is not None
    return png if suffix == ".png" else _webp(np.asarray(pixels, np.uint8))


def _webp(pixels: Image) -> bytes:
    return bytes(cv2.imencode(".webp", pixels, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1])


def panel_of(snapshot: TableSnapshot) -> str:
    """The panel in a terminal, as SVG that asks nobody for a font."""
    lines = [draw_lamps(signal_of(snapshot)), Text(sentence_of(snapshot)), Text(HELP, style="dim")]
    with Path("/dev/null").open("w") as nowhere:
        console = Console(file=nowhere, record=True, force_terminal=True, width=COLUMNS)
        console.print(Text("\n").join(lines))
    return console.export_svg(title="shinpan", theme=THEME, code_format=SVG)


_USUAL = [(12, 13, 14), (229, 72, 63), (52, 178, 108), (236, 158, 28), (74, 144, 226), (176, 96, 184), (64, 170, 180)]
THEME = TerminalTheme((29, 32, 38), (226, 226, 222), [*_USUAL, (200, 200, 196)], [*_USUAL, (255, 255, 255)])
SVG = """<svg class="rich-terminal" width="{width}" height="{height}" viewBox="0 0 {width} {height}"
xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
.{unique_id}-title {{ font-family: system-ui, sans-serif; font-size: 18px; font-weight: bold; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""
"""rich's own drawing without the fonts that it fetches."""


if __name__ == "__main__":
    sys.exit(main())
