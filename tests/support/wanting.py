"""Needs of a test that a machine may lack: the one way to skip for want of one, and the report at the end of a run.

Every such skip begins with `wanting` and one of the causes here, so that they can be counted by cause.
"""

from __future__ import annotations

import importlib
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import NoReturn

import pytest

SHARED = "the shared photographs and cases (../shared beside the project)"
CHROMIUM = "Chromium (apt install chromium chromium-driver)"
GNUGO = "GNU Go (apt install gnugo)"
SABAKI = "Sabaki's reader of SGF (apt install nodejs npm, then make test)"
SYSTEMD = "systemd's own tools (apt install systemd)"
SHELLCHECK = "shellcheck (apt install shellcheck)"
TRAINING = "torch (pip install '.[training]')"
UINPUT = "input devices of the kernel's making (modprobe uinput, pip install '.[keys]')"
SPI = "spidev (pip install '.[rim]')"
SERIAL = "pyserial (pip install '.[lights]')"
TRACED = "Blender's bpy (docs/evidence/seeing-traced.md)"
NATS = "NATS (apt install nats-server, pip install '.[hall]')"
MQTT = "MQTT (apt install mosquitto, pip install '.[hall]')"
ESPEAK = "espeak-ng (apt install espeak-ng)"
JTALK = "Open JTalk and a voice (docs/voice.md)"
SPHINX = "PocketSphinx (pip install '.[hearing]')"
ONNX = "ONNX Runtime (pip install '.[nets]')"
HEIC = "pi-heif (pip install '.[heic]')"
OGS = "websocket-client (pip install '.[hall]')"
CAUSES = (
    *(SHARED, CHROMIUM, GNUGO, SABAKI, SYSTEMD, SHELLCHECK, TRAINING, UINPUT, SERIAL, SPI, TRACED, NATS, MQTT, OGS),
    *(ESPEAK, JTALK, SPHINX, ONNX, HEIC),
)

_MARK = "wanting "


def wanting(cause: str, detail: str = "") -> NoReturn:
    """Skip the test, or the module that is being imported, for want of one of CAUSES; `detail`: which part of it."""
    assert cause in CAUSES, cause
    pytest.skip(f"{_MARK}{cause}{detail and ': '}{detail}", allow_module_level=True)


def program(name: str, cause: str, elsewhere: str | None = None) -> str:
    """Return the path of a program, looked for in `elsewhere` too; skip if there is none."""
    return shutil.which(name) or shutil.which(name, path=elsewhere) or wanting(cause)


def module(name: str, cause: str = TRAINING) -> ModuleType:
    """An optional module of ours or of others; skips where what it needs is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        wanting(cause, f"no module {error.name}")


def cause_of(reason: str) -> str:
    """The cause that a skip's reason names; other reasons stand for themselves."""
    text = reason.removeprefix("Skipped: ")
    named = [cause for cause in CAUSES if text.startswith(_MARK + cause)]
    return named[0] if named else text


def summary(skips: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Lines that say how many were skipped and for want of what, most first. skips: what was skipped, and the reason
    given; said again by another process, it is counted once."""
    causes = Counter(cause_of(reason) for _, reason in {where: (where, reason) for where, reason in skips}.values())
    for cause, number in causes.most_common():
        yield f"{number:5}  {'for want of ' * (cause in CAUSES)}{cause}"


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end of a run what was not tested, and why."""
    reports = terminalreporter.stats.get("skipped", [])
    lines = list(summary((report.nodeid, _reason(report)) for report in reports))
    if lines:
        number = len({report.nodeid for report in reports})
        terminalreporter.section(f"NOT TESTED HERE: {number} (a file counts as one)", sep="!", yellow=True, bold=True)
        for line in lines:
            terminalreporter.line(line)


def _reason(report: pytest.TestReport | pytest.CollectReport) -> str:
    return report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
