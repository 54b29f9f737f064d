"""The house rules, read from the source: which modules import which, which file tests a module, and what docstrings and
comments point to.

mypy, ruff and the import contracts hold the rest.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support import ROOT

PACKAGES = ("referee", "vision", "device", "web")
PRODUCT = (*PACKAGES, "hardware")
OF_ONE_SYSTEM = {"ctypes", "fcntl", "grp", "msvcrt", "posix", "pty", "pwd", "resource", "signal", "syslog", "termios"}
OF_ONE_SYSTEM |= {"tty", "winreg", "winsound"}
KERNEL_FILE = re.compile(r"/(?:proc|sys)\b")
RUN_ALONE = {
    "device.machine.versions": "runs alone: before there is a version, and when one is broken",
    "hardware.card_start": "runs alone, with a card's own Python, and on nothing but a card",
}
"""Modules that touch the operating system themselves, each with the reason; all others ask device.system."""
ELSEWHERE = re.compile(r"\b(RULES|VISION|DESIGN)\.md\b|\.\./shared\b")
"""References that are not in the repository: nobody who reads the source can follow a pointer to them."""
FROM = re.compile(r"^[ \t]*from ([a-z][\w.]*) import (?:\(([^)]*)\)|([^\n]+))", re.M)
PLAIN = re.compile(r"^[ \t]*import ([^\n]+)", re.M)
NAME = re.compile(r"([\w.]+)(?: as \w+)?")


@cache
def modules() -> dict[str, Path]:
    """Every product module by its dotted name."""
    files = [file for package in PRODUCT for file in sorted((ROOT / package).rglob("*.py"))]
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imports(source: str) -> Iterator[tuple[str, list[str]]]:
    """A source's import statements, inner ones too: a module, and the names that are taken from it."""
    for module, inner, names in FROM.findall(source):
        yield module, NAME.findall(re.sub("#.*", "", inner or names))
    for names in PLAIN.findall(source):
        yield from ((name, []) for name in NAME.findall(names))


def imported(module: str) -> set[str]:
    """The product modules that a module imports, in functions and for type checking too."""
    targets = set[str]()
    for source, names in imports(modules()[module].read_text(encoding="utf-8")):
        named = [f"{source}.{name}" for name in names] or [source]
        targets |= {name if name in modules() else source for name in named}
    return (targets & modules().keys()) - {module}


def import_cycles(arrows: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import one another, in whatever number of steps (Tarjan's strongly connected
    components, SIAM Journal on Computing 1972)."""
    order, low, stack, cycles = dict[str, int](), dict[str, int](), list[str](), list[list[str]]()

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
            cycles.extend([sorted(group)] * (len(group) > 1))

    for module in arrows:
        if module not in order:
            visit(module)
    return cycles


def words(module: str) -> Iterator[tuple[int, str]]:
    """A module's docstrings (an attribute's too) and comments, each with its line."""
    source = modules()[module].read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def touches_of_the_system(source: str) -> list[str]:
    """The modules that belong to one operating system, or differ by it, and the kernel's files that a source names."""
    found = [module for module, _ in imports(source) if module in OF_ONE_SYSTEM]
    nodes = [*ast.walk(ast.parse(source))] if KERNEL_FILE.search(source) else []
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [node.value for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings]
    return sorted([*found, *(text for text in texts if isinstance(text, str) and KERNEL_FILE.match(text))])


def test_every_form_of_import_is_read():
    source = "import a.b, c\nfrom e import (\n    f,  # not g\n    h as i,\n)\ndef j():\n    from k.l import m, n\n"
    assert sorted(imports(source)) == [("a.b", []), ("c", []), ("e", ["f", "h"]), ("k.l", ["m", "n"])]


def test_a_circle_is_found():
    arrows = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set[str](), "e": {"f", "a"}, "f": {"e"}}
    assert sorted(import_cycles(arrows)) == [["b", "c"], ["e", "f"]]
    assert import_cycles({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}) == []


def test_every_touch_of_the_system_is_seen():
    source = '"""Of /proc."""\nimport signal, re\ndef f(a="/sys/class"):\n    from pwd import x\n    g(f"/proc/{a}")\n'
    assert touches_of_the_system(source) == ["/proc/", "/sys/class", "pwd", "signal"]
    assert touches_of_the_system('"""/proc"""\nfrom device.panel.signals import Signal\ng("/process")\n') == []


def test_only_the_system_room_touches_the_system():
    found = {
        module: touches_of_the_system(path.read_text(encoding="utf-8"))
        for module, path in modules().items()
        if not module.startswith("device.system.")
    }
    assert {module for module, touches in found.items() if touches} == RUN_ALONE.keys(), found


def test_no_modules_import_one_another():
    assert import_cycles({module: imported(module) for module in modules()}) == []


def test_nothing_points_to_what_is_not_in_the_repository():
    pointers = [
        f"{modules()[module].relative_to(ROOT)}:{line}: {match[0]}"
        for module in modules()
        if ELSEWHERE.search(modules()[module].read_text(encoding="utf-8"))
        for line, text in words(module)
        if (match := ELSEWHERE.search(text))
    ]
    assert pointers == []


def test_tests_share_only_support_and_benchmarks():
    rooms = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()} - {"support", "benchmarks"}
    for file in (ROOT / "tests").rglob("*.py"):
        own = {file.relative_to(ROOT / "tests").parts[0]}
        used = {source.split(".")[1] for source, _ in imports(file.read_text("utf-8")) if source.startswith("tests.")}
        assert not used & rooms - own, file
        assert own != {"support"} or "benchmarks" not in used, file


TORCH = "it learns with torch, which tests are not given; test_train and test_stones say what of it runs where torch is"
BLENDER = "it runs inside Blender alone, where test_build traces a table with it"
WITHOUT_TEST = {
    "vision.training.crossings": TORCH,
    "vision.training.fit": TORCH,
    "vision.training.leave_one_source_out": TORCH,
    "vision.training.net": TORCH,
    "vision.training.onward": TORCH,
    "vision.training.options": TORCH,
    "vision.training.train": TORCH,
    "vision.training.lids.photos": "it cuts up photographs of others, which are not in the repository",
    "vision.training.traced.physics": BLENDER,
    "vision.training.traced.things": BLENDER,
    "web.__main__": "it is the page's process, which tests/web/server/test_supervisor.py starts and kills",
}
"""Modules with behaviour that have no test of their name, each with its reason."""


def has_behaviour(source: str) -> bool:
    """Return True if a function or method does anything: protocols, errors, constants and plain values do nothing."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return any(not all(_is_nothing(one) for one in function.body) for function in functions)


def _is_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (
        isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    )


def file_of_tests(module: str) -> Path:
    """Return the file of the tests of a module."""
    *rooms, name = module.split(".")
    return Path("tests", *rooms, f"test_{name.strip('_')}.py")


def test_what_does_something_has_behaviour():
    assert has_behaviour("class A:\n    def f(self):\n        return 1\n")
    assert not has_behaviour('X = 1\nclass A(Protocol):\n    def f(self) -> int:\n        """Return it."""\n')


def test_every_module_with_behaviour_has_a_test_of_its_name():
    missing = {
        name
        for name, file in modules().items()
        if file.name != "__init__.py"
        and not (ROOT / file_of_tests(name)).exists()
        and has_behaviour(file.read_text(encoding="utf-8"))
    }
    assert missing == WITHOUT_TEST.keys(), [str(file_of_tests(name)) for name in missing ^ WITHOUT_TEST.keys()]


CLOCK = re.compile(r"\btime\.(?:monotonic|perf_counter|process_time|thread_time|time)\(\)")
"""A reading of a real clock."""
WAITS = re.compile(r"(?:timeout|timeout_s|within|patience_s)=([^,)\n]+)|\b(?:settimeout|alarm|join|newest)\(([^,)\n]+)")
"""A patience that is handed over, by name or alone."""
SECONDS = re.compile(r"[\d._]+")
CONSTANT = re.compile(r"^([A-Z_]+) = ([\d._]+)$", re.M)
YARDSTICK = re.compile(r"\b(?:PATIENCE_S|SLOWNESS|WORKED_S|LASTED_S|patience)\b")
"""Names of what grows with the time that the machine takes for the yardstick."""


def deadlines(source: str) -> Iterator[int]:
    """Find the lines that give something a number of seconds, 0 excepted, which does not wait; and those at which a
    function compares what it measured with anything but what the machine takes for the yardstick.
    """
    lines, constants = source.splitlines(), dict(CONSTANT.findall(source))
    for number, line in enumerate(lines, 1):
        limits = [constants.get(one, one) for pair in WAITS.findall(line) for one in pair if one]
        if any(SECONDS.fullmatch(one) and float(one) > 0 for one in limits):
            yield number
    if CLOCK.search(source):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and CLOCK.search("\n".join(lines[node.lineno - 1 : node.end_lineno])):
                yield from _deadlines_measured(node)


def _deadlines_measured(function: ast.FunctionDef) -> Iterator[int]:
    measured = set[str]()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            pairs = zip(_parts(node.targets[0]), _parts(node.value), strict=False)
            measured |= {one.id for one, value in pairs if isinstance(one, ast.Name) and _is_measured(value, measured)}
        orders = isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        if orders and _is_measured(node, measured):
            yield node.lineno


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _is_measured(node: ast.expr, measured: set[str]) -> bool:
    """Return True for what is of a real clock, or of a variable that holds its time, and of no yardstick."""
    text = ast.unparse(node)
    if YARDSTICK.search(text):
        return False
    return bool(CLOCK.search(text)) or not measured.isdisjoint(NAME.findall(text))


def test_an_absolute_deadline_is_found():
    lines = (
        "SOON = 5.0",
        "def test():",
        "    ask(timeout=5, within=SOON)",
        "    sock.settimeout(2.5)",
        "    begun = time.monotonic()",
        "    took = time.monotonic() - begun",
        "    assert took < 5",
        "    ask(timeout=PATIENCE_S)",
        "    assert took < 5 * SLOWNESS",
        "    box.wait(5)",
        "    ask(within=0.0)",
        "    end = begun + PATIENCE_S",
    )
    assert sorted(deadlines("\n".join(lines))) == [3, 4, 7]


def test_no_test_has_a_deadline_that_a_slow_machine_misses():
    """Patience comes from tests/support/waiting.py; what the box promises about time is a ratio in tests/benchmarks."""
    files = [file for file in (ROOT / "tests").rglob("*.py") if file.parent.name != "benchmarks"]
    places = {
        f"{file.relative_to(ROOT)}:{line}"
        for file in files
        if file.name not in ("waiting.py", Path(__file__).name)
        for line in deadlines(file.read_text("utf-8"))
    }
    assert places == set()
