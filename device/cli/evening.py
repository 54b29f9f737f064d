"""`shinpan watch SOURCE --evening FOLDER`: turn a film of a whole evening into a record of each game, and a report."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from device.cli.console import Assumptions, exit_of_watching, explain_unread, gaps_to_json, show_progress, tell_gaps
from device.cli.options import print_note
from device.files import write_whole
from device.session.evening_store import EveningStore
from device.session.game import EveningGame
from device.session.looks import Evening, EveningTerms
from device.session.recording import WatchRequest
from device.session.report import line_of, report_of
from device.session.watching import Watching, file_of
from referee.game.diagram import rows_of
from referee.game.errors import BadRecord
from vision.camera.film_clock import clock_text
from vision.camera.live import is_camera
from vision.camera.recordings import open_source
from vision.camera.video_reader import Film
from vision.tracking.multi_board_tracker import MultiBoardTracker

REPORT = "report.html"


def watch_evening(request: WatchRequest, folder: Path) -> int:
    """Watch to the end; return 0, or 3 if no board was seen or a picture could not be read."""
    if is_camera(request.source):
        raise BadRecord(f"{request.source}: an evening is watched from a film or pictures, not from a camera.")
    film = Film(open_source(request.source))
    store = EveningStore(folder, _facts_of(request, film.total))
    tracker_config = replace(request.tracker_config(film.stills), lids=request.setup.rules.delays is not None)
    evening = Evening(EveningTerms(request.setup, request.config, film.stills))
    watching = Watching(folder, film, store, evening, MultiBoardTracker(tracker_config), print_note)
    try:
        watching.take_up()
        Assumptions(request.setup.rules).tell()
        with show_progress("watching", film.total or None) as step:
            _watch_recording(watching, step)
    except KeyboardInterrupt:
        _report_break(watching)
        raise
    finally:
        store.close()
    return _print_games(request, watching)


def _facts_of(request: WatchRequest, frames: int) -> dict[str, object]:
    """Return the facts that must be the same for an evening to be resumed."""
    config = request.config
    return {
        "version": _installed_version(),
        "name": request.name,
        "frames": frames,
        "rules": request.setup.rules.name,
        "options": [request.size, config.black_side, config.to_play_said, str(request.setup.to_play)],
        "calibration": repr(request.calibration),
    }


def _watch_recording(watching: Watching, step: Callable[[int], None]) -> None:
    if watching.reached is not None and not watching.reached.over:
        print_note(f"Going on at {clock_text(watching.reached.t)}.")
        step(watching.reached.mark.number)
    watching.watch(step)
    _write_report(watching)


def _write_report(watching: Watching) -> None:
    """Write the report of the evening so far."""
    reached, evening = watching.reached, watching.evening
    lasts, over = (reached.t, reached.over) if reached is not None else (0.0, True)
    html = report_of(watching.film.name, lasts, evening.games, evening.between, watching.store.picture, over)
    write_whole(watching.folder / REPORT, html.encode())


def _report_break(watching: Watching) -> None:
    lasts = f" of {clock_text(watching.film.lasts)}" if watching.film.lasts else ""
    time_text = clock_text(watching.saved_at)
    print_note(f"Broken off at {time_text}{lasts}. What was seen is kept; the same command goes on from there.")


def _print_games(request: WatchRequest, watching: Watching) -> int:
    """Print a line per game and return the exit status."""
    reached, games = watching.reached, watching.evening.games
    for number, game in enumerate(games, 1):
        print(line_of(number, game) if request.in_words else json.dumps(_build_line(number, game)), flush=True)
    if reached is None or not watching.looks:
        print_note(explain_unread(request.source, watching.eye.board > 0 or watching.eye.grid is not None))
        return exit_of_watching(0, ())
    for game in games:
        tell_gaps(game.record)
    many = "1 game" if len(games) == 1 else f"{len(games)} games"
    print_note(f"{clock_text(reached.t)} watched, {many}; what was doubtful is in {watching.folder / REPORT}.")
    return exit_of_watching(watching.looks, reached.unreadable)


def _build_line(number: int, game: EveningGame) -> dict[str, object]:
    return {
        "game": number,
        "file": file_of(number),
        "size": game.size,
        "from": round(game.began or 0.0, 3),
        "to": round(game.ended, 3),
        "turns": game.record.number,
        "doubts": len(game.doubts.entries),
        **({"gaps": gaps_to_json(game.record)} if game.record.gaps else {}),
        "rows": list(rows_of(game.record.position)),
    }


def _installed_version() -> str:
    try:
        return version("shinpan")
    except PackageNotFoundError:
        return "unknown"
