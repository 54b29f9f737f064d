"""A language's sentences as one table for a spreadsheet, and back.

python -m tests.support.translating give fr         writes out/sentences-fr.csv: what there is, and what is missing
python -m tests.support.translating take fr FILE    checks the table and writes web/locale/fr; 1 if it is wrong
"""

from __future__ import annotations

import argparse
import csv
import io
import re
import sys
import unicodedata
from collections.abc import Iterator
from gettext import c2py
from itertools import zip_longest
from pathlib import Path

from referee.game.board import COLOURS
from tests.support import sentences
from web.language_traits import FILE, FOLDER, SOURCE, language_stylesheet

COLUMNS = ("key", "place", "speaks of", "room", "for", "english", "yours")
DELIMITERS = (",", ";", "\t")
"""Those that spreadsheets write between cells, by the language of the computer."""
OUT = sentences.ROOT / "out"
STYLES = sentences.ROOT / "web" / "static" / "languages.css"
CARD = 17
"""The room for what a player does next, in letters: on a card of a phone of 390 pixels."""
TWICE = 2
"""The room for all other texts, in lengths of the English one, and at least SHORT: the layout is tested with it."""
SHORT = 30
WIDE = 15 / 8
"""The width of a wide letter, such as a kanji, in those of others."""
BUTTONS = ("DONE", "CALL", "SCORE", "PAUSE")
"""The words that are printed on the buttons in every language."""
SEPARATE = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "GEORGIAN")
"""The beginnings of Unicode's names of letters whose words always stand apart."""
TAG = r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?"
"""BCP 47, as far as catalogues have names: a language, a script and a region."""
DRAFT = "draft = true\n"
PLACES = {
    "act label headline page board step turn finding status": "the table's page: docs/pictures/superko.webp",
    "desk tap sure director pin pairing preset forget lying": "the director's desk: docs/pictures/desk-phone.webp",
    "hall": "the hall's wall and lists: docs/pictures/hall-wall.webp",
    "wall watch sight": "the wall: docs/pictures/wall-desktop.webp",
    "lamps": "the lamps' page: docs/pictures/panel.svg",
    "phone phones framing": "a player's phone: docs/pictures/phone-clock.webp",
    "card keys": "printed card and key labels: hardware/drawings/card-en.svg",
    "poster sheet paper": "printed on paper",
    "gallery games kept worth": "lists of games, and a game that is over: docs/pictures/result-desktop.webp",
    "voice": "said aloud, or shown about it",
    "score count counted method result proposal dead seki agree agreement": "the count: docs/counting.md",
    "rules title summary control": "rule sets and time controls: docs/rules/README.md",
    "journal identity fault health pins rim lights": "faults of the box, on the page and in commands",
}
"""The places of the families of keys, with a picture or page of each."""


AT_EVERY_MOVE = (
    *("headline.turn", "headline.turn-press", "headline.waiting", "legal", "colour", "stone", "stones", "label"),
    *("status", "turn", "order", "and", "or", "comma", "sentences", "language"),
)
"""The keys and families of keys that players meet at every move."""
IN_A_GAME = ("illegal", "reason", "why", "unexplained", "lift", "pass", "result", "page", "act", "headline")
"""Those that they meet in most games besides."""
ORDER = (*AT_EVERY_MOVE, *IN_A_GAME)
"""The table's order; all others come after these."""


def rank(key: str) -> int:
    """Return a key's place in ORDER; its number for all others."""
    name = key.partition("@")[0]
    return next((at for at, part in enumerate(ORDER) if part in (name, name.partition(".")[0])), len(ORDER))


def _by_rank(key: str) -> tuple[int, str]:
    return rank(key), key


def _place(key: str) -> str:
    family = key.partition(".")[0]
    return next((place for names, place in PLACES.items() if family in names.split()), "rulings: docs/rulings.md")


def width(text: str) -> float:
    """Return a text's width in letters, without its slots."""
    bare = re.sub(r"\{[^}]*\}", "", text)
    return sum(WIDE if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in bare)


def room(key: str, english: tuple[str, ...]) -> int:
    """Return the number of letters that fit, besides what stands in braces."""
    return CARD if key.startswith("act.") else max(SHORT, round(TWICE * max(map(width, english))))


def numbers(plural: str, count: int) -> list[str]:
    """Return for each plural form the first numbers that it is for."""
    form = c2py(plural)
    examples: list[list[str]] = [[] for _ in range(count)]
    for number in range(200):
        if len(examples[form(number)]) < 5:
            examples[form(number)].append(str(number))
    return ["n = " + ", ".join(one) for one in examples]


def table(code: str, translations: dict[str, tuple[str, ...]]) -> str:
    """Return the table of a language with the texts that it has."""
    catalogue, out = sentences.new(code), io.StringIO()
    labels = numbers(catalogue.plural_expr, catalogue.num_plurals)
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    originals = sentences.texts(SOURCE)
    for key in sorted({*originals, *translations}, key=_by_rank):
        english = originals.get(key.partition("@")[0], ("",))
        slots = " ".join(f"{{{name}}}" for name in sorted(sentences.slots(english)))
        rows = zip_longest(labels if len(english) > 1 else [""], translations.get(key, ()), fillvalue="")
        for form, (label, own) in enumerate(rows):
            original = english[min(form, len(english) - 1)]
            writer.writerow((key, _place(key), slots, room(key, english), label, original, own))
    return out.getvalue()


def give(code: str, path: Path) -> int:
    """Write a language's table; what an earlier one at this path has goes before the catalogue's. Return its number."""
    known = known_texts(code)
    earlier = {key: texts for key, texts in read(path).items() if any(texts)} if path.exists() else {}
    path.parent.mkdir(exist_ok=True)
    path.write_text("\ufeff" + table(code, known | earlier), encoding="utf-8")
    return sum(known.get(key) != texts for key, texts in earlier.items())


def parse(text: str) -> dict[str, tuple[str, ...]]:
    """Read a table: the texts by key, in the order of their forms. Raise ValueError for no such table."""
    text = text.removeprefix("\ufeff")
    delimiter = max(DELIMITERS, key=text.partition("\n")[0].count)
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    if not rows or not {"key", "yours"} <= set(rows[0]):
        raise ValueError(f"this is no table of sentences: its first line must be {', '.join(COLUMNS)}")
    translations: dict[str, tuple[str, ...]] = {}
    for row in rows:
        key = (row["key"] or "").strip()
        translations[key] = (*translations.get(key, ()), row["yours"] or "")
    return translations


def read(path: Path) -> dict[str, tuple[str, ...]]:
    """Read a table's file. Raise ValueError for no such table, and OSError."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError("this file cannot be read; save it in the spreadsheet as CSV in UTF-8.") from error


def language_tag(text: str) -> str:
    """Return a language's tag. Raise ArgumentTypeError for any other text."""
    if not re.fullmatch(TAG, text):
        raise argparse.ArgumentTypeError(
            f"{text} is no language's tag: write two or three small letters, and -Script or -REGION where the language "
            "needs them, such as fr, pt-BR or zh-Hant."
        )
    return text


def faults(code: str, translations: dict[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield what is wrong with the texts of a language, a line each; what is missing is told by `missing`."""
    english, forms = sentences.texts(SOURCE), sentences.new(code).num_plurals
    for key, texts in sorted(translations.items(), key=lambda item: _by_rank(item[0])):
        name, _, context = key.partition("@")
        if name not in english:
            yield f"{key}: there is no such sentence; leave its row out."
        elif len(texts) != (wanted := forms if len(english[name]) > 1 else 1):
            yield f"{key}: {len(texts)} rows instead of {wanted}."
        elif any(texts) and not all(texts):
            yield f"{key}: fill in all {wanted} rows or none."
        elif all(texts):
            yield from _text_faults(key, name, texts, english[name], bool(context))
    cases = {case for texts in translations.values() for case in _cases(texts)}
    needed = ("more-points", "stones.any", *(f"stones.{colour}" for colour in COLOURS))
    named = [f"{key}@{case}" for case in sorted(cases) for key in needed]
    yield from (f"{key}: add rows with this key." for key in named if key not in translations)


def _cases(texts: tuple[str, ...]) -> set[str]:
    try:
        return sentences.cases(texts)
    except ValueError:
        return set()


def _text_faults(
    key: str, name: str, texts: tuple[str, ...], english: tuple[str, ...], in_context: bool
) -> Iterator[str]:
    try:
        own, wanted = sentences.slots(texts) - {"n"}, sentences.slots(english) - {"n"}
    except ValueError as error:
        yield f"{key}: a brace is wrong ({error})."
        return
    if own != wanted:
        lack, more = ", ".join(sorted(wanted - own)), ", ".join(sorted(own - wanted))
        problems = [f"{{{lack}}} is missing"] * bool(lack) + [f"{{{more}}} is too much"] * bool(more)
        yield f"{key}: {', '.join(problems)}."
    yield from (f"{key}: {word} is printed on a button and stays." for word in _lost_buttons(texts, english))
    yield from (f"{key}: {place} is missing." for place in _lost_spaces(texts, english))
    fits = room(name, english)
    for text in () if in_context else texts:
        if width(text) > fits:
            yield f"{key}: {width(text):.0f} letters; {fits} fit: {text}"


def _lost_buttons(texts: tuple[str, ...], english: tuple[str, ...]) -> list[str]:
    patterns = {word: re.compile(rf"(?<![A-Z]){word}(?![A-Z])") for word in BUTTONS}
    named = {word: pattern for word, pattern in patterns.items() if all(map(pattern.search, english))}
    return [word for word, pattern in named.items() if not all(map(pattern.search, texts))]


def _lost_spaces(texts: tuple[str, ...], english: tuple[str, ...]) -> list[str]:
    """Return the places of spaces around a text that are missing, as in "and", where words stand apart."""
    places = (("the space at its beginning", 0, SEPARATE), ("the space at its end", -1, (*SEPARATE, "COMMA")))
    return [
        place
        for place, at, separate in places
        if all(text[at].isspace() for text in english)
        and any(unicodedata.name(text[at], "").startswith(separate) for text in texts)
    ]


def missing(translations: dict[str, tuple[str, ...]]) -> list[str]:
    """Return the keys without a text, or without one of its forms."""
    return [
        key
        for key in sorted(sentences.texts(SOURCE), key=_by_rank)
        if not translations.get(key) or not all(translations[key])
    ]


def take(code: str, translations: dict[str, tuple[str, ...]], folder: Path = FOLDER) -> Path:
    """Write the catalogue, and mark it as a draft while sentences are missing. Return its path."""
    catalogue, english = sentences.new(code), sentences.texts(SOURCE)
    for key, texts in translations.items():
        name, _, context = key.partition("@")
        if texts and all(texts):
            has_plural = len(english[name]) > 1
            catalogue.add(
                (name, name) if has_plural else name, list(texts) if has_plural else texts[0], context=context or None
            )
    path, traits = folder / code / "LC_MESSAGES" / "shinpan.po", folder / code / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(sentences.sorted_text(catalogue), encoding="utf-8")
    others = traits.read_text(encoding="utf-8").replace(DRAFT, "") if traits.exists() else ""
    traits.write_text((DRAFT if missing(translations) else "") + others, encoding="utf-8")
    return path


def main() -> int:
    """Give or take a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("act", choices=("give", "take"))
    parser.add_argument("code", type=language_tag, help="the language's tag, such as fr, pt-BR or zh-Hant")
    parser.add_argument("file", type=Path, nargs="?", help="the table; out/sentences-CODE.csv if left out")
    args = parser.parse_args()
    path: Path = args.file or OUT / f"sentences-{args.code}.csv"
    try:
        if args.act == "give":
            new = give(args.code, path)
            whence = f", {new} of them as the table before had them" if new else ""
            print(f"{path} has {len(sentences.texts(SOURCE))} sentences{whence}; fill in the column yours.")
            return 0
        translations = read(path)
    except (OSError, ValueError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 1
    return _took(args.code, translations)


def _took(code: str, translations: dict[str, tuple[str, ...]]) -> int:
    wrong, lacking = list(faults(code, translations)), missing(translations)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    if wrong:
        print(f"{len(wrong)} things are wrong; nothing was written.")
        return 1
    path = take(code, translations)
    STYLES.write_text(language_stylesheet(), encoding="utf-8")
    first = f", first {', '.join(lacking[:5])}" if lacking else ""
    print(f"{path} is written; {len(lacking)} sentences are missing{first}. make run, then open /?lang={code}")
    return 0


def known_texts(code: str) -> dict[str, tuple[str, ...]]:
    """Return the texts of a language's catalogue, those in cases by keys such as stones.any@acc."""
    if not sentences.path_of(code).exists():
        return {}
    return sentences.texts(code) | sentences.texts_in_cases(code)


if __name__ == "__main__":
    sys.exit(main())
