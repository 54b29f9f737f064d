"""Attack a hall with strangers at boxes' addresses, and with broken or hostile boxes.

    python -m tests.benchmarks.attack.hall
    python -m tests.benchmarks.attack.hall --tree ../before memory

200 strangers, boxes that trickle, boxes with thousands of results, challenges asked for by strangers, and boxes that
stream without end, and hostile message servers: the hall's memory, and how late a call at another table is on the wall.
"""

from __future__ import annotations

import html
import json
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, Self
from urllib.request import Request, urlopen

from tests.benchmarks.attack import attack
from tests.benchmarks.attack.crowds import clients
from tests.support.attack.boxes import Attack, AttackedBox, Ground, Outcome, free_port
from tests.support.attack.message_servers import MQTT, NATS, HostileServer
from tests.support.attack.paired import FREE, PairedBox
from tests.support.attack.strangers import KINDS, Stranger
from tests.support.hall.lines import Line, State
from tests.support.waiting import PATIENCE_S, comes, until

STRANGERS, WATCHED = 200, 20.0
"""Addresses at which a stranger answers, and seconds for which the hall's memory is watched."""
MOST_MEMORY = 300
"""Megabytes."""
FINALS, CALLS, CALL_WITHIN = 3500, 3, 5.0
"""Results in a status, calls at another table meanwhile, and seconds until each is on the wall."""
FLOODS_FOR, MOST_NOTED = 60.0, 1.0
"""Seconds of streams without end before a call; megabytes of the hall's journal after that."""
TRICKLING, HANDED_WITHIN, ENDED_WITHIN = 8, 30.0, 10.0
"""Boxes that trickle; seconds until another has its match, and until the hall has ended."""
ASKING, SETTLES = 60, 2.0
"""Addresses from which strangers ask for challenges, and seconds until all do."""
_PIN = re.compile(r"hall director's PIN is (\d+)")


class AttackedHall:
    """`shinpan hall` on these tables. tables: the lines of each, by their keys; settings: further lines of the list."""

    def __init__(
        self, ground: Ground, folder: Path, tables: Sequence[Mapping[str, str]], settings: Mapping[str, str] = {}
    ) -> None:
        self._said = folder / "stderr"
        (listed := folder / "tables.toml").write_text(_listed(folder, tables, settings))
        with self._said.open("w") as stderr_file:
            self.process = subprocess.Popen(
                ground.command("hall", listed, "--port", str(port := free_port())),
                cwd=folder,
                env=ground.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr_file,
            )
        self.address = f"http://127.0.0.1:{port}"

    @property
    def said(self) -> str:
        """Return the stderr output so far."""
        return self._said.read_text(errors="replace")

    @property
    def memory(self) -> int:
        """Megabytes, at most since it began; 0 once it has ended."""
        with suppress(OSError):
            match = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{self.process.pid}/status").read_text())
            return int(match[1]) // 1024 if match else 0
        return 0

    def tables(self) -> dict[str, Any]:
        """Return what its wall knows of each table, by its name."""
        with urlopen(f"{self.address}/tables.json", timeout=PATIENCE_S) as answer:
            return {one["table"]: one for one in json.load(answer)["tables"]}

    def wait_for(self, table: str, is_so: Callable[[dict[str, Any]], bool]) -> None:
        """Wait until a table is so on the wall."""
        until(lambda: is_so(self.tables()[table]), lambda: f"not table {table}: {self.said[-300:]}", again=0.02)

    def hand_out(self, matches: Sequence[Mapping[str, str]]) -> None:
        """Hand out a round as the director, on the page."""
        match = _PIN.search(self.said)
        assert match is not None, self.said
        token, cookie = self._post("session", {"pin": match[1], "name": "Ada", "role": "director"})
        self._post("round", {"matches": matches}, token, cookie)

    def _post(self, path: str, body: object, token: str = "", cookie: str = "") -> tuple[str, str]:
        headers = {"Content-Type": "application/json", "Origin": self.address, "X-Token": token, "Cookie": cookie}
        request = Request(f"{self.address}/{path}", json.dumps(body).encode(), headers)
        with urlopen(request, timeout=PATIENCE_S) as answer:
            return json.load(answer).get("token", ""), (answer.headers["Set-Cookie"] or "").partition(";")[0]

    def __enter__(self) -> Self:
        until(lambda: "Ctrl-C ends" in self.said or self.process.poll() is not None, lambda: self.said[-300:])
        assert self.process.poll() is None, self.said[-300:]
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()


def _listed(folder: Path, tables: Sequence[Mapping[str, str]], settings: Mapping[str, str]) -> str:
    head = f'folder = "{folder / "hall"}"\nhost = "127.0.0.1"\npublic = {str("publish" in settings).lower()}\n'
    head += "".join(f'{key} = "{value}"\n' for key, value in settings.items())
    head += "gallery = 0\n" if "publish" in settings else ""
    lines = ("".join(f'{key} = "{value}"\n' for key, value in one.items()) for one in tables)
    return head + "".join(f"[[tables]]\n{one}" for one in lines)


def called(hall: AttackedHall, box: PairedBox) -> float:
    """Call at this table, and take it back; the seconds until the call was on the wall."""
    begun = time.monotonic()
    box.say(**FREE, called=True)
    hall.wait_for(box.table, lambda one: one["call"] is not None)
    took = time.monotonic() - begun
    box.say(**FREE)
    hall.wait_for(box.table, lambda one: one["call"] is None)
    return took


def memory(ground: Ground) -> Outcome:
    """Strangers at so many addresses who send all they can: how large does the hall become?"""
    outcome, count, limit = Outcome(), ground.many(STRANGERS), MOST_MEMORY
    with ExitStack() as stack:
        strangers = [Stranger(kind, "0.0.0.0") for kind in KINDS]
        for one in strangers:
            stack.callback(one.close)
        tables = [
            {
                "table": str(number),
                "address": f"http://127.0.2.{1 + number % 250}:{strangers[number % len(strangers)].port}/",
                "box": f"{number:064x}",
                "secret": f"{number:032x}",
            }
            for number in range(count)
        ]
        hall = stack.enter_context(AttackedHall(ground, ground.folder("memory"), tables))
        comes(lambda: hall.memory >= 20 * limit or hall.process.poll() is not None, WATCHED, again=0.2)
        begun = time.monotonic()
        answers = _answers(hall)
        took, most = time.monotonic() - begun, hall.memory
    words = f"{most} MB under {count} strangers; the wall answered in {took:.1f} s"
    outcome.case(answers and most <= limit, words)
    outcome.worst = words
    return outcome


MESSAGES_FOR, MOST_GROWTH, MOST_LINES = 12.0, 64, 4
"""Seconds of each hostile message server; megabytes that it may cost the hall, and lines that it may make it say."""


def messages(ground: Ground) -> Outcome:
    """Message servers announce what would fill the memory, or never end a line: how large does the hall become, and
    how much does it say?"""
    outcome, worst = Outcome(), 0
    table = {"table": "1", "address": "http://127.0.0.1:9/", "box": "a" * 64, "secret": "b" * 32}
    kinds = [("mqtt", kind, talk) for kind, talk in MQTT.items()] + [
        ("nats", kind, talk) for kind, talk in NATS.items()
    ]
    for number, (scheme, kind, talk) in enumerate(ground.rng.sample(kinds, ground.many(len(kinds)))):
        key = {"mqtt": "mqtt", "nats": "publish"}[scheme]
        server = HostileServer(talk)
        address = f"{scheme}://127.0.0.1:{server.port}/cup"
        with closing(server), AttackedHall(ground, ground.folder(f"messages{number}"), [table], {key: address}) as hall:
            before, lines = hall.memory, hall.said.count("\n")
            _seconds_until(lambda hall=hall: hall.process.poll() is not None, MESSAGES_FOR)
            grown, new_lines, answers = hall.memory - before, hall.said.count("\n") - lines, _answers(hall)
        worst = max(worst, grown)
        words = f"{scheme}, {kind}: {grown} MB more, {new_lines} lines, {server.met} connections"
        outcome.case(answers and grown <= MOST_GROWTH and new_lines <= MOST_LINES, words)
    outcome.worst = outcome.worst or f"{worst} MB more at most, by {outcome.tried} hostile message servers"
    return outcome


def _answers(hall: AttackedHall) -> bool:
    with suppress(OSError):
        return bool(hall.tables())
    return False


def finals(ground: Ground) -> Outcome:
    """A box sends thousands of results, again and again: how long until another table's call is on the wall?"""
    outcome, worst = Outcome(), 0.0
    with ExitStack() as stack:
        bad, good = (stack.enter_context(closing(PairedBox(str(number), number))) for number in (1, 2))
        bad.say()
        good.say()
        hall = stack.enter_context(AttackedHall(ground, ground.folder("finals"), [bad.line, good.line]))
        for table in ("1", "2"):
            hall.wait_for(table, lambda one: one["status"] is not None)
        for again in range(ground.many(CALLS)):
            bad.say(finals=[_final(again * FINALS + number) for number in range(FINALS, 0, -1)])
            worst = max(worst, called(hall, good))
    words = f"a call is on the wall after {worst:.1f} s at most, beside {FINALS} results a status"
    outcome.case(worst <= CALL_WITHIN * ground.patience, words)
    outcome.worst = words
    return outcome


def trickle(ground: Ground) -> Outcome:
    """Boxes that answer with a byte now and then: is a match handed to another table, does the hall end?"""
    outcome, count = Outcome(), ground.many(TRICKLING)
    with ExitStack() as stack:
        boxes = [stack.enter_context(closing(PairedBox(str(number), number))) for number in range(1, count + 2)]
        for box in boxes:
            box.trickles = box is not boxes[-1]
            box.say(**FREE)
        hall = stack.enter_context(AttackedHall(ground, ground.folder("trickle"), [box.line for box in boxes]))
        for box in boxes:
            hall.wait_for(box.table, lambda one: one["status"] is not None)
        hall.hand_out([{"table": box.table, "rules": "chinese", "black": "Ada", "white": "Ben"} for box in boxes])
        took = _seconds_until(lambda: bool(boxes[-1].acts), HANDED_WITHIN * ground.patience)
        worst = max(called(hall, boxes[-1]) for _ in range(ground.many(CALLS)))
        begun = time.monotonic()
        hall.process.send_signal(signal.SIGTERM)
        try:
            hall.process.wait(ENDED_WITHIN * ground.patience)
        except subprocess.TimeoutExpired:
            outcome.case(False, f"the hall has not ended after {ENDED_WITHIN * ground.patience:.0f} s")
        ended = time.monotonic() - begun
    words = f"a match came to another table after {took:.1f} s, its call after {worst:.1f} s at most, "
    words += f"beside {count} that trickle; SIGTERM took {ended:.1f} s"
    outcome.case(took < HANDED_WITHIN * ground.patience and ended < ENDED_WITHIN * ground.patience, words)
    outcome.case(worst <= CALL_WITHIN * ground.patience, words)
    outcome.worst = words
    return outcome


def challenges(ground: Ground) -> Outcome:
    """Strangers ask a box at the end of a slow line for challenges without end: does it get its match, and how late is
    a call elsewhere?"""
    outcome, count = Outcome(), ground.many(ASKING)
    with ExitStack() as stack:
        box = stack.enter_context(AttackedBox(ground, ground.folder("challenged") / "data"))
        good = stack.enter_context(closing(PairedBox("2", 2)))
        good.say(**FREE)
        slow = Line(box.port)
        line = {**_line_of(box), "table": "1", "address": f"http://127.0.0.1:{slow.port}/"}
        hall = stack.enter_context(AttackedHall(ground, ground.folder("challenges"), [line, good.line]))
        for table in ("1", "2"):
            hall.wait_for(table, lambda one: one["status"] is not None)
        groups = [f"challenges:1:127.0.3.{1 + number}" for number in range(count)]
        strangers = stack.enter_context(clients(box.port, groups))
        stack.callback(strangers.kill)
        slow.put(State.SLOW)
        time.sleep(SETTLES)
        hall.hand_out([{"table": "1", "rules": "chinese", "black": "Ada", "white": "Ben"}])
        took = _seconds_until(lambda: box.status()["players"] == ["Ada", "Ben"], HANDED_WITHIN * ground.patience)
        worst = max(called(hall, good) for _ in range(ground.many(CALLS)))
    words = f"a match came to the box after {took:.1f} s, a call elsewhere after {worst:.1f} s at most, "
    words += f"while {count} strangers ask for challenges"
    outcome.case(took < HANDED_WITHIN * ground.patience and worst <= CALL_WITHIN * ground.patience, words)
    outcome.worst = words
    return outcome


def _line_of(box: AttackedBox) -> dict[str, str]:
    """The box's lines for the list of tables, as its desk shows them."""
    assert box.login() == 200, "the director does not come in"
    page = html.unescape(box.ask("GET", "/director/pairing", headers=box.inside)[1].decode())
    match = re.search(r"<pre>(.*?)</pre>", page, re.S)
    assert match is not None, page
    listed: dict[str, str] = tomllib.loads(match[1])["tables"][0]
    return {key: listed[key] for key in ("box", "secret")}


FLOODS: dict[str, Callable[[PairedBox], Callable[[int], Mapping[str, Any]]]] = {
    "results": lambda box: lambda number: {**box.newest, "number": number, "finals": [_final(number)]},
    "calls": lambda box: lambda number: {**box.newest, "number": number, "called": number % 2 == 0},
    "incidents": lambda box: lambda number: {**box.newest, "number": number, "rulings": _refusals(number)},
    "large": lambda box: lambda number: {**box.newest, "number": number, "moves": _MANY_TURNS},
}
"""The streams of a box that knows its secret, and is broken or hostile, by name."""


def flood(ground: Ground) -> Outcome:
    """Boxes that know their secret stream without end, each kind at two tables: how late is a call at another table?"""
    outcome = Outcome()
    with ExitStack() as stack:
        kinds = [*FLOODS.values()] * 2
        boxes = [stack.enter_context(closing(PairedBox(str(number), number))) for number in range(len(kinds) + 1)]
        good = boxes[-1]
        for box in boxes:
            box.say()
        folder = ground.folder("flood")
        hall = stack.enter_context(AttackedHall(ground, folder, [box.line for box in boxes]))
        for box in boxes:
            hall.wait_for(box.table, lambda one: one["status"] is not None)
        for box, kind in zip(boxes, kinds, strict=False):
            box.floods = kind(box)
        time.sleep(FLOODS_FOR * ground.share)
        worst = max(called(hall, good) for _ in range(ground.many(CALLS)))
        noted, memory = (folder / "hall" / "hall.journal").stat().st_size / 2**20, hall.memory
    words = f"a call is on the wall after {worst:.1f} s at most, beside {len(kinds)} boxes that stream without end"
    words += f"; the hall takes {memory} MB, and has noted {noted:.1f} MB"
    outcome.case(worst <= CALL_WITHIN * ground.patience and noted <= MOST_NOTED and memory <= MOST_MEMORY, words)
    outcome.worst = words
    return outcome


_MANY_TURNS = [{"number": number, "player": "B", "text": "E5"} for number in range(3000)]


def _refusals(number: int) -> list[dict[str, Any]]:
    ruling = {"status": "illegal", "player": "B", "reason": None, "repeats": None, "captured": [], "points": []}
    return [{**ruling, "turn": number, "text": f"refused {more}", "order": None} for more in range(50)]


def _final(number: int) -> dict[str, Any]:
    names = {"players": ["Ada", "Ben"], "event": "", "round": "1", "table": "1", "seal": None}
    return {"game": f"{number:07}_x", "result": "B+R", **names}


def _seconds_until(is_so: Callable[[], bool], most: float) -> float:
    begun = time.monotonic()
    comes(is_so, most, again=0.05)
    return min(time.monotonic() - begun, most)


ATTACKS: dict[str, Attack] = {
    "memory": memory,
    "trickle": trickle,
    "finals": finals,
    "challenges": challenges,
    "flood": flood,
    "messages": messages,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
