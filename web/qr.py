"""QR codes, by which phones find an address: what a phone reads, as squares on white."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO

import segno

QUIET = 4
"""Squares of white round a QR code, as its standard wants."""


def qr_sized(text: str, side: float) -> str:
    """The code as a drawing so wide and high, the white round it included, in the units of what it is put into."""
    code = _code(text)
    squares = code.symbol_size(border=0)[0] + 2 * QUIET
    drawn: str = code.svg_inline(scale=side / squares, border=QUIET, light="white", omitsize=False)
    return drawn


@lru_cache(16)
def qr_svg(text: str) -> str:
    """The code as a drawing that takes the size of its place; "" for no text."""
    if not text:
        return ""
    drawn = BytesIO()
    _code(text).save(drawn, "svg", border=QUIET, light="white", svgclass="qr", omitsize=True, xmldecl=False, nl=False)
    return drawn.getvalue().decode()


def _code(text: str) -> segno.QRCode:
    """With as much to spare for dirt as its size allows."""
    return segno.make(text, micro=False, error="m", boost_error=True)
