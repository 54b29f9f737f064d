"""Mutation score of the test tiers: break one expression at a time and count which tier notices.

    python -m tests.benchmarks.mutants --each 10 --seed 1 --out out/mutants

Each mutant is one edit of one product file (an operator, a constant, a condition, a returned value or a call left
out), drawn by the seed from the packages in AREAS. Its package's tests run in a copy of the repository, tier by tier,
until one fails; of the tier `test` only the slow ones are left then. A run that takes TIMEOUT_FACTOR times as long as
without a mutant counts as a failure.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import Queue

from tests.support import ROOT
from tests.support.tiers import TIERS

AREAS = {
    "referee/rules": ("tests/referee/rules", "tests/referee"),
    "referee/table": ("tests/referee/table", "tests/referee"),
    "referee/time": ("tests/referee/time", "tests/referee"),
    "referee/score": ("tests/referee/score", "tests/referee"),
    "device/journal": ("tests/device/journal",),
    "vision/lids": ("tests/vision/lids",),
}
"""Mutated packages and the tests of each, the nearest first."""
TIMEOUT_FACTOR = 5
LEAST_TIMEOUT_S, ALL_TIMEOUT_S = 60.0, 3600.0
SURVIVED = "none"
NO_TESTS = 5
"""The exit status of pytest when no test was chosen."""

COMPARISONS = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
OPERATORS = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*",
    ast.BitOr: "&", ast.BitAnd: "|",
}  # fmt: skip
SWAPS = {"min": "max", "max": "min", "any": "all", "all": "any", "True": "False", "False": "True"}


@dataclass(frozen=True)
class Mutant:
    """One edit of one file.

    file: path from the repository's root
    function: qualified name of what the edit is in; "" for a module's own level
    start, end: offsets in the file's UTF-8 bytes
    """

    file: str
    line: int
    function: str
    start: int
    end: int
    old: str
    new: str

    @property
    def name(self) -> str:
        """Return the edit in one line."""
        return f"{self.file}:{self.line} {self.function}: {' '.join(self.old.split())} -> {self.new}"


class Finder(ast.NodeVisitor):
    """Collects every mutant of one file."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.source = file, source.encode()
        self.offsets = [0]
        for line in self.source.splitlines(keepends=True):
            self.offsets.append(self.offsets[-1] + len(line))
        self.scope: list[str] = []
        self.found: list[Mutant] = []
        self.visit(ast.parse(source))

    def add(self, node: ast.AST, new: str) -> None:
        """Add the mutant that replaces a node by other source."""
        start, end = self.span(node)
        old = self.source[start:end].decode()
        self.found.append(Mutant(self.file, node.lineno, ".".join(self.scope), start, end, old, new))  # type: ignore[attr-defined]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return the offsets at which a node's source begins and ends."""
        at = self.offsets
        return (
            at[node.lineno - 1] + node.col_offset,  # type: ignore[attr-defined]
            at[node.end_lineno - 1] + node.end_col_offset,  # type: ignore[attr-defined]
        )

    def text(self, node: ast.AST) -> str:
        """Return a node's source, in brackets."""
        start, end = self.span(node)
        return f"({self.source[start:end].decode()})"

    def _visit_scope(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.scope.append(node.name)
        for child in node.body:
            self.visit(child)
        self.scope.pop()

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _visit_scope  # noqa: N815

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """Leave annotations alone."""
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        """Negate a condition."""
        if "TYPE_CHECKING" not in self.text(node.test):
            self.add(node.test, f"not {self.text(node.test)}")
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        """Negate a condition."""
        self.add(node.test, f"(not {self.text(node.test)})")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        """Return None instead."""
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.add(node.value, "None")
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Leave out a call."""
        if isinstance(node.value, ast.Call):
            self.add(node, "pass")
            self.visit(node.value)

    def visit_Compare(self, node: ast.Compare) -> None:
        """Turn a comparison, or move its limit by one."""
        if len(node.ops) == 1 and type(node.ops[0]) in COMPARISONS:
            new = COMPARISONS[type(node.ops[0])]
            self.add(node, f"({self.text(node.left)} {new} {self.text(node.comparators[0])})")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        """Swap `and` and `or`."""
        new = " or " if isinstance(node.op, ast.And) else " and "
        self.add(node, f"({new.join(map(self.text, node.values))})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Swap an operator."""
        strings = any(isinstance(side, ast.Constant | ast.JoinedStr) for side in (node.left, node.right))
        if type(node.op) in OPERATORS and not (strings and isinstance(node.op, ast.Mod | ast.BitOr)):
            self.add(node, f"({self.text(node.left)} {OPERATORS[type(node.op)]} {self.text(node.right)})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        """Leave out a `not`."""
        if isinstance(node.op, ast.Not):
            self.add(node, self.text(node.operand))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        """Change a number by one, or a truth value."""
        if isinstance(node.value, bool):
            self.add(node, str(not node.value))
        elif isinstance(node.value, int | float):
            self.add(node, repr(node.value + 1))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave texts alone."""

    def visit_Name(self, node: ast.Name) -> None:
        """Swap a name for its opposite."""
        if isinstance(node.ctx, ast.Load) and node.id in SWAPS:
            self.add(node, SWAPS[node.id])


@dataclass
class MutantOutcome:
    """The tier that noticed a mutant, and how.

    tier: one of TIERS, or SURVIVED
    """

    mutant: Mutant
    tier: str
    test: str
    seconds: float


class Copy:
    """A copy of the repository in which one mutant at a time is tested."""

    def __init__(self, folder: Path, python: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        self.root, self.python = folder / "main", python
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout
        for name in filter(None, listed.split("\0")):
            if (ROOT / name).exists():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, self.root / name)
        if (ROOT.parent / "shared").exists():
            (folder / "shared").symlink_to(ROOT.parent / "shared")
        self._compile()

    def _compile(self) -> None:
        """Compile everything once. What the product's files are compiled to holds for their content, not for their
        time: a mutant of the same length that is made within the same second is compiled again."""
        compiler = [str(self.python), "-m", "compileall", "-q", "--invalidation-mode", "checked-hash"]
        subprocess.run([*compiler, *{area.partition("/")[0] for area in AREAS}], cwd=self.root, check=True)
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        collect = [str(self.python), "-m", "pytest", "--collect-only", "-q", "--tier", "test"]
        tests = {test for of_area in AREAS.values() for test in of_area}
        subprocess.run([*collect, *tests], cwd=self.root, env=environment, check=True, capture_output=True)

    def test(self, mutant: Mutant | None, tests: tuple[str, ...], tier: str, timeout_s: float) -> tuple[bool, str]:
        """Return True if the tier's tests pass with the mutant, and the first failure otherwise."""
        original = b""
        if mutant:
            file = self.root / mutant.file
            original = file.read_bytes()
            file.write_bytes(original[: mutant.start] + mutant.new.encode() + original[mutant.end :])
        try:
            return self._run(tests, tier, timeout_s)
        finally:
            if mutant:
                file.write_bytes(original)

    def _run(self, tests: tuple[str, ...], tier: str, timeout_s: float) -> tuple[bool, str]:
        command = [str(self.python), "-m", "pytest", "-x", "-p", "no:cacheprovider", "--tier", tier, "--tb=no"]
        command += ["-m", "slow"] if tier == "test" else []
        command += ["--seed", "1", *(test for test in tests if (self.root / test).exists())]
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
        process = subprocess.Popen(
            command, cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
            start_new_session=True,
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return False, "timeout"
        failures = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return process.returncode in (0, NO_TESTS), failures[0] if failures else output[-300:]


def find_mutants(area: str) -> list[Mutant]:
    """Return every mutant of a package's files."""
    files = sorted((ROOT / area).rglob("*.py"))
    return [one for file in files for one in Finder(str(file.relative_to(ROOT)), file.read_text("utf-8")).found]


def draw(area: str, count: int, seed: int) -> list[Mutant]:
    """Return `count` mutants of a package, no two in one function."""
    chance = random.Random(f"{area} {seed}")
    mutants = find_mutants(area)
    chance.shuffle(mutants)
    sample: dict[tuple[str, str], Mutant] = {}
    for mutant in mutants:
        sample.setdefault((mutant.file, mutant.function), mutant)
    return list(sample.values())[:count]


def judge(
    copy: Copy, mutant: Mutant, tests: tuple[str, ...], tiers: list[str], limits: dict[str, float]
) -> MutantOutcome:
    """Return the first tier that notices a mutant."""
    began = time.monotonic()
    for tier in tiers:
        passed, test = copy.test(mutant, tests, tier, limits[tier])
        if not passed:
            return MutantOutcome(mutant, tier, test, time.monotonic() - began)
    return MutantOutcome(mutant, SURVIVED, "", time.monotonic() - began)


def time_limits(copy: Copy, tests: tuple[str, ...], tiers: list[str]) -> dict[str, float]:
    """Return each tier's time limit in seconds; raises if the tests fail without a mutant."""
    limits = {"all": ALL_TIMEOUT_S}
    for tier in tiers:
        if tier == "all":
            continue
        began = time.monotonic()
        passed, output = copy.test(None, tests, tier, 3600)
        assert passed, f"{tier} fails without a mutant: {output}"
        limits[tier] = max(LEAST_TIMEOUT_S, TIMEOUT_FACTOR * (time.monotonic() - began))
    return limits


def run_area(area: str, options: argparse.Namespace) -> Iterator[MutantOutcome]:
    """Test a package's mutants in parallel; yield each outcome as it comes."""
    copies = Queue[Copy]()
    for number in range(options.processes):
        copies.put(Copy(options.out / f"copy-{number}", options.python))
    first = copies.get()
    limits = time_limits(first, AREAS[area], options.tiers)
    copies.put(first)

    def test(mutant: Mutant) -> MutantOutcome:
        copy = copies.get()
        try:
            return judge(copy, mutant, AREAS[area], options.tiers, limits)
        finally:
            copies.put(copy)

    with ThreadPoolExecutor(options.processes) as pool:
        yield from pool.map(test, draw(area, options.each, options.seed))


def print_table(outcomes: dict[str, list[MutantOutcome]], tiers: list[str]) -> None:
    """Print how many mutants each tier kills, and every one that `test` does not."""
    print(f"| package | mutants | {' | '.join(tiers)} | survive |\n|---|{'---|' * (len(tiers) + 2)}")
    for area, of_area in outcomes.items():
        killed = [
            sum(tiers.index(one.tier) <= at for one in of_area if one.tier != SURVIVED) for at in range(len(tiers))
        ]
        print(f"| {area} | {len(of_area)} | {' | '.join(map(str, killed))} | {len(of_area) - killed[-1]} |")
    for one in (one for of_area in outcomes.values() for one in of_area if one.tier in ("all", SURVIVED)):
        print(f"- {one.tier}: `{one.mutant.name}` {one.test}")


def main() -> None:
    """Draw the mutants, test them and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--each", type=int, default=10, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--areas", nargs="+", default=list(AREAS), choices=list(AREAS))
    parser.add_argument("--tiers", nargs="+", default=list(TIERS), choices=list(TIERS))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--python", type=Path, default=Path(sys.executable))
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "mutants")
    options = parser.parse_args()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    outcomes: dict[str, list[MutantOutcome]] = {area: [] for area in options.areas}
    for area in options.areas:
        for outcome in run_area(area, options):
            outcomes[area].append(outcome)
            print(f"{outcome.tier:6} {outcome.seconds:5.0f} s  {outcome.mutant.name}  {outcome.test}", flush=True)
        (options.out / "outcomes.json").write_text(
            json.dumps({name: [asdict(one) for one in of_area] for name, of_area in outcomes.items()}, indent=1)
        )
    print_table(outcomes, options.tiers)


if __name__ == "__main__":
    main()
