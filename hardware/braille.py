"""Words in Braille, letter by letter: the English and German alphabets, and Japanese kana.

Cells and distances are Marburg Medium, the European measure for labels: 2.5 mm from dot to dot, 6.0 mm from cell to
cell, 10.0 mm from line to line. Japanese tenji combines the vowel's dots with those of the consonant; marks that change
a sound go before it. Capitals are not marked, as is usual on labels.
"""

from __future__ import annotations

from collections.abc import Iterator

DOT, CELL, LINE = 2.5, 6.0, 10.0
"""The distances in millimetres: from dot to dot in a cell, from cell to cell, from line to line."""
Dots = frozenset[int]
"""A cell: the raised ones of the dots 1 to 6, 1 to 3 down its left, 4 to 6 down its right."""
_FIRST = ("1", "12", "14", "145", "15", "124", "1245", "125", "24", "245")
LETTERS = {
    **dict(zip("abcdefghij", _FIRST, strict=True)),
    **{letter: dots + "3" for letter, dots in zip("klmnopqrst", _FIRST, strict=True)},
    **{letter: dots + "36" for letter, dots in zip("uvxyz", ("1", "12", "14", "145", "15"), strict=True)},
    "w": "2456",
    "ä": "345",
    "ö": "246",
    "ü": "1256",
    "ß": "2346",
    " ": "",
}
_VOWELS = ("1", "12", "14", "124", "24")
_ROWS = {"あいうえお": "", "かきくけこ": "6", "さしすせそ": "56", "たちつてと": "35", "なにぬねの": "3"} | {
    "はひふへほ": "36",
    "まみむめも": "356",
    "らりるれろ": "5",
}
KANA = {
    **{kana: vowel + consonant for row, consonant in _ROWS.items() for kana, vowel in zip(row, _VOWELS, strict=True)},
    "や": "34",
    "ゆ": "346",
    "よ": "345",
    "わ": "3",
    "ん": "356",
    "ー": "25",
    "っ": "2",
}
VOICED = dict(zip("がぎぐげござじずぜぞだぢづでどばびぶべぼ", "かきくけこさしすせそたちつてとはひふへほ", strict=True))
HALF_VOICED = dict(zip("ぱぴぷぺぽ", "はひふへほ", strict=True))
GLIDES = {"ゃ": 0, "ゅ": 2, "ょ": 4}
"""The small kana after one of the i row: the sound of its row that is written then, after dot 4."""


def to_cells(word: str) -> list[Dots]:
    """Return a word of letters, or of hiragana, in cells. Raise ValueError for anything else."""
    return [frozenset(map(int, dots)) for dots in (_kana_cells(word) if _is_kana(word) else _letter_cells(word))]


def to_unicode(word: str) -> str:
    """Return the word as Unicode's Braille patterns."""
    return "".join(chr(0x2800 + sum(1 << dot - 1 for dot in cell)) for cell in to_cells(word))


def _is_kana(word: str) -> bool:
    return any("ぁ" <= sign <= "ー" for sign in word)


def _letter_cells(word: str) -> Iterator[str]:
    for letter in word.lower():
        if letter not in LETTERS:
            raise ValueError(f"{letter!r} of {word!r} is no letter that is known in Braille")
        yield LETTERS[letter]


def _kana_cells(word: str) -> Iterator[str]:
    for sign, after in zip(word, word[1:] + " ", strict=True):
        if sign in GLIDES:
            continue
        plain = VOICED.get(sign) or HALF_VOICED.get(sign) or sign
        mark = "5" if sign in VOICED else "6" if sign in HALF_VOICED else ""
        if after in GLIDES:
            row = next(row for row in _ROWS if plain in row)
            mark, plain = mark + "4", row[GLIDES[after]]
        if plain not in KANA:
            raise ValueError(f"{sign!r} of {word!r} is no kana")
        yield from ([mark] if mark else [])
        yield KANA[plain]
