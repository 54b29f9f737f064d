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

    assumption: what was assumed, if the name is that of other rules.
    """

    name: str
    options: Mapping[str, object] = field(default_factory=dict)
    assumption: str = ""


_TROMP_TAYLOR = NamedRules(
    "positional",
    {"suicide": "any"},
    "Tromp-Taylor was read as positional with the suicide any (others: --rules NAME).",
)
_KOREAN = NamedRules("japanese", {}, "Korean rules were read as Japanese, which count alike (others: --rules NAME).")
_LIKE_AGA = NamedRules("aga", {}, "British and French rules were read as AGA's (others: --rules NAME).")
_CHINESE_SUPERKO = NamedRules(
    "chinese", {"ko": "positional"}, "These Chinese rules were read as chinese with the ko positional."
)
_NO_TAX = "with their tax on groups left out, because no count here has it (others: --rules NAME)."
_STONES = NamedRules("chinese", {"compensation": "none"}, f"Stone scoring was read as chinese, {_NO_TAX}")
_ANCIENT_TERRITORY = NamedRules("japanese", {}, f"Ancient territory rules were read as japanese, {_NO_TAX}")
_BUTTON = NamedRules("aga", {}, "AGA rules with a button were read as aga, without the button's half point.")
_AREA = NamedRules("chinese", {}, "Area scoring was read as chinese (others: --rules NAME).")
_TERRITORY = NamedRules("japanese", {}, "Territory scoring was read as japanese (others: --rules NAME).")
_EUROPEAN = NamedRules("japanese", {}, "European rules were read as japanese (others: --rules NAME).")
_OTHERS = {
    "japanese": (
        "jp",
        "ja",
        "jpn",
        "japan",
        "jap",
        "nihonkiin",
        "nihon",
        "日本",
        "日本棋院",
        "日規",
        "日规",
        "日韩",
        "日韓",
    ),
    "chinese": (
        "cn",
        "zh",
        "chn",
        "china",
        "chin",
        "中国",
        "中國",
        "中国围棋",
        "数子",
        "數子",
        "cwa",
        "中国棋院",
        "中國棋院",
    ),
    "aga": ("us", "usa", "american", "americangoassociation"),
    "new-zealand": ("nz", "newzealand", "nzgs"),
    "ing": (
        "goe",
        "inggoe",
        "ingsst",
        "sst",
        "taiwan",
        "taiwanese",
        "应氏",
        "應氏",
        "应昌期",
        "計點",
        "计点",
        "應氏計點制",
        "应氏计点制",
    ),
    "positional": ("psk", "positionalsuperko"),
    "situational": ("ssk", "situationalsuperko"),
    "ing-simplified": ("simplifieding", "ingsimplified"),
}
_SAME_AS = {other: NamedRules(name) for name, others in _OTHERS.items() for other in others} | {
    **dict.fromkeys(("tromptaylor", "tt", "logical", "cgos", "tromptaylorlike"), _TROMP_TAYLOR),
    **dict.fromkeys(("korean", "korea", "kr", "ko", "kor", "韩国", "韓國", "韓国", "한국", "한국기원"), _KOREAN),
    **dict.fromkeys(("bga", "british", "french", "ffg", "francais", "française"), _LIKE_AGA),
    **dict.fromkeys(("chineseogs", "chinesekgs"), _CHINESE_SUPERKO),
    **dict.fromkeys(("stone", "stones", "ancientarea", "ancientchinese", "ancient", "古棋", "还棋头"), _STONES),
    "ancientterritory": _ANCIENT_TERRITORY,
    "agabutton": _BUTTON,
    **dict.fromkeys(("area", "areas"), _AREA),
    **dict.fromkeys(("territory", "数目", "數目"), _TERRITORY),
    **dict.fromkeys(("european", "egf"), _EUROPEAN),
}
_RULES_WORDS = re.compile(r"rules?|regeln?|règles?|ルール|规则|規則|规|式|法|룰|규칙|ruleset|style|scoring|counting")
_YEAR = re.compile(r"(?<![0-9])(?:19|20)[0-9]{2}(?![0-9])")


def find_rules(name: str, known_names: Iterable[str]) -> NamedRules | None:
    """Return the rule set with this name, None if nobody calls one so. known: the rule sets' own names."""
    own = {_letters_and_digits(rules): rules for rules in known_names}
    folded_name = unicodedata.normalize("NFKC", name).lower()
    components = _parse_components(folded_name)
    if components is not None:
        return components
    for text in (name, folded_name, _first_part(folded_name)):
        key = _letters_and_digits(text if text is name else _RULES_WORDS.sub("", _YEAR.sub("", text)))
        if key in own:
            return NamedRules(own[key])
        if key in _SAME_AS:
            return _SAME_AS[key]
    return None


def _first_part(name: str) -> str:
    """Return a name without what is said of it in brackets or behind a sign."""
    return re.split(r"[(\[:/,;]", name, maxsplit=1)[0]


# KataGo writes rules by their components: koPOSITIONALscoreAREAtaxNONEsui1, or as JSON.
_SIGNS = r"[\s:=\"']*"
_YES_NO = "true|false|0|1"
_COMPONENT = re.compile(
    rf"(?:ko(?:rule)?{_SIGNS}(?P<ko>simple|positional|situational|spight)"
    rf"|scor(?:e|ing)(?:rule)?{_SIGNS}(?P<score>area|territory)"
    rf"|tax(?:rule)?{_SIGNS}(?P<tax>none|seki|all)"
    rf"|(?:sui|suicide|multistonesuicidelegal){_SIGNS}(?P<suicide>{_YES_NO})"
    rf"|(?:has)?button{_SIGNS}(?P<button>{_YES_NO})"
    rf"|(?:whb|whitehandicapbonus){_SIGNS}(?P<bonus>n-1|n|0)"
    rf"|(?:fpok|friendlypassok){_SIGNS}(?:{_YES_NO}))"
)
_KO = {"simple": "simple", "positional": "positional", "situational": "situational", "spight": "spight-situational"}
_BONUS = {"0": "none", "n": "stones", "n-1": "stones-less-one"}


def _parse_components(folded_name: str) -> NamedRules | None:
    """Return rules that are written by their components, None if they are not."""
    if re.sub(r"[\s{}\",;']", "", _COMPONENT.sub("", folded_name)):
        return None
    parts = {
        key: value for match in _COMPONENT.finditer(folded_name) for key, value in match.groupdict().items() if value
    }
    if not {"ko", "score"} & parts.keys():
        return None
    name = "japanese" if parts.get("score") == "territory" else "chinese"
    suicide = "multi" if parts.get("suicide") in ("1", "true") else "none"
    options: dict[str, object] = {"ko": _KO[parts.get("ko", "simple")], "suicide": suicide}
    options |= {"compensation": _BONUS[parts["bonus"]]} if "bonus" in parts else {}
    choices = ", ".join(f"{piece} {option}" for piece, option in options.items())
    usual_tax = parts.get("tax", "none") in ("none", "seki" if name == "japanese" else "none")
    omissions = ([] if usual_tax else ["the tax on groups"]) + (
        ["the button"] if parts.get("button") in ("1", "true") else []
    )
    left_out = f"; {' and '.join(omissions)} was left out, because no count here has it" if omissions else ""
    return NamedRules(name, options, f"The rules were read as {name} with {choices}{left_out} (others: --rules NAME).")


def find_closest_name(name: str, known_names: Iterable[str]) -> str | None:
    """Return the name of the rule set that a misspelt name is likest to, None if it is like none."""
    own = {_letters_and_digits(rules): rules for rules in known_names}
    others = {other: rules.name for other, rules in _SAME_AS.items() if len(other) > 3}
    by_name = {**others, **own}
    plain_name = _RULES_WORDS.sub("", _letters_and_digits(name)) or _letters_and_digits(name)
    likest = difflib.get_close_matches(plain_name[:40], by_name, n=1, cutoff=0.72)
    return by_name[likest[0]] if likest else None


def _letters_and_digits(name: str) -> str:
    """Return a name's letters and digits alone, small."""
    folded_name = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in folded_name if letter.isalnum())
