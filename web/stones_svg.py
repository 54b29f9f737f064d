"""Stones and titles as SVG: what board and lids have in common. No style sheet is needed to look right."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from referee.board import Colour

_SHADES = {
    Colour.BLACK: ("#5b5f66", "#17191c"),
    Colour.WHITE: ("#ffffff", "#d9d6cf"),
    Colour.RED: ("#e2695e", "#a3271c"),
    Colour.GREEN: ("#62b878", "#226b38"),
    Colour.YELLOW: ("#f6dc70", "#c9a21a"),
    Colour.VIOLET: ("#a98be0", "#5b3a9c"),
}
"""Each colour's highlight and body."""

Disc = tuple[float, float, float]
"""Centre and radius in the drawing's units."""


def opened(key: str, width: float, height: float, css: str, title: str, description: str) -> str:
    """The start of a drawing that screen readers announce; key: makes its ids its own on a page with several."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" class="{css}" role="img" '
        f'aria-labelledby="{key}-title" aria-describedby="{key}-desc" '
        f'font-family="system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif">'
        f'<title id="{key}-title">{escape(title)}</title><desc id="{key}-desc">{escape(description)}</desc>'
    )


def shades(key: str, colours: Iterable[Colour]) -> str:
    """The colours' shading and a soft shadow, to be put once into each drawing."""
    gradients = "".join(
        f'<radialGradient id="{key}-{colour.value}" cx=".36" cy=".3" r=".75">'
        f'<stop offset="0" stop-color="{_SHADES[colour][0]}"/><stop offset="1" stop-color="{_SHADES[colour][1]}"/>'
        f"</radialGradient>"
        for colour in colours
    )
    shadow = '<feDropShadow dx="0.8" dy="1.6" stdDeviation="1.3" flood-opacity=".38"/>'
    around = f'id="{key}-shadow" x="-5%" y="-5%" width="110%" height="115%"'
    return f"<defs>{gradients}<filter {around}>{shadow}</filter></defs>"


def heap(key: str, colour: Colour, discs: Iterable[Disc], opacity: float = 1) -> str:
    """Stones of one colour."""
    circles = "".join(f'<circle cx="{x:.4g}" cy="{y:.4g}" r="{r:.4g}"/>' for x, y, r in discs)
    if not circles:
        return ""
    faint = "" if opacity == 1 else f' opacity="{opacity:g}"'
    edge = ' stroke="#8d887d" stroke-width=".7"' if colour is Colour.WHITE else ""
    return f'<g fill="url(#{key}-{colour.value})"{edge}{faint}>{circles}</g>'
