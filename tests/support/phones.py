"""Two phones and a laptop, for tests: a box over TLS, Chromium as phones, a film as the camera, and a bad network."""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import re
import sqlite3
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from selenium import webdriver

from device.simulator.script import read_script
from device.simulator.stage import Photographer
from device.simulator.table import Performance, SimulatedFrame, StepTruth, Tempo, table_of
from tests.support import ROOT
from tests.support.attack.boxes import free_port
from tests.support.waiting import PATIENCE_S, SLOWNESS, comes
from tests.support.wanting import CHROMIUM, program
from tests.support.web.browser import FLAGS

RATE = 4
"""Pictures a second of a film."""
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
SETTINGS = '[game]\nrules = "new-zealand"\n[time]\ncontrol = "30m"\n[camera]\nrate = 5\n'
AFTER_S = 0.8
"""Time after a hand has gone, after which its player presses."""
GAME = """
size 9
look 3
rules new-zealand
black 1

wait 12
B play C5
W play E6
B play D6
W play E4
B play D4
W play F5
B play G7
W play D5
B play E5
W play D5
W lift D5 supply; W put B E5
W play G3
wait 20
"""
"""White takes a ko back at once, which superko refuses, puts everything right, and plays elsewhere."""


@dataclass(frozen=True)
class Film:
    """A film. file: as a fake camera plays it. steps: when each step of the script has been made, in seconds."""

    file: Path
    steps: tuple[float, ...]
    seconds: float


def film_of(
    script: str, file: Path, size: tuple[int, int] = (960, 540), rest: float = 4.0, rate: int = RATE, grain: int = 1
) -> Film:
    """Draw a script as a film in Y4M, which a fake camera plays again and again. grain: grey levels of noise."""
    read, chance = read_script(script), np.random.default_rng(1)
    table = table_of(read, *size)
    photographer, steps, number = Photographer(table), list[float](), 0
    with file.open("wb") as film:
        film.write(f"YUV4MPEG2 W{size[0]} H{size[1]} F{rate}:1 Ip A1:1 C420jpeg\n".encode())
        for happening in Performance(read, table, Tempo(rate, rest)).happenings():
            if isinstance(happening, StepTruth):
                steps.append(number / rate)
            elif isinstance(happening, SimulatedFrame):
                pixels = photographer.picture(happening.scene, number)
                pixels = cv2.add(pixels, chance.integers(0, grain, pixels.shape, np.uint8))
                planes = cv2.cvtColor(pixels, cv2.COLOR_BGR2YUV_I420)
                film.write(b"FRAME\n" + np.ascontiguousarray(planes).tobytes())
                number += 1
    return Film(file, tuple(steps[1:]), number / rate)


@dataclass
class Answer:
    """An answer of the box."""

    code: int
    body: bytes
    headers: Mapping[str, str]

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def cookie(self) -> str:
        return self.headers.get("Set-Cookie", "").split(";")[0]


class PhonesBox:
    """`shinpan run --phones` as a process of its own."""

    def __init__(self, folder: Path, *options: str, settings: str = "", tree: Path = ROOT) -> None:
        """Start it. tree: the checkout that is run."""
        self.port, self.secure, self.folder = free_port(), free_port(), folder
        folder.mkdir(parents=True, exist_ok=True)
        self._settings = folder / "settings.toml"
        self._settings.write_text(f"[page]\ntls_port = {self.secure}\n{settings}")
        self._tree = tree
        self._options, self._said = options, (folder / "said").open("w+")
        self._start()
        self.cookie = self.token = ""

    def _start(self) -> None:
        command = [sys.executable, "-m", "device", "run", "--phones", "--settings", str(self._settings)]
        command += ["--port", str(self.port), "--data", str(self.folder / "data"), *self._options]
        self.process = subprocess.Popen(
            command, stdout=self._said, stderr=self._said, stdin=subprocess.DEVNULL, cwd=self._tree
        )
        comes(lambda: self.ask("GET", "/health").code != 0, again=0.2)

    @property
    def said(self) -> str:
        return (self.folder / "said").read_text()

    def ask(
        self, method: str, path: str, body: object = None, cookie: str = "", secure: bool = True, **headers: str
    ) -> Answer:
        """Ask the box; code 0 for no answer."""
        origin = f"https://127.0.0.1:{self.secure}" if secure else f"http://127.0.0.1:{self.port}"
        link = self.secure_link() if secure else http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        request_headers = {
            "Origin": origin,
            "Cookie": cookie,
            **{key.replace("_", "-"): one for key, one in headers.items()},
        }
        data = body
        if body is not None and not isinstance(body, bytes):
            data, request_headers["Content-Type"] = json.dumps(body).encode(), "application/json"
        try:
            link.request(method, path, data, request_headers)  # type: ignore[arg-type]
            answer = link.getresponse()
            return Answer(answer.status, answer.read(), dict(answer.headers))
        except (OSError, http.client.HTTPException):
            return Answer(0, b"", {})
        finally:
            link.close()

    def secure_link(self) -> http.client.HTTPConnection:
        """A connection over TLS."""
        unknown = ssl._create_unverified_context()
        return http.client.HTTPSConnection("127.0.0.1", self.secure, context=unknown, timeout=PATIENCE_S)

    def login(self) -> None:
        """Come in as the director."""
        pin = re.search(r"PIN is (\d+)", self.said)
        assert pin is not None, self.said
        answer = self.ask("POST", "/director/session", {"pin": pin[1]}, secure=False)
        self.cookie, self.token = answer.cookie, answer.json["token"]

    def act(self, path: str, body: object = None) -> Answer:
        """Act as the director."""
        return self.ask("POST", path, body or {}, self.cookie, secure=False, X_Token=self.token)

    def codes(self) -> dict[str, str]:
        """The codes on the desk, by their parts."""
        page = self.ask("GET", "/director/phones", cookie=self.cookie, secure=False).body.decode()
        return {part: code for code, part in re.findall(r'/phone#([^"]+)" data-part="(\w+)"', page)}

    def pair(self, part: str) -> str:
        """Pair a browser; its cookie."""
        return self.ask("POST", "/phone/pair", {"code": self.codes()[part]}).cookie

    def contact(self, cookie: str) -> dict[str, Any]:
        """A contact of a clock, which shows no answer."""
        body = {"run": "", "made": 0, "heard": "", "hidden": False}
        contact: dict[str, Any] = self.ask("POST", "/phone/contact", body, cookie).json
        return contact

    def status(self) -> dict[str, Any]:
        """The table's status; empty where the page does not answer just now."""
        answer = self.ask("GET", "/status.json", secure=False)
        return answer.json if answer.code == 200 else {}

    def ahead(self, cookie: str) -> float:
        """Seconds by which the box's clock is ahead of the time of day."""
        tries = []
        for _ in range(5):
            sent_at = time.time()
            contact = self.contact(cookie)
            back = time.time()
            tries.append((back - sent_at, contact["t"] + contact["held"] / 2 - (sent_at + back) / 2))
        return min(tries)[1]

    @property
    def entries(self) -> int:
        """The number of entries in the newest journal."""
        journal = max((self.folder / "data").glob("*.journal"))
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as base:
            return int(base.execute("SELECT count(*) FROM entries").fetchone()[0])

    def remarks(self, key: str) -> int:
        """The number of remarks with this message's key in the newest journal."""
        journal = max((self.folder / "data").glob("*.journal"))
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as base:
            cursor = base.execute("SELECT count(*) FROM entries WHERE kind = 'said' AND body LIKE ?", (f"%{key}%",))
            return int(cursor.fetchone()[0])

    def presses(self) -> list[tuple[float, int, str, bool]]:
        """Time, side, button and hold of all presses in the newest journal."""
        journal = max((self.folder / "data").glob("*.journal"))
        with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as base:
            columns = [row[1] for row in base.execute("PRAGMA table_info(entries)")]
            rows = [dict(zip(columns, row, strict=True)) for row in base.execute("SELECT * FROM entries")]
        return [press for row in rows if (press := _press(row)) is not None]

    def close(self) -> None:
        """Stop it."""
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        self._said.close()

    def __enter__(self) -> PhonesBox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _press(row: Mapping[str, Any]) -> tuple[float, int, str, bool] | None:
    if row["kind"] != "pressed":
        return None
    body = json.loads(row["body"])
    return float(row["t"]), int(body["side"]), str(body["button"]), bool(body.get("held"))


@contextmanager
def phone_browser(profile: Path, film: Path | None = None) -> Iterator[webdriver.Chrome]:
    """Chromium as a phone; skips where there is none. film: what its camera sees."""
    chromium, driver = program("chromium", CHROMIUM), program("chromedriver", CHROMIUM)
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    flags = [*FLAGS, f"--user-data-dir={profile}", "--ignore-certificate-errors"]
    if film is not None:
        flags += ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
        flags += [f"--use-file-for-fake-video-capture={film}"]
    for flag in flags:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    try:
        running.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
        running.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
        yield running
    finally:
        running.quit()


FILM_TIME = "return document.querySelector('video').currentTime"
TOUCHES = """
window.touches = [];
document.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-button]") || event.target.closest(".half")?.querySelector(".done");
  if (!button) return;
  const side = Number(button.closest("[data-side]").dataset.side);
  window.touches.push([(performance.timeOrigin + event.timeStamp) / 1000, side, button.dataset.button]);
}, true);
"""


class ClockPhone:
    """A browser on the clock's page."""

    def __init__(self, browser: webdriver.Chrome, address: str, code: str) -> None:
        self.browser = browser
        for _ in range(10):  # A bad network may cut the very first connection.
            with suppress(Exception):
                browser.get(f"{address}/phone#{code}")
            if self.wait("return location.pathname === '/phone/clock' && !!window.shinpanPresses", 15 * SLOWNESS):
                break
            if browser.execute_script("return document.querySelector('#state')?.dataset.wait") is None:
                with suppress(Exception):
                    browser.get(f"{address}/phone")
        assert self.wait("return window.shinpanContact?.state.offset !== null"), browser.page_source[:2000]
        browser.execute_script(TOUCHES)

    def wait(self, script: str, seconds: float = PATIENCE_S) -> bool:
        """Wait until the script returns true."""
        return comes(lambda: self._finds(script), seconds, again=0.1)

    def _finds(self, script: str) -> bool:
        with suppress(Exception):
            return bool(self.browser.execute_script(script))
        return False

    def touch(self, side: int, button: str = "done", seconds: float = 0.08) -> None:
        """Touch a button with a finger."""
        selector = f'[data-side="{side}"] [data-button="{button}"], [data-side="{side}"][data-button="{button}"]'
        box = self.browser.execute_script(
            "const b = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [b.x + b.width / 2, b.y + b.height / 2]",
            selector,
        )
        at = {"x": box[0], "y": box[1]}
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        time.sleep(seconds)
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def turn_on_sounds(self) -> None:
        """Touch the switch of the sounds."""
        self.browser.find_element("id", "sound").click()

    @property
    def touches(self) -> list[tuple[float, int, str]]:
        """Every touch of a button: the time of day, the side, the button."""
        return [(one[0], one[1], one[2]) for one in self.browser.execute_script("return window.touches")]

    @property
    def waiting(self) -> int:
        """Presses that the box has not answered yet."""
        return int(self.browser.execute_script("return window.shinpanPresses.waiting()"))


@dataclass
class BadNetwork:
    """A proxy that delays every piece by 0 to `delay` seconds, cuts connections, and goes away now and then; seeded.

    lost: the share of pieces with which a connection is cut.
    """

    to: int
    seed: int
    delay: float = 0.8
    lost: float = 0.05
    port: int = field(default_factory=free_port)
    met: dict[str, int] = field(default_factory=lambda: {"pieces": 0, "cut": 0, "away": 0})

    def __post_init__(self) -> None:
        self._chance, self._away_until = random.Random(self.seed), 0.0
        self._loop, self._writers = asyncio.new_event_loop(), set[asyncio.StreamWriter]()
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait(PATIENCE_S)

    def away(self, seconds: float) -> None:
        """Let nothing through for a time."""
        self.met["away"] += 1
        self._away_until = time.monotonic() + seconds

    def close(self) -> None:
        """End it, and all its connections."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        while tasks := asyncio.all_tasks(self._loop):
            for task in tasks:
                task.cancel()
            self._loop.run_until_complete(asyncio.wait(tasks))
        self._loop.close()

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", self.port))
        ready.set()
        self._loop.run_forever()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError):
            await self._forward(reader, writer)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._back()
        try:
            inner, within = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:
            writer.transport.abort()
            return
        ends = writer, within
        await asyncio.gather(self._carry(reader, within, ends), self._carry(inner, writer, ends))

    async def _back(self) -> None:
        while time.monotonic() < self._away_until:
            await asyncio.sleep(0.05)

    async def _carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ends: Sequence[asyncio.StreamWriter]
    ) -> None:
        try:
            while data := await reader.read(65536):
                self.met["pieces"] += 1
                await asyncio.sleep(self._chance.uniform(0, self.delay))
                was_away = time.monotonic() < self._away_until
                await self._back()
                if was_away or self._chance.random() < self.lost:
                    self.met["cut"] += 1
                    break
                writer.write(data)
                await writer.drain()
        except (OSError, asyncio.CancelledError):
            pass  # It has gone, or all of it ends.
        for end in ends:
            end.transport.abort()


@dataclass(frozen=True)
class PhoneGame:
    """The outcome of the game of GAME."""

    turns: int
    refused: bool
    touches: int
    presses: int
    complaints: tuple[str, ...]
    """Errors of the clock's page that the browser tells, but for a box that does not answer yet."""

    @property
    def is_right(self) -> bool:
        """Ten turns stand, superko refused one, every touch is a press, and the browser has nothing to complain of."""
        return self.turns == 10 and self.refused and self.touches == self.presses == 11 and not self.complaints


def play_game(scratch: Path, tell: Callable[[str], None]) -> PhoneGame:
    """Play the game of GAME by a camera and a clock in Chromium; tell is told each step."""
    with ExitStack() as stack:
        begun, refused = time.monotonic(), False
        film = film_of(GAME, scratch / "film.y4m")
        box = stack.enter_context(PhonesBox(scratch / "box", settings=SETTINGS))
        tell(f"{time.monotonic() - begun:.0f} s: film drawn, box started")
        camera = stack.enter_context(phone_browser(scratch / "camera", film.file))
        browser = stack.enter_context(phone_browser(scratch / "clock"))
        box.login()
        camera.get(f"https://127.0.0.1:{box.secure}/phone#{box.codes()['camera']}")
        clock = ClockPhone(browser, f"https://127.0.0.1:{box.secure}", box.codes()["clock"])
        tell(f"{time.monotonic() - begun:.0f} s: camera and clock paired")
        comes(lambda: box.status().get("phase") == "play", again=0.1)
        tell(f"{time.monotonic() - begun:.0f} s: board found, the match can begin")
        sides = [*(1 + turn % 2 for turn in range(10)), 0, 2]  # One step puts the refused stone back.
        for step, side in zip(film.steps[1:-1], sides, strict=True):
            comes(lambda step=step: camera.execute_script(FILM_TIME) >= step + AFTER_S)  # type: ignore[misc]
            before = box.status()["rulings"]
            if side:
                clock.touch(side)
                comes(lambda before=before: box.status().get("rulings", before) != before)  # type: ignore[misc]
            newest = box.status()["rulings"][0]
            refused |= newest["reason"] == "superko"
            tell(f"{time.monotonic() - begun:.0f} s: side {side or '-'}: {newest['text']}")
        complaints = tuple(one["message"] for one in browser.get_log("browser") if " 503 " not in one["message"])
        return PhoneGame(box.status()["turn"], refused, len(clock.touches), len(box.presses()), complaints)


def tried_by_strangers(box: PhonesBox, other: PhonesBox) -> dict[str, Answer]:
    """Return the answers to those who may not act at a table; other: another table."""
    box.login()
    other.login()
    old, cookie = box.codes()["clock"], box.pair("clock")
    now = box.contact(cookie)
    press = {"number": 1, "run": now["run"], "side": 1, "button": "done", "held": False, "t": now["t"]}
    data = b"x" * 2000
    return {
        "a stranger presses": box.ask("POST", "/phone/press", press),
        "a stranger sends a picture": box.ask("POST", "/phone/picture", data, X_State="{}"),
        "a used code": box.ask("POST", "/phone/pair", {"code": old}),
        "another table's code": box.ask("POST", "/phone/pair", {"code": other.codes()["clock"]}),
        "another table's phone presses": box.ask("POST", "/phone/press", press, other.pair("clock")),
        "a clock sends a picture": box.ask("POST", "/phone/picture", data, cookie, X_State="{}"),
        "a clock's press from another site": box.ask("POST", "/phone/press", press, cookie, Origin="https://evil"),
        "a clock presses what is not its own": box.ask("POST", "/phone/press", {**press, "side": 3}, cookie),
    }
