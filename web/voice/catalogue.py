"""The spoken part of a language's catalogue: fixed sentences, and the phrases that make up all others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from web.language import catalogue, tongue
from web.voice.pronunciation import pieces
from web.voice.recordings import words_of
from web.voice.speech import SILENT, brief, counts

NUMBERS = range(61)
LETTERS = "ABCDEFGHJKLMNOPQRST"
_ENDS = (".", "!", "?", "。", "？")
_SLOT = re.compile(r"\{[^}]*\}")


def sentences(code: str) -> list[str]:
    """Return the sentences that never change, and the counted seconds."""
    whole = ((key, text) for key, text in _texts(code) if not _SLOT.search(text) and text.endswith(_ENDS))
    found = (brief(key, text, code) for key, text in whole)
    return list(dict.fromkeys((*counts(tongue(code)), *found)))


def phrases(code: str) -> list[str]:
    """Return the phrases to record so that every sentence can be assembled.

    They are the texts between the placeholders of a sentence, and the possible values of these. Each once, whatever its
    punctuation.
    """
    parts = (part.text for _, text in _texts(code) for piece in _SLOT.split(text) for part in pieces(piece, code))
    alone = (*LETTERS, *map(str, NUMBERS), *counts(tongue(code)))
    found = {words_of(part, code): part.strip() for part in (*alone, *parts)}
    return [part for words, part in found.items() if words]


def _texts(code: str) -> Iterator[tuple[str, str]]:
    """Yield each text with its key."""
    for entry in catalogue(code):
        key, forms = entry.id if isinstance(entry.id, str) else entry.id[0], entry.string or ""
        if key.partition(".")[0] not in SILENT:
            yield from ((key, form) for form in ((forms,) if isinstance(forms, str) else forms) if form)
