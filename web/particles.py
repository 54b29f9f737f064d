"""Korean particles, whose form depends on the sound before them: `{player}(은/는)`.

A catalogue writes both forms in brackets, first the one after a consonant. They are chosen when all values have been
filled in, because the last sound is that of a name, a number or an intersection.
"""

from __future__ import annotations

import re
import unicodedata
from enum import Enum, auto

MARK = re.compile(r"\(([가-힣]+)/([가-힣]+)\)")
"""Both forms of a particle, in brackets."""
_CLOSING = "\"'”’」』》〉)]}"
_FIRST, _LAST, _FINALS, _RIEUL = ord("가"), ord("힣"), 28, 8
"""The block of Hangul syllables: each has one of 28 finals, of which 0 is none and 8 is rieul."""
_EU = "으"
"""The vowel that a particle drops after a vowel, and after rieul as well."""


class _Sound(Enum):
    VOWEL = auto()
    RIEUL = auto()
    CONSONANT = auto()


_DIGITS = dict(
    zip(
        "0123456789",
        (
            *(_Sound.CONSONANT, _Sound.RIEUL, _Sound.VOWEL, _Sound.CONSONANT, _Sound.VOWEL),
            *(_Sound.VOWEL, _Sound.CONSONANT, _Sound.RIEUL, _Sound.RIEUL, _Sound.VOWEL),
        ),
        strict=True,
    )
)
"""The last sounds of 영 일 이 삼 사 오 육 칠 팔 구; tens and hundreds end in a consonant as zero does."""
_NUMERALS = dict(zip("一二三四五六七八九十", (_DIGITS[digit] for digit in "1234567890"), strict=True))
"""The same for Chinese numerals; 십 ends in a consonant."""
_LETTERS = {"l": _Sound.RIEUL, "r": _Sound.RIEUL, "m": _Sound.CONSONANT, "n": _Sound.CONSONANT}
"""The last sounds of 엘, 알, 엠, 엔; all other names of letters end in a vowel."""
_WORD_ENDS = {"l": _Sound.RIEUL} | dict.fromkeys("mnbpkct", _Sound.CONSONANT)
"""The last sounds of words in Latin letters, as Korean usually writes them; all others end in a vowel."""


def choose_particles(text: str) -> str:
    """Return the text with one form of each particle; with both, "은(는)", if nobody can know the sound before it."""
    while match := MARK.search(text):
        before, after = text[: match.start()], text[match.end() :]
        text = f"{before}{_choose_form(_last_sound(before), match[1], match[2])}{after}"
    return text


def both_forms(text: str) -> tuple[str, ...]:
    """Return the text after a value: with each form of its first particle if it begins with one."""
    match = MARK.match(text)
    forms = (f"{form}{text[match.end() :]}" for form in match.groups()) if match else (text,)
    return tuple(map(choose_particles, forms))


def _choose_form(sound: _Sound | None, after_consonant: str, after_vowel: str) -> str:
    """Return a particle's form. closed: after a consonant; opened: after a vowel."""
    if sound is None:
        return f"({_EU}){after_vowel}" if after_consonant == _EU + after_vowel else f"{after_consonant}({after_vowel})"
    if sound is _Sound.RIEUL and after_consonant.startswith(_EU):
        return after_vowel
    return after_vowel if sound is _Sound.VOWEL else after_consonant


def _last_sound(text: str) -> _Sound | None:
    text = text.rstrip(_CLOSING)
    last = text[-1:]
    if last and _FIRST <= ord(last) <= _LAST:
        final = (ord(last) - _FIRST) % _FINALS
        return {0: _Sound.VOWEL, _RIEUL: _Sound.RIEUL}.get(final, _Sound.CONSONANT)
    if last in _DIGITS:
        return _DIGITS[last]
    if last in _NUMERALS:
        return _NUMERALS[last]
    if last and unicodedata.name(last, "").startswith(("HIRAGANA", "KATAKANA")):
        return _Sound.CONSONANT if last in "んンッっ" else _Sound.VOWEL
    return _latin_sound(text)


def _latin_sound(text: str) -> _Sound | None:
    """Return the last sound of a name in Latin letters: capitals alone are spelt, words are read."""
    letters = unicodedata.normalize("NFD", text[-40:])
    match = re.search(r"[A-Za-z]+$", "".join(letter for letter in letters if not unicodedata.combining(letter)))
    if match is None:
        return None
    word, last = match[0], match[0][-1].lower()
    if word.isupper():
        return _LETTERS.get(last, _Sound.VOWEL)
    return _Sound.CONSONANT if word.endswith("ng") else _WORD_ENDS.get(last, _Sound.VOWEL)
