"""The rules of a record that names none (RU): taken from what else it says, and never Ultimate Go.

Most such records are of servers and programs with one rule set, so that komi and result tell the counting: a quarter of
a point is of stones, which Chinese counting alone gives; even games have 6.5 points in Japan and Korea, 7.5 in China,
and 8 under Ing's rules. Records that say nothing of it are mostly old, and of Japanese rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from referee.game.messages import Message, message
from referee.sgf.dialects import Komi, is_result_in_stones
from referee.sgf.letters import JAPANESE, SIMPLIFIED, TRADITIONAL

_BY_KOMI = {
    **dict.fromkeys((6.5, 5.5, 4.5), "japanese"),
    **dict.fromkeys((7.5, 7.0), "chinese"),
    8.0: "ing",
}
_HANDICAP_KOMI = 0.5
_AREA_PROGRAMS = re.compile(
    r"(?i)fox|野狐|katago|katrain|leela|lizzie|sayuri|pachi|golaxy|星阵|yike|弈客|minigo|elf ?opengo|phoenixgo|\bsai\b"
    "|cgos"
)
"""Servers and programs whose games are counted by area unless they say otherwise."""
_IN_TEXTS = ("PB", "PW", "EV", "GN", "PC", "RO", "RE", "DT", "BR", "WR", "BT", "WT", "SO", "US", "AN", "GC")
_KANA, _HANGUL = re.compile("[\u3040-\u30ff]"), re.compile("[\uac00-\ud7a3]")
_CHINESE_LETTERS = (frozenset(SIMPLIFIED) | frozenset(TRADITIONAL)) - frozenset(JAPANESE)
_JAPANESE_LETTERS = frozenset(JAPANESE) - frozenset(SIMPLIFIED) - frozenset(TRADITIONAL)
_REASONS = ("komi", "stones", "handicap", "program", "chinese", "japanese", "korean", "nothing")
MESSAGE_KEYS = tuple(f"unnamed.why-{reason}" for reason in _REASONS)


@dataclass(frozen=True)
class AssumedRules:
    """The rule set taken for a record that names none, and the reason for it, as a part of a sentence."""

    name: str
    why: Message


def take_rules(text: Callable[[str], str], komi: Komi | None, handicap: int) -> AssumedRules:
    """Return the rules of a record that names none.

    Args:
        text: gives a property of its root as text, empty if it is absent.
        komi: its komi, None if it has none.
        handicap: its handicap stones.
    """
    return next(filter(None, _rules_by_evidence(text, komi, handicap)))


def _rules_by_evidence(text: Callable[[str], str], komi: Komi | None, handicap: int) -> Iterable[AssumedRules | None]:
    """Yield what each piece of evidence says of the rules, the weightiest first."""
    yield _guess_by_stones(text("KM") if komi is not None and komi.in_stones else "", text("RE"))
    yield _guess_by_komi(komi, handicap)
    yield _guess_by_program(text("AP") or text("SO") or text("PC"))
    yield _guess_by_language("".join(map(text, _IN_TEXTS)))
    yield AssumedRules("japanese", message("unnamed.why-nothing"))


def _guess_by_stones(komi: str, result: str) -> AssumedRules | None:
    source = f"KM[{komi[:20]}]" if komi else f"RE[{result[:20]}]" if is_result_in_stones(result) else ""
    return AssumedRules("chinese", message("unnamed.why-stones", written=source)) if source else None


def _guess_by_komi(komi: Komi | None, handicap: int) -> AssumedRules | None:
    if komi is None:
        return None
    if komi.points == _HANDICAP_KOMI and handicap > 1:
        return AssumedRules("japanese", message("unnamed.why-handicap", komi=komi.points))
    name = _BY_KOMI.get(komi.points)
    return AssumedRules(name, message("unnamed.why-komi", komi=komi.points)) if name is not None else None


def _guess_by_program(program: str) -> AssumedRules | None:
    match = _AREA_PROGRAMS.search(program)
    return AssumedRules("chinese", message("unnamed.why-program", program=program[:30])) if match else None


def _guess_by_language(texts: str) -> AssumedRules | None:
    """Return the rules of the language that the names and the event are written in."""
    if _KANA.search(texts):
        return AssumedRules("japanese", message("unnamed.why-japanese"))
    if _HANGUL.search(texts):
        return AssumedRules("japanese", message("unnamed.why-korean"))
    chinese = sum(letter in _CHINESE_LETTERS for letter in texts)
    japanese = sum(letter in _JAPANESE_LETTERS for letter in texts)
    if chinese > japanese:
        return AssumedRules("chinese", message("unnamed.why-chinese"))
    return AssumedRules("japanese", message("unnamed.why-japanese")) if japanese else None
