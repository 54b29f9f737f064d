"""Small charts side by side, as SVG: two shares a step."""

from __future__ import annotations

WIDE, HIGH, LEFT, TOP, GAP, ACROSS = 170, 90, 34, 26, 26, 4
TONES = ("#1f5fa8", "#c06a00")
NAMES = ("boards found", "points right")


def chart(panels: dict[str, list[tuple[float, float]]]) -> str:
    """An SVG drawing with a panel for each name: its steps from left to right, shares from 0 to 1 upward."""
    rows = -(-len(panels) // ACROSS)
    width, height = ACROSS * (WIDE + GAP) + LEFT, rows * (HIGH + GAP + TOP) + 24
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">']
    parts.append(f'<rect width="{width}" height="{height}" fill="#ffffff"/>')
    for number, (name, steps) in enumerate(panels.items()):
        parts += _panel(LEFT + number % ACROSS * (WIDE + GAP), TOP + number // ACROSS * (HIGH + GAP + TOP), name, steps)
    for k, (name, tone) in enumerate(zip(NAMES, TONES, strict=True)):
        parts.append(f'<text x="{LEFT + 130 * k}" y="{height - 8}" font-size="12" fill="{tone}">{name}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _panel(left: int, top: int, name: str, steps: list[tuple[float, float]]) -> list[str]:
    parts = [f'<text x="{left}" y="{top - 7}" font-size="13">{name}</text>']
    for share in (0.0, 0.5, 1.0):
        y = top + HIGH * (1 - share)
        parts.append(f'<path d="M{left} {y:g}h{WIDE}" stroke="#cccccc" fill="none"/>')
        parts.append(f'<text x="{left - 4}" y="{y + 4:g}" font-size="9" text-anchor="end">{share:.0%}</text>')
    for k, tone in enumerate(TONES):
        points = [
            (left + WIDE * n / max(1, len(steps) - 1), top + HIGH * (1 - step[k])) for n, step in enumerate(steps)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" stroke="{tone}" stroke-width="2" fill="none"/>')
    return parts
