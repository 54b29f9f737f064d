"""The networks that the box is in, and where its page is there."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace

from device.label import EVERYWHERE, LOCAL, address_of
from device.nmcli import NoNetwork, nmcli
from device.settings import Page

OWN_ADDRESS = "10.42.0.1"
"""The box's address in its own network."""
OWN = uuid.uuid5(uuid.NAMESPACE_URL, "shinpan:access-point")
"""How NetworkManager tells the box's own network from others."""
BETWEEN = 2.0
"""Seconds from one look at the networks to the next, while one is waited for."""


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
    if page.host in LOCAL:
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
