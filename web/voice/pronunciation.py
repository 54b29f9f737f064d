"""The pronunciation of written sentences: split into pieces of one breath, with the readings that Go players use.

A point is spoken by its name on page and record: "D4" is "D four", "D vier", "ディーの4". English and German are read
correctly as written, with the exceptions listed here; the Japanese readings are those of Go.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_uppercase

LONGEST = 6.0
"""The maximum length in seconds of a clip, and of the speech for one message."""
FASTER = 1.2
"""The speed-up for speech that is slightly too long; docs/evidence/measured.md gives its cost."""
NEARLY, A_LITTLE = 5.8, 8.0
"""The range in seconds, as `seconds` estimates them, that is spoken faster; longer speech would not fit even so."""
LONGEST_WORD = 40
_LATIN = (r"[^\W\d_]", r"\S+", r"\d", r"[,;:()]", r"[^\w\s,;:()'’.!?\"]|(?<=\w)\.(?=\w)", r"[A-Z](?=[A-Z])")
"""Patterns for letters, words, figures, pauses, signs that are read, and letters that are spelt."""
_KANA = (
    *(r"[一-鿿々]", r"[ぁ-んァ-ヶー]", r"\d", r"[、，：:；（(]", r"[A-Za-z]"),
    r"[^\w\s、，：；（）。「」:()？！]",
)
_TAKES: dict[str, tuple[float, dict[str, float]]] = {
    "en": (0.166, dict(zip(_LATIN, (0.057, 0.069, 0.325, 0.205, 0.353, 0.091), strict=True))),
    "de": (0.108, dict(zip(_LATIN, (0.054, 0.093, 0.34, 0.159, 0.313, 0.109), strict=True))),
    "ja": (0.061, dict(zip(_KANA, (0.204, 0.119, 0.254, 0.383, 0.232, 0.281), strict=True))),
}
"""The duration model of a sentence in seconds: a constant, and a term for each match of a pattern.

Fitted to the clips of the whole catalogue (tests/benchmarks/spoken.py), plus a sixteenth.
"""
_ENDS = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")
_BREATHS = (
    re.compile(r"(?<=[;:。；：])\s*"),
    re.compile(r"(?<=[,、，–）)])\s*"),
    re.compile(r"\s+|(?<=[をにはがでと])"),
)
"""The places to break a long sentence, the best first."""
_LETTERS = """エー ビー シー ディー イー エフ ジー エイチ アイ ジェー ケー エル エム エヌ オー ピー キュー アール エス
    ティー ユー ブイ ダブリュー エックス ワイ ゼット"""
_KATAKANA = dict(zip(ascii_uppercase, _LETTERS.split(), strict=True))
_Reading = str | Callable[[re.Match[str]], str]
_READ: dict[str, tuple[tuple[str, _Reading], ...]] = {
    "en": (
        (r"\b([BWRGYV])\+", r"\1 plus "),
        (r"[×✕]", " times "),
        (r"\b(DONE|CALL|SCORE|PAUSE)\b", lambda key: key[0].lower()),
    ),
    "de": (
        (r"(?<=\d)\.(?=\d)", ","),
        (r"\b([BWRGYV])\+", r"\1 plus "),
        (r"[×✕]", " mal "),
        (r"\bDONE\b", "dann"),
        (r"\bSCORE\b", "skor"),
        (r"\bCALL\b", "kol"),
    ),
    "ja": (
        (r"\bDONE\b", "ダン"),
        (r"\bSCORE\b", "スコア"),
        (r"\bCALL\b", "コール"),
        (r"\bPAUSE\b", "ポーズ"),
        (r"\bshinpan\b", "審判"),
        (r"\bUltimate Go\b", "アルティメット碁"),
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
        (r"」「", "、"),
        (r"[「」『』]", ""),
    ),
}
"""The texts read differently from their spelling.

The buttons have English names, which German and Japanese voices would spell.
"""
_MARKS = re.compile(r"[「」『』\"“”„‘’()\[\]（）{}<>*_/\\|~^`#→←·•]+")


@dataclass(frozen=True)
class Piece:
    """The text of one clip.

    fast: spoken faster than usual
    """

    text: str
    fast: bool = False


def sentences(text: str) -> list[str]:
    """Return the text's sentences, without unpronounceable characters."""
    return [part.strip() for part in _ENDS.split(_plain(text)) if any(map(str.isalnum, part))]


def seconds(text: str, code: str) -> float:
    """Estimate the time to say this without making a clip, erring on the long side."""
    return sum(_takes(sentence, code) for sentence in sentences(text))


def pieces(text: str, code: str) -> tuple[Piece, ...]:
    """Split a message into pieces of about `LONGEST` seconds at most, at ends of sentences if there are any.

    All of it is spoken fast if it fits then.

    code: the language
    """
    fast = NEARLY < seconds(text, code) <= A_LITTLE
    longest = A_LITTLE if fast else LONGEST
    return tuple(Piece(part, fast) for sentence in sentences(text) for part in _broken(sentence, code, longest))


def halves(text: str) -> tuple[str, str] | None:
    """Break the text at the best place near its middle; None for a single word, unless it is too long to say."""
    for breath in _BREATHS:
        places = [found.end() for found in breath.finditer(text)]
        near = [place for place in places if 0.2 < place / len(text) < 0.8]
        if near:
            at = min(near, key=lambda place: abs(place - len(text) / 2))
            return text[:at].strip(), text[at:].strip()
    middle = len(text) // 2
    return (text[:middle], text[middle:]) if len(text) > LONGEST_WORD else None


def pronounce(text: str, code: str) -> str:
    """Return the text as the language's voice reads it correctly."""
    for pattern, reading in _READ[code]:
        text = re.sub(pattern, reading, text)
    return re.sub(r"\s+", " ", _MARKS.sub(" ", text)).strip()


def _plain(text: str) -> str:
    """Return the text on one line, without control characters."""
    line = re.sub(r"\s+", " ", text).strip()
    return "".join(letter for letter in line if unicodedata.category(letter)[0] != "C")


def _broken(sentence: str, code: str, longest: float) -> list[str]:
    parts = halves(sentence) if _takes(sentence, code) > longest else None
    return [sentence] if parts is None else [piece for part in parts for piece in _broken(part, code, longest)]


def _takes(sentence: str, code: str) -> float:
    always, each = _TAKES[code]
    return always + sum(takes * len(re.findall(found, sentence)) for found, takes in each.items())
