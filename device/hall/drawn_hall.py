"""A hall of simulated tables: `python -m device.hall.drawn_hall`, or `make hall`.

Eight tables are simulated, each in its own process, and refereed by their own boxes; a hall follows them. A round
paired in a tournament file of OpenGotha is handed out at the hall's page and played by the simulated players; its
results end up in a new file, which OpenGotha would merge. All parts are those of a real hall: the boxes see frames, the
hall hears the boxes. The tables wait for slow machines: on two cores it takes some minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from xml.etree import ElementTree

from device.hall.drawn_venue import DrawnTable, HallPages, HallProcess, tournament_of
from device.simulator.serve import SPEEDS, number_parser
from device.threads import install_signal_handlers
from referee.game.errors import RefereeError

MOST = 16
SPEED = 5.0
TURNS = range(8, 36)
LOOK_AGAIN = 0.5
"""Seconds between two checks."""
AT_ONCE = 2
"""Boxes started in parallel: each needs a core for seconds."""
PLAYED, NOT_PLAYED, BAD_USE = 0, 1, 2


def main(argv: Sequence[str]) -> int:
    """Play the round; return 0 if every result is in the new file as it was played, or --stay was ended by hand."""
    args = _build_parser().parse_args(argv)
    stop = threading.Event()
    install_signal_handlers(stop)
    try:
        with tempfile.TemporaryDirectory(prefix="shinpan-hall-") as scratch, ExitStack() as processes:
            return _DrawnRound(Path(scratch), args, stop, processes).play()
    except (RefereeError, OSError) as error:
        print(f"shinpan: {error}", file=sys.stderr)
        return BAD_USE


class _DrawnRound:
    """A round to be played.

    scratch: a folder for all files
    args: the options
    stop: set when it is to end
    processes: ends the processes that were started
    """

    def __init__(self, scratch: Path, args: argparse.Namespace, stop: threading.Event, processes: ExitStack) -> None:
        self._scratch, self._args, self._stop, self._processes = scratch, args, stop, processes
        self._tables = [
            DrawnTable(scratch / str(number), number, args.seed, args.turns) for number in range(1, args.tables + 1)
        ]

    def play(self) -> int:
        """Play until every result is there, and with --stay until ended; return the exit status."""
        tournament = self._scratch / "tournament.xml"
        tournament.write_bytes(tournament_of(self._tables))
        pages = self._start(tournament)
        if pages is None:
            return NOT_PLAYED
        pages.hand_out()
        self._print("The round is handed out; the boxes take their matches.")
        is_done = self._wait_until(lambda: pages.accepted_count() == len(self._tables))
        for table in self._tables if is_done else ():
            self._processes.enter_context(table.start_players(self._args.speed))
        self._print("The players sit down.")
        is_done = is_done and self._wait_until(lambda: pages.finished_count() == len(self._tables))
        is_right = is_done and self._wait_until(lambda: self._count_entered() == len(self._tables))
        if is_right:
            self._keep_results()
        if self._args.stay:
            self._stop.wait()
        return PLAYED if is_right or self._args.stay else NOT_PLAYED

    def _start(self, tournament: Path) -> HallPages | None:
        """Start the boxes, a few at a time, and the hall; return its pages, None if it was ended meanwhile."""
        self._print(f"{len(self._tables)} boxes are started, which takes a while.")
        for start in range(0, len(self._tables), AT_ONCE):
            batch = self._tables[start : start + AT_ONCE]
            for table in batch:
                self._processes.enter_context(table.run_box())
            if not self._wait_until(lambda batch=batch: all(table.answers for table in batch)):  # type: ignore[misc]
                return None
        for table in self._tables:
            self._processes.callback(table.leave)
        hall = HallProcess(self._scratch, self._tables, tournament, self._args.port)
        self._processes.enter_context(hall)
        pages = hall.pages()
        is_done = self._wait_until(pages.are_answering) and self._wait_until(
            lambda: pages.followed_count() == len(self._tables)
        )
        self._print(f"The hall director's PIN is {hall.pin}.")
        return pages if is_done else None

    def _wait_until(self, so: Callable[[], bool]) -> bool:
        """Wait until `so` is true; return False if ended first."""
        while not self._stop.is_set():
            broken = next((table for table in self._tables if table.has_ended), None)
            if broken is not None:
                raise OSError(f"The box of table {broken.number} has ended; it said: {broken.output}")
            if so():
                return True
            self._stop.wait(LOOK_AGAIN)
        return False

    def _count_entered(self) -> int:
        """Return how many results are in the new file as they were played."""
        results_file = self._scratch / "hall" / "to-opengotha.xml"
        try:
            games = ElementTree.fromstring(results_file.read_bytes()).iter("Game")
        except (OSError, ElementTree.ParseError):
            return 0
        results = {game.get("tableNumber"): game.get("result") for game in games}
        return sum(results.get(str(table.number)) == table.expected_result for table in self._tables)

    def _keep_results(self) -> None:
        results: Path = self._args.results
        results.parent.mkdir(parents=True, exist_ok=True)
        results.write_bytes((self._scratch / "hall" / "to-opengotha.xml").read_bytes())
        for table in self._tables:
            print(f"Table {table.number}: {table.black} – {table.white}: {table.result}")
        self._print(f"All results are in {results}, for OpenGotha to merge.")

    def _print(self, text: str) -> None:
        print(f"shinpan: {time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {__spec__.name}", description=str(__doc__).splitlines()[0])
    parser.add_argument("--tables", type=int, choices=range(1, MOST + 1), metavar="N", default=8)
    parser.add_argument("--turns", type=int, choices=TURNS, metavar="N", default=30, help="at least, of each game")
    parser.add_argument(
        "--speed", type=number_parser(*SPEEDS), default=SPEED, help="so many times as fast, if it follows"
    )
    parser.add_argument("--port", type=int, default=8100, help="the wall's")
    parser.add_argument("--seed", type=int, default=1, help="of the games")
    parser.add_argument("--results", type=Path, default=Path("out/round-1.xml"), help="where the new file goes")
    parser.add_argument("--stay", action="store_true", help="leave everything running afterwards, until Ctrl-C")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
