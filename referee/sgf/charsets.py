"""The charset of a record that names none: the one in which it is SGF, and in which its letters are the likeliest.

In Shift_JIS, Big5 and GB18030 the second byte of a letter may be a bracket or a backslash, so a file is decoded before
it is parsed. A charset's likelihood is what its letters cost in bits, were they drawn from the language: a common
letter costs less than a rare one, a letter of a second level much more, and half a letter most.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, islice

from referee.game.errors import BadRecord
from referee.sgf.grammar import parse_sgf
from referee.sgf.letters import JAPANESE, KOREAN, SIMPLIFIED, TRADITIONAL

_BROKEN, _SWALLOW, _FAULT, _CLEAR = 30.0, 18.0, 25.0, 40.0
"""Bits that half a letter costs, a bracket taken for one, and a place that is no SGF; and by which a charset must win
against one named."""
_MOST_LETTERS, _LARGEST_TRIED = 4000, 1 << 18
_NAMED = re.compile(rb"\bCA\s*\[\s*([\w.:-]+)\s*\]")
_SEVEN_BITS = re.compile(r"(?i)iso-?2022|hz\b")
"""Charsets that encode everything in bytes below 128."""
_SWALLOWED = re.compile(r"[^\x00-\x7f]\\|[^\]\s(;)];\s*[BW]\[|\\\]\s*(?:;|[A-Z]{2})\s*[BW]?\[")
"""Signs that half a letter was taken for a bracket or a backslash: a backslash after it, or a move within a text."""
_HIGH = re.compile(r"[^\x00-\x7f]")
_ALIASES = {
    **dict.fromkeys(("gb2312", "gbk", "gb", "cp936", "gb231280", "xgbk", "eucn", "euccn", "chinese"), "gb18030"),
    **dict.fromkeys(("shiftjis", "sjis", "xsjis", "windows31j", "ms932", "mskanji"), "cp932"),
    **dict.fromkeys(("euckr", "ksc56011987", "ksc5601", "korean", "xwindows949", "uhc", "windows949"), "cp949"),
    **dict.fromkeys(("iso88591", "latin1", "windows1252", "ansi", "ascii", "usascii", "xansi"), "cp1252"),
    **dict.fromkeys(("windows1250", "cp1250", "xcp1250"), "cp1250"),
    **dict.fromkeys(("eucjp", "xeucjp", "ujis"), "euc_jp"),
    **dict.fromkeys(("big5", "xbig5", "big5eten", "cp950"), "cp950"),
}


@dataclass(frozen=True)
class Decoded:
    """A file in UTF-8. assumption: what was assumed of its charset, empty if nothing was."""

    text: bytes
    assumption: str = ""


def is_utf_16(data: bytes) -> bool:
    """Return True if a file begins with the byte order mark of UTF-16."""
    return data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def decode_record(data: bytes) -> Decoded:
    """Return the file in UTF-8, decoded from the charset that it names, or else from the likeliest."""
    if is_utf_16(data):
        return Decoded(data.decode("utf-16", "replace").encode("utf-8", "replace"))
    if data[1:2] == b"\0" and data[3:4] == b"\0":
        return Decoded(data.decode("utf-16-le", "replace").encode("utf-8", "replace"))
    match = _NAMED.search(data)
    charset_name = match[1].decode("ascii", "replace") if match else ""
    # A file in a seven-bit charset is valid UTF-8 too.
    for encoding in chain([charset_name] if _SEVEN_BITS.match(charset_name) else [], ["utf-8-sig"]):
        text = _try_decode(data, encoding)
        if text is not None:
            return Decoded(text)
    encoding = _find_encoding(charset_name)
    text = _try_decode(data, encoding) if charset_name else None
    if text is not None and encoding != "cp1252":
        return Decoded(text)
    return _guess_charset(data, charset_name, text)


def _find_encoding(charset_name: str) -> str:
    return _ALIASES.get(re.sub(r"[^a-z0-9]", "", charset_name.lower()), charset_name)


def _try_decode(data: bytes, encoding: str) -> bytes | None:
    try:
        return data.decode(encoding).encode("utf-8", "replace")
    except (UnicodeError, LookupError):
        return None


def find_likeliest_encoding(data: bytes) -> str:
    """Return the encoding in which the letters of a text of any kind are the likeliest; UTF-8 if it is that."""
    if _try_decode(data, "utf-8-sig") is not None:
        return "utf-8-sig"
    costs = _list_costs(data)
    return min(_CHARSETS, key=lambda charset: costs[charset.name]).encoding


def _list_costs(data: bytes) -> dict[str, float]:
    return {charset.name: charset.reading_cost(data) for charset in _CHARSETS}


def _guess_charset(data: bytes, charset_name: str, text_as_named: bytes | None) -> Decoded:
    """Return the file decoded from the likeliest charset. as_named: decoded from the one named, if that is possible."""
    costs = _list_costs(data)
    if len(data) <= _LARGEST_TRIED:
        costs = {charset.name: costs[charset.name] + _FAULT * _count_faults(data, charset) for charset in _CHARSETS}
    best = min(_CHARSETS, key=lambda charset: costs[charset.name])
    latin = costs["Windows-1252"]
    if text_as_named is not None and costs[best.name] > latin - _CLEAR:
        return Decoded(text_as_named)
    text = data.decode(best.encoding, "replace").encode("utf-8", "replace")
    if best.encoding == "cp1252" and not charset_name:  # The standard's own, but for a few signs.
        assumption = ""
    elif charset_name:
        assumption = f"The SGF is not in its charset CA[{charset_name[:20]}]; it was read as {best.name}."
    else:
        assumption = (
            f"The SGF names no charset; it was read as {best.name}. If names look wrong, write CA[CHARSET] into it."
        )
    return Decoded(text, assumption)


def _count_faults(data: bytes, charset: _Charset) -> int:
    try:
        return len(parse_sgf(data.decode(charset.encoding, "replace").encode("utf-8", "replace")).faults)
    except BadRecord:
        return 10


@dataclass(frozen=True)
class _Charset:
    """A charset with the cost of its letters.

    name: for people.
    encoding: for Python.
    prior: bits against it before anything was read.
    bits: the bits of a letter, from the letter and its bytes.
    hint: rules and programs that speak for it.
    """

    name: str
    encoding: str
    prior: float
    bits: Callable[[str, bytes], float]
    hint: re.Pattern[bytes]

    def reading_cost(self, data: bytes) -> float:
        text = data.decode(self.encoding, "replace")
        letters = [match.start() for match in islice(_HIGH.finditer(text), _MOST_LETTERS)]
        hint_bonus = 6.0 if self.hint.search(data[:5000]) else 0.0
        swallow_cost = _SWALLOW * len(_SWALLOWED.findall(text[:_LARGEST_TRIED]))
        return self.prior - hint_bonus + swallow_cost + sum(self._letter_cost(text, index) for index in letters)

    def _letter_cost(self, text: str, index: int) -> float:
        letter = text[index]
        if letter == "\ufffd":
            return _BROKEN
        if self.encoding in _LATIN:
            return _latin_bits(letter, text[index - 1 : index], text[index + 1 : index + 2], _LATIN[self.encoding])
        if "｡" <= letter <= "ﾟ":  # Half as wide, and seldom alone.
            return 11.0 if "｡" <= text[index - 1] <= "ﾟ" else 15.0
        return self.bits(letter, letter.encode(self.encoding, "replace"))


_LATIN = {
    "cp1252": (dict.fromkeys("ìùœðþýŒÝÐÞšžŠŽŸÏ", 3.0) | dict.fromkeys("õûÕÛ", 5.0), "ªºµƒ"),
    "cp1250": (dict.fromkeys("ăâîşţđŕĺÂÎĂŞŢĐŔĹ", 3.0), "µ"),
}
"""The cost of letters that are rare in Western and in Central Europe, and signs that are no letters of words."""
_VOWELS = frozenset("aeiouyáàâäãåæéèêëěęíìîïóòôöõøőúùûüůűýąăœ")
_OPEN = frozenset("ëïüöäáéíóúýãõœ")
"""Vowels that stand beside another vowel too."""


def _latin_bits(letter: str, before: str, after: str, signs: tuple[dict[str, float], str]) -> float:
    """Return the bits of a letter of Western or Central Europe: it stands in a word, mostly beside one of ASCII."""
    rare, foreign = signs
    if not letter.isalpha() or letter in foreign:
        return 17.0 if letter not in "’‘“”–—…€°½«»¿¡\xa0 " else 10.0 if (before + after).isascii() else 15.0
    bits = _syllable_bits(letter, before.lower(), after.lower())
    if not (letter in "œŒ" and after in ("u", "i")):
        bits += rare.get(letter, 0.0)
    if any("a" <= near.lower() <= "z" for near in before + after):
        return 6.5 + bits
    return (8.5 if (before + after).strip().isalpha() else 12.0) + bits


def _syllable_bits(letter: str, before: str, after: str) -> float:
    """Return the bits by which a letter is unlikelier between its neighbours: vowels and consonants change about."""
    low = letter.lower()
    if low in "ñ":
        return 0.0 if after in _VOWELS else 5.0
    if low in _VOWELS:
        return 0.0 if low in _OPEN else 4.0 * sum(near in _VOWELS and near != "y" for near in (before, after))
    consonants = [near.isalpha() and near not in _VOWELS for near in (before, after)]
    return 4.0 if all(consonants) else 0.0


def _chinese_bits(letter: str, raw: bytes) -> float:
    if len(raw) != 2:
        return 26.0
    lead, trail = raw
    if trail < 0xA1 or lead < 0xA1:
        return 20.0 if letter in TRADITIONAL else 24.0
    if lead < 0xB0:
        return 12.0 if lead <= 0xA3 else 17.0 if lead < 0xA6 else 20.0
    if letter in SIMPLIFIED:
        return 9.3
    return 14.0 if lead <= 0xD7 else 18.5


def _kanji_bits(letter: str, first_level: bool) -> float:
    if letter in JAPANESE:
        return 10.0
    return 15.0 if first_level else 19.5


def _kana_bits(letter: str) -> float | None:
    if "ぁ" <= letter <= "ん":
        return 7.7
    return 9.0 if "ァ" <= letter <= "ー" else None


def _shift_jis_bits(letter: str, raw: bytes) -> float:
    kana = _kana_bits(letter)
    if kana is not None:
        return kana
    if raw < b"\x84":
        return 12.0
    if raw < b"\x88\x9f" or raw >= b"\xeb":
        return 21.0
    return _kanji_bits(letter, raw < b"\x98\x9f")


def _euc_jp_bits(letter: str, raw: bytes) -> float:
    if len(raw) != 2:
        return 22.0
    kana = _kana_bits(letter)
    if kana is not None:
        return kana
    if raw[0] < 0xB0:
        return 12.0 if raw[0] <= 0xA3 else 21.0
    return _kanji_bits(letter, raw[0] <= 0xCF)


def _big5_bits(letter: str, raw: bytes) -> float:
    if letter in TRADITIONAL:
        return 9.5
    if len(raw) != 2 or raw[0] < 0xA1:
        return 26.0
    if raw[0] <= 0xA3:
        return 12.0 if raw < b"\xa3\x74" else 18.0
    return 14.8 if raw[0] <= 0xC6 else 20.0


def _korean_bits(letter: str, raw: bytes) -> float:
    if letter in KOREAN:
        return 8.2
    if len(raw) != 2 or raw[0] < 0xA1 or raw[1] < 0xA1:
        return 22.0
    if raw[0] < 0xB0:
        return 12.0 if raw[0] <= 0xA3 else 18.0
    return 14.0 if raw[0] <= 0xC8 else 19.0


def _compile_hint(pattern: bytes) -> re.Pattern[bytes]:
    return re.compile(pattern, re.IGNORECASE)


_CHARSETS = (
    _Charset(
        "Windows-1252", "cp1252", 0, lambda letter, raw: 0.0, _compile_hint(rb"RU\[\s*(?:AGA|NZ|New|French|British)")
    ),
    _Charset(
        "Windows-1250", "cp1250", 2.5, lambda letter, raw: 0.0, _compile_hint(rb"\b(?:EGF|Praha|Warszawa|Budapest)\b")
    ),
    _Charset(
        "GB18030", "gb18030", 1, _chinese_bits, _compile_hint(rb"RU\[\s*(?:Chin|CN)|foxwq|AP\[(?:yicheng|tom|sina)")
    ),
    _Charset("Shift_JIS", "cp932", 2, _shift_jis_bits, _compile_hint(rb"RU\[\s*(?:Jap|JP)|MultiGo:3|AP\[Nihon")),
    _Charset("Big5", "cp950", 2, _big5_bits, _compile_hint(rb"RU\[\s*(?:Chin|Taiw|Ing|GOE)")),
    _Charset(
        "EUC-KR", "cp949", 2, _korean_bits, _compile_hint(rb"RU\[\s*(?:Kor|KR)|AP\[(?:tygem|cyberoro|oro|wbaduk)|TYGEM")
    ),
    _Charset("EUC-JP", "euc_jp", 3, _euc_jp_bits, _compile_hint(rb"RU\[\s*(?:Jap|JP)")),
)
