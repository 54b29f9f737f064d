"""Wi-Fi networks that the box knows, and the access point of its own.

They are kept as NetworkManager keeps them, a file each that root alone can read. A password is written there and
nowhere else, and never stands on a command line, where every user of the machine could read it.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from device.files import write_whole
from device.machine.label import EVERYWHERE, address_of, is_here_alone
from device.settings import Page
from referee.errors import RefereeError

OWN_ADDRESS = "10.42.0.1"
"""The box's address in its own network."""
OWN = uuid.uuid5(uuid.NAMESPACE_URL, "shinpan:access-point")
"""How NetworkManager tells the box's own network from others."""
BETWEEN = 2.0
"""Seconds from one look at the networks to the next, while one is waited for."""
PATIENCE = 60
"""Seconds in which NetworkManager has to do what it is asked; joining a network takes it about ten."""
GIVEN_UP = PATIENCE + 10
"""Seconds after which nmcli itself is given up."""
NOT_ALLOWED = "Only an administrator may do this; run the same command with sudo."
NO_WIFI = "This machine has no Wi-Fi that NetworkManager can use; plug in a cable or a Wi-Fi stick."
PROFILES = Path("/etc/NetworkManager/system-connections")
"""Where NetworkManager keeps the networks that it knows."""
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What is made on the device is read off and typed: no letter looks like another."""
_OWN_FILE = "shinpan-access-point.nmconnection"
# Protected management frames are off (1): a Raspberry Pi's own Wi-Fi cannot have them as an access point, and no phone
# gets in. It never opens by itself, for NetworkManager would open it before it has looked for the networks it knows.
_ACCESS_POINT = """[connection]
id=shinpan access point
uuid={uuid}
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
ssid={ssid}

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
pairwise=ccmp
group=ccmp
pmf=1
psk={password}

[ipv4]
method=shared
address1={address}/24

[ipv6]
method=disabled
"""
# Before networks of the same name that others have set up: its password is the newest.
_KNOWN = """[connection]
id={name}
uuid={uuid}
type=wifi
autoconnect-priority=1

[wifi]
mode=infrastructure
ssid={ssid}

[wifi-security]
key-mgmt=wpa-psk
psk={password}

[ipv4]
method=auto

[ipv6]
method=auto
"""


class NoNetwork(RefereeError):
    """The network cannot be told or changed; one sentence says why and what to do."""


class UnknownConnection(NoNetwork):
    """NetworkManager has no such connection."""


class WrongPassword(NoNetwork):
    """The network did not take the password."""


class OutOfReach(NoNetwork):
    """No such network is in the air here."""


class NotThere(NoNetwork):
    """There is no NetworkManager on this machine, or it does not run."""


_MEANINGS: tuple[tuple[str, type[NoNetwork], str], ...] = (
    (
        "is not running|could not create nmclient",
        NotThere,
        "NetworkManager does not run; start it: sudo systemctl start NetworkManager.",
    ),
    ("not authorized|access denied|insufficient privileges|permission denied", NoNetwork, NOT_ALLOWED),
    ("secrets were required", WrongPassword, "The network did not take the password; ask its owner how it is written."),
    ("network could not be found", OutOfReach, "No network of this name is in reach; check the name, or go nearer."),
    ("no suitable device|no wi-fi device", NoNetwork, NO_WIFI),
    ("no such connection|unknown connection", UnknownConnection, "NetworkManager knows no such connection."),
    ("timeout|took too long", NoNetwork, "The network did not answer in time; go nearer to it and try again."),
)


def fields(line: str) -> list[str]:
    """The fields of one terse line, colons between them; a colon or backslash within one has a backslash before it."""
    return [re.sub(r"\\(.)", r"\1", field) for field in re.findall(r"(?:^|:)((?:\\.|[^:\\])*)", line)]


def nmcli(*words: str) -> list[list[str]]:
    """What nmcli answers to these words, a row a line. Raises NoNetwork."""
    program = shutil.which("nmcli")
    if program is None:
        raise NotThere("There is no NetworkManager here (nmcli is missing); join networks in the system's own way.")
    # Its answers are read, so they must be in English; names of networks may be in any language.
    spoken = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    command = [program, "--wait", str(PATIENCE), *words]
    try:
        told = subprocess.run(
            command, capture_output=True, text=True, errors="replace", env=spoken, timeout=GIVEN_UP, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoNetwork("NetworkManager does not answer; try again, or start the machine anew.") from error
    # A file that it cannot load it only complains of.
    if told.returncode or told.stderr.startswith("Could not load"):
        raise _meaning(told.returncode, told.stderr)
    return [fields(line) for line in told.stdout.splitlines()]


def _meaning(status: int, said: str) -> NoNetwork:
    for pattern, kind, sentence in _MEANINGS:
        if re.search(pattern, said, re.IGNORECASE):
            return kind(sentence)
    lines = [line.removeprefix("Error: ") for line in said.splitlines() if line.startswith(("Error: ", "Could not"))]
    why = lines[0].rstrip(". ") if lines else f"it ended with {status}"
    return NoNetwork(f"NetworkManager refuses: {why}; see: journalctl -u NetworkManager -e.")


@dataclass(frozen=True)
class Link:
    """A network that the box is in. wifi: its name; None for a cable. address: the box's there, where it has one yet.

    own: it is the box's own access point.
    """

    device: str
    wifi: str | None
    address: str | None
    own: bool = False


def links() -> list[Link]:
    """The networks that the box is in. Raises NoNetwork."""
    rows = nmcli("-g", "DEVICE,TYPE,STATE,CON-UUID", "device", "status")
    return [_link(*row) for row in rows if row[1] in ("wifi", "ethernet") and row[2] == "connected"]


def _link(device: str, kind: str, _: str, profile: str) -> Link:
    told = nmcli("-g", "IP4.ADDRESS", "device", "show", device)
    # Several addresses stand in one line: 192.168.1.20/24 | 10.0.0.5/8.
    address = told[0][0].partition("/")[0] if told else ""
    named = nmcli("-g", "802-11-wireless.ssid", "connection", "show", "uuid", profile) if kind == "wifi" else []
    return Link(device, named[0][0] if named else None, address or None, profile == str(OWN))


def told(found: list[Link], page: Page) -> str:
    """What the box is connected to, and where the page is, a sentence a network."""
    if not found:
        return (
            "The box is in no network. It joins one by: sudo shinpan network join NAME; it opens its own by: "
            "sudo shinpan network access-point."
        )
    return "\n".join(f"{_where(link)}; {page_in(page, link.address)}." for link in found)


def _where(link: Link) -> str:
    if link.own:
        return f"The box's own Wi-Fi network is open: {link.wifi}"
    if link.wifi is None:
        return f"The box is in a network by cable ({link.device})"
    return f"The box is in the Wi-Fi network {link.wifi} ({link.device})"


def page_in(page: Page, address: str | None) -> str:
    """Where the page is for others in a network in which the box has this address."""
    if is_here_alone(page.host):
        return 'its page is for this machine alone until host is "0.0.0.0" in [page] of its settings'
    everywhere = address is not None and page.host in EVERYWHERE
    return f"its page is at {address_of(replace(page, host=address) if address and everywhere else page)}"


def joined_within(
    seconds: float, now: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
) -> bool:
    """Wait until the box is in a network; False when it is in none after so many seconds. Raises NoNetwork then."""
    end = now() + seconds
    while True:
        last = now() >= end
        try:
            if links():
                return True
        except NoNetwork:
            # NetworkManager may still be starting.
            if last:
                raise
        if last:
            return False
        sleep(BETWEEN)


@dataclass(frozen=True)
class AccessPoint:
    """The box's own Wi-Fi network."""

    name: str
    password: str


def access_point() -> AccessPoint | None:
    """The box's own network, if it was made; raises NoNetwork, also where its password may not be read."""
    wanted = "802-11-wireless.ssid,802-11-wireless-security.psk"
    try:
        (name,), (password,) = nmcli("-s", "-g", wanted, "connection", "show", "uuid", str(OWN))
    except UnknownConnection:
        return None
    if not password:
        raise NoNetwork(NOT_ALLOWED)
    return AccessPoint(name, password)


def make_access_point(fresh: bool = False) -> AccessPoint:
    """The box's own network, made if it was not yet, and not opened. fresh: with a new password. Raises NoNetwork."""
    _as_administrator()
    found = access_point()
    if found is not None and not fresh:
        return found
    made = AccessPoint(found.name if found else f"shinpan-{_letters(4)}", "-".join(_letters(4) for _ in range(3)))
    ssid, password = _bytes(made.name), _escaped(made.password)
    _keep(PROFILES / _OWN_FILE, _ACCESS_POINT.format(uuid=OWN, ssid=ssid, password=password, address=OWN_ADDRESS))
    return made


def open_access_point(fresh: bool = False) -> AccessPoint:
    """Open the box's own network; it leaves the Wi-Fi network that it is in. Raises NoNetwork."""
    _need_wifi()
    made = make_access_point(fresh)
    try:
        _up(OWN)
    except WrongPassword as error:
        # It is ours: what NetworkManager says then is that the device did not take it.
        raise NoNetwork("The Wi-Fi device opens no network; see: journalctl -u NetworkManager -e.") from error
    return made


def join(name: str, password: str) -> None:
    """Know a Wi-Fi network, with this password from now on, and join it.

    Raises NoNetwork. OutOfReach: it is known now, and joined when it is in reach. Otherwise all is as before.
    """
    _check(name, password)
    _as_administrator()
    _need_wifi()
    profile = uuid.uuid5(uuid.NAMESPACE_URL, f"shinpan:wifi:{name}")
    path = PROFILES / f"shinpan-{profile}.nmconnection"
    before = path.read_text(encoding="utf-8") if path.exists() else None
    was_open = any(link.own for link in links())
    words = {"name": _escaped(name), "uuid": profile, "ssid": _bytes(name), "password": _escaped(password)}
    _keep(path, _KNOWN.format(**words))
    try:
        _up(profile)
    except NoNetwork as error:
        with suppress(NoNetwork):
            if not isinstance(error, OutOfReach):
                _put_back(path, profile, before)
            if was_open:
                _up(OWN)
        raise


def _check(name: str, password: str) -> None:
    if not name.isprintable() or not 1 <= len(name.encode()) <= 32:
        raise NoNetwork("A Wi-Fi network's name is a text in one line, of 1 to 32 bytes.")
    if not (password.isascii() and password.isprintable() and 8 <= len(password) <= 63):
        raise NoNetwork("A Wi-Fi password has 8 to 63 letters, digits and signs, none with an accent.")


def _as_administrator() -> None:
    nmcli("-g", "RUNNING", "general")
    if not os.access(PROFILES, os.W_OK):
        raise NoNetwork(NOT_ALLOWED)


def _need_wifi() -> None:
    """Raise NoNetwork unless there is a Wi-Fi device that is switched on."""
    states = [row[2] for row in nmcli("-g", "DEVICE,TYPE,STATE", "device", "status") if row[1] == "wifi"]
    if not states:
        raise NoNetwork(NO_WIFI)
    if not set(states) <= {"unavailable", "unmanaged"}:
        return
    if "unavailable" in states:
        raise NoNetwork(
            "The Wi-Fi is off; a Raspberry Pi switches it on when it knows its country: "
            "sudo raspi-config nonint do_wifi_country DE (yours), elsewhere: sudo nmcli radio wifi on."
        )
    raise NoNetwork("NetworkManager leaves the Wi-Fi alone; hand it over: sudo nmcli device set wlan0 managed yes.")


def _keep(path: Path, text: str) -> None:
    """Have NetworkManager know the network in this file, which its owner alone can read."""
    write_whole(path, text.encode(), mode=0o600)
    nmcli("connection", "load", str(path))


def _put_back(path: Path, profile: uuid.UUID, before: str | None) -> None:
    if before is None:
        nmcli("connection", "delete", "uuid", str(profile))
    else:
        _keep(path, before)


def _up(profile: uuid.UUID) -> None:
    nmcli("connection", "up", "uuid", str(profile))


def _letters(count: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(count))


def _bytes(name: str) -> str:
    """A network's name as its file takes it whatever is in it: byte by byte."""
    return "".join(f"{byte};" for byte in name.encode())


def _escaped(text: str) -> str:
    """A text as NetworkManager's files want it."""
    return text.replace("\\", "\\\\").replace(" ", "\\s")
