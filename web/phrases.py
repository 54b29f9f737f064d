"""What the referee and the box say, in other languages: a book of sentences with slots. Pure.

A book is a JSON object: the English sentence and the other one. A slot is a kind of word in braces, with a number
where a sentence has several of a kind; `KINDS` tells what each may hold. Sentences that the book lacks stay English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache

_PLAYER = "(?:The director|Black|White|Red|Green|Yellow|Violet)"
_POINT = r"[A-HJ-Z]\d{1,2}"
_NEXT = "(?:, | and )"
KINDS = {
    "p": _PLAYER,
    "ps": f"{_PLAYER}(?:{_NEXT}{_PLAYER})*",
    "at": _POINT,
    "pts": rf"{_POINT}(?:{_NEXT}{_POINT})*(?: and \d+ more points)?",
    "n": r"\d+(?:\.\d+)?",
    "r": r"[A-Z]\+[\w.]+|0|Void",
    "t": r"\d[\d.]* (?:hour|minute|second)s?(?: \d[\d.]* (?:hour|minute|second)s?)*",
    "clock": r"\d+(?::\d\d)+",
    "kind": "black|white|red|green|yellow|violet",
    "st": r"(?:one|\d+)(?: [a-z]+)? stones?",
    "sta": r"(?:one|\d+)(?: [a-z]+)? stones?",
    "s": ".+",
    "why": ".+",
    "list": ".+",
    "sum": ".+",
    "any": ".+",
}
"""What a slot may hold, as a regular expression.

p, ps: one player or several (the director too); at, pts: points; n: a number; r: a result; t: a length of time; clock:
what a clock shows; kind: a stone's colour; st, sta: so many stones, as what is there and as what is taken; s, why:
another sentence of the book, or a word of it; list: several such; sum: figures with such in brackets; any: whatever a
person wrote.
"""
_SLOT = re.compile(r"\{([a-z]+)\d?\}")
_SENTENCES = re.compile(r"(?<=[.!?]) (?=[A-Z])")


class Book:
    """One language's sentences. name: what it calls a player; also: its " and "."""

    def __init__(self, sentences: Mapping[str, str], name: Callable[[str], str], also: str) -> None:
        self._sentences, self._name, self._also = sentences, name, also
        self.said = lru_cache(4096)(self._said)

    def _said(self, text: str) -> str | None:
        """A text of one or several sentences; None where one of them is not in the book."""
        whole = self._one(text)
        parts = _SENTENCES.split(text)
        if whole is not None or len(parts) == 1:
            return whole
        said = [part for part in map(self._one, parts) if part is not None]
        return " ".join(said) if len(said) == len(parts) else None

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        return [(pattern_of(english), other) for english, other in self._sentences.items()]

    def _one(self, text: str) -> str | None:
        found = self._sentences.get(text)
        if found is not None:
            return found
        return next(self._matches(text), None)

    def _matches(self, text: str) -> Iterator[str]:
        for pattern, other in self._patterns:
            match = pattern.fullmatch(text)
            if match is None:
                continue
            values = {slot: self._value(slot.rstrip("0123456789"), held) for slot, held in match.groupdict().items()}
            if None not in values.values():
                yield other.format(**values)

    def _value(self, kind: str, held: str) -> str | None:
        """What a slot holds, in this language."""
        match kind:
            case "p" | "kind":
                return self._sentences.get(held) or self._name(held)
            case "ps":
                return self._each(held, lambda one: self._value("p", one))
            case "pts":
                return self._each(held, self._one)
            case "t":
                return " ".join(self._one(" ".join(pair)) or held for pair in _pairs(held.split()))
            case "sta":
                return self._one(f"accusative {held}")
            case "s" | "why" | "st":
                return self._said(held)
            case "list":
                return self._list(held)
            case "sum":
                return re.sub(r"\(([^)]*)\)", lambda found: f"({self._one(found[1]) or found[1]})", held)
        return held

    def _each(self, held: str, said: Callable[[str], str | None]) -> str:
        """Words with commas and "and" between them."""
        words = re.split(f"({_NEXT})", held)
        return "".join(self._gap(word) if number % 2 else said(word) or word for number, word in enumerate(words))

    def _gap(self, gap: str) -> str:
        return self._also if gap == " and " else gap

    def _list(self, held: str) -> str | None:
        """Parts that are in the book each; commas and "and" may stand within one too."""
        whole = self._one(held)
        if whole is not None:
            return whole
        for gap in re.finditer(_NEXT, held):
            first, rest = self._one(held[: gap.start()]), self._list(held[gap.end() :])
            if first is not None and rest is not None:
                return f"{first}{self._gap(gap[0])}{rest}"
        return None


def pattern_of(sentence: str) -> re.Pattern[str]:
    """What matches a sentence of the book; raises KeyError for a slot of no kind."""
    parts, at = [], 0
    for slot in _SLOT.finditer(sentence):
        parts += [re.escape(sentence[at : slot.start()]), f"(?P<{slot[0][1:-1]}>{KINDS[slot[1]]})"]
        at = slot.end()
    return re.compile("".join([*parts, re.escape(sentence[at:])]), re.DOTALL)


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    return list(zip(words[::2], words[1::2], strict=True))
