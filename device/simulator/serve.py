"""A simulated table in its own process: `python -m device.simulator serve SOCKET`, for a box that connects there.

A script is played with hands on stones, lids and buttons; frames and the buttons' edges are sent (see `messages`), and
nothing is received but requests for the next frame and the state of the box's lamps, which the players see (see
`manners`). The box is not told the truth, which can be written to a log that the box never reads.

The simulation begins when the first box has received its first frame, and is then driven by time alone: it goes on if
the box dies, and presses without a box are lost; players who see the lamps go dark finish their step and wait. Its time
t is counted in frames, t = frames played / rate. Up to speed 3 it runs by the wall clock, `speed` simulated seconds a
second, and a slow box misses frames. At higher speeds the next frame is rendered only when the box has taken the last
one, so that it is as fast as the box can follow and `speed` is an upper bound; but while no box is connected, or the
box has requested nothing for a minute, it goes on by the wall clock at speed 3. One box is served at a time; another
that connects waits until it has left.

After the last step the final table is shown until the process is stopped: by SIGTERM, or with --attached by the end of
its standard input, which comes when the program that started it is gone, in whatever way.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import TracebackType

import cv2

from device.files import open_output
from device.simulator import __name__ as simulator_package
from device.simulator.games import ultimate_game
from device.simulator.hub import Hub, listen_at
from device.simulator.script import SIZES, Script, open_script
from device.simulator.stage import Staging
from device.simulator.table import RATE, Tempo, table_of
from device.system import exit_on_sigterm, own_command, own_environment, system
from referee.game.errors import RefereeError
from vision.errors import VisionError
from web.language import to_english

ENDS_WITHIN = 10.0
DEMO = Path(__file__).parent / "demo.script"
REST = 1.5
"""Seconds a person thinks between two turns."""
BAD_USE = 2
STOPPED = 0


def number_parser(low: float, high: float) -> Callable[[str], float]:
    """Build a parser of a numeric option that lies between these two."""

    def parse_number(text: str) -> float:
        value = float(text)
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is not between {low:g} and {high:g}")
        return value

    return parse_number


SPEEDS = (0.01, 1000.0)
"""The lowest and highest speed of a simulated table."""


class TableProcess:
    """`python -m device.simulator serve` with these options, as a context manager. Its messages go to our stderr.

    It also ends when this program does, in whatever way.
    """

    def __init__(self, path: Path, *options: str) -> None:
        command = [*own_command(simulator_package), "serve", str(path), "--attached", *options]
        # Its own process group: Ctrl-C is for this process, which stops the other.
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, env=own_environment(), process_group=0)

    @property
    def pid(self) -> int:
        """Return the process id."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Return its exit status, None while it runs: 2 if its arguments were unusable, which it reported."""
        return self._process.poll()

    def stop(self) -> None:
        """Stop the process, if it does not end by itself in time by force."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.terminate()
        try:
            self._process.wait(ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> TableProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()


def main(argv: Sequence[str]) -> int:
    """Serve until stopped; unusable arguments are reported in one sentence on stderr."""
    args = _build_parser().parse_args(argv)
    exit_on_sigterm(STOPPED)  # The parent may both send it and leave.
    cv2.setNumThreads(1)
    try:
        return _serve_table(args)
    except (RefereeError, VisionError) as error:
        print(f"shinpan: {to_english(error)}", file=sys.stderr)
        return BAD_USE
    except KeyboardInterrupt:
        return STOPPED


def _serve_table(args: argparse.Namespace) -> int:
    script = _load_script(args)
    table = table_of(script, args.width, args.height)
    stage = Staging(script, table, Tempo(args.rate, args.rest), args.speed)
    stage.rehearse()
    with ExitStack() as stack:
        log = stack.enter_context(open_output(args.record)) if args.record else None
        listener = stack.enter_context(listen_at(args.socket))
        hub = Hub(time.monotonic)
        hub.admit(listener)
        if args.attached:
            threading.Thread(target=_until_parent_is_gone, daemon=True).start()
        stage.play(hub, log)
    return STOPPED


def _until_parent_is_gone() -> None:
    while os.read(sys.stdin.fileno(), 64):
        pass
    system.stop_main_thread()


def _load_script(args: argparse.Namespace) -> Script:
    if args.size is None and args.seed is None:
        script = open_script(args.script or DEMO)
    else:
        script = ultimate_game(args.size or 9, args.seed or 1, refereed=True, insist=args.insist).script
    return replace(script, fields=script.fields or args.fields)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"python -m {simulator_package} serve", description=str(__doc__).splitlines()[0]
    )
    parser.add_argument("socket", type=Path, metavar="SOCKET", help="where boxes connect: a path for a Unix socket")
    parser.add_argument("--script", type=Path, metavar="FILE", help="what is played (default: the demo's game)")
    parser.add_argument("--size", type=int, choices=SIZES, help="play a made-up refereed game on so many lines")
    parser.add_argument("--seed", type=int, metavar="N", help="which of the made-up games")
    parser.add_argument("--insist", type=int, default=0, metavar="N", help="press a made-up game's end N times more")
    parser.add_argument(
        "--speed", type=number_parser(*SPEEDS), default=1.0, help="the world's seconds a second, at most"
    )
    parser.add_argument("--rate", type=number_parser(0.5, 60), default=RATE, help="frames a second (default: 10)")
    parser.add_argument("--rest", type=number_parser(0, 600), default=REST, help="seconds between turns (default: 1.5)")
    parser.add_argument("--width", type=_parse_pixels, default=1280, help="of the pictures (default: 1280)")
    parser.add_argument("--height", type=_parse_pixels, default=720, help="of the pictures (default: 720)")
    parser.add_argument("--fields", action="store_true", help="prisoners lie on printed fields, not in lids")
    parser.add_argument("--record", type=Path, metavar="LOG", help="write what truly happened, as JSON lines")
    parser.add_argument("--attached", action="store_true", help="end with the program that holds standard input")
    return parser


def _parse_pixels(text: str) -> int:
    return int(number_parser(64, 4096)(text))
