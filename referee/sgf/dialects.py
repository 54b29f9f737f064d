"""Komi, handicap and result as other programs and people write them."""

from __future__ import annotations

import math
import re
import unicodedata
from dataclasses import dataclass

_HALF = {"½": ".5", "¼": ".25", "¾": ".75"}
_DIGITS = {**dict(zip("零一二三四五六七八九", "0123456789", strict=True)), "〇": "0", "两": "2", "兩": "2"}
_KOMI_UNITS = r"(?:points?|pts?|komi|moku|stones?|目|目コミ|子|点|點|점|집|호)?"
_NUMBER = r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_KOMI = re.compile(
    rf"(?:komi|コミ)? ?[:=]? ?(?:b\+|w\+|黒|先番|white|black)? ?({_NUMBER}) ?{_KOMI_UNITS}(半|반|half)?{_KOMI_UNITS}"
)
_WITH_FRACTION = re.compile(rf"([-+]?[0-9]+) ?{_KOMI_UNITS}(?:又| |and)? ?(?<![0-9])([0-9]+)/([0-9]+) ?{_KOMI_UNITS}")
_FRACTION_IN_WORDS = re.compile("([0-9]+)分之([0-9]+)")
_GIVEN = re.compile(r"^(倒)?(?:黑|白)?(?:[贴貼](?:目|子)?) ?")
"""Komi that Black gives; 倒 turns it round."""
_NOTHING = frozenset(
    (
        *("none", "no", "nil", "null", "n/a", "even", "even game", "-", "--", "no handicap", "no komi", "without"),
        *("tagaisen", "sen", "josen", "nigiri", "定先", "互先", "分先", "先", "先番", "平手", "对子", "對子"),
        *("無", "无", "なし", "호선", "정선", "선", "없음"),
    )
)
_STONES = re.compile(
    r"(?:h|handicap|ha|让|讓|受|受让|受讓|置|置き碁|置碁|접바둑)? ?([0-9]{1,3})(?:\.0*)? ?"
    r"(?:stones?|handicap|h|子|目|个|점|points?)?(?:局|置|접바둑|치석)?"
)


LARGE_KOMI = 30
"""A larger komi is doubted."""


@dataclass(frozen=True)
class Komi:
    """A komi as it is written, in points, and as it was meant.

    Attributes:
        points: as it was meant.
        assumption: the difference, empty if there is none.
        in_stones: it is written in stones (zi), each of two points, as in Chinese counting alone.
    """

    points: float
    assumption: str = ""
    in_stones: bool = False


def read_komi(text: str, board_points: int, program: str) -> Komi | None:
    """Parse KM; None if it is no number. No rules are asked: a quarter of a point is of stones under any.

    Args:
        text: the value.
        board_points: the points of the board; no komi is larger.
        program: the program that wrote it (AP).
    """
    value = _parse_komi(text)
    if value is None:
        return None
    parts = _parts_of_a_point(value, board_points, program)
    points = value / parts
    in_stones = (has_quarters(points) and abs(points) <= _MOST_STONES_OF_KOMI) or "子" in text
    points *= 2 if in_stones else 1
    if parts > 1 or in_stones:
        why = " of ".join([*([_PARTS[parts]] if parts > 1 else []), *(["stones"] if in_stones else [])])
        return Komi(
            points, f"The komi KM[{text[:20]}] was read as {points:g} points: it is written in {why}.", in_stones
        )
    if abs(value) > board_points:
        return Komi(value, f"The komi KM[{text[:20]}] is larger than the board; is it right?")
    if abs(value) > LARGE_KOMI:
        return Komi(value, f"The komi KM[{text[:20]}] is very large; is it right?")
    return Komi(value)


_MOST_STONES_OF_KOMI = 5
_PARTS = {10: "tenths", 100: "hundredths"}
_IN_TENTHS = frozenset((35, 45, 55, 65, 75, 85))
"""Komi in tenths of a point that are no komi in points: even games were never given so much."""


def has_quarters(value: float) -> bool:
    """Return True for a number of points with a quarter or three: it is one of stones (zi), of two points each."""
    return (value * 4) % 2 == 1


def _parse_komi(text: str) -> float | None:
    normal_text = _FRACTION_IN_WORDS.sub(r"\2/\1", _normalise_value(text).replace(",", "."))
    prefix = _GIVEN.match(normal_text)
    if prefix is not None and prefix[1]:
        reverse = _parse_komi(normal_text[prefix.end() :])
        return None if reverse is None else -reverse
    normal_text = normal_text[prefix.end() :] if prefix is not None else normal_text
    if normal_text in _NOTHING:
        return 0.0
    fraction = _WITH_FRACTION.fullmatch(normal_text)
    if fraction is not None and int(fraction[3]):
        whole, part = int(fraction[1]), int(fraction[2]) / int(fraction[3])
        return whole - part if fraction[1].startswith("-") else whole + part
    match = _KOMI.fullmatch(normal_text)
    if match is None:
        return None
    value = float(match[1]) + (math.copysign(0.5, float(match[1])) if match[2] else 0)
    return value if math.isfinite(value) and abs(value) < 1e6 else None


def _parts_of_a_point(value: float, board_points: int, program: str) -> int:
    """Return 100 for a whole number that is a komi in hundredths, 10 for one in tenths, else 1.

    Hundredths end in 25, 50, 75 or 00, and are large. Fox writes so, and old versions of SGFC. From 50 on no game has
    such a komi in points.
    """
    if not value or value % 1:
        return 1
    by_fox = "fox" in program.lower() or program.lower().startswith("sgfc")
    plainly = by_fox or abs(value) >= 100 or abs(value) > board_points or value % 50 == 0
    if plainly and not value % 25 and abs(value) >= (25 if by_fox else 50):
        return 100
    return 10 if abs(value) in _IN_TENTHS else 1


def read_handicap(text: str) -> int | None:
    """Parse HA; None if it is no handicap. Words for an even game are 0."""
    normal_text = _normalise_value(text)
    if normal_text in _NOTHING:
        return 0
    match = _STONES.fullmatch(normal_text)
    return int(match[1]) if match else None


def _normalise_value(text: str) -> str:
    """Return a value in small letters, with digits of ASCII and fractions written as decimals."""
    for sign, decimals in _HALF.items():
        text = re.sub(rf"(?<![0-9])\s*{sign}", f"0{decimals}", re.sub(rf"([0-9])\s*{sign}", rf"\g<1>{decimals}", text))
    text = unicodedata.normalize("NFKC", text).lower().strip()
    text = "".join(_DIGITS.get(letter, letter) for letter in text)
    return " ".join(text.replace("−", "-").split())


_BLACK, _WHITE = r"(?:black|schwarz|noir|b|黑棋|黒番|黑|黒|흑)", r"(?:white|weiss|weiß|blanc|w|白棋|白番|白|백)"
_WON = re.compile(rf"(?:({_BLACK})|({_WHITE})) ?(?:wins?|gewinnt|胜|勝|승)? ?(?:by|\+|:|,)? ?(.*)")
_ENDINGS = {
    "R": (
        *("r", "res", "resign", "resigns", "resigned", "resignation", "aufgabe", "abandon", "불계", "불계승"),
        *("中盘", "中盘胜", "中押", "中押し", "中押し勝ち", "中押勝", "中押勝ち", "中盤", "中盤勝"),
    ),
    "T": (
        *("t", "time", "timeout", "time out", "on time", "zeit", "超时", "超时胜", "超時", "超時勝"),
        *("時間切れ", "時間切れ勝ち", "時間", "시간승", "시간패"),
    ),
    "F": (
        *("f", "forfeit", "forfeiture", "default", "disqualification"),
        *("反則", "反則勝ち", "犯规", "不战胜", "不戦勝", "반칙승"),
    ),
}
_ENDING_OF = {word: letter for letter, words in _ENDINGS.items() for word in words}
_MOVES_MADE = re.compile("^[0-9]+手完? ?[,、。]? ?")
"""The number of moves, which the Nihon Ki-in writes before the result."""
_DRAWN = frozenset(("0", "draw", "jigo", "drawn", "tie", "和棋", "和局", "持碁", "ジゴ", "무승부", "빅"))
_VOID = frozenset(("void", "no result", "无胜负", "無勝負", "무효"))
_WINS = r"(?:胜|勝ち?|승)?"
_BY_COUNT = re.compile(
    rf"({_NUMBER})(?: ([0-9])/([0-9]))? ?(?:points?|pts?|目|子|点|點|집|호)? ?(半|반)?{_WINS}"
    rf"(?:目|子|집)?(半|반)?{_WINS}"
)
WAYS_TO_END = {"R": "resignation", "T": "time", "F": "forfeit"}
"""The ways in which a game ends without a count, by the letter in its result."""


def read_result(text: str) -> str | None:
    """Parse RE: `B+R`, `W+T`, `B+F`, `B+3.5`, `0`, `Void`; None if it is not known or says nothing of these.

    `B+` for a win without a margin.
    """
    normal_text = _MOVES_MADE.sub("", _normalise_value(text))
    if normal_text in _DRAWN:
        return "0"
    if normal_text in _VOID:
        return "Void"
    match = _WON.fullmatch(normal_text)
    if match is None:
        return None
    winner, ending = ("B" if match[1] else "W"), match[3].strip(" .!")
    if ending in _ENDING_OF:
        return f"{winner}+{_ENDING_OF[ending]}"
    points = _parse_margin(ending.replace(",", "."))
    if points is not None:
        return f"{winner}+{points:g}" if points else "0"
    return f"{winner}+" if not ending or ending == "?" else None


def is_result_in_stones(text: str) -> bool:
    """Return True if RE gives a margin in stones (zi), as Chinese counting alone does."""
    normal_text = _normalise_value(text)
    match = re.search(rf"[+胜勝赢贏] ?({_NUMBER})", normal_text)
    return bool(re.search(r"[0-9] ?(?:又[0-9/]+)?子", normal_text)) or (
        match is not None and has_quarters(float(match[1]))
    )


def _parse_margin(text: str) -> float | None:
    """Return the points of a win by count; a quarter or three can only be of stones, which are two points each."""
    text = re.sub(r"又([0-9])/([0-9])", r" \1/\2", text)
    match = _BY_COUNT.fullmatch(text)
    if match is None:
        return None
    part = int(match[2]) / int(match[3]) if match[2] and int(match[3]) else 0
    points = float(match[1]) + part + (0.5 if match[4] or match[5] else 0)
    return points * 2 if has_quarters(points) else points
