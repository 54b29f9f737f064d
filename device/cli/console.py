"""Console output for people at a terminal: words, a board, a progress bar. A pipe gets none of it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click

from device.cli.options import Exit, print_note
from referee.game.messages import Message, message
from referee.game.record import GameRecord, RuleSet
from web.language import ENGLISH

Item = TypeVar("Item")
COUNTED = ("entries", "games", "looks", "pictures", "rulings", "same", "turns", "wrong")
MESSAGE_KEYS = tuple(f"counted.{what}" for what in COUNTED)
PATIENCE = 1.5
"""Seconds after which a progress bar is shown."""


def is_interactive() -> bool:
    """Return True if a person reads stdout."""
    return sys.stdout.isatty()


def count_in_words(what: str, n: int) -> str:
    """Return a count in words: "1 picture", "3 pictures". what: one of COUNTED."""
    return ENGLISH(f"counted.{what}", n=n)


def in_red(text: str) -> str:
    """Return the text in red, if colours are shown and wanted (https://no-color.org)."""
    return text if os.environ.get("NO_COLOR") or not is_interactive() else click.style(text, fg="red")


def turn_line(number: int, text: str, accepted: bool) -> str:
    """Return a turn's line, "27. Black played K8."; a red cross replaces the dot if it is not accepted."""
    return f"{number:3}. {text}" if accepted else in_red(f"{number:3}x {text}")


@contextmanager
def show_progress(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar with the remaining time if stderr is a terminal; yield a function that advances it.

    what: the label.
    total: number of steps, None if unknown.
    """
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    # Output to a file or another program must not be redirected to the bar's console.
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=is_interactive())
    task = bar.add_task(what, total=total)
    starter = threading.Timer(PATIENCE, bar.start)
    starter.daemon = True
    starter.start()
    try:
        yield lambda steps: bar.advance(task, steps)
    finally:
        starter.cancel()
        starter.join()
        bar.stop()


def with_progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield the items, with a progress bar."""
    with show_progress(what, total) as step:
        for item in items:
            yield item
            step(1)


def tell_gaps(record: GameRecord) -> None:
    """Print what is missing in a recorded game, and when that was."""
    for number, gap in record.gaps:
        when = f" from {gap.since} to {gap.until}" if gap.since and gap.until else ""
        print_note(f"Turns are missing after turn {number}: nobody saw how play went on{when}.")


def gaps_to_json(record: GameRecord) -> list[dict[str, object]]:
    """Return the gaps of a recorded game: the number of the turn before each, and when it was."""
    return [{"after": number, "from": gap.since, "to": gap.until} for number, gap in record.gaps]


def explain_unread(source: str, has_board: bool, is_live: bool = False) -> str:
    """Return why no picture of a source was read.

    source: its name.
    has_board: True if a board is in it, but never at rest.
    is_live: True if it is a camera.
    """
    if not has_board:
        return f"{source}: no board found in any picture; show the whole board, or give --calibration."
    if is_live:
        return f"{source}: the board is seen, but never still for long enough; fix the camera, and let the table rest."
    stills = "give them as a folder of stills (ffmpeg -i FILM STILLS/%05d.png)"
    return f"{source}: the board is seen, but never still for long enough; if each picture is a look, {stills}."


def exit_of_watching(look_count: int, unreadable: Sequence[str]) -> Exit:
    """Return the exit status after so many observations. unreadable: the frames that could not be read"""
    return Exit.NO_BOARD if not look_count or unreadable else Exit.DONE


OPTION = "--rules NAME"


class Assumptions:
    """The assumptions about a game: the rules, if nobody named any, and those made in reading its file.

    how: the way to name other rules.
    notes: the reader's, a sentence each.
    sentences: all of them.
    """

    def __init__(self, rules: RuleSet, how: str = OPTION, notes: Sequence[str] = ()) -> None:
        self.sentences = (*([] if rules.named else [ENGLISH.sentence(_unnamed_rules_message(rules, how))]), *notes)
        self._is_told = False

    def tell(self) -> tuple[str, ...]:
        """Print the assumptions, once, before the first judgement; return the sentences printed now."""
        if self._is_told:
            return ()
        self._is_told = True
        for sentence in self.sentences:
            print_note(sentence)
        return self.sentences


def _unnamed_rules_message(rules: RuleSet, how: str) -> Message:
    """Return the message about rules that nobody named, and why they were taken. how: the way to name others."""
    rules_title = message(f"rules.{rules.name}")
    if rules.because is not None:
        return message("unnamed.of-record", rules=rules_title, why=rules.because, how=how)
    return message("unnamed.taken", rules=rules_title, how=how)
