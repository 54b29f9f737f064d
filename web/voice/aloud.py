"""How a written sentence is said: in pieces of a breath each, and with the readings that Go players use.

A point is said by the name that page and record give it: "D4" is "D four", "D vier", "ディーの4". English and German
are read rightly as they are written, but for what is listed here; the Japanese readings are those of Go.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from string import ascii_uppercase

LONGEST = 6.0
"""Seconds that a clip lasts at most."""
LONGEST_WORD = 40
_WEIGHT = {"en": 78.0, "de": 72.0, "ja": 36.0}
"""What a piece weighs at most: its letters, and more for each figure, which is a word. Found by measuring the clips of
the whole catalogue (tests/benchmarks/spoken.py)."""
_FIGURE = {"en": 4.0, "de": 4.5, "ja": 2.0}
_ENDS = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_BREATHS = (
    re.compile(r"(?<=[;:。；：])\s*"),
    re.compile(r"(?<=[,、，–）)])\s*"),
    re.compile(r"\s+|(?<=[をにはがでと])"),
)
"""Where a long sentence is broken, the best places first."""
_LETTERS = """エー ビー シー ディー イー エフ ジー エイチ アイ ジェー ケー エル エム エヌ オー ピー キュー アール エス
    ティー ユー ブイ ダブリュー エックス ワイ ゼット"""
_KATAKANA = dict(zip(ascii_uppercase, _LETTERS.split(), strict=True))
_Reading = str | Callable[[re.Match[str]], str]
_READ: dict[str, tuple[tuple[str, _Reading], ...]] = {
    "en": ((r"\b([BWRGYV])\+", r"\1 plus "), (r"[×✕]", " times ")),
    "de": (
        (r"(?<=\d)\.(?=\d)", ","),
        (r"\b([BWRGYV])\+", r"\1 plus "),
        (r"[×✕]", " mal "),
        (r"\bdone\b", "dann"),
        (r"\bscore\b", "skor"),
        (r"\bcall\b", "kol"),
    ),
    "ja": (
        (r"\bdone\b", "ダン"),
        (r"\bscore\b", "スコア"),
        (r"\bcall\b", "コール"),
        (r"\bpause\b", "ポーズ"),
        (r"\bshinpan\b", "審判"),
        (r"(?<![\d.])0\.5目", "半もく"),
        (r"(\d+)\.5目", r"\1もく半"),
        (r"(?<=\d)目", "もく"),
        (r"半目", "はんもく"),
        (r"手目", "てめ"),
        (r"(?<=\d)子", "し"),
        (r"置き石", "おきいし"),
        (r"死に石", "しにいし"),
        (r"先番", "せんばん"),
        (r"持碁", "じご"),
        (r"空点", "くうてん"),
        (r"自分の地", "自分のじ"),
        (r"地と石", "じと石"),
        (r"(?<![A-Za-z])([A-HJ-Z])(\d{1,2})(?!\d)", lambda found: f"{_KATAKANA[found[1]]}の{found[2]}"),
        (r"[A-Z]", lambda found: _KATAKANA[found[0]]),
        (r"[×✕]", "かける"),
    ),
}
"""What is read otherwise than it is written. The buttons have English names, which German and Japanese voices would
spell."""
_MARKS = re.compile(r"[「」『』\"“”„‘’()\[\]（）{}<>*_/\\|~^`#→←·•]+")


def pieces(text: str, code: str) -> tuple[str, ...]:
    """The sentence or sentences in parts of about `LONGEST` seconds at most, at ends of sentences wherever there are
    some. code: the language's."""
    sentences = [part.strip() for part in _ENDS.split(_plain(text)) if part.strip()]
    return tuple(piece for sentence in sentences for piece in _broken(sentence, code) if any(map(str.isalnum, piece)))


def halves(text: str) -> tuple[str, str] | None:
    """The text broken at the best place near its middle; None for one word, unless nobody could say it."""
    for breath in _BREATHS:
        places = [found.end() for found in breath.finditer(text)]
        near = [place for place in places if 0.2 < place / len(text) < 0.8]
        if near:
            at = min(near, key=lambda place: abs(place - len(text) / 2))
            return text[:at].strip(), text[at:].strip()
    middle = len(text) // 2
    return (text[:middle], text[middle:]) if len(text) > LONGEST_WORD else None


def pronounced(text: str, code: str) -> str:
    """As the language's voice reads it rightly."""
    for pattern, reading in _READ[code]:
        text = re.sub(pattern, reading, text)
    return re.sub(r"\s+", " ", _MARKS.sub(" ", text)).strip()


def _plain(text: str) -> str:
    """On one line, without what cannot be said."""
    line = re.sub(r"\s+", " ", text).strip()
    return "".join(letter for letter in line if unicodedata.category(letter)[0] != "C")


def _broken(sentence: str, code: str) -> list[str]:
    parts = halves(sentence) if _weight(sentence, code) > _WEIGHT[code] else None
    return [sentence] if parts is None else [piece for part in parts for piece in _broken(part, code)]


def _weight(text: str, code: str) -> float:
    return len(text) + (_FIGURE[code] - 1) * sum(letter.isdigit() for letter in text)
