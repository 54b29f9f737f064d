"""The wheel under one name: imports and entry points say it, nothing else changes, and no string names a module."""

from __future__ import annotations

import ast
import re
import zipfile
from collections.abc import Iterator
from importlib.metadata import PathDistribution
from itertools import pairwise
from pathlib import Path

import pytest

from device.wheel import backend
from device.wheel.backend import CannotRewrite, put_under_one_name, rewrite_imports
from tests.support import ROOT
from tests.support.tiers import sample

IN_WHEEL = [
    path
    for package in backend.PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if not path.is_relative_to(ROOT / "vision/training") and not path.is_relative_to(ROOT / "device/wheel")
]


def rewritten(source: str) -> str:
    return rewrite_imports(source.encode(), "a.py").decode()


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("from referee import Setup\n", "from shinpan.referee import Setup\n"),
        ("from web.page.svg import (\n    a,\n    b,\n)\n", "from shinpan.web.page.svg import (\n    a,\n    b,\n)\n"),
        ("from web import __name__ as page\n", "from shinpan.web import __name__ as page\n"),
        ("import vision\n", "from shinpan import vision\n"),
        ("import web.page as page\n", "import shinpan.web.page as page\n"),
        ("def f():\n    from vision import g; return g\n", "def f():\n    from shinpan.vision import g; return g\n"),
        ("é = 1; import device\n", "é = 1; from shinpan import device\n"),
        ("if a: from web import b\n", "if a: from shinpan.web import b\n"),
    ],
)
def test_our_packages_are_imported_under_the_common_name(written, meant):
    assert rewritten(written) == meant


@pytest.mark.parametrize(
    "source",
    [
        "import website, os.path as web\nfrom deviceful import web\n",
        "from . import web\nfrom .vision import device\n",
        "a = 'from web import b'\n# import web\nweb.page = device['vision']\n",
        'def f():\n    """Say so.\n\n    from web import a\n    >>> web = "import web"\n    """\n',
        "a = '''\n>>> from web import b\n'''\n",
    ],
)
def test_nothing_else_changes(source):
    assert rewritten(source) == source


def test_examples_in_docstrings_run_under_the_common_name():
    source = 'class A:\n    """An A.\n\n    >>> from referee import a\n    >>> import vision\n    >>> a(web)\n    """\n'
    assert rewritten(source) == source.replace("from referee", "from shinpan.referee").replace(
        "import vision", "from shinpan import vision"
    )


@pytest.mark.parametrize(
    "source", ["import web.page\n", "import os, web\n", "from  web import a\n", "from \\\n  web import a\n"]
)
def test_an_import_that_has_no_equal_is_refused(source):
    with pytest.raises(CannotRewrite, match=r"^x/y\.py:2: "):
        rewrite_imports(b"\n" + source.encode(), "x/y.py")


def top_names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]


def names_in_strings(tree: ast.Module) -> Iterator[str]:
    """Strings in the code, docstrings excepted, that are names of our modules, and `-m NAME`."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    ours = "|".join(backend.PACKAGES)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            match = re.fullmatch(rf"(?:.*-m )?((?:{ours})(?:\.[a-z_]+)+)\.?(?: .*)?", node.value)
            if match and is_module(match[1]):
                yield node.value
        if isinstance(node, ast.List | ast.Tuple):
            words = [word.value if isinstance(word, ast.Constant) else None for word in node.elts]
            yield from (str(word) for dash, word in pairwise(words) if dash == "-m" and is_module(f"{word}"))


def is_module(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_a_name_in_a_string_is_found():
    source = (
        '"""See web.page."""\na = ["-m", "web"], "device.cli", f"device.cli.{b}", "web", f"python -m device.hall {c}"\n'
    )
    names = ["web", "device.cli", "device.cli.", "python -m device.hall "]
    assert sorted(names_in_strings(ast.parse(source))) == sorted(names)


ITSELF = {
    "device/installation.py": {"device.installation"},
    "vision/tracking/checkpoint.py": {"vision.tracking.checkpoint"},
}
"""Modules that take the name that they have in the project's folder off the name that they have here."""


@pytest.mark.slow
def test_no_module_in_the_wheel_names_another_by_its_old_name():
    for path in {*sample(IN_WHEEL, 60), *(ROOT / name for name in ITSELF)}:
        tree = ast.parse(rewrite_imports(path.read_bytes(), str(path)))
        assert not set(top_names(tree)) & set(backend.PACKAGES), path
        assert set(names_in_strings(tree)) == ITSELF.get(path.relative_to(ROOT).as_posix(), set()), path


@pytest.fixture
def wheel(tmp_path):
    """A wheel as setuptools builds it, with a module, a template and a program."""
    path = tmp_path / "shinpan-9.0.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("device/machine/versions.py", "from web import a\n")
        file.writestr("web/templates/page.html", "from web import a\n")
        for name, text in (
            ("METADATA", "Metadata-Version: 2.1\nName: shinpan\nVersion: 9.0.0\n"),
            ("WHEEL", "Wheel-Version: 1.0\n"),
            ("entry_points.txt", "[console_scripts]\nShinpan = device.__main__:main\nother = devices:web\n"),
            ("top_level.txt", "device\nweb\n"),
            ("RECORD", "old\n"),
        ):
            file.writestr(f"shinpan-9.0.0.dist-info/{name}", text)
    return path


def test_all_of_a_wheel_lies_under_the_common_name(wheel, tmp_path):
    before = {info.filename: info for info in zipfile.ZipFile(wheel).infolist()}
    put_under_one_name(wheel)
    with zipfile.ZipFile(wheel) as file:
        assert file.testzip() is None
        assert sorted(name for name in file.namelist() if ".dist-info/" not in name) == [
            "shinpan-9.0.0.data/data/lib/python-shinpan/site-packages/device/machine/versions.py",
            "shinpan/__init__.py",
            "shinpan/__main__.py",
            "shinpan/device/machine/versions.py",
            "shinpan/py.typed",
            "shinpan/web/templates/page.html",
        ]
        assert file.read("shinpan/device/machine/versions.py") == b"from shinpan.web import a\n"
        assert file.read("shinpan/web/templates/page.html") == b"from web import a\n"
        assert file.getinfo("shinpan/web/templates/page.html").date_time == before["web/templates/page.html"].date_time
        file.extractall(tmp_path / "site")
    installed = PathDistribution(tmp_path / "site/shinpan-9.0.0.dist-info")
    assert {point.name: point.value for point in installed.entry_points} == {
        "Shinpan": "shinpan.device.__main__:main",
        "other": "devices:web",
    }
    listed = {str(file): file for file in installed.files or ()}
    assert listed.keys() == set(zipfile.ZipFile(wheel).namelist())
    for file in listed.values():
        data = file.locate().read_bytes()
        assert file.hash is None or (file.hash.value, file.size) == (backend._wheel_digest(data), len(data))
    assert [name for name, file in listed.items() if file.hash is None] == ["shinpan-9.0.0.dist-info/RECORD"]


def test_the_common_file_is_where_an_older_box_looks_for_it(wheel, tmp_path):
    """As _settle of version 0.3 does, once pip has put a wheel's data into the environment's own folder."""
    put_under_one_name(wheel)
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path / "wheel")
    (keeper,) = (tmp_path / "wheel/shinpan-9.0.0.data/data").glob(
        "lib/python*/site-packages/device/machine/versions.py"
    )
    assert keeper.read_text() == (tmp_path / "wheel/shinpan/device/machine/versions.py").read_text()


def test_the_same_wheel_gives_the_same_bytes(wheel):
    copy = Path(f"{wheel}.copy")
    copy.write_bytes(wheel.read_bytes())
    put_under_one_name(wheel)
    put_under_one_name(copy)
    assert wheel.read_bytes() == copy.read_bytes()
