"""Every sentence that a player, spectator or director can meet: keys from the sources, texts from the catalogues.

python -m tests.support.sentences     sorts the catalogues and writes out/sentences.md
"""

from __future__ import annotations

import ast
import importlib
import io
import pkgutil
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from string import Formatter

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

import device
import referee
import vision
import web
from referee.game.messages import for_players
from web.language_traits import ALL, CODES, FOLDER

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "out" / "sentences.md"
CALLS = {"message": None, "say": None, "other": None, "error_response": None, "ENGLISH": None}
"""The functions called with a key as their first argument: `say` and `other` are languages."""
TEMPLATES = [("web/templates/**.html", "jinja2.ext:babel_extract")]
HEAD = """# Every sentence

All that a player, a spectator or the director can be told, by key: in braces stands what a sentence speaks of. A second
line in a field is for several ({n} of them). The texts are in `web/locale/`; this table is made from them by
`python -m tests.support.sentences`. No native speaker has checked the Japanese yet: corrections are welcome.

"""


def find_used_keys() -> set[str]:
    """The keys that the sources ask for: in templates, as Babel extracts them; in Python; and those put together."""
    messages = extract_from_dir(ROOT, method_map=TEMPLATES, keywords=CALLS, directory_filter=_is_ours)
    return {str(key) for _, _, key, _, _ in messages} | {key for key, _, _ in _written_out()} | find_composed_keys()


@cache
def _expressions() -> list[tuple[str, list[ast.Call | ast.Constant]]]:
    """The calls and constants of every source, by its path."""
    return [
        (
            str(path.relative_to(ROOT)),
            [
                node
                for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                if isinstance(node, ast.Call | ast.Constant)
            ],
        )
        for package in ("referee", "vision", "web", "device", "hardware")
        for path in sorted((ROOT / package).rglob("*.py"))
    ]


def _written_out() -> Iterator[tuple[str, str, ast.Call]]:
    """Every key that is written out in Python, with its place and call: of a choice between two keys both."""
    for path, nodes in _expressions():
        for node in nodes:
            match node:
                case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in CALLS:
                    yield from ((key, f"{path}:{node.lineno}", node) for key in _keys_in(first))


def find_composed_keys() -> set[str]:
    """The keys that are put together: a module that does so lists them as MESSAGE_KEYS."""
    return {key for module in import_modules() for key in getattr(module, "MESSAGE_KEYS", ())}


def _keys_in(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(key)):
            yield key
        case ast.IfExp(body=body, orelse=other):
            yield from _keys_in(body)
            yield from _keys_in(other)
        case ast.Call(func=ast.Name(id="for_players"), args=[ast.Constant(value=str(key)), _]):
            yield from (for_players(key, players) for players in (2, 3))


def literals() -> set[str]:
    """Every text that is written in the sources: keys in tables are among them."""
    return {
        node.value
        for _, nodes in _expressions()
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def _is_ours(folder: str | Path) -> bool:
    return not Path(folder).name.startswith((".", "_"))


OTHER_SYSTEMS = ("device.system.macos", "device.system.windows")
"""Modules that can be imported only where they run."""


def import_modules() -> Iterator[object]:
    """Import every module that runs in a box, and yield each."""
    for package in (referee, vision, web, device):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if (
                not module.name.endswith("__main__")
                and ".training" not in module.name
                and module.name not in OTHER_SYSTEMS
            ):
                yield importlib.import_module(module.name)


def arguments() -> Iterator[tuple[str, str, set[str]]]:
    """Every `message(key, ...)` of the sources: where it is, its key and the names of its arguments."""
    for key, place, call in _written_out():
        match call:
            case ast.Call(func=ast.Name(id="message"), args=[_], keywords=keywords):
                yield place, key, {word.arg or "" for word in keywords}


def catalogue(code: str) -> Catalog:
    """A language's catalogue as it is written."""
    with path_of(code).open("rb") as file:
        return read_po(file, locale=code.replace("-", "_"))


def new(code: str) -> Catalog:
    """A catalogue with nothing in it."""
    day = datetime(2026, 11, 22, tzinfo=UTC)
    who = {"msgid_bugs_address": "none", "last_translator": "shinpan", "language_team": "shinpan"}
    catalog = Catalog(
        code.replace("-", "_"), project="shinpan", version="", creation_date=day, revision_date=day, fuzzy=False, **who
    )
    catalog.header_comment = "# The texts of shinpan by key; {braces} hold what a text speaks of. See web/language.py."
    return catalog


def path_of(code: str) -> Path:
    """Return where a language's catalogue lies."""
    return FOLDER / code / "LC_MESSAGES" / "shinpan.po"


def texts(code: str) -> dict[str, tuple[str, ...]]:
    """A language's texts by key: one, or those for one and for several."""
    entries = (entry for entry in catalogue(code) if entry.id and not entry.context)
    return {_forms(entry.id)[0]: _forms(entry.string) for entry in entries}


def texts_in_cases(code: str) -> dict[str, tuple[str, ...]]:
    """Return a language's texts in grammatical cases, by keys such as stones.any@acc."""
    entries = (entry for entry in catalogue(code) if entry.id and entry.context)
    return {f"{_forms(entry.id)[0]}@{entry.context}": _forms(entry.string) for entry in entries}


def _forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def slots(forms: tuple[str, ...]) -> set[str]:
    """Return the names of a text's places."""
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name is not None}


def cases(forms: tuple[str, ...]) -> set[str]:
    """The grammatical cases in which a text wants what it speaks of."""
    return {spec for form in forms for _, _, spec, _ in Formatter().parse(form) if spec} - {"first", "or", "stone"}


def sorted_text(catalog: Catalog) -> str:
    """A catalogue's file: sorted by key, the same with any version of Babel."""
    out = io.BytesIO()
    write_po(out, catalog, width=118, sort_output=True, ignore_obsolete=True)
    return "".join(line for line in out.getvalue().decode().splitlines(True) if not line.startswith('"Generated-By:'))


def write(catalog: Catalog) -> None:
    """Keep a catalogue."""
    path = path_of(str(catalog.locale).replace("_", "-"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(sorted_text(catalog), encoding="utf-8")


def table() -> str:
    """Return every sentence in every language, as a page."""
    translations = [texts(code) for code in CODES]
    names = [str(Locale.parse(code, sep="-").get_display_name(CODES[0])) for code in CODES]
    rows = (_row([f"`{key}`", *(_cell(language[key]) for language in translations)]) for key in sorted(translations[0]))
    return HEAD + _row(["key", *names]) + "|---" * (len(names) + 1) + "|\n" + "".join(rows)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _cell(forms: tuple[str, ...]) -> str:
    return "<br>".join(form.replace("|", "\\|").replace("\n", " ") for form in forms)


if __name__ == "__main__":
    for code in ALL:
        write(catalogue(code))
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(table(), encoding="utf-8")
