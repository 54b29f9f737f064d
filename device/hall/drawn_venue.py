"""The parts of a simulated hall: tables, boxes and the hall as processes, and a client for the hall's pages that
acts like its director's browser."""

from __future__ import annotations

import html
import json
import re
import socket
import subprocess
import urllib.request
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from device import __name__ as device_package
from device.hall.desk_lines import lines_of
from device.hall.tables import TableEntry
from device.machine.identity import Identity, hall_secret
from device.machine.pin import Pin
from device.simulator.games import Incident, hall_game
from device.simulator.script import write_script
from device.simulator.serve import TableProcess
from device.system import own_command, own_environment

RULES, CONTROL = "ultimate", "10m+3x30s"
INCIDENTS = {1: Incident.SUPERKO, 2: Incident.WRONG_COLOUR, 3: Incident.FORGOTTEN}
"""Tables at which a mistake is made: one of each kind."""
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
"""Invented names."""
SIZE, RATE = 9, 4
"""Lines of a board, and frames a second: as much as two cores can process for eight tables."""
PATIENCE = 10.0
DIRECTOR = "director-pin"
_MATCH = re.compile(r'data-match="([^"]*)"')


class DrawnTable:
    """A simulated table, its box, and the game that is played there.

    turns: at least so many
    """

    def __init__(self, folder: Path, number: int, seed: int, turns: int) -> None:
        self._folder, self.number = folder, number
        self._game = hall_game(SIZE, 100 * seed + number, turns, INCIDENTS.get(number, Incident.NONE))
        self.black, self.white = PLAYERS[2 * number - 2], PLAYERS[2 * number - 1]
        self._port = _free_port()
        self._box: subprocess.Popen[bytes] | None = None
        folder.mkdir()
        (folder / "data").mkdir()
        (folder / "script").write_text(write_script(self._game.script), encoding="utf-8")
        settings = f"[game]\nrules = '{RULES}'\nsize = {SIZE}\n[panel]\nkind = 'none'\n"
        settings += f"[camera]\nsource = 'virtual:{self._socket_path}'\n[page]\nport = {self._port}\n"
        (folder / "settings.toml").write_text(settings, encoding="utf-8")

    @property
    def _socket_path(self) -> Path:
        return self._folder / "table"

    @property
    def result(self) -> str:
        """Return the result with which the script ends."""
        return self._game.result

    @property
    def expected_result(self) -> str:
        """Return the result as OpenGotha writes it."""
        return {"B": "RESULT_BLACKWINS", "W": "RESULT_WHITEWINS"}[self.result[0]]

    @property
    def list_entry(self) -> TableEntry:
        """Return the table's entry in the hall's list."""
        data = self._folder / "data"
        address = f"http://127.0.0.1:{self._port}/"
        return TableEntry(str(self.number), address, Identity(data).public, hall_secret(data))

    @contextmanager
    def run_box(self) -> Iterator[None]:
        """Run the box until the `with` ends."""
        command = [*own_command(device_package), "run", "--settings", str(self._folder / "settings.toml")]
        with (self._folder / "said").open("wb") as output_file:
            command += ["--data", str(self._folder / "data")]
            self._box = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output_file,
                stderr=output_file,
                env=own_environment(),
                process_group=0,
            )
        with _terminate_at_end(self._box):
            yield
            self._box = None

    def leave(self) -> None:
        """Ask the box to end without waiting, so that the boxes of a hall shut down in parallel."""
        if self._box is not None:
            self._box.terminate()
            self._box = None

    def start_players(self, speed: float) -> TableProcess:
        """Return the table's process, whose players begin as soon as the box opens its camera."""
        script = str(self._folder / "script")
        return TableProcess(self._socket_path, "--script", script, "--speed", str(speed), "--rate", str(RATE))

    @property
    def is_answering(self) -> bool:
        """Return True if the box's page answers."""
        return _fetch_page(f"{self.list_entry.address}status.json") is not None

    @property
    def has_ended(self) -> bool:
        """Return True if the box has ended without being asked to."""
        return self._box is not None and self._box.poll() is not None

    @property
    def output(self) -> str:
        """Return the box's output."""
        return (self._folder / "said").read_text(errors="replace").strip()


class HallProcess:
    """`shinpan hall` with these tables; used in a `with` that ends it."""

    def __init__(self, scratch: Path, tables: Sequence[DrawnTable], tournament: Path, port: int) -> None:
        folder, self._list, self._port = scratch / "hall", scratch / "tables.toml", port
        folder.mkdir()
        self.pin = Pin(folder, DIRECTOR).make()
        lines = [f'event = "Drawn Cup"\nhost = "127.0.0.1"\nport = {port}\ngallery = {port + 1}\ndelay = 0']
        lines += [f'folder = "{folder}"\nopengotha = "{tournament}"\n[round]\nrules = "{RULES}"\nsize = {SIZE}']
        lines.append(f'control = "{CONTROL}"')
        for table in tables:
            lines.append(lines_of(table.list_entry))
        self._list.write_text("\n".join(lines), encoding="utf-8")

    def pages(self) -> HallPages:
        """Return a client of the hall's pages, with the director's PIN."""
        return HallPages(f"http://127.0.0.1:{self._port}", self.pin)

    def __enter__(self) -> HallProcess:
        command = [*own_command(device_package), "hall", str(self._list)]
        self._ends = _terminate_at_end(
            subprocess.Popen(command, stdin=subprocess.DEVNULL, env=own_environment(), process_group=0)
        )
        self._ends.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.__exit__(None, None, None)


class HallPages:
    """A client of the hall's pages.

    address: the base URL
    pin: the director's
    """

    def __init__(self, address: str, pin: str) -> None:
        self._address, self._pin = address, pin

    def are_answering(self) -> bool:
        """Return True if the pages answer."""
        return _fetch_page(f"{self._address}/tables.json") is not None

    def followed_count(self) -> int:
        """Return how many tables have a box that is followed."""
        return sum(table["status"] is not None for table in self._fetch_tables())

    def finished_count(self) -> int:
        """Return how many tables have an agreed result."""
        return sum(table["urgency"] == "finished" for table in self._fetch_tables())

    def accepted_count(self) -> int:
        """Return how many boxes have accepted their match."""
        state = json.loads(_fetch_page(f"{self._address}/round.json") or '{"tables": []}')
        return sum(one["standing"] == "taken" for one in state["tables"])

    def hand_out(self) -> None:
        """Log in, and hand out the round as the page shows it."""
        come_in = {"pin": self._pin, "name": "Director", "role": "director"}
        answer = self._send_json("/session", come_in, {})
        cookie = answer.headers["Set-Cookie"].partition(";")[0]
        headers = {"X-Token": json.load(answer)["token"], "Cookie": cookie}
        page = urllib.request.urlopen(
            urllib.request.Request(f"{self._address}/round", headers=headers), timeout=PATIENCE
        )
        matches = [json.loads(html.unescape(text)) for text in _MATCH.findall(page.read().decode())]
        self._send_json("/round", {"matches": matches}, headers).close()

    def _send_json(self, path: str, body: object, headers: dict[str, str]) -> Any:
        own = {"Content-Type": "application/json", "Origin": self._address, **headers}
        request = urllib.request.Request(f"{self._address}{path}", json.dumps(body).encode(), own)
        return urllib.request.urlopen(request, timeout=PATIENCE)

    def _fetch_tables(self) -> list[dict[str, Any]]:
        tables: list[dict[str, Any]] = json.loads(_fetch_page(f"{self._address}/tables.json") or '{"tables": []}')[
            "tables"
        ]
        return tables


def tournament_of(tables: Iterable[DrawnTable]) -> bytes:
    """Return a tournament file as OpenGotha saves it, with its first round paired and not played."""
    root = ElementTree.Element("Tournament", {"dataVersion": "201"})
    players, games = ElementTree.SubElement(root, "Players"), ElementTree.SubElement(root, "Games")
    for table in tables:
        for name in (table.black, table.white):
            first, last = name.split()
            more = {"rank": "5K", "rating": "1600", "country": "", "club": ""}
            ElementTree.SubElement(players, "Player", {"name": last, "firstName": first, **more})
        keys = {"blackPlayer": _player_key(table.black), "whitePlayer": _player_key(table.white), "handicap": "0"}
        more = {"roundNumber": "1", "tableNumber": str(table.number), "result": "RESULT_UNKNOWN", "knownColor": "true"}
        ElementTree.SubElement(games, "Game", keys | more)
    return bytes(ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True))


def _player_key(name: str) -> str:
    first, last = name.split()
    return f"{last}{first}".upper()


def _fetch_page(address: str) -> bytes | None:
    """Fetch a URL; return None if nothing answers."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            body: bytes = answer.read()
            return body
    except OSError:
        return None


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def _terminate_at_end(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Terminate the process when the `with` ends."""
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
