"""The house rules, read from the source: its arrows, its names and its size.

mypy, ruff and the import contracts hold the rest.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support import ROOT

PACKAGES = ("referee", "vision", "device", "web")
PRODUCT = (*PACKAGES, "hardware")
MODULE_LINES, BODY_LINES, FACE_LINES, PRODUCT_LINES = 500, 60, 30, 28_500
FACES = ("__init__.py", "__main__.py", "errors.py")
ELSEWHERE = re.compile(r"\b(RULES|VISION|DESIGN)\.md\b|\.\./shared\b")
"""What is not in the repository: nobody who reads the source can follow a pointer to it."""

SIZE = pytest.mark.xfail(reason="the product is still larger", strict=True)


@cache
def modules() -> dict[str, Path]:
    """Every product module by its dotted name."""
    files = [file for package in PRODUCT for file in sorted((ROOT / package).rglob("*.py"))]
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


@cache
def tree(module: str) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


def lines(file: Path) -> int:
    """How many lines a file has."""
    return len(file.read_text(encoding="utf-8").splitlines())


def imported(module: str) -> set[str]:
    """The product modules that a module imports, in functions and for type checking too."""
    found = set[str]()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            named = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name in modules() else node.module for name in named}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return (found & modules().keys()) - {module}


def circles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import one another, in whatever number of steps (Tarjan's strongly connected
    components, SIAM Journal on Computing 1972)."""
    order, low, stack, found = dict[str, int](), dict[str, int](), list[str](), list[list[str]]()

    def visit(module: str) -> None:
        order[module] = low[module] = len(order)
        stack.append(module)
        for other in arrows[module]:
            if other not in order:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == order[module]:
            group = stack[stack.index(module) :]
            del stack[-len(group) :]
            found.extend([sorted(group)] * (len(group) > 1))

    for module in arrows:
        if module not in order:
            visit(module)
    return found


def functions(module: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """A module's functions and methods, inner ones too."""
    return (node for node in ast.walk(tree(module)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many lines a function's body has without its docstring."""
    code = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return code[-1].end_lineno - code[0].lineno + 1 if code else 0  # type: ignore[operator]


def words(module: str) -> Iterator[tuple[int, str]]:
    """A module's docstrings (an attribute's too) and comments, each with its line."""
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
    source = modules()[module].read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def test_a_circle_is_found():
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set[str](), "e": {"f", "a"}, "f": {"e"}}
    assert sorted(circles(arrows)) == [["b", "c"], ["e", "f"]]
    assert circles({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}) == []


def test_no_modules_import_one_another():
    assert circles({module: imported(module) for module in modules()}) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_class_name_stands_for_one_thing_within_a_package(package):
    places = defaultdict[str, list[str]](list)
    for module in modules():
        if module.split(".")[0] == package:
            for node in ast.walk(tree(module)):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(module)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_no_module_is_too_long():
    assert {name: lines(file) for name, file in modules().items() if lines(file) > MODULE_LINES} == {}


def test_no_function_is_too_long():
    long = {f"{module}:{one.name}": body_lines(one) for module in modules() for one in functions(module)}
    assert {name: body for name, body in long.items() if body > BODY_LINES} == {}


def test_only_faces_are_short():
    short = {str(file.relative_to(ROOT)): lines(file) for file in modules().values() if file.name not in FACES}
    assert {name: number for name, number in short.items() if number < FACE_LINES} == {}


def test_nothing_points_to_what_is_not_in_the_repository():
    pointers = [
        f"{modules()[module].relative_to(ROOT)}:{line}: {found[0]}"
        for module in modules()
        if ELSEWHERE.search(modules()[module].read_text(encoding="utf-8"))
        for line, text in words(module)
        if (found := ELSEWHERE.search(text))
    ]
    assert pointers == []


@SIZE
def test_the_product_is_no_larger_than_it_needs_to_be():
    sizes = Counter[str]()
    for name, file in modules().items():
        if not name.startswith(("hardware", "vision.training")):
            sizes[name.split(".")[0]] += lines(file)
    assert sizes.total() <= PRODUCT_LINES, sizes


def test_tests_and_benchmarks_share_only_what_stands_in_support():
    rooms = [path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name != "support"]
    wrong = []
    for file in sorted((ROOT / "tests").rglob("*.py")):
        own = "benchmarks" if file.is_relative_to(ROOT / "tests" / "benchmarks") else None
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tests."):
                room = str(node.module).split(".")[1]
                wrong += [f"{file.relative_to(ROOT)}:{node.lineno}"] if room in rooms and room != own else []
    assert wrong == []
