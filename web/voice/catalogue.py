"""The spoken part of a language's catalogue: fixed sentences, and the phrases that make up all others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_uppercase

from web.language import find_translator, read_catalogue, replace_words
from web.language_traits import read_traits
from web.particles import both_forms
from web.voice.pronunciation import split_pieces
from web.voice.recordings import words_of
from web.voice.speech import SILENT, list_counts, shorten_spoken

NUMBERS = range(61)
LETTERS = ascii_uppercase[:20]
"""The columns of 19 lines, with I or without it."""
_ENDS = (".", "!", "?", "。", "？")
_SLOT = re.compile(r"\{[^}]*\}")


def fixed_sentences(code: str) -> list[str]:
    """Return the sentences that never change, and the counted seconds."""
    whole = ((key, text) for key, text in _keyed_texts(code) if not _SLOT.search(text) and text.endswith(_ENDS))
    briefs = (shorten_spoken(key, text, code) for key, text in whole)
    return list(dict.fromkeys((*list_counts(find_translator(code)), *briefs)))


def list_phrases(code: str) -> list[str]:
    """Return the phrases to record so that every sentence can be assembled.

    They are the texts between the placeholders of a sentence, and the possible values of these. Each once, whatever its
    punctuation.
    """
    fragments = (form for _, text in _keyed_texts(code) for piece in _SLOT.split(text) for form in both_forms(piece))
    parts = (part.text for piece in fragments for part in split_pieces(piece, code))
    alone = (*LETTERS, *map(str, NUMBERS), *list_counts(find_translator(code)))
    parts_by_words = {words_of(part, code): part.strip() for part in (*alone, *parts)}
    return [part for words, part in parts_by_words.items() if words]


def _keyed_texts(code: str) -> Iterator[tuple[str, str]]:
    """Yield each text with its key, and again in the words of each rule set that has others."""
    replacements = ((), *read_traits(code).words.values())
    for entry in read_catalogue(code):
        key, forms = entry.id if isinstance(entry.id, str) else entry.id[0], entry.string or ""
        if key and key.partition(".")[0] not in SILENT:
            texts = filter(None, (forms,) if isinstance(forms, str) else forms)
            variants = (replace_words(form, words) for form in texts for words in replacements)
            yield from ((key, text) for text in dict.fromkeys(variants))
