"""What stands in for `nmcli` where no NetworkManager can run: it answers as nmcli 1.42.4 (Debian bookworm) does.

Its words were recorded from that nmcli: from a real NetworkManager all that needs no Wi-Fi device, from a mocked one
the lines of a Wi-Fi device; what it says of wrong passwords and of networks out of reach, from reports of its users.
As a program it is called with a folder (state.json: what is there; asked.jsonl: what it was asked; profiles: the
networks' files) and nmcli's own words.
"""

from __future__ import annotations

import json
import sys
from configparser import ConfigParser
from pathlib import Path
from typing import Any, NamedTuple

SECRETS = """Passwords or encryption keys are required to access the wireless network '{name}'.
Warning: password for '802-11-wireless-security.psk' not given in 'passwd-file' and nmcli cannot ask without '--ask'.
Error: Connection activation failed: Secrets were required, but not provided
Hint: use 'journalctl -xe NM_CONNECTION={uuid} + NM_DEVICE=wlan0' to get more details.
"""


class Answer(NamedTuple):
    """The exit status, stdout and stderr."""

    status: int
    out: str
    err: str


class Ended(Exception):
    """The end of an answer: the exit status, and what is said on stderr."""


def answer(folder: Path, words: list[str]) -> Answer:
    """Answer nmcli's words in this folder."""
    with (folder / "asked.jsonl").open("a") as asked:
        asked.write(json.dumps(words) + "\n")
    if words[0] != "--wait" or not words[1].isdigit():
        return Answer(2, "", "Error: no time to wait was given.\n")
    kept = folder / "state.json"
    nmcli = _Nmcli(json.loads(kept.read_text()))
    status, err = 0, ""
    try:
        nmcli.do(words[2:])
    except Ended as ended:
        status, err = ended.args
    kept.write_text(json.dumps(nmcli.state))
    return Answer(status, "".join(f"{line}\n" for line in nmcli.lines), err)


class _Nmcli:
    """One call of nmcli. lines: what it prints."""

    def __init__(self, state: dict[str, Any]) -> None:
        self.state, self.lines = state, list[str]()

    def tell(self, *rows: tuple[str, ...]) -> None:
        for row in rows:
            self.lines.append(":".join(field.replace("\\", "\\\\").replace(":", "\\:") for field in row))

    def profiles(self) -> dict[str, dict[str, str]]:
        """The networks whose files were loaded, and those that others have set up, by their uuid."""
        found = dict(self.state["known"])
        for path in map(Path, self.state["loaded"]):
            file = ConfigParser(interpolation=None, delimiters=("=",))
            file.read_string(path.read_text())
            named = bytes(map(int, file["wifi"]["ssid"].split(";")[:-1])).decode()
            password = file["wifi-security"]["psk"].replace("\\s", " ").replace("\\\\", "\\")
            found[file["connection"]["uuid"]] = {"ssid": named, "psk": password, "mode": file["wifi"]["mode"]}
        return found

    def show(self, uuid: str, secrets: bool, wanted: list[str]) -> None:
        if uuid not in self.profiles():
            raise Ended(10, f"Error: {uuid} - no such connection profile.\n")
        for field in wanted:
            value = self.profiles()[uuid][field.rpartition(".")[2]]
            if field.endswith(".psk"):
                value = "" if self.state["nobody"] else value if secrets else "<hidden>"
            self.tell((value,))

    def up(self, uuid: str) -> None:
        if uuid not in self.profiles():
            raise Ended(10, f"Error: unknown connection '{uuid}'.\n")
        wanted = self.profiles()[uuid]
        if "up" in self.state["refuses"]:
            raise Ended(4, self.state["refuses"]["up"])
        if wanted["mode"] != "ap":
            if wanted["ssid"] not in self.state["air"]:
                self.state["devices"]["wlan0"] = ["wifi", "disconnected", "", ""]
                raise Ended(4, "Error: Connection activation failed: The Wi-Fi network could not be found\n")
            if self.state["air"][wanted["ssid"]] != wanted["psk"]:
                self.state["devices"]["wlan0"] = ["wifi", "disconnected", "", ""]
                raise Ended(4, SECRETS.format(name=wanted["ssid"], uuid=uuid))
        address = "10.42.0.1/24" if wanted["mode"] == "ap" else "192.168.1.20/24"
        self.state["devices"]["wlan0"] = ["wifi", "connected", uuid, address]
        self.lines.append(
            "Connection successfully activated (D-Bus active path: /org/freedesktop/NetworkManager/ActiveConnection/4)"
        )

    def load(self, path: str) -> None:
        if self.state["nobody"]:
            raise Ended(1, "Error: failed to load connection: access denied.\n")
        if Path(path).stat().st_mode & 0o077:
            raise Ended(0, f"Could not load file '{path}'\n")
        self.state["loaded"] = [*(one for one in self.state["loaded"] if one != path), path]

    def delete(self, uuid: str) -> None:
        for path in self.state["loaded"]:
            if uuid in Path(path).read_text():
                Path(path).unlink()
                self.state["loaded"].remove(path)
                return
        raise Ended(
            10, f"Error: unknown connection '{uuid}'.\nError: cannot delete unknown connection(s): uuid '{uuid}'.\n"
        )

    def do(self, words: list[str]) -> None:
        if not self.state["bus"]:
            raise Ended(1, "Error: Could not create NMClient object: Could not connect: No such file or directory.\n")
        if not self.state["running"]:
            raise Ended(8, "Error: NetworkManager is not running.\n")
        match words:
            case ["-g", "RUNNING", "general"]:
                self.tell(("running",))
            case ["-g", wanted, "device", "status"]:
                full = ["DEVICE", "TYPE", "STATE", "CON-UUID"]
                rows = [dict(zip(full, (name, *told), strict=False)) for name, told in self.state["devices"].items()]
                self.tell(*(tuple(row[field] for field in wanted.split(",")) for row in rows))
            case ["-g", "IP4.ADDRESS", "device", "show", device]:
                address = self.state["devices"][device][3]
                self.tell(*[(address,)] if address else [])
            case ["-g", wanted, "connection", "show", "uuid", uuid]:
                self.show(uuid, False, wanted.split(","))
            case ["-s", "-g", wanted, "connection", "show", "uuid", uuid]:
                self.show(uuid, True, wanted.split(","))
            case ["connection", "load", path]:
                self.load(path)
            case ["connection", "up", "uuid", uuid]:
                self.up(uuid)
            case ["connection", "delete", "uuid", uuid]:
                self.delete(uuid)
            case _:
                raise Ended(2, f"Error: argument '{words[0]}' not understood. Try passing --help instead.\n")


if __name__ == "__main__":
    told = answer(Path(sys.argv[1]), sys.argv[2:])
    sys.stdout.write(told.out)
    sys.stderr.write(told.err)
    sys.exit(told.status)
