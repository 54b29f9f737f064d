"""The declaration of commands: their class, option types, shared options and exit statuses."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from enum import IntEnum
from pathlib import Path
from typing import Any

import click

from device.streams import silence_libraries
from referee.game.coordinates import Coordinates

SIZES = (9, 13, 19)
"""The lines a side that the vision supports."""
COMPLETE = "_SHINPAN_COMPLETE"
"""The environment variable by which a shell asks for completions."""
Run = Callable[..., int]


class Exit(IntEnum):
    """The exit statuses (docs/commands.md)."""

    DONE = 0
    NOT_WELL = 1
    """The command did its work, but its outcome is not as it should be."""
    BAD_USE = 2
    NO_BOARD = 3
    INTERRUPTED = 130


class CommandWithExamples(click.Command):
    """A command whose help ends with examples.

    examples: arguments after `shinpan`, with their effect.
    looks: True if it reads pictures; the stderr output of the imaging libraries is then discarded.
    """

    def __init__(
        self, *args: Any, examples: Sequence[tuple[str, str]] = (), looks: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.examples, self._looks = examples, looks

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with silence_libraries() if self._looks else nullcontext():
            return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        with formatter.section("Examples"):
            formatter.write_dl([(f"shinpan {line}".rstrip(), what) for line, what in self.examples])


def declare_command(
    name: str, about: str, *examples: tuple[str, str], looks: bool = False
) -> Callable[[Run], CommandWithExamples]:
    """Declare a command.

    name: the command's name.
    about: its help; the first sentence appears in the list of all commands.
    examples: arguments after `shinpan`, with their effect.
    looks: True if it reads pictures.
    """
    return click.command(name, cls=CommandWithExamples, help=about, examples=examples, looks=looks)


class NamedPath(click.Path):
    """A named path: an empty one would mean the current folder."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; raise BadParameter for an empty one."""
        if not os.fspath(value):
            self.fail("it is empty; name a file or a folder.", param, ctx)
        return super().convert(value, param, ctx)


class Text(click.ParamType[str]):
    """A text that is not empty: an empty one is a slip of the hand or of a script."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; raise BadParameter for an empty one."""
        if not str(value).strip():
            self.fail("it is empty.", param, ctx)
        return str(value)


class NumberRange(click.ParamType[float]):
    """A number from `low` to `high`. kind: int or float."""

    name = "number"

    def __init__(self, low: float, high: float, kind: type[float] = float) -> None:
        self.low, self.high, self.kind = low, high, kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Parse the number; raise BadParameter for anything else."""
        try:
            number = self.kind(value)
        except ValueError:
            number = math.nan
        if not self.low <= number <= self.high:
            self.fail(
                f"{value!r} is not a {'whole ' * (self.kind is int)}number from {self.low:g} to {self.high:g}.",
                param,
                ctx,
            )
        return number


FILE, FOLDER, TEXT, PORT = NamedPath(), NamedPath(), Text(), NumberRange(0, 65535, int)

camera_option = click.option(
    "--camera", metavar="SOURCE", help="A camera's number, device or address, picamera, a video or a folder."
)
settings_option = click.option("--settings", type=FILE, metavar="FILE", help="Settings, as TOML.")
data_option = click.option("--data", type=TEXT, metavar="FOLDER", help="Where journals and game records are kept.")
coordinates_option = click.option(
    "--coordinates",
    type=click.Choice([one.value for one in Coordinates]),
    help="How intersections are named to people.",
)
size_option = click.option("--size", type=click.Choice(SIZES), help="Lines a side; worked out when left out.")
calibration_option = click.option(
    "--calibration", type=FILE, metavar="FILE", help="Corners and lids given by a person."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer in JSON, for another program.")
rules_option = click.option("--rules", type=TEXT, metavar="NAME", help="The rule set, whatever the file says.")


def print_note(sentence: object) -> None:
    """Print a note on stderr, in one line whatever a file is called."""
    line = "".join(letter if letter >= " " and letter != "\x7f" else repr(letter)[1:-1] for letter in str(sentence))
    print_aside(f"shinpan: {line}")


def print_aside(text: object) -> None:
    """Print on stderr; ignore errors, so that the answer is not lost."""
    with suppress(OSError):
        print(text, file=sys.stderr, flush=True)


def print_hint(sentence: object) -> None:
    """Print a note only if stderr is a terminal: nothing of it goes into a file or another program."""
    if sys.stderr.isatty():
        print_note(sentence)
