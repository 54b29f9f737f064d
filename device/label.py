"""A label to print and stick on the table: where the page is, as a QR code that phones read, and in words."""

from __future__ import annotations

import socket
from html import escape

import segno

from device.settings import Page
from referee.errors import RefereeError

WIDE, HIGH = 70.0, 90.0
"""The label, in mm."""
CODE = 54.0
"""The QR code with the white round it, in mm: read from half a metre away."""
QUIET = 4
"""Squares of white round a QR code, as its standard wants."""
LONGEST = 120
"""Letters of an address, so that the squares stay large enough for a phone."""


class NoLabel(RefereeError):
    """There is nothing to print; one sentence says why and what to do."""


def address_of(page: Page, host: str | None = None) -> str:
    """Where phones find the page that these settings serve. host: this machine's name, where it is another."""
    if page.host in ("127.0.0.1", "localhost", "::1"):
        raise NoLabel("The page is served to this machine alone; set host to 0.0.0.0 in [page], or give --address.")
    named = f"{host or socket.gethostname()}.local" if page.host in ("0.0.0.0", "::") else page.host
    named = f"[{named}]" if ":" in named else named
    return f"http://{named}:{page.port}/" if page.port != 80 else f"http://{named}/"


def label(address: str, wifi: str | None = None) -> str:
    """The label as SVG, true to the millimetre. wifi: the network's name, in words alone. Raises NoLabel."""
    if not address.startswith(("http://", "https://")) or not _is_line(address) or " " in address or "@" in address:
        raise NoLabel(f"{address!r:.60} is no address of a page; write it like http://shinpan.local:8000/.")
    if wifi is not None and not _is_line(wifi):
        raise NoLabel("The network's name must be a text in one line.")
    code = segno.make(address, micro=False, error="m", boost_error=True)
    scale = CODE / (code.symbol_size(border=0)[0] + 2 * QUIET)
    drawn = code.svg_inline(scale=scale, border=QUIET, light="white", omitsize=False)
    lines = [(13.0, 7.0, "Watch this game"), (76.0, _fitting(address), address)]
    lines += [(84.0, _fitting(f"Wi-Fi: {wifi}"), f"Wi-Fi: {wifi}")] if wifi is not None else []
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE:g}mm" height="{HIGH:g}mm" '
            f'viewBox="0 0 {WIDE:g} {HIGH:g}">',
            f'<rect x="0.1" y="0.1" width="{WIDE - 0.2:g}" height="{HIGH - 0.2:g}" rx="3" fill="white" '
            'stroke="#999" stroke-width="0.2"/>',
            f'<g transform="translate({(WIDE - CODE) / 2:g} 16)">{drawn}</g>',
            *(_text(*line) for line in lines),
            "</svg>\n",
        )
    )


def _is_line(text: str) -> bool:
    return text.isprintable() and 0 < len(text) <= LONGEST


def _fitting(text: str) -> float:
    """The size of letters, in mm, at which the line fits the label."""
    return min(5.0, (WIDE - 6) / (0.6 * len(text)))


def _text(y: float, size: float, words: str) -> str:
    where = f'x="{WIDE / 2:g}" y="{y:g}" text-anchor="middle"'
    return f'<text {where} font-family="sans-serif" font-size="{size:.2f}">{escape(words)}</text>'
