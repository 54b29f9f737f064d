"""The build backend: setuptools makes the wheel, and this puts all of its code under one name, `shinpan`.

In the project's folder `referee`, `vision`, `device` and `web` are top-level packages, and so they are in an editable
installation. In site-packages others' packages have these names too (web.py is a `web`), and pip would let one write
over the other: there they are `shinpan.referee` and so on, and every import of them says so. A name that stands in a
string is not found here; the product has none (tests/device/wheel/test_backend.py).
"""

from __future__ import annotations

import ast
import io
import os
import tempfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from configparser import ConfigParser
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
]

NAME = "shinpan"
PACKAGES = ("device", "referee", "vision", "web")
OWN_FILES = {
    f"{NAME}/__init__.py": '"""An over-the-board Go referee: `referee` has the rules, `vision` the eyes."""\n',
    f"{NAME}/__main__.py": f"import sys\n\nfrom {NAME}.device.__main__ import main\n\nsys.exit(main())\n",
    f"{NAME}/py.typed": "",
}
"""The files that the packages lack under their common name, for `python -m shinpan` too."""
VERSIONS = f"{NAME}/device/machine/versions.py"
FOR_OLDER_BOXES = "lib/python-shinpan/site-packages/device/machine/versions.py"
"""A second place for it, in the environment but on no import path: where version 0.3 looks for it once it has installed
this one. Without it no box with 0.3 could be updated by its own `shinpan update`.
"""
BUILD_FOLDER = "[build]\nbuild_base = {folder}\n"
"""A setting of setuptools: what an earlier build left in the project's folder is no part of the wheel."""
Source = list[bytes]


class CannotRewrite(Exception):
    """An import of a form that has no equal under the common name; a sentence says where and what to write."""


# There is no prepare_metadata_for_build_wheel: setuptools' metadata would name other packages than the wheel has.
def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, str | list[str] | None] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build the wheel in a folder and return its file name (PEP 517)."""
    with _fresh_build_folder():
        name: str = build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    put_under_one_name(Path(wheel_directory) / name)
    return name


@contextmanager
def _fresh_build_folder() -> Iterator[None]:
    """Have setuptools build in a folder that is deleted afterwards."""
    previous = os.environ.get("DIST_EXTRA_CONFIG")
    with tempfile.TemporaryDirectory(prefix="shinpan-build-") as folder:
        settings = Path(folder) / "settings.cfg"
        settings.write_text(BUILD_FOLDER.format(folder=folder), encoding="utf-8")
        os.environ["DIST_EXTRA_CONFIG"] = str(settings)
        try:
            yield
        finally:
            del os.environ["DIST_EXTRA_CONFIG"]
            if previous is not None:
                os.environ["DIST_EXTRA_CONFIG"] = previous


def put_under_one_name(wheel: Path) -> None:
    """Replace a wheel of the four packages by one that has them in `shinpan`; its times and modes stay. Raises
    CannotRewrite."""
    with ZipFile(wheel) as source:
        parts = [(info, source.read(info)) for info in source.infolist()]
    about = next(info.filename.partition("/")[0] for info, _ in parts if info.filename.endswith(".dist-info/WHEEL"))
    record = next(info for info, _ in parts if info.filename == f"{about}/RECORD")
    parts = [(info, data) for info, data in parts if info is not record]
    members = [_rename_member(info, data) for info, data in parts]
    new_files = {name: text.encode() for name, text in OWN_FILES.items()}
    new_files[f"{about.removesuffix('.dist-info')}.data/data/{FOR_OLDER_BOXES}"] = _content_of(members, VERSIONS)
    members += [(_copy_info(record, name), data) for name, data in new_files.items()]
    members.sort(key=lambda part: (part[0].filename.startswith(about), part[0].filename))
    lines = [f"{info.filename},sha256={_wheel_digest(data)},{len(data)}\n" for info, data in members]
    lines.append(f"{about}/RECORD,,\n")
    draft = wheel.with_suffix(".draft")
    with ZipFile(draft, "w", ZIP_DEFLATED) as output:
        for info, data in [*members, (record, "".join(lines).encode())]:
            output.writestr(_copy_info(info, info.filename), data)
    draft.replace(wheel)


def _rename_member(info: ZipInfo, data: bytes) -> tuple[ZipInfo, bytes]:
    """Return a file of the wheel as it is under the common name."""
    name, top = info.filename, info.filename.partition("/")[0]
    if top in PACKAGES:
        text = rewrite_imports(data, name) if name.endswith(".py") else data
        return _copy_info(info, f"{NAME}/{name}"), text
    if name.endswith(".dist-info/entry_points.txt"):
        return info, _rewrite_entry_points(data.decode()).encode()
    if name.endswith(".dist-info/top_level.txt"):
        return info, f"{NAME}\n".encode()
    return info, data


def _rewrite_entry_points(text: str) -> str:
    """Return the programs of a wheel, each begun under the common name."""
    points = ConfigParser(delimiters=("=",), interpolation=None)
    points.optionxform = str  # type: ignore[assignment,method-assign]
    points.read_string(text)
    for section in points.sections():
        for name, target in points[section].items():
            points[section][name] = f"{NAME}.{target}" if _is_ours(target.partition(":")[0]) else target
    output = io.StringIO()
    points.write(output)
    return output.getvalue()


def _content_of(parts: list[tuple[ZipInfo, bytes]], name: str) -> bytes:
    return next(data for info, data in parts if info.filename == name)


def _copy_info(info: ZipInfo, name: str) -> ZipInfo:
    copy = ZipInfo(name, info.date_time)
    copy.compress_type, copy.external_attr = ZIP_DEFLATED, info.external_attr
    return copy


def _wheel_digest(data: bytes) -> str:
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()


def rewrite_imports(source: bytes, path: str) -> bytes:
    """Return a module that imports our packages under the common name; nothing else of it changes, and no line moves.

    Examples in docstrings are rewritten too, so that they run where they are read.

    path: for the sentence of CannotRewrite
    """
    lines = source.splitlines(keepends=True)
    # From the end, so that the positions of those before stay right.
    tree = ast.parse(source)
    for node in reversed([node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]):
        _rewrite_import(node, lines, path)
    for first, last in _docstring_lines(tree):
        for number in range(first, last + 1):
            lines[number - 1] = _rewrite_example(lines[number - 1], path)
    return b"".join(lines)


def _rewrite_import(node: ast.Import | ast.ImportFrom, lines: Source, path: str) -> None:
    """Rewrite one import statement in place."""
    if isinstance(node, ast.ImportFrom):
        if node.level == 0 and _is_ours(node.module):
            _insert_text(lines, path, node.lineno, node.col_offset + len("from "), node.module or "", f"{NAME}.")
        return
    ours = [alias for alias in node.names if _is_ours(alias.name)]
    if not ours:
        return
    (alias,) = ours if len(node.names) == 1 else [None]
    if alias is not None and alias.asname is not None:
        _insert_text(lines, path, alias.lineno, alias.col_offset, alias.name, f"{NAME}.")
    elif alias is not None and "." not in alias.name:
        _insert_text(lines, path, node.lineno, node.col_offset, f"import {alias.name}", f"from {NAME} ")
    else:
        raise CannotRewrite(f"{path}:{node.lineno}: import one package alone, or `from` it what is used.")


def _insert_text(lines: Source, path: str, number: int, offset: int, expected: str, text: str) -> None:
    """Insert a text before the expected one, which stands in that line (from 1) at that byte."""
    line = lines[number - 1]
    if not line[offset:].startswith(expected.encode()):
        raise CannotRewrite(f"{path}:{number}: write this import on one line, with single spaces.")
    lines[number - 1] = line[:offset] + text.encode() + line[offset:]


def _docstring_lines(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of every docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node, clean=False):
            yield node.body[0].lineno, node.body[0].end_lineno or node.body[0].lineno


def _rewrite_example(line: bytes, path: str) -> bytes:
    """Return a line of a docstring; if it is an example's import, it says the common name."""
    indent, prompt, code = line.partition(b">>> ")
    if not prompt or indent.strip() or not code.startswith((b"from ", b"import ")):
        return line
    return indent + prompt + rewrite_imports(code, path)


def _is_ours(module: str | None) -> bool:
    return (module or "").partition(".")[0] in PACKAGES
