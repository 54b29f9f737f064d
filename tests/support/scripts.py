"""The scripts of the languages: what is left in Latin letters in a text of a language that is written in others."""

from __future__ import annotations

import re

from web.language import find_translator
from web.language_traits import CODES

UNLATIN = [code for code in CODES[1:] if not re.search("[A-Za-z]", find_translator(code)("language"))]
"""The languages that are not written in Latin letters."""
SCRIPT = "ぁ-んァ-ヶー一-龠"
"""Kana and kanji."""
SCRIPTS = f"[{SCRIPT}㐀-鿿가-힣]"
LATIN = re.compile(
    "[A-T][0-9]+|shinpan|JavaScript|PIN|SGF|SVG|PDF|cairosvg|ZIP|JSON|QR|OBS|kB|Raspberry|Pi|AGA|EGD|Kee|Spight|Ultimate|Fundamental|Go|Tab|"
    "Shift|DONE|CALL|PAUSE|SCORE|Void|GET|games?|page|names|status|json|sgf|area|ing|ultimate|rules|NAME|new|camera|pin|verify|"
    "Linux|none|apt|install|python3|lgpio|evdev|Debian|OS|pip|keys|panel|learn|players|chips|input|video|USB|pyserial|serial|lights|MJPEG|RTSP|LAN|PASSWORD|"
    "SPI|spidev|rim|spi|kind|edges|steps|top|right|Wi|Fi|Mbit|https?|Cairo|video|"
    "picamera2?|system|site|packages|sudo|usermod|aG|USER|application|espeak|ng|alsa|utils|aplay|JTalk|Open|docs|voice|md|WAV|get|L|forget|OGS|"
    "MiB|MB|mm|calibrate|JPEG|true|false|UTF|XML|CSV|h9|3k|tables|toml|[Pp]airgoth|TOURNEY|PLAYERS|round|table|black|white"
)
"""Names, points, and what is typed, pressed or read as it stands."""


def english_in(text: str) -> list[str]:
    """Find the words in Latin letters that are neither names nor typed."""
    return [word for word in re.findall(r"[A-Za-z][A-Za-z0-9]+", text) if not LATIN.fullmatch(word)]
