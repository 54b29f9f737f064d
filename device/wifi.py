"""Wi-Fi networks that the box knows, and the access point of its own.

They are kept as NetworkManager keeps them, a file each that root alone can read. A password is written there and
nowhere else, and never stands on a command line, where every user of the machine could read it.
"""

from __future__ import annotations

import os
import secrets
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from device.files import write_whole
from device.network import OWN, OWN_ADDRESS, links
from device.nmcli import NO_WIFI, NOT_ALLOWED, NoNetwork, OutOfReach, UnknownConnection, WrongPassword, nmcli

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
