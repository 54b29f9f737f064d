"""Two phones and a laptop: a game, games under a bad network, what pictures cost, and what strangers get.

    python -m tests.benchmarks.phones game
    python -m tests.benchmarks.phones long
    python -m tests.benchmarks.phones filmed
    python -m tests.benchmarks.phones network --games 20
    python -m tests.benchmarks.phones load
    python -m tests.benchmarks.phones strangers

game: Chromium is the camera (its fake camera plays a film of a drawn table) and the clock (touched by fingers), over
TLS, before `shinpan run --phones`: legal turns, a ko that superko refuses, and its correction.

long: a whole game by a camera and a clock for each side: a forgotten prisoner, superko, forgotten captures, byo-yomi to
the end of a period, a pass each, a dead stone, the count and the agreement, with the time of each step.

filmed: the photographs of a real game, 1920x1080, 13 lines, 27 turns, before Chromium's camera; each turn is touched on
a clock. The last photograph shows a captured stone that was not lifted: the box must ask for it.

network: two phones in Chromium, one a side, behind a proxy that delays every piece of a connection by 0 to 0.8 s, cuts
one in twenty, and goes away for ten seconds in each game. The pictures come straight, from a drawn table whose players
wait for the lamps. Every touch is compared with the journal: its time is what a wire would have given.

load: bandwidth, and processor time of box and browser, at 2, 5 and 10 pictures of 1920x1080 a second.

Everything is seeded but the machine's time. Run it with nothing else going on.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import cv2

from device.simulator.script import read_script
from tests.benchmarks.latency import TICK
from tests.benchmarks.parts.filmed_game import FilmedGame, play_filmed_game
from tests.benchmarks.parts.long_game import LongGame, play_long_game
from tests.benchmarks.parts.phone_table import GRAIN, DrawnTable
from tests.support.phones import (
    AFTER_S,
    SETTINGS,
    BadNetwork,
    ClockPhone,
    PhonesBox,
    film_of,
    phone_browser,
    play_game,
    tried_by_strangers,
)
from tests.support.waiting import comes
from vision.camera.frame import Image

TURNS = 8
SIDES = {"B": 1, "W": 2}
LOOKS_FOR_S = 40.0
MOVED_S = 0.1
"""Seconds after its touch from which a press counts from its arrival, and that has to be told."""
AWAY_S = 10.0


def sent_by(box: PhonesBox, cookie: str) -> Callable[[Image], None]:
    """Return what sends a picture as a paired camera does."""
    link = box.secure_link()
    headers = {"Cookie": cookie, "X-State": "{}", "Origin": f"https://127.0.0.1:{box.secure}"}

    def send(pixels: Image) -> None:
        data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
        link.request("POST", "/phone/picture", data, headers)
        link.getresponse().read()

    return send


def made_up(chance: random.Random, turns: int) -> tuple[str, list[str]]:
    """A game without captures; its script, and who plays each turn."""
    points = [f"{column}{row}" for column in "ACEGJ" for row in (1, 3, 5, 7, 9)]
    chance.shuffle(points)
    players = ["BW"[number % 2] for number in range(turns)]
    moves = "\n".join(f"{player} play {point}" for player, point in zip(players, points, strict=False))
    return f"size 9\nlook 3\nrules new-zealand\nblack 1\n\n{moves}\n", players


def network(games: int, seed: int, delay: float, loss: float, away: float) -> int:
    """Play games under a bad network, and print what became of every press."""
    errors, charged, lost_presses, wrong, game_count = list[float](), list[float](), 0, 0, 0
    moved = untold = 0
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shinpan-phones-")))
        browsers = {side: stack.enter_context(phone_browser(scratch / f"phone {side}")) for side in (1, 2)}
        for number in range(games):
            begun = time.monotonic()
            result = _game(scratch, browsers, seed + number, delay, loss, away)
            game_count += 1
            errors += result["errors"]
            charged += result["charged"]
            lost_presses += result["missing"]
            wrong += result["wrong"]
            moved += result["moved"]
            untold += max(result["moved"] - result["told"], 0)
            print(
                f"game {number + 1}: turns {result['turns']} of {TURNS}, touches {result['touches']}, in the journal "
                f"{result['heard']}, missing {result['missing']}, doubled or wrong {result['wrong']}, worst "
                f"{1000 * max(map(abs, result['errors']), default=0):.0f} ms, {result['met']}, "
                f"{time.monotonic() - begun:.0f} s",
                flush=True,
            )
    worst, middle = max(map(abs, errors)), statistics.median(map(abs, errors))
    print(
        f"{game_count} games, {len(errors) + moved} presses: {lost_presses} lost, {wrong} doubled or of the other "
        "side, "
        f"{moved} counted from their arrival, {untold} of these without a word; of the others a "
        f"press counted {1000 * middle:.0f} ms from its touch in the middle, {1000 * worst:.0f} ms at worst; a turn "
        f"was charged {1000 * max(map(abs, charged)):.0f} ms from a wire's at worst"
    )
    return int(bool(lost_presses or wrong or untold or max(map(abs, charged), default=0) > 0.05))


def _game(scratch: Path, browsers: dict, seed: int, delay: float, loss: float, away: float) -> dict:  # type: ignore[type-arg]
    chance = random.Random(seed)
    script, players = made_up(chance, TURNS)
    folder = scratch / f"game {seed}"
    with ExitStack() as stack:
        box = stack.enter_context(PhonesBox(folder, settings=SETTINGS))
        bad = BadNetwork(box.secure, seed, 0.0, 0.0)
        stack.callback(bad.close)
        box.login()
        table = DrawnTable(read_script(script), sent_by(box, box.pair("camera")))
        stack.callback(table.close)
        phones = {}
        for side in (1, 2):
            phones[side] = ClockPhone(browsers[side], f"https://127.0.0.1:{bad.port}", box.codes()["side"])
        comes(lambda: box.status().get("phase") == "play", LOOKS_FOR_S)
        bad.delay, bad.lost = delay, loss
        time.sleep(12.0)  # The phones measure the box's clock.
        cookie = _cookie(phones[1])
        ahead = [box.ahead(cookie)]
        away_turns = set(chance.sample(range(1, TURNS), 1))
        for turn, player in enumerate(players, 1):
            table.play(turn)
            time.sleep(AFTER_S + chance.uniform(0, 0.7))
            if away and turn in away_turns:
                bad.away(away)
                time.sleep(chance.uniform(0, 2))
            phones[SIDES[player]].touch(SIDES[player])
            comes(lambda turn=turn: box.status().get("turn", 0) >= turn, LOOKS_FOR_S)  # type: ignore[misc]
        comes(lambda: not any(phone.waiting for phone in phones.values()), LOOKS_FOR_S)
        ahead.append(box.ahead(cookie))
        touches = sorted(touch for phone in phones.values() for touch in phone.touches)
        presses = sorted(box.presses())
        turns = box.status().get("turn", 0)
        late_count = box.remarks("phone.counts-late")
    return {**_compared(touches, presses, statistics.mean(ahead)), "turns": turns, "met": bad.met, "told": late_count}


def _compared(touches: list, presses: list, ahead: float) -> dict:  # type: ignore[type-arg]
    """Pair every touch with its press."""
    pairs = list(zip(touches, presses, strict=False))
    wrong = max(len(presses) - len(touches), 0) + sum(touch[1:] != press[1:3] for touch, press in pairs)
    errors = [press[0] - (touch[0] + ahead) for touch, press in pairs if press[0] - (touch[0] + ahead) < MOVED_S]
    charged = [after - before for before, after in pairwise(errors)]
    counts = {"touches": len(touches), "heard": len(presses), "missing": max(len(touches) - len(presses), 0)}
    return {"errors": errors, "charged": charged, "wrong": wrong, "moved": len(pairs) - len(errors), **counts}


def _cookie(phone: ClockPhone) -> str:
    cookies = phone.browser.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
    return "; ".join(f"{one['name']}={one['value']}" for one in cookies if one["name"] == "__Secure-phone")


def game() -> int:
    """Play the game of GAME by a camera and a clock in Chromium, and print each step."""
    with tempfile.TemporaryDirectory(prefix="shinpan-phones-") as scratch:
        result = play_game(Path(scratch), lambda text: print(text, flush=True))
    print(result)
    return int(not result.is_right)


def long() -> int:
    """Play the game of tests/benchmarks/parts/long_game.py, and print each step with its time."""
    return _play(play_long_game)


def filmed() -> int:
    """Play the game of tests/benchmarks/parts/filmed_game.py, and print when each turn was ruled."""
    return _play(play_filmed_game)


def _play(play: Callable[[Path, Callable[[str], None]], LongGame | FilmedGame]) -> int:
    """Play a game, and print each step and how soon touches were answered."""
    with tempfile.TemporaryDirectory(prefix="shinpan-phones-") as scratch:
        result = play(Path(scratch), lambda text: print(text, flush=True))
    ruled = sorted(result.ruled)
    print(
        f"{result.turns} turns, {result.touches} touches, {result.presses} presses, result {result.result}; from a "
        f"touch to its effect {statistics.median(ruled):.1f} s in the middle, {ruled[-1]:.1f} s at most"
    )
    print("\n".join(result.wrong))
    return int(not result.is_right)


def load() -> int:
    """Print what pictures cost at 2, 5 and 10 a second."""
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shinpan-phones-")))
        film = film_of("size 19\nlook 3\nblack 1\n\nwait 4\n", scratch / "film.y4m", (1920, 1080), 1.0, 10, GRAIN)
        for rate in (2, 5, 10):
            settings = f"[camera]\nrate = {rate}\n"
            with (
                PhonesBox(scratch / f"box {rate}", settings=settings) as box,
                phone_browser(scratch / f"camera {rate}", film.file) as camera,
            ):
                box.login()
                camera.get(f"https://127.0.0.1:{box.secure}/phone#{box.codes()['camera']}")
                comes(lambda box=box: box.status().get("phase") == "play", LOOKS_FOR_S)  # type: ignore[misc]
                time.sleep(5)
                before, since = (_used(box.process.pid), _used(camera.service.process.pid)), time.monotonic()
                time.sleep(10)
                after, took = (_used(box.process.pid), _used(camera.service.process.pid)), time.monotonic() - since
                figures = camera.execute_script("return document.getElementById('figures').textContent")
                shares = [(then - now) / took for now, then in zip(before, after, strict=True)]
                print(
                    f"asked {rate} a second: {figures}; box {shares[0]:.0%} of a core, browser {shares[1]:.0%}",
                    flush=True,
                )
    return 0


def _used(pid: int) -> float:
    """Processor seconds of a process and all beneath it."""
    stats = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        stats[int(path.parent.name)] = int(parts[1]), (int(parts[11]) + int(parts[12])) / TICK
    family, more = {pid}, {pid}
    while more:
        more = {one for one, (parent, _) in stats.items() if parent in more} - family
        family |= more
    return sum(stats[one][1] for one in family if one in stats)


def strangers() -> int:
    """Print what who may not act gets."""
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="shinpan-phones-")))
        box, other = (stack.enter_context(PhonesBox(scratch / name, settings=SETTINGS)) for name in ("one", "other"))
        tries = tried_by_strangers(box, other)
    for what, answer in tries.items():
        print(f"{what}: {answer.code} {answer.body.decode(errors='replace').strip()}", flush=True)
    through = sum(answer.code < 400 for answer in tries.values())
    print(f"got through: {through} of {len(tries)}")
    return int(through > 0)


def main() -> int:
    """Measure, and print; 1 where something is not as it must be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("game", "long", "filmed", "network", "load", "strangers"))
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--delay", type=float, default=0.8, metavar="S", help="the longest delay of a piece")
    parser.add_argument("--lost", type=float, default=0.05, help="the share of pieces that cut their connection")
    parser.add_argument("--away", type=float, default=AWAY_S, metavar="S", help="a cut of everything, once a game")
    args = parser.parse_args()
    if args.what == "network":
        return network(args.games, args.seed, args.delay, args.lost, args.away)
    return {"game": game, "long": long, "filmed": filmed, "load": load, "strangers": strangers}[args.what]()


if __name__ == "__main__":
    sys.exit(main())
