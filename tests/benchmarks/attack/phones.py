"""Attack a running box as a phone that is paired with it.

    python -m tests.benchmarks.attack.phones
    python -m tests.benchmarks.attack.phones --tree ../before lies flood

Presses stamped far back, presses without end, numbers beyond all bounds, pictures that take minutes to decode, and more
clocks than there are places.
"""

from __future__ import annotations

import http.client
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import cv2
import numpy as np

from device.panel.phone_presses import STAMP_S
from tests.benchmarks.attack import attack
from tests.benchmarks.attack.camera import EMPTY, HIGH, WIDE
from tests.support.attack.boxes import Attack, Ground, Outcome
from tests.support.phones import PhonesBox
from tests.support.scans import with_scans
from tests.support.waiting import comes
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table

SETTINGS = '[game]\nrules = "chinese"\nsize = 9\n[time]\ncontrol = "30m"\n'
EVERY_S = 0.4
SEEN_WITHIN_S, SEEN_AGAIN_WITHIN_S = 120.0, 20.0
WRITTEN_WITHIN_S = 10.0
BACK_S = 20.0
"""Seconds by which a lie says that a press was made earlier."""
TAKES_S = 0.1
"""Seconds that a request takes at most, on a free machine."""
FLOOD_S, MOST_ENTRIES = 10.0, 100
LONG = "9" * 400
BODIES = tuple(
    f'{{"number": {number}, "run": "RUN", "side": 1, "button": "done", "held": false, "t": {t}, "made": {t}}}'
    for number in ("1", LONG)
    for t in (LONG, "1e999", "NaN", "-Infinity", "9" * 5000)
)


@contextmanager
def paired_box(ground: Ground, name: str) -> Iterator[tuple[PhonesBox, str]]:
    """A box that sees a table by a phone's pictures, and the camera's cookie."""
    pixels = Table(club_look(4, 9, WIDE, HIGH)).draw(Scene(EMPTY)).pixels
    chance, over = np.random.default_rng(ground.seed), threading.Event()
    with PhonesBox(ground.folder(name), settings=SETTINGS, tree=ground.tree) as box:
        box.login()
        camera = box.pair("camera")

        def send() -> None:
            while not over.wait(EVERY_S):
                noisy = cv2.add(pixels, chance.integers(0, 9, pixels.shape, np.uint8))
                box.ask("POST", "/phone/picture", cv2.imencode(".jpg", noisy)[1].tobytes(), camera, X_State="{}")

        sending = threading.Thread(target=send)
        sending.start()
        try:
            is_seen = comes(lambda: box.status().get("phase") == "play", SEEN_WITHIN_S * ground.patience)
            assert is_seen, "the table is not seen"
            yield box, camera
        finally:
            over.set()
            sending.join()


def press_of(number: int, **other: object) -> dict[str, object]:
    """A press as a phone sends it."""
    return {"number": number, "side": 1, "button": "done", "held": False, "heard": "", "t": 0.0, "run": "", **other}


def lies(ground: Ground) -> Outcome:
    """Contacts that show no answer, or an old one, or too many presses; then a press of twenty seconds ago."""
    outcome = Outcome()
    with paired_box(ground, "lies") as (box, _):
        cookie = box.pair("side")
        number, begun = int(box.contact(cookie)["last"]), box.contact(cookie)["t"]
        # A press of before the match is no press in it.
        assert comes(lambda: box.contact(cookie)["t"] > begun + BACK_S, 2 * BACK_S * ground.patience)
        first = str(box.contact(cookie).get("nonce", ""))
        for lie in ({"heard": 0}, {"heard": first}, {"made": 2**31 - 1}, {"run": ""}):
            run = box.contact(cookie)["run"]
            for _ in range(5):
                contact = box.ask("POST", "/phone/contact", {"run": run, "made": 0, "heard": 0, **lie}, cookie).json
                time.sleep(1.0)
            number += 1
            press = press_of(number, run=run, t=contact["t"] + 1.0 - BACK_S, heard=lie.get("heard", ""))
            before = len(box.presses())
            arrived = box.ask("POST", "/phone/press", press, cookie).json["t"]
            is_written = comes(lambda before=before: len(box.presses()) > before, WRITTEN_WITHIN_S * ground.patience)
            assert is_written, f"{lie}: the press does not come into the journal"
            t = box.presses()[-1][0]
            outcome.case(arrived - t <= STAMP_S + TAKES_S * ground.patience, f"{lie}: {arrived - t:.1f} s gained")
    return outcome


def flood(ground: Ground) -> Outcome:
    """Late presses without end, and another phone's press meanwhile."""
    outcome, over = Outcome(), threading.Event()
    with paired_box(ground, "flood") as (box, _):
        cookie, other = box.pair("side"), box.pair("side")
        run, before = box.contact(cookie)["run"], box.entries

        def press() -> None:
            link, number = box.secure_link(), 0
            headers = {
                "Origin": f"https://127.0.0.1:{box.secure}",
                "Cookie": cookie,
                "Content-Type": "application/json",
            }
            while not over.is_set():
                number += 1
                body = json.dumps(press_of(number, run=run, t=-1e6))
                try:
                    link.request("POST", "/phone/press", body, headers | {"Cookie": cookie})
                    link.getresponse().read()
                except (OSError, http.client.HTTPException):
                    link.close()

        flooding = threading.Thread(target=press)
        flooding.start()
        waited = list[float]()

        def wait_for_contact() -> None:
            begun = time.monotonic()
            box.contact(other)
            waited.append(time.monotonic() - begun)

        comes(wait_for_contact, FLOOD_S, again=0.0)
        over.set()
        flooding.join()
        entry_count = box.entries - before
        outcome.case(
            entry_count <= MOST_ENTRIES,
            f"{entry_count} entries in {FLOOD_S:.0f} s; the other waits {max(waited):.2f} s",
        )
    return outcome


def numbers(ground: Ground) -> Outcome:
    """Numbers of 400 digits, infinity and what is no number, wherever a phone sends one."""
    outcome = Outcome()
    with paired_box(ground, "numbers") as (box, camera):
        cookie = box.pair("clock")
        origin = {"Origin": f"https://127.0.0.1:{box.secure}", "Content_Type": "application/json"}
        run = str(box.contact(cookie)["run"])
        for body in (one.replace("RUN", run) for one in BODIES):
            for path in ("press", "contact", "pair"):
                code = box.ask("POST", f"/phone/{path}", body.encode(), cookie, **origin).code
                outcome.case(code < 500, f"{path} with {body[:60]}: {code}")
            code = box.ask("POST", "/phone/picture", b"", camera, X_State=body).code
            outcome.case(code < 500, f"a picture with {body[:60]}: {code}")
        outcome.case("Traceback" not in box.said, "a traceback in the log")
    return outcome


def scans(ground: Ground) -> Outcome:
    """Small pictures of tens of thousands of scans, between honest ones: is the table seen afterwards?"""
    outcome = Outcome()
    with paired_box(ground, "scans") as (box, camera):
        for number in (10_000, 150_000):
            data = with_scans(number, 1920, 1080)
            box.ask("POST", "/phone/picture", data, camera, X_State="{}")
            begun = time.monotonic()
            time.sleep(1.0)
            last = box.ask("GET", "/frame.jpg", secure=False).body
            is_seen = comes(
                lambda last=last: box.ask("GET", "/frame.jpg", secure=False).body != last,  # type: ignore[misc]
                SEEN_AGAIN_WITHIN_S * ground.patience,
                again=0.2,
            )
            description = f"{len(data)} bytes of {number} scans: a new picture after {time.monotonic() - begun:.1f} s"
            outcome.case(is_seen, description)
    return outcome


def clocks(ground: Ground) -> Outcome:
    """More clocks than there are places: the camera stays."""
    outcome = Outcome()
    with paired_box(ground, "clocks") as (box, camera):
        for number in range(13):
            box.pair("clock")
            code = box.ask("GET", "/phone/camera", cookie=camera).code
            outcome.case(code == 200, f"the camera after {number + 1} clocks: {code}")
    return outcome


ATTACKS: dict[str, Attack] = {
    "lies": lies,
    "flood": flood,
    "numbers": numbers,
    "scans": scans,
    "clocks": clocks,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
