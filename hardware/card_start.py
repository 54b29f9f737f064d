"""A card's start: grow the file system to the card, set up what `shinpan.txt` says, and have the screen say where the
page is.

It runs as root before the network and the box, each time, with the system's Python and nothing of ours, so that it
works whatever else is broken. `shinpan.txt` lies on the card's first partition, which every computer can read. It comes
from outside: each line that cannot be used is one sentence on the screen, what it would have changed stays as it was,
and the box starts.

The director's PIN and the box's own Wi-Fi network are made at the first start, because cards are copies of one image.
They are written to `box.txt` beside `shinpan.txt`; the PIN is on the screen too, until the next start. If `box.txt` is
deleted, the next start makes a new PIN. The system's root alone can read either file; whoever holds the card has all.
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

FILE, REPORT = "shinpan.txt", "box.txt"
LARGEST = 1 << 16
"""Maximum size of shinpan.txt in bytes."""
USER = "referee"
NETWORK = "shinpan card"
HEADER = "# Written by the box when it was first switched on. Delete this file, and the next start makes a new PIN."
SLACK_SECTORS = 16384
"""Free sectors of 512 bytes after the last partition from which it is grown."""
ENCODINGS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
"""Encodings by their byte order marks; some editors write them."""
KEYS = ("name", "country", "wifi", "password", "login")


@dataclass
class CardSettings:
    """The settings in shinpan.txt.

    values: the usable lines, by their keys
    refused: the keys of the others, as far as they are known
    faults: a sentence for each of these
    """

    values: dict[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)


def read_settings(data: bytes) -> CardSettings:
    """Read shinpan.txt."""
    settings = CardSettings()
    if len(data) > LARGEST:
        settings.faults.append(f"{FILE} is larger than {LARGEST >> 10} kB; write a shorter one.")
        return settings
    try:
        text = data.decode(ENCODINGS.get(data[:2], ENCODINGS.get(data[:3], "utf-8")))
    except UnicodeDecodeError:
        settings.faults.append(f"{FILE} is no text in UTF-8; save it as plain text.")
        return settings
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            _take_line(settings, number, line)
    if "password" in settings.values and "wifi" not in settings.values:
        settings.faults.append(f"{FILE} has a password and no usable line for its network, such as: wifi = Club")
    return settings


def _take_line(settings: CardSettings, number: int, line: str) -> None:
    key, equals, value = line.partition("=")
    key, value = key.strip().lower(), value.strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    if not equals or key not in KEYS:
        fault = f"this is not known; a line begins with one of {', '.join(KEYS)}, and then =."
    elif key in settings.values:
        fault = f"{key} stands there twice; the first one is taken."
    else:
        fault = _fault_of(key, value)
        if fault:
            settings.refused.add(key)
        else:
            settings.values[key] = {"name": value.lower(), "country": value.upper()}.get(key, value)
    if fault:
        settings.faults.append(f"{FILE}, line {number}: {fault}")


def _fault_of(key: str, value: str) -> str:
    """Return what is wrong with a value; empty if it can be used. Secrets are not repeated."""
    if key == "name" and not re.fullmatch(r"(?!-)[A-Za-z0-9-]{1,63}(?<!-)", value):
        return "a name has letters a to z, digits and hyphens, 63 at most, such as table-3."
    if key == "country" and not re.fullmatch(r"[A-Za-z]{2}", value):
        return "a country is two letters, such as DE, JP or US."
    if key == "wifi" and (not 1 <= len(value.encode()) <= 32 or not value.isprintable()):
        return "a network's name has 1 to 32 letters."
    if key == "password" and not re.fullmatch(r"[ -~]{8,63}|[0-9A-Fa-f]{64}", value):
        return "a Wi-Fi password has 8 to 63 letters, digits and signs, without accents."
    if key == "login" and (not 8 <= len(value) <= 200 or not value.isprintable()):
        return "a password to log in with has eight letters or more."
    return ""


def network_profile(name: str, password: str | None) -> str:
    """Return NetworkManager's file of a Wi-Fi network. The name is written as bytes, which need no quoting."""
    ssid = "".join(f"{byte};" for byte in name.encode())
    lines = ["[connection]", f"id={NETWORK}", "uuid=2f8a5ac4-6f0c-5a59-8d5b-3f6a1f3f9c55", "type=wifi"]
    lines += ["autoconnect-retries=0", "", "[wifi]", "mode=infrastructure", f"ssid={ssid}"]
    if password is not None:
        quoted = password.replace("\\", "\\\\").replace(" ", "\\s")
        lines += ["", "[wifi-security]", "key-mgmt=wpa-psk", f"psk={quoted}"]
    return "\n".join([*lines, "", "[ipv4]", "method=auto", "", "[ipv6]", "method=auto", ""])


def write_safely(path: Path, text: str, mode: int = 0o644) -> None:
    """Replace a file at once, so that a power cut leaves the old or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


class Card:
    """The system on a card. root: its folder, / if it runs."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root, self._runs = root, root == Path("/")
        self._boot, self._etc = root / "boot/firmware", root / "etc"
        self.pin = ""
        self.faults: list[str] = []

    def set_up(self) -> None:
        """Do all of it. A step that fails becomes a sentence, and the others are done."""
        self._try_step("the file system could not be grown to the card", self._grow_partition)
        self._try_step(f"{FILE} could not be used", self._apply_settings)
        self._try_step("the box's own Wi-Fi network could not be made", self._make_own_network)
        self._try_step("the director's PIN could not be made; it is told by: sudo shinpan pin", self._make_pin)
        self._try_step("the screen could not be written", self._tell_on_screen)
        for fault in self.faults:
            print(fault, file=sys.stderr)

    def _try_step(self, failure: str, step: Callable[[], None]) -> None:
        try:
            step()
        except (OSError, subprocess.SubprocessError, ValueError) as error:
            self.faults.append(f"{failure[0].upper()}{failure[1:]} ({error}).")

    def _grow_partition(self) -> None:
        """Grow the last partition and its file system as far as the card goes; after a power cut it goes on."""
        if not self._runs:
            return
        source = _run_for_output("findmnt", "-no", "SOURCE", "/")
        part = Path("/sys/class/block", Path(source).name)
        if not (part / "partition").is_file():
            return
        number, disk = _read_number(part / "partition"), part.resolve().parent
        after = _read_number(disk / "size") - _read_number(part / "start") - _read_number(part / "size")
        if after > SLACK_SECTORS:
            command = ["sfdisk", "--no-reread", "--no-tell-kernel", "--force", "-N", f"{number}", f"/dev/{disk.name}"]
            subprocess.run(command, input=", +\n", text=True, check=True, capture_output=True)
            subprocess.run(["partx", "-u", "-n", f"{number}", f"/dev/{disk.name}"], check=True, capture_output=True)
        subprocess.run(["resize2fs", source], check=True, capture_output=True)

    def _apply_settings(self) -> None:
        """Set up what shinpan.txt says. Without the file all stays as it is."""
        path = self._boot / FILE
        if not path.is_file():
            double = path.with_name(f"{FILE}.txt")
            if double.is_file():
                self.faults.append(f"The card has {double.name}, which is not read; call it {FILE}.")
            return
        with path.open("rb") as file:
            settings = read_settings(file.read(LARGEST + 1))
        self.faults += settings.faults
        values = settings.values
        if "name" in values:
            self._set_hostname(values["name"])
        if "wifi" in values and "password" not in settings.refused:
            self._write_profile(network_profile(values["wifi"], values.get("password")))
        if "country" in values and self._runs:
            subprocess.run(["iw", "reg", "set", values["country"]], check=True, capture_output=True)
        if "login" in values and self._runs:
            self._allow_login(values["login"])

    def _set_hostname(self, name: str) -> None:
        write_safely(self._etc / "hostname", f"{name}\n")
        write_safely(self._etc / "hosts", f"127.0.0.1\tlocalhost\n127.0.1.1\t{name}\n::1\tlocalhost\n")
        if self._runs:
            socket.sethostname(name)

    def _write_profile(self, profile: str) -> None:
        """Keep the network's profile; an unchanged one is not written again, to spare the card."""
        path = self._etc / f"NetworkManager/system-connections/{NETWORK.replace(' ', '-')}.nmconnection"
        if not path.is_file() or path.read_text(encoding="utf-8") != profile:
            write_safely(path, profile, 0o600)

    def _allow_login(self, password: str) -> None:
        """Let the user log in, here and by SSH; an image has no password and no key of its own."""
        if subprocess.run(["id", USER], capture_output=True).returncode:
            subprocess.run(["useradd", "-m", "-s", "/bin/bash", "-G", "sudo", USER], check=True, capture_output=True)
        subprocess.run(["chpasswd"], input=f"{USER}:{password}\n", text=True, check=True, capture_output=True)
        subprocess.run(["ssh-keygen", "-A"], check=True, capture_output=True)
        subprocess.run(["systemctl", "start", "--no-block", "ssh"], check=True, capture_output=True)

    def _make_own_network(self) -> None:
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "ROOT": "" if self._runs else f"{self._root}"}
        script = self._root / "opt/shinpan/own_network.sh"
        subprocess.run(["sh", script], check=True, env=environment, capture_output=True)

    def _make_pin(self) -> None:
        """Make the director's PIN unless box.txt tells it, and write it there."""
        if (self._boot / REPORT).exists():
            return
        shinpan = self._root / "opt/shinpan/current/bin/shinpan"
        said = _run_for_output(shinpan, "pin", "--settings", self._etc / "shinpan/settings.toml")
        pin = re.search(r"\b[0-9]{6}\b", said)
        if pin is None:
            raise ValueError(said[:200])
        path = self._etc / "NetworkManager/system-connections/shinpan-access-point.nmconnection"
        own = dict(re.findall(r"^(ssid|psk)=(.*)$", path.read_text(encoding="utf-8"), re.M))
        lines = [HEADER, "", f"The director's PIN: {pin[0]}"]
        lines += [f"The box's own Wi-Fi network, if it finds no other: {own['ssid']}", f"Its password: {own['psk']}"]
        lines += ["The page there: http://10.42.0.1:8000", ""]
        self.pin = pin[0]
        write_safely(self._boot / REPORT, "\r\n".join(lines))

    def _tell_on_screen(self) -> None:
        """Write what the screen shows above the login, until the next start. \\4 is the address at that moment."""
        name = (self._etc / "hostname").read_text(encoding="utf-8").strip()
        lines = ["", f"shinpan: the page is at http://{name}.local:8000", "In numbers (none without a network): \\4"]
        if self.pin:
            lines.append(f"The director's PIN is {self.pin}. It is shown until the next start, and stands in {REPORT}.")
        lines += [fault.replace("\\", "\\\\") for fault in self.faults]
        write_safely(self._root / "run/issue.d/shinpan.issue", "\n".join([*lines, "", ""]))


def _read_number(path: Path) -> int:
    return int(path.read_text(encoding="ascii"))


def _run_for_output(*command: object) -> str:
    done = subprocess.run([f"{word}" for word in command], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def main() -> int:
    """Set the card up. Nothing that is wrong with it keeps the box from starting."""
    Card(Path(os.environ.get("SHINPAN_ROOT", "/"))).set_up()
    return 0


if __name__ == "__main__":
    sys.exit(main())
