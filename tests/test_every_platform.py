"""Every module of the product can be imported where the modules of other systems are missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support import ROOT
from tests.support.device.systems import SYSTEMS
from tests.support.tiers import LONG

UNIX = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "syslog")
MISSING = {
    "linux": ("msvcrt", "winreg"),
    "darwin": ("msvcrt", "winreg", "evdev", "lgpio", "spidev", "picamera2"),
    "win32": (*UNIX, "evdev", "lgpio", "spidev", "picamera2"),
}
"""Modules that a system does not have."""
IMPORTS = """
import importlib, importlib.util, os, socket, sys
from pathlib import Path
from types import ModuleType
root, platform, own, *missing = sys.argv[1:]
# The standard library and others' packages are this system's: they are loaded before it changes its name.
import asyncio, ctypes, logging.handlers, multiprocessing.connection, pickle, platform as _, shutil, sqlite3, subprocess
import tempfile, webbrowser, zoneinfo
import babel.support, click, cryptography.x509, cv2, flask, gpiozero, msgspec, numpy, rich.live, segno, sgfmill.sgf
import waitress.server, werkzeug.serving
for package in ("nats", "paho.mqtt.client", "websocket", "zeroconf", "onnxruntime", "pi_heif", "cairosvg", "serial"):
    if importlib.util.find_spec(package.partition(".")[0]):
        importlib.import_module(package)
sys.platform = platform
for name in missing:
    sys.modules[name] = None
if platform == "win32":
    sys.modules["msvcrt"], os.O_BINARY, os.O_NOINHERIT = ModuleType("msvcrt"), 0, 0
    for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_DIRECTORY", "geteuid", "fchown", "pwrite"):
        delattr(os, name)
    del socket.AF_UNIX
if platform != "linux":
    for name in ("fdatasync", "posix_fadvise", "POSIX_FADV_DONTNEED", "memfd_create"):
        delattr(os, name)
others = {"posix", "linux", "macos", "windows"} - ({own} if platform == "win32" else {own, "posix"})
for package in ("referee", "vision", "device", "web"):
    for file in sorted(Path(root, package).rglob("*.py")):
        parts = file.relative_to(root).with_suffix("").parts
        if "training" in parts or (parts[:2] == ("device", "system") and parts[2] in others):
            continue
        importlib.import_module(".".join(parts).removesuffix(".__init__"))
from device.system import system
print(system.__name__)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "platform", ["win32", *(pytest.param(name, marks=LONG) for name in SYSTEMS if name != "win32")]
)
def test_every_module_is_imported_without_what_the_system_has_not(platform):
    arguments = [str(ROOT), platform, SYSTEMS[platform], *MISSING[platform]]
    done = subprocess.run([sys.executable, "-c", IMPORTS, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f"device.system.{SYSTEMS[platform]}"
