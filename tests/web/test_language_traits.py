"""The languages there are, and the one that somebody is answered in."""

import ast
import re

import pytest

from tests.support import ROOT
from web.language_traits import CODES, FOLDER, SOURCE, choose_code, language_stylesheet, read_traits


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (("de-CH",), "de"),
        (("de_AT.UTF-8",), "de"),
        (("xx", "JA"), "ja"),
        (("english",), SOURCE),
        ((), SOURCE),
        ((None, ""), SOURCE),
    ],
)
def test_the_first_supported_language_is_chosen(wanted: tuple[str | None, ...], code: str) -> None:
    assert choose_code(wanted) == code


def test_every_language_is_chosen_by_its_tag_and_by_those_beside_it() -> None:
    assert all(choose_code([tag, SOURCE]) == code for code in CODES for tag in (code, *read_traits(code).also))


@pytest.mark.long
def test_a_language_is_a_folder_with_a_catalogue() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir() and not path.name.startswith("_")}
    assert set(CODES) == folders, "every language is whole: a draft is not offered to anybody"


def test_every_font_is_named_in_the_stylesheet() -> None:
    assert all(f'"{font}"' in language_stylesheet() for code in CODES for font in read_traits(code).fonts)


def test_no_code_knows_a_language_by_name() -> None:
    """Only the source language has a name, in one place; all others are folders."""
    suspicion = re.compile(f"""["'](?:{"|".join(CODES)})["']""")
    places = {
        (str(path.relative_to(ROOT)), node.value)
        for package in ("web", "device", "hardware", "vision")
        for path in (ROOT / package).rglob("*.py")
        if suspicion.search(source := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and node.value in CODES
    }
    assert places - {("device/cli/rules.py", "ko")} == {("web/language_traits.py", SOURCE)}, "ko is a rule there"


def test_no_font_of_another_language_comes_before_those_of_a_language() -> None:
    """`system-ui` is a Chinese font on a Chinese Windows, whatever the page's language is."""
    assert "system-ui" not in language_stylesheet()
