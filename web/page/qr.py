"""QR codes as drawings, by which phones open a URL."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from segno import QRCode

QUIET = 4
"""Modules of white round a QR code, as its standard demands."""


def qr_drawing(text: str, side: float) -> str:
    """Return the code as a drawing of this width and height, quiet zone included, in the enclosing drawing's units."""
    code = _encode_text(text)
    squares = code.symbol_size(border=0)[0] + 2 * QUIET
    svg: str = code.svg_inline(scale=side / squares, border=QUIET, light="white", omitsize=False)
    return svg


@lru_cache(16)
def qr_svg(text: str) -> str:
    """Return the code as a drawing that takes the size of its place; "" for no text."""
    if not text:
        return ""
    out = BytesIO()
    _encode_text(text).save(
        out, "svg", border=QUIET, light="white", svgclass="qr", omitsize=True, xmldecl=False, nl=False
    )
    return out.getvalue().decode()


def _encode_text(text: str) -> QRCode:
    """Encode with the highest error correction that its size allows."""
    import segno  # Most boxes start without drawing a code.

    return segno.make(text, micro=False, error="m", boost_error=True)
