"""The networks that the machine is in, and its own Wi-Fi network, from NetworkManager."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace

from device.machine.label import EVERYWHERE, address_of, is_here_alone
from device.settings import Page
from referee.game.errors import RefereeError

OWN = "shinpan access point"
"""NetworkManager's name of the box's own network, which hardware/install.sh creates."""
OWN_ADDRESS = "10.42.0.1"
"""The box's address in it."""
IN_NONE = "The box is in no network; shinpan network says what to type to join one."
HELP = f"""\
To join a Wi-Fi network (it asks for the password):
    sudo nmcli --ask device wifi connect "NAME"
To open the box's own, and to show its password and a code for phones:
    sudo nmcli connection up "{OWN}"
    sudo nmcli device wifi show-password"""
TIMEOUT_S = 20


class NoNetwork(RefereeError):
    """A failed query of the networks; one sentence says why and what to do."""


class NotThere(NoNetwork):
    """A machine without NetworkManager, or one that does not run it."""


def run_nmcli(*words: str) -> list[str]:
    """Run nmcli with these arguments and return its output lines. Raises NoNetwork."""
    program = shutil.which("nmcli")
    if program is None:
        raise NotThere("There is no NetworkManager here (nmcli is missing); join networks in the system's own way.")
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "LANGUAGE": ""}
    command = [program, "--escape", "no", *words]
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, errors="replace", env=environment, timeout=TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoNetwork("NetworkManager does not answer; try again, or start the machine anew.") from error
    if result.returncode:
        raise _nmcli_error(result.returncode, result.stderr)
    return result.stdout.splitlines()


def _nmcli_error(status: int, output: str) -> NoNetwork:
    """Return the error for nmcli's exit status, as documented in its manual."""
    if status == 8:
        return NotThere("NetworkManager does not run; start it: sudo systemctl start NetworkManager.")
    if status == 10:
        return NoNetwork("The box has no network of its own yet; make it: sudo sh hardware/install.sh.")
    why = output.strip().removeprefix("Error: ").partition("\n")[0].rstrip(". ") or f"it ended with {status}"
    return NoNetwork(f"NetworkManager refuses: {why}; see: journalctl -u NetworkManager -e.")


def describe_networks(page: Page) -> list[str]:
    """Return a sentence for each network that the box is in: its name, and the page's URL in it. Raises NoNetwork."""
    rows = [line.split(":", 3) for line in run_nmcli("-g", "DEVICE,TYPE,STATE,CONNECTION", "device", "status")]
    return [
        f"{_describe_network(device, kind, connection)}; {_describe_page(page, device)}."
        for device, kind, state, connection in rows
        if kind in ("wifi", "ethernet") and state == "connected"
    ]


def _describe_network(device: str, kind: str, connection: str) -> str:
    if kind == "ethernet":
        return f"The box is in a network by cable ({device})"
    name, *_ = run_nmcli("-g", "802-11-wireless.ssid", "connection", "show", "id", connection)
    if connection == OWN:
        return f"The box's own Wi-Fi network is open: {name}"
    return f"The box is in the Wi-Fi network {name} ({device})"


def _describe_page(page: Page, device: str) -> str:
    """Describe the page's URL for others in this device's network."""
    if is_here_alone(page.host):
        return 'its page is for this machine alone until host is "0.0.0.0" in [page] of its settings'
    # Several addresses are in one line: 192.168.1.20/24 | 10.0.0.5/8.
    address = "".join(run_nmcli("-g", "IP4.ADDRESS", "device", "show", device)).partition("/")[0]
    return f"its page is at {address_of(replace(page, host=address) if address and page.host in EVERYWHERE else page)}"


def own_network() -> tuple[str, str]:
    """Return name and password of the box's own network. Raises NoNetwork, also if the password may not be read."""
    fields = "802-11-wireless.ssid,802-11-wireless-security.psk"
    name, password = run_nmcli("--show-secrets", "-g", fields, "connection", "show", "id", OWN)
    if not password:
        raise NoNetwork("Only an administrator may do this; run the same command with sudo.")
    return name, password
