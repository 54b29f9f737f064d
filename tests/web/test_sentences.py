"""The catalogues against the sources: every key has its text in every language, and every text is used."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import pytest

from referee.game.board import COLOURS
from tests.support import sentences
from web.language_traits import CODES

catalogue, texts = cache(sentences.catalogue), cache(sentences.texts)


@pytest.fixture(scope="module")
def keys() -> set[str]:
    return sentences.find_used_keys()


@pytest.fixture(scope="module")
def literals() -> set[str]:
    return sentences.literals()


@pytest.mark.slow
def test_every_key_has_its_text_and_every_text_is_used(keys: set[str], literals: set[str]) -> None:
    assert {code: sorted(keys - set(texts(code))) for code in CODES} == {code: [] for code in CODES}
    assert {code: sorted(set(texts(code)) - keys - literals) for code in CODES} == {code: [] for code in CODES}


@pytest.mark.parametrize("code", CODES)
def test_no_text_is_empty_or_doubtful(code: str) -> None:
    assert [key for key, forms in texts(code).items() if not all(forms)] == []
    assert [entry.id for entry in catalogue(code) if entry.id and entry.fuzzy] == []


@pytest.mark.parametrize("code", CODES[1:])
def test_every_language_speaks_of_the_same_as_english(code: str) -> None:
    english, other = texts("en"), texts(code)
    differ = [key for key in english if sentences.slots(english[key]) - {"n"} != sentences.slots(other[key]) - {"n"}]
    assert differ == []


@pytest.mark.parametrize("code", CODES)
def test_a_text_that_depends_on_a_number_has_as_many_forms_as_the_language(code: str) -> None:
    forms = catalogue(code).num_plurals
    numbered_keys = {key for key, text in texts("en").items() if len(text) > 1}
    assert {key: len(text) for key, text in texts(code).items()} == {
        key: forms if key in numbered_keys else 1 for key in texts(code)
    }


@pytest.mark.parametrize("code", CODES)
def test_only_a_text_that_depends_on_a_number_speaks_of_n(code: str) -> None:
    numbered_keys = {key for key, text in texts("en").items() if len(text) > 1}
    assert [key for key, text in texts(code).items() if "n" in sentences.slots(text) and key not in numbered_keys] == []


@pytest.mark.parametrize("code", CODES)
def test_nothing_is_said_twice_or_run_together(code: str) -> None:
    """Two people who change the catalogue at once can leave both halves in it."""
    forms = [(key, form) for key, forms_of_key in texts(code).items() for form in forms_of_key]
    clauses = {(key, form): [part for part in re.split("[.;:。：]", form) if len(part) > 12] for key, form in forms}
    assert [where for where, parts in clauses.items() if len(set(parts)) < len(parts)] == []
    assert [key for key, form in forms if re.search(r"(?<![/\w])[^\W\d]{2,}[.!?](?!toml)[^\W\d]{4,}", form)] == []


@pytest.mark.parametrize("code", CODES)
def test_what_a_player_does_fits_on_a_card(code: str) -> None:
    """On a phone of 390 pixels a card's line has room for 17 letters of 8 pixels, or for 9 kanji of 15."""
    wide = {
        key: sum(15 if unicodedata.east_asian_width(letter) in "WF" else 8 for letter in forms[0])
        for key, forms in texts(code).items()
        if key.startswith("act.")
    }
    assert wide and {key: width for key, width in wide.items() if width > 17 * 8} == {}


@pytest.mark.slow
def test_every_message_is_given_what_its_text_speaks_of() -> None:
    english, missing = texts("en"), []
    for where, key, names in sentences.arguments():
        wanted = sentences.slots(english[key]) | ({"n"} if len(english[key]) > 1 else set())
        if names != wanted and not ({"", "n"} & names and names - {"n"} == wanted - {"n"}):
            missing.append((where, key, sorted(wanted), sorted(names)))
    assert missing == []


@pytest.mark.parametrize("code", CODES)
def test_a_case_that_a_text_asks_for_is_there(code: str) -> None:
    """`{stones:acc}` needs the stones of every colour, and more points than are named, in the accusative."""
    entries = catalogue(code)
    entry_cases = {(entry.context, entry.id[0]) for entry in entries if entry.context}
    cases = {case for forms in texts(code).values() for case in sentences.cases(forms)}
    needed = ["more-points", "stones.any", *(f"stones.{colour}" for colour in COLOURS)]
    assert entry_cases == {(case, key) for case in cases for key in needed}
