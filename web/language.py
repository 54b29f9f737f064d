"""The languages of players and page: gettext catalogues, and the conversion of messages to sentences.

`web/locale/CODE/LC_MESSAGES/shinpan.po` has a text for every key, with its values in braces; the plural depends on
`n`. A colour is a player's name, or with `{player:stone}` the colour of a stone. Any other word after the colon is a
context (msgctxt) of the catalogue: `{stones:acc}` are stones in the accusative. `{part:first}` begins with a capital
letter, and `{n:half}` is half the number with a fraction: rules may count stones where others count points.

A translator names intersections A1, as files do; `on` returns one that names them as the people at a table wish, and
uses the words of the rules that are played there where those differ (`words` in `language.toml`).
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache, partial
from gettext import GNUTranslations, NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING

from referee import (
    COLOURS,
    Board,
    Colour,
    Coordinates,
    Duration,
    Listing,
    Message,
    PointNames,
    Points,
    Stones,
    TableSnapshot,
    Value,
    board_of,
    error_message,
    result_read,
)
from web.compiled import compile_cached
from web.language_traits import ALL, DRAFTS, FOLDER, SOURCE, Replacements, choose_code, read_traits
from web.particles import MARK, choose_particles

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

HALF = "half"
"""The format of a number of points that is worded as half as many stones."""
MOST_PARTS = 8
"""The largest denominator of a fraction in words; other numbers are written as decimals."""
MOST_NAMED = 8
"""The most points listed in a sentence; a ruling's `points` always has them all."""
RESULTS = {"0": "result.word.draw", "Void": "result.word.void"}
"""The words for results that a record writes otherwise; in placeholders of the names `OF_RESULTS`."""
OF_RESULTS = frozenset({"result", "before"})
OF_POINTS = frozenset({"point", "place", "other", "move", "moves", "answer"})
"""The placeholders in which a text may be the name of an intersection."""
OUTCOMES = {"0": "label.draw", "Void": "label.void"}
"""The labels for the same results where they stand alone, in a table or a title."""
_WON = re.compile(r"([BWRGYV])\+([RTF]|[0-9]{1,9}(?:\.[0-9]{1,9})?)")
"""A result with a winner, as a record writes it."""
_MANY = "99"
"""A number of points that stands for any in the patterns of labels; these have no other digits."""
_BARE = (str, int)
"""Types of values that stand in a sentence as they are, unless the placeholder has a format."""
MESSAGE_KEYS = (
    *(f"{kind}.{colour}" for kind in ("colour", "stone", "stones") for colour in COLOURS),
    *(
        "stones.any",
        "and",
        "comma",
        "sentences",
        "and-parts",
        "or",
        "more-points",
        "plain",
        "language",
        "duration.hours",
        "duration.minutes",
        "duration.seconds",
        "result.word.draw",
        "result.word.void",
    ),
)
"""Keys that the languages themselves use."""


def replace_words(text: str, words: Replacements) -> str:
    """Return a text of a catalogue in the words of a rule set."""
    for word, other in words:
        text = text.replace(word, other)
    return text


class Translator:
    """A translator for one language; call it with a key and the text's values."""

    def __init__(
        self,
        code: str,
        texts: GNUTranslations,
        places: PointNames | None = None,
        words: Replacements = (),
    ) -> None:
        """Build a translator.

        places: how it calls the intersections of a board; A1 without I if left out
        words: words of the texts, each with the one that is said instead
        """
        self.code = code
        self.texts = texts
        self.places, self._words = places, words
        self._names = places.by_name if places is not None else {}
        self.sentence = lru_cache(4096)(self._translate_message)
        self.text = lru_cache(4096)(self._catalogue_text)
        self.comma = self("comma")
        """The comma in lists."""
        self.space = self("sentences", one="", two="")
        """The space between words and sentences; empty in languages without one."""

    def __call__(self, key: str, **values: Value) -> str:
        return self._fill_slots(self.text(key, values.get("n")), values)

    def on(self, snapshot: TableSnapshot) -> Translator:
        """Return the same language as the people at this table read it: by its coordinates and its rules."""
        return self.on_board(snapshot.game.position.board, snapshot.coordinates, snapshot.game.rules)

    def on_board(self, board: Board, coordinates: Coordinates, rules: str) -> Translator:
        """Return the same language with these names of the board's points and in the words of these rules."""
        return _at_table(self.code, board, coordinates, rules)

    def under(self, rules: str) -> Translator:
        """Return the same language in the words of these rules."""
        return _at_table(self.code, board_of(19), Coordinates.LETTERS, rules)

    def point(self, name: str) -> str:
        """Return the name of an intersection, given as A1 without I."""
        return self._names.get(name, name)

    def points(self, names: Iterable[str]) -> str:
        """Return the names of intersections with commas."""
        return self.comma.join(map(self.point, names))

    def __contains__(self, key: str) -> bool:
        try:
            return bool(self.texts.gettext(key))
        except KeyError:
            return False

    def _catalogue_text(self, key: str, n: Value | None = None, context: str | None = None) -> str:
        """Return the catalogue's text of a key, for this number; raise KeyError if it has none.

        Call the cached `text` instead.
        """
        return replace_words(self._look_up(key, n, context), self._words)

    def _look_up(self, key: str, n: Value | None, context: str | None) -> str:
        if not isinstance(n, int | float):
            return self.texts.gettext(key)
        number = int(n) if n == int(n) else 2
        if context is not None:
            return self.texts.npgettext(context, key, key, number)
        return self.texts.ngettext(key, key, number)

    def _fill_slots(self, text: str, values: Mapping[str, Value]) -> str:
        if "{" not in text:
            return text
        bare = () if ":" in text else _BARE
        worded_names = OF_RESULTS | OF_POINTS if self._names else OF_RESULTS
        slots = {
            name: one if type(one) in bare and name not in worded_names else _Slot(self, self._word_value(name, one))
            for name, one in values.items()
        }
        result = text.format_map(slots)
        return choose_particles(result) if MARK.search(text) else result

    def _word_value(self, name: str, value: Value) -> Value:
        """Return the value of a placeholder of this name: a result in words where its abbreviation is none, or an
        intersection as it is called here."""
        if name in OF_POINTS:
            return self._name_points(value)
        return self.in_sentence(value) if name in OF_RESULTS and isinstance(value, str) else value

    def _name_points(self, value: Value) -> Value:
        match value:
            case str():
                return self.point(value)
            case Listing(values):
                return Listing(tuple(map(self._name_points, values)))
        return value

    def result(self, written: str) -> str:
        """Return a result as a sentence: "White wins by half a point"; an unknown one as it is written."""
        if written in ("0", "Void"):
            return self("result.draw" if written == "0" else "result.void")
        shares = result_read(written)
        if isinstance(shares, dict):
            totals = shares.items()
            return self.join([self("result.share", player=Colour(letter), total=n) for letter, n in totals])
        won = _WON.fullmatch(written)
        return self._word_win(Colour(won[1]), won[2]) if won else written

    def _word_win(self, player: Colour, how: str) -> str:
        if how in "RTF":
            return self(f"result.{how}", player=player)
        if how in ("0", "0.5"):
            return self("result.tie" if how == "0" else "result.half", player=player)
        return self("result.points", player=player, n=float(how))

    def _shorten_result(self, result: str) -> str:
        """Return a result in the fewest words: "W+3.5" where people write it so, else as a sentence."""
        if _WON.fullmatch(result) is None:
            return result
        known = read_traits(self.code)
        return self.result(result) if known.words_results else result.replace(".", known.decimal_sign)

    def in_sentence(self, result: str) -> str:
        """Return a result within a sentence: "a draw", "void", "W+3.5"."""
        word = RESULTS.get(result)
        return self._shorten_result(result) if word is None else self(word)

    @property
    def outcomes(self) -> dict[str, str]:
        """Return the labels of the results that a record writes otherwise."""
        return {result: self(label) for result, label in OUTCOMES.items()}

    def outcome(self, result: str) -> str:
        """Return a result for a table: "Draw", "Void", "W+3.5"."""
        label = OUTCOMES.get(result)
        return self._shorten_result(result) if label is None else self(label)

    def outcome_patterns(self) -> dict[str, str]:
        """Return the labels of all results but those of more than two players, for scripts.

        # is a number of points, and ½ the same as half as many stones.
        """
        ways = [f"{colour}+{how}" for colour in COLOURS[:2] for how in ("R", "T", "F", "0.5", _MANY)]
        marks = {_MANY: "#", self._format_half(float(_MANY)): "½"}
        return {
            way.replace(_MANY, "#"): replace_words(self.outcome(way), tuple(marks.items()))
            for way in (*OUTCOMES, *ways)
        }

    def join(self, words: list[str], word: str = "and") -> str:
        """Return a list in words: "a", "a and b", "a, b and c"; or with the conjunction of another key."""
        return self(word).join([self.comma.join(words[:-1]), words[-1]] if len(words) > 1 else words)

    def _translate_message(self, message: Message) -> str:
        """Translate a message, and those that follow it. Call the cached `sentence` instead."""
        return self.space.join([self(message.key, **dict(message.args)), *map(self._translate_message, message.then)])

    def value(self, value: Value, spec: str = "") -> str:
        """Format the value of a placeholder. spec: the part after its colon."""
        match value:
            case Colour():
                return self(f"{spec or 'colour'}.{value}")
            case int() | float() if spec == HALF:
                return self._format_half(value)
            case Stones(count, colour):
                return self._count_text(f"stones.{colour or 'any'}", count, spec or None)
            case Message():
                return (
                    _capitalise_first(self._translate_message(value))
                    if spec == "first"
                    else self._translate_message(value)
                )
            case Listing(values):
                text = self.join([self.value(one) for one in values], _conjunction_key(values, spec))
                return _capitalise_first(text) if spec == "first" else text
            case Points(names):
                return self._list_points(list(names), spec or None)
            case Duration(ms):
                return self._format_duration(ms)
            case float():
                return f"{value:g}".replace(".", read_traits(self.code).decimal_sign)
        return str(value)

    def _format_half(self, number: float) -> str:
        """Return half of a number, with a fraction: 3¾ for 7.5."""
        half = Fraction(number) / 2
        whole, rest = divmod(half, 1)
        if not rest or rest.denominator > MOST_PARTS:
            return self.value(float(half))
        part = f"{rest.numerator}/{rest.denominator}"
        return self("number.mixed", whole=int(whole), part=part) if whole else part

    def _list_points(self, names: list[str], context: str | None) -> str:
        if len(names) > MOST_NAMED:
            more = self._count_text("more-points", len(names) - MOST_NAMED, context)
            return self.join([*map(self.point, names[:MOST_NAMED]), more])
        return self.join(list(map(self.point, names)))

    def _count_text(self, key: str, n: int, context: str | None) -> str:
        return self._fill_slots(self.text(key, n, context), {"n": n})

    def _format_duration(self, ms: int) -> str:
        """Format a duration: "3 hours 30 minutes", "1 minute 30 seconds", "0 seconds"; hours are used from two on."""
        hours, remainder = divmod(ms, 3_600_000) if ms >= 7_200_000 else (0, ms)
        minutes, remainder = divmod(remainder, 60_000)
        parts = [self("duration.hours", n=hours)] * bool(hours) + [self("duration.minutes", n=minutes)] * bool(minutes)
        return self.space.join(
            [*parts, self("duration.seconds", n=remainder / 1000)] if remainder or not parts else parts
        )

    def foreign(self, message: Message) -> str | None:
        """Return the language of a plain sentence, which is English, if this is another; else None."""
        return SOURCE if message.key == "plain" and self.code != SOURCE else None


@dataclass(frozen=True, slots=True)
class _Slot:
    """A placeholder's value; the part after the colon is its format."""

    say: Translator
    value: Value

    def __format__(self, spec: str) -> str:
        return self.say.value(self.value, spec)


class _NoFallback(NullTranslations):
    """A fallback that raises KeyError for a missing text, in place of returning the key."""

    def gettext(self, message: str) -> str:
        raise KeyError(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        raise KeyError(msgid1)

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        raise KeyError(f"{context} {msgid1}")


def _conjunction_key(values: tuple[Value, ...], spec: str) -> str:
    """Return the key of the conjunction before the last value: sentence parts are joined differently from names."""
    if spec == "or":
        return "or"
    return "and-parts" if any(isinstance(one, Message) for one in values) else "and"


def _capitalise_first(text: str) -> str:
    return text[:1].upper() + text[1:]


@cache
def find_translator(code: str) -> Translator:
    """Return the language of this code; raise KeyError for an unsupported one."""
    if code not in ALL:
        raise KeyError(code)
    texts = GNUTranslations(io.BytesIO(compile_cached(_catalogue_path(code), partial(_compile_catalogue, code))))
    texts.add_fallback(_NoFallback() if code not in DRAFTS else ENGLISH.texts)
    return Translator(code, texts)


@lru_cache(64)
def _at_table(code: str, board: Board, coordinates: Coordinates, rules: str) -> Translator:
    """Return the translator of this language that names the board's intersections so, in the words of these rules."""
    words = read_traits(code).words.get(rules, ())
    if coordinates is Coordinates.LETTERS and not words:
        return find_translator(code)
    places = PointNames(board, coordinates) if coordinates is not Coordinates.LETTERS else None
    return Translator(code, find_translator(code).texts, places, words)


def _catalogue_path(code: str) -> Path:
    return FOLDER / code / "LC_MESSAGES" / "shinpan.po"


def _compile_catalogue(code: str) -> bytes:
    source, out = read_catalogue(code), io.BytesIO()
    from babel.messages.mofile import write_mo

    write_mo(out, source)
    return out.getvalue()


def read_catalogue(code: str) -> Catalog:
    """Read the catalogue of this language."""
    with _zone_unread():
        from babel.messages.pofile import read_po
    with _catalogue_path(code).open("rb") as file:
        return read_po(file, locale=code.replace("-", "_"))


@contextmanager
def _zone_unread() -> Iterator[None]:
    """Hide TZ from Babel, which reads the time zone as it is imported and fails if that is no zone."""
    zone = os.environ.pop("TZ", None)
    os.environ["TZ"] = "UTC"
    try:
        yield
    finally:
        del os.environ["TZ"]
        if zone is not None:
            os.environ["TZ"] = zone


def choose_translator(tags: Iterable[str | None]) -> Translator:
    """Return the first supported one of the wanted languages."""
    return find_translator(choose_code(tags))


ENGLISH = find_translator(SOURCE)


def to_english(error: Exception) -> str:
    """Return an error's message in English."""
    return ENGLISH.sentence(error_message(error))
