"""The names that people and programs have for the rule sets: found case-blind, with or without "rules" or a year."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class NamedRules:
    """A rule set by its own name, and the components that the name exchanges.

    told: what was assumed, if the name is that of other rules.
    """

    name: str
    options: Mapping[str, object] = field(default_factory=dict)
    told: str = ""


_TROMP_TAYLOR = NamedRules(
    "positional",
    {"suicide": "any"},
    "Tromp-Taylor was read as positional with the suicide any (others: --rules NAME).",
)
_KOREAN = NamedRules("japanese", {}, "Korean rules were read as Japanese, which count alike (others: --rules NAME).")
_LIKE_AGA = NamedRules("aga", {}, "British and French rules were read as AGA's (others: --rules NAME).")
_CHINESE_SUPERKO = NamedRules("chinese", {"ko": "positional"})
_OTHERS = {
    "japanese": ("jp", "ja", "jpn", "japan", "jap", "nihonkiin", "nihon", "日本", "日本棋院", "日規", "日规"),
    "chinese": ("cn", "zh", "chn", "china", "chin", "中国", "中國", "中国围棋", "数子", "數子", "cwa"),
    "aga": ("us", "usa", "american", "americangoassociation"),
    "new-zealand": ("nz", "newzealand", "nzgs"),
    "ing": ("goe", "inggoe", "ingsst", "sst", "taiwan", "taiwanese", "应氏", "應氏", "应昌期", "計點", "计点"),
    "positional": ("psk", "positionalsuperko"),
    "situational": ("ssk", "situationalsuperko"),
}
_SAME_AS = {other: NamedRules(name) for name, others in _OTHERS.items() for other in others} | {
    **dict.fromkeys(("tromptaylor", "tt", "logical", "cgos", "tromptaylorlike"), _TROMP_TAYLOR),
    **dict.fromkeys(("korean", "korea", "kr", "ko", "kor", "韩国", "韓國", "韓国", "한국"), _KOREAN),
    **dict.fromkeys(("bga", "british", "french", "ffg", "francais", "française"), _LIKE_AGA),
    **dict.fromkeys(("chineseogs", "chinesekgs"), _CHINESE_SUPERKO),
}
_SAID_BESIDE = re.compile(r"rules?|regeln?|règles?|ルール|规则|規則|规|式|法|룰|규칙|ruleset|style|scoring|counting")
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


def find_rules(name: str, known: Iterable[str]) -> NamedRules | None:
    """Return the rule set with this name, None if nobody calls one so. known: the rule sets' own names."""
    own = {_plain(rules): rules for rules in known}
    for text in (name, _SAID_BESIDE.sub("", _YEAR.sub("", unicodedata.normalize("NFKC", name).lower()))):
        key = _plain(text)
        if key in own:
            return NamedRules(own[key])
        if key in _SAME_AS:
            return _SAME_AS[key]
    return None


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the name of the rule set that a misspelt name is likest to, None if it is like none."""
    own = {_plain(rules): rules for rules in known}
    others = {other: rules.name for other, rules in _SAME_AS.items() if len(other) > 3}
    by_name = {**others, **own}
    plain = _SAID_BESIDE.sub("", _plain(name)) or _plain(name)
    likest = difflib.get_close_matches(plain[:40], by_name, n=1, cutoff=0.72)
    return by_name[likest[0]] if likest else None


def _plain(name: str) -> str:
    """Return a name's letters and digits alone, small."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in folded if letter.isalnum())
