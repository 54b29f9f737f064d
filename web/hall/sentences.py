"""Sentences that boxes send to the hall, in the language of whoever reads them there.

A box sends each sentence in English, and its key and arguments beside it. The hall words those as the box's own page
would: in the viewer's language, with the point names and the words of the rules of that table. Boxes of version 0.3
send English alone, which is shown as it is; so is a sentence that this version of the hall cannot word, or that is
larger than any of a box.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from referee import Coordinates, board_of, message_from_json
from web.bounded_json import parse_object
from web.hall.contents import LARGEST_SIDE, LONGEST_TEXT
from web.language import Translator
from web.language_traits import SOURCE
from web.openapi import Status
from web.page.labels import LocalisedText

DEEPEST = 10
"""Most objects and lists within one another; those of a message have eight. A deeper one could double its length with
each, and grow without bound."""
_UNWORDABLE = (KeyError, ValueError, TypeError, AttributeError)
"""Raised for a message with an unknown key, or without the arguments of its sentence."""


@dataclass(frozen=True)
class TableUsage:
    """The language habits of the people at a table.

    size: columns and rows of the board
    coordinates: a value of `Coordinates`, perhaps of a newer version
    rules: the rule set's name
    """

    size: tuple[int, int] = (19, 19)
    coordinates: str = Coordinates.LETTERS
    rules: str = ""

    def translator(self, say: Translator) -> Translator:
        """Return the translator of the same language for this table."""
        is_board = all(1 <= side <= LARGEST_SIDE for side in self.size)
        board = board_of(*self.size) if is_board else board_of(19, 19)
        return say.on_board(board, coordinates_of(self.coordinates), self.rules)


@dataclass(frozen=True)
class BoxSentence:
    """A sentence of a box.

    text: in English
    message: the same as a JSON text of its key and arguments; empty if the box did not send it
    usage: the habits of its table
    """

    text: str
    message: str = ""
    usage: TableUsage = TableUsage()

    def word(self, say: Translator) -> LocalisedText:
        """Return the sentence in this language, else in English."""
        body = parse_object(self.message) if self.message else None
        if body is not None:
            try:
                content = message_from_json(body)
                # Not the cached `sentence`: boxes would decide how much is held in memory.
                text = self.usage.translator(say).value(content)
            except _UNWORDABLE:
                text = ""
            if 0 < len(text) <= LONGEST_TEXT:
                return LocalisedText(text, say.foreign(content))
        return LocalisedText(self.text, None if say.code == SOURCE else SOURCE)


def coordinates_of(written: str) -> Coordinates:
    """Return the way to name points that a box reports; A1 for one that this version does not know."""
    return Coordinates(written) if written in list(Coordinates) else Coordinates.LETTERS


def usage_of(status: Status) -> TableUsage:
    """Return the habits of the people at a box's table."""
    cols, rows = len(status["rows"][0]), len(status["rows"])
    return TableUsage((cols, rows), status.get("coordinates", Coordinates.LETTERS), status["rules"])


def faults_of(status: Status) -> list[BoxSentence]:
    """Return the sentences about what a box lacks."""
    texts, messages = status["faults"], status.get("fault_messages", [])
    if len(texts) != len(messages):
        return [BoxSentence(text) for text in texts]
    return [
        box_sentence(text, encoded_message, usage_of(status))
        for text, encoded_message in zip(texts, messages, strict=True)
    ]


def box_sentence(text: str, encoded_message: Mapping[str, object] | None, usage: TableUsage) -> BoxSentence:
    """Return a sentence that a box sends, without a message that is larger or deeper than any of a box."""
    if encoded_message is None or _is_deeper(encoded_message, DEEPEST):
        return BoxSentence(text)
    encoded = json.dumps(encoded_message, ensure_ascii=False, separators=(",", ":"))
    return BoxSentence(text, encoded, usage) if len(encoded) <= LONGEST_TEXT else BoxSentence(text)


def _is_deeper(value: object, most: int) -> bool:
    """Return True if objects and lists lie within one another more than so often."""
    parts: list[object] = [value]
    for _ in range(most):
        parts = [one for outer in parts for one in _parts_of(outer)]
        if not parts:
            return False
    return True


def _parts_of(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if isinstance(value, list) else []
