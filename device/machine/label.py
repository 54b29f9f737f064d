"""A label to print and stick on the table: the page's URL, as a QR code and in words.

If the box has its own network, a second code before it lets phones join that.
"""

from __future__ import annotations

import re
import socket
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from ipaddress import ip_address

from device.settings import Page
from referee.game.errors import RefereeError
from web.page.qr import qr_drawing

WIDE, HIGH = 70.0, 90.0
"""Width and height of a panel of the label, in mm."""
CODE = 54.0
"""Width of the QR code with its quiet zone, in mm: readable from half a metre away."""
TOP = 16.0
"""Top edge of the code, mm from the top."""
LONGEST = 120
"""Maximum length of a URL, so that the modules stay large enough for a phone."""
LETTER = 0.6
"""Width of a letter as a share of its size: enough for any sans-serif."""
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Wildcard addresses, with this machine's loopback address for each."""


class NoLabel(RefereeError):
    """A label that cannot be printed; one sentence says why and what to do."""


@dataclass(frozen=True)
class Part:
    """A panel of the label, WIDE x HIGH.

    heading: the line above the code
    read: the text of the code
    lines: the lines below it
    """

    heading: str
    read: str
    lines: tuple[str, ...]


def address_of(page: Page, host: str | None = None) -> str:
    """Return the page's URL for phones; raise NoLabel if it is served to this machine alone.

    host: the machine's name, if it is not this one's
    """
    if is_here_alone(page.host):
        raise NoLabel("The page is served to this machine alone; set host to 0.0.0.0 in [page], or give --address.")
    return _url_of(f"{host or socket.gethostname()}.local" if page.host in EVERYWHERE else page.host, page.port)


def is_here_alone(host: str) -> bool:
    """Return True if a server bound to this address is reachable from this machine alone."""
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return host == "localhost"


def address_for_others(page: Page) -> str:
    """Return the page's URL for other devices, "" if it is served to this machine alone."""
    return "" if is_here_alone(page.host) else address_of(page)


def address_here(page: Page) -> str:
    """Return the page's URL for a browser on this machine, without a final slash."""
    return _url_of(EVERYWHERE.get(page.host, page.host), page.port).rstrip("/")


def describe_addresses(page: Page) -> str:
    """Describe the page's URLs: on this machine, and for phones if they can reach it."""
    if page.host not in EVERYWHERE:
        return address_here(page)
    return f"{address_here(page)}; phones in the same network find it at {address_of(page)}"


def build_label(address: str, wifi: str | None = None, access: tuple[str, str] | None = None) -> tuple[Part, ...]:
    """Return the label's panels, side by side; raise NoLabel.

    wifi: a network's name, to be printed only
    access: name and password of the box's own network, which phones join first
    """
    if not address.startswith(("http://", "https://")) or not _is_line(address) or " " in address or "@" in address:
        what = f"no address of a page in up to {LONGEST} letters"
        raise NoLabel(f"{address!r:.60} is {what}; write it like http://shinpan.local:8000/.")
    if not all(_is_line(text) for text in (wifi, *(access or ())) if text is not None):
        raise NoLabel(f"The network's name and password must be texts in one line of 1 to {LONGEST} letters.")
    words = (address,) if wifi is None else (address, f"Wi-Fi: {wifi}")
    if access is None:
        return (Part("Watch this game", address, words),)
    name, password = access
    join_part = Part("1. Join this Wi-Fi", wifi_code(name, password), (f"Wi-Fi: {name}", f"Password: {password}"))
    return join_part, Part("2. Watch this game", address, words)


def result_label(name: str, won: str, players: tuple[str, ...], seal: str, key: str) -> Part:
    """Build a label for the score sheet.

    A phone reads all of it as text; `shinpan verify --seal` compares it with a journal.

    name: the match's
    won: the result in words
    players: their names
    seal: the journal's hash in short
    key: the box's public key in short
    """
    lines = [line for line in (" – ".join(filter(None, players)), name, f"Seal {seal}", f"Box {key}") if line]
    if not all(_is_line(text) for text in (won, *lines)):
        raise NoLabel("The result's label needs names and a result in one line each.")
    return Part(won, "\n".join((won, *lines)), tuple(lines))


def wifi_code(name: str, password: str) -> str:
    """Return the text of a QR code for joining a WPA network; special characters are escaped with a backslash."""
    name, password = (re.sub(r'([\\;,:"])', r"\\\1", text) for text in (name, password))
    return f"WIFI:T:WPA;S:{name};P:{password};;"


def render_svg(parts: tuple[Part, ...]) -> str:
    """Return the label as SVG, true to the millimetre."""
    wide = WIDE * len(parts)
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{HIGH:g}mm" '
            f'viewBox="0 0 {wide:g} {HIGH:g}">',
            f'<rect x="0.1" y="0.1" width="{wide - 0.2:g}" height="{HIGH - 0.2:g}" rx="3" fill="white" '
            'stroke="#999" stroke-width="0.2"/>',
            *(line for number, part in enumerate(parts) for line in _draw_part(number * WIDE, part)),
            "</svg>\n",
        )
    )


def _draw_part(left: float, part: Part) -> list[str]:
    where = f"translate({left + (WIDE - CODE) / 2:g} {TOP:g})"
    apart = min(8.0, (HIGH - 76.0) / max(len(part.lines) - 0.5, 1))
    words = ((76.0 + apart * number, min(5.0, 0.8 * apart), line) for number, line in enumerate(part.lines))
    texts = (_text_element(left, *line) for line in ((13.0, 7.0, part.heading), *words))
    return [f'<g transform="{where}">{qr_drawing(part.read, CODE)}</g>', *texts]


def _url_of(host: str, port: int) -> str:
    host_text = f"[{host}]" if ":" in host else host
    return f"http://{host_text}:{port}/" if port != 80 else f"http://{host_text}/"


def _is_line(text: str) -> bool:
    return text.isprintable() and 0 < len(text) <= LONGEST


def _text_element(left: float, y: float, most: float, words: str) -> str:
    """Return a line of text at this height, in mm, in the largest size that fits, up to `most`."""
    size = min(most, (WIDE - 6) / (LETTER * len(words)))
    where = f'x="{left + WIDE / 2:g}" y="{y:g}" text-anchor="middle"'
    return f'<text {where} font-family="sans-serif" font-size="{size:.2f}">{escape(words)}</text>'
