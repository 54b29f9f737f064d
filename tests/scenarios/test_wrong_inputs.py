"""Every wrong input of the table gets one sentence that names it, and nothing is written (tests/support/device)."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from device.__main__ import main
from tests.support import ROOT
from tests.support.device import wrong_things
from tests.support.device.wrong_inputs import NOT_WELL, ROWS, Wrong
from tests.support.device.wrong_things import as_nobody, furnish, tree
from tests.support.tiers import LONG

RAW = re.compile(
    r"Traceback|Errno|Expecting|\b[A-Z]\w*(Error|Exception)\b|NoneType|object at 0x|<class|Posix|codec|literal|"
    r"sqlite|OpenCV|cv::|GStreamer|FFMPEG|V4L|\[ ?(WARN|ERROR)|\bint\b|\bfloat\b|\bstr\b|\bdict\b|\bNone\b|moov|Qt"
)
"""Words that only programmers can read: of Python, of its libraries and of OpenCV."""
USAGE = re.compile(r"Usage: (shinpan.*\n)(?: +.*\n)*")
LONGEST = 1000
furnished = dict[Path, object]()


@pytest.fixture(scope="module")
def junk():
    """A folder with all sorts of things, in which everybody may read and write what is not closed."""
    with tempfile.TemporaryDirectory(prefix="shinpan-wrong-") as name:
        folder = Path(name)
        folder.chmod(0o777)
        before = Path.cwd()
        os.chdir(folder)
        yield folder
        os.chdir(before)


@pytest.fixture
def things(junk):
    """The same with all in it as it belongs there: what a row has spoiled is no other's fault."""
    if tree(junk) != furnished.get(junk):
        for path in junk.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        furnish(junk)
        furnished[junk] = tree(junk)
    return junk


@pytest.fixture
def given(request, things):
    """A row, with the file that it is about."""
    row: Wrong = request.param
    if row.administrator and os.geteuid():
        pytest.skip("only root can make a device")
    found = re.search(r"\bgiven\.\w+", row.line)
    if found is None:
        return row
    path = things / found[0]
    path.write_bytes(row.given if isinstance(row.given, bytes) else str(row.given).encode())
    request.addfinalizer(path.unlink)
    return row


def told(row: Wrong, out: str, err: str) -> str:
    """The one sentence that is said; AssertionError where it is not one."""
    usage = USAGE.match(err)
    assert row.usage == (usage is not None), f"usage: {err}"
    said = err[usage.end() :] if usage else err
    if row.answered:
        assert said == ""
        (line,) = re.findall(r'^\{"error": "(.*)"\}$|^\? (.*)$|^WRONG +settings +(.*)$', out, re.MULTILINE)
        return "".join(line)
    assert re.fullmatch(r"shinpan: .+[.?]\n", said), said
    return said.removeprefix("shinpan: ").removesuffix("\n")


def check(row: Wrong, status: int, out: str, err: str) -> None:
    sentence = told(row, out, err)
    missing = [name for name in row.names if name.lower() not in sentence.lower()]
    assert not missing, f"{missing} in {sentence}"
    assert not RAW.search(sentence.replace(wrong_things.LONG, "")), sentence
    assert status == row.status, sentence
    assert len(sentence) < LONGEST and sentence.isprintable()
    assert row.answered or row.status == NOT_WELL or out == "", out


def in_process(row: Wrong, monkeypatch, capfd) -> tuple[int, str, str]:
    monkeypatch.setenv("PATH", "")  # No program of the machine's is asked, such as nmcli.
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(row.stdin), encoding="utf-8"))
    capfd.readouterr()
    with ExitStack() as stack:
        if row.nobody:
            stack.enter_context(as_nobody())
        try:
            status = main(shlex.split(row.line))
        except SystemExit as end:
            status = int(end.code or 0)
    return status, *capfd.readouterr()


def in_a_shell(row: Wrong) -> tuple[int, str, str]:
    line = f"exec {shlex.quote(sys.executable)} -m device {row.line}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def named(row: Wrong) -> str:
    return row.line[:60].encode("unicode_escape").decode()


def marked(row: Wrong) -> object:
    """The rows for which another program starts or a board is searched for are left out by `make check`."""
    starts = row.real or row.line.startswith(("demo --script", "demo --data", "doctor --beside"))
    is_slow = starts or "no board" in row.names
    return pytest.param(row, marks=LONG if row.long else pytest.mark.slow) if row.long or is_slow else row


@pytest.mark.parametrize("given", [*map(marked, ROWS)], indirect=True, ids=[*map(named, ROWS)])
def test_one_sentence(given, things, monkeypatch, capfd):
    for name, value in (("HOME", str(things / "home")), ("SHINPAN_ROOT", str(things / "folder"))):
        monkeypatch.setenv(name, value)
    before = tree(things)
    status, out, err = in_a_shell(given) if given.real else in_process(given, monkeypatch, capfd)
    check(given, status, out, err)
    assert tree(things) == before
