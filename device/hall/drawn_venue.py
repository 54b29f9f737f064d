"""What a hall of drawn tables consists of: tables, boxes and the hall as processes, and the hall's pages as used by its
director's browser."""

from __future__ import annotations

import html
import json
import re
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from device.hall.tables import Paired
from device.machine.identity import Identity, hall_secret
from device.machine.pin import Pin
from device.virtual.games import short_game
from device.virtual.script import write_script
from device.virtual.serve import TableProcess

RULES = "ultimate"
PLAYERS = [
    "Ada Acorn",
    "Ben Birch",
    "Cleo Cedar",
    "Dan Dogwood",
    "Eve Elder",
    "Finn Fir",
    "Gus Gorse",
    "Hana Hazel",
    "Ida Ivy",
    "Jo Juniper",
    "Kim Kauri",
    "Leo Larch",
    "Mia Maple",
    "Noa Nutmeg",
    "Olga Oak",
    "Pia Pine",
    "Quin Quince",
    "Rosa Rowan",
    "Sam Spruce",
    "Tia Teak",
    "Ute Upas",
    "Vera Vine",
    "Wim Willow",
    "Xia Yew",
    "Ann Alder",
    "Bo Beech",
    "Cy Cypress",
    "Di Damson",
    "Ed Ebony",
    "Flo Fig",
    "Gil Ginkgo",
    "Hal Holly",
]
"""Invented."""
SIZE, RATE = 9, 4
"""Lines of a board, and pictures a second: what two cores can see eight times."""
PATIENCE = 10.0
DIRECTOR = "director-pin"
_MATCH = re.compile(r'data-match="([^"]*)"')


class DrawnTable:
    """A table, its box, and the game that is played there."""

    def __init__(self, folder: Path, number: int, seed: int) -> None:
        self._folder, self.number = folder, number
        self._game = short_game(SIZE, 100 * seed + number)
        self.black, self.white = PLAYERS[2 * number - 2], PLAYERS[2 * number - 1]
        self._port = _free_port()
        self._box: subprocess.Popen[bytes] | None = None
        folder.mkdir()
        (folder / "data").mkdir()
        (folder / "script").write_text(write_script(self._game.script), encoding="utf-8")
        settings = f"[game]\nrules = '{RULES}'\nsize = {SIZE}\n[panel]\nkind = 'none'\n"
        settings += f"[camera]\nsource = 'virtual:{self._socket}'\n[page]\nport = {self._port}\n"
        (folder / "settings.toml").write_text(settings, encoding="utf-8")

    @property
    def _socket(self) -> Path:
        return self._folder / "table"

    @property
    def result(self) -> str:
        """As the script ends it."""
        return self._game.result

    @property
    def wanted(self) -> str:
        """The same in OpenGotha's words."""
        return {"B": "RESULT_BLACKWINS", "W": "RESULT_WHITEWINS"}[self.result[0]]

    @property
    def paired(self) -> Paired:
        """Its line in the hall's list."""
        data = self._folder / "data"
        address = f"http://127.0.0.1:{self._port}/"
        return Paired(str(self.number), address, Identity(data).public, hall_secret(data))

    @contextmanager
    def boxed(self) -> Iterator[None]:
        """Its box runs."""
        command = [sys.executable, "-m", "device", "run", "--settings", str(self._folder / "settings.toml")]
        with (self._folder / "said").open("wb") as said:
            command += ["--data", str(self._folder / "data")]
            self._box = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, process_group=0)
        with _ended(self._box):
            yield
            self._box = None

    def leave(self) -> None:
        """Ask the box to end; it takes a moment, and the boxes of a hall take theirs together."""
        if self._box is not None:
            self._box.terminate()
            self._box = None

    def played(self, speed: float) -> TableProcess:
        """The table, whose hands begin to play as soon as the box looks."""
        script = str(self._folder / "script")
        return TableProcess(self._socket, "--script", script, "--speed", str(speed), "--rate", str(RATE))

    @property
    def answers(self) -> bool:
        """Whether the box's page does."""
        return _asked(f"{self.paired.address}status.json") is not None

    @property
    def ended(self) -> bool:
        """Whether the box has ended, though nobody asked it to."""
        return self._box is not None and self._box.poll() is not None

    @property
    def said(self) -> str:
        """What the box said."""
        return (self._folder / "said").read_text(errors="replace").strip()


class HallProcess:
    """`shinpan hall` of these tables; a `with` that ends it."""

    def __init__(self, scratch: Path, tables: Sequence[DrawnTable], tournament: Path, port: int) -> None:
        folder, self._list, self._port = scratch / "hall", scratch / "tables.toml", port
        folder.mkdir()
        self.pin = Pin(folder, DIRECTOR).make()
        lines = [f'event = "Drawn Cup"\nhost = "127.0.0.1"\nport = {port}\ngallery = {port + 1}\ndelay = 0']
        lines += [f'folder = "{folder}"\nopengotha = "{tournament}"\n[round]\nrules = "{RULES}"\nsize = {SIZE}']
        for table in tables:
            paired = table.paired
            known = {"table": paired.table, "address": paired.address, "box": paired.box, "secret": paired.secret}
            lines.append("\n[[tables]]\n" + "\n".join(f'{key} = "{value}"' for key, value in known.items()))
        self._list.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def pages(self) -> HallPages:
        """As a browser of the director meets them."""
        return HallPages(f"http://127.0.0.1:{self._port}", self.pin)

    def __enter__(self) -> HallProcess:
        command = [sys.executable, "-m", "device", "hall", str(self._list)]
        self._ends = _ended(subprocess.Popen(command, stdin=subprocess.DEVNULL, process_group=0))
        self._ends.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.__exit__(None, None, None)


class HallPages:
    """The hall's pages. pin: the director's."""

    def __init__(self, address: str, pin: str) -> None:
        self._address, self._pin = address, pin

    def answer(self) -> bool:
        """Whether they do."""
        return _asked(f"{self._address}/tables.json") is not None

    def followed(self) -> int:
        """Tables whose boxes are followed."""
        return sum(table["status"] is not None for table in self._tables())

    def finished(self) -> int:
        """Tables whose results are agreed to."""
        return sum(table["urgency"] == "finished" for table in self._tables())

    def taken(self) -> int:
        """Tables whose boxes have taken their match."""
        said = json.loads(_asked(f"{self._address}/round.json") or '{"tables": []}')
        return sum(one["standing"] == "taken" for one in said["tables"])

    def hand_out(self) -> None:
        """Come in, and hand out the round that the page shows, as it shows it."""
        come_in = {"pin": self._pin, "name": "Director", "role": "director"}
        answer = self._send("/session", come_in, {})
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        headers = {"X-Token": json.load(answer)["token"], "Cookie": cookie}
        page = urllib.request.urlopen(
            urllib.request.Request(f"{self._address}/round", headers=headers), timeout=PATIENCE
        )
        matches = [json.loads(html.unescape(found)) for found in _MATCH.findall(page.read().decode())]
        self._send("/round", {"matches": matches}, headers).close()

    def _send(self, path: str, said: object, headers: dict[str, str]) -> Any:
        own = {"Content-Type": "application/json", "Origin": self._address, **headers}
        request = urllib.request.Request(f"{self._address}{path}", json.dumps(said).encode(), own)
        return urllib.request.urlopen(request, timeout=PATIENCE)

    def _tables(self) -> list[dict[str, Any]]:
        said: list[dict[str, Any]] = json.loads(_asked(f"{self._address}/tables.json") or '{"tables": []}')["tables"]
        return said


def tournament_of(tables: Iterable[DrawnTable]) -> bytes:
    """A tournament as OpenGotha saves it, its first round paired and not played."""
    root = ElementTree.Element("Tournament", {"dataVersion": "201"})
    players, games = ElementTree.SubElement(root, "Players"), ElementTree.SubElement(root, "Games")
    for table in tables:
        for name in (table.black, table.white):
            first, last = name.split()
            more = {"rank": "5K", "rating": "1600", "country": "", "club": ""}
            ElementTree.SubElement(players, "Player", {"name": last, "firstName": first, **more})
        keys = {"blackPlayer": _key(table.black), "whitePlayer": _key(table.white), "handicap": "0"}
        more = {"roundNumber": "1", "tableNumber": str(table.number), "result": "RESULT_UNKNOWN", "knownColor": "true"}
        ElementTree.SubElement(games, "Game", keys | more)
    return bytes(ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True))


def _key(name: str) -> str:
    first, last = name.split()
    return f"{last}{first}".upper()


def _asked(address: str) -> bytes | None:
    """What an address answers, None where nothing does."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            said: bytes = answer.read()
            return said
    except OSError:
        return None


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """In the end it is ended."""
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
