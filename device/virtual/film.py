"""Acts a script out into a video and a file of presses, as a camera over the table would have recorded them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from device.virtual.script import Script
from device.virtual.table import RATE, Performance, Shown, table_of
from referee.events import Pressed

WIDTH, HEIGHT = 1280, 720


def film(script: Script, out: Path) -> None:
    """Act the script out; writes the video and the presses beside `out`."""
    table = table_of(script, WIDTH, HEIGHT)
    performance = Performance(script, table)
    writer = cv2.VideoWriter(f"{out}.avi", cv2.VideoWriter.fourcc(*"MJPG"), RATE, (WIDTH, HEIGHT))
    shown = (happening for happening in performance.happenings() if isinstance(happening, Shown))
    for number, frame in enumerate(shown):
        writer.write(table.draw(frame.scene, number).pixels)
    writer.release()
    Path(f"{out}.presses.jsonl").write_text("".join(_line(press) + "\n" for press in performance.presses))


def _line(press: Pressed) -> str:
    return json.dumps(
        {"t": press.t, "side": press.side, "button": press.button.value} | ({"held": True} if press.held else {})
    )
