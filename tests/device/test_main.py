"""The command line as a whole: help, versions, suggestions, completions, and what a command ends with."""

import re
import shlex
import subprocess
import sys
from enum import Enum
from importlib.metadata import version

import click
import pytest

from device.__main__ import COMMANDS, LIGHT, main, shinpan
from tests.support import ROOT
from tests.support.terminal import parse_command_line

TURNS = b'{"player":"B","place":"D4"}\n{"player":"W","place":"D4"}\n'


def declared(name):
    return shinpan.get_command(click.Context(shinpan), name)


def every_command():
    for name in COMMANDS:
        command = declared(name)
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {act}", subcommand) for act, subcommand in command.commands.items())


def test_every_choice_is_typed_as_its_page_has_it():
    """`run --coordinates 1-1` was refused: only FIGURES was taken."""
    for name, command in every_command():
        choices = [option.type.choices for option in command.params if isinstance(option.type, click.Choice)]
        assert [choice for one in choices for choice in one if isinstance(choice, Enum)] == [], name
    assert "'J9'" in _refusal("demo", "--coordinates", "J9") and "'japanese'" in _refusal("run", "--coordinates", "J9")


def _refusal(*line: str) -> str:
    with pytest.raises(click.BadParameter) as error:
        declared(line[0]).make_context(line[0], list(line[1:]))
    return error.value.format_message()


def test_the_version(capsys):
    assert (main(["--version"]), capsys.readouterr().out) == (0, f"shinpan {version('shinpan')}\n")


def test_without_a_command_all_are_listed(capsys):
    status, stderr = main([]), capsys.readouterr().err
    assert status == 2 and {f"  {name} " in stderr for name in COMMANDS} == {True}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_cuts_no_sentence_short(name, capsys):
    main(["--help"])
    (line,) = re.findall(rf"^  {name} .*", capsys.readouterr().out, re.M)
    assert line.endswith(".") and not line.endswith("..") and len(line) < 80


@pytest.mark.parametrize(("name", "command"), list(every_command()))
def test_every_command_has_three_examples_that_can_be_used(name, command, capsys):
    assert len(command.examples) >= 3
    for line, _ in command.examples:
        parse_command_line(shlex.split(re.sub(r" (<|>>?) .*", "", line)))
    assert main([*name.split(), "--help"]) == 0
    output = capsys.readouterr().out
    assert output.startswith(f"Usage: shinpan {name} ") and f"  shinpan {command.examples[0][0]}" in output


@pytest.mark.parametrize(
    ("words", "usage", "sentence"),
    [
        (["lok"], "shinpan", "No such command 'lok'. Did you mean 'look'?"),
        (["look", "--sise", "9"], "shinpan look", "No such option '--sise'. Did you mean '--size'?"),
        (["look", "--size", "7", "x"], "shinpan look", "Invalid value for '--size': '7' is not one of"),
        (["look", ""], "shinpan look", "Invalid value for 'IMAGE...': it is empty; name a file or a folder."),
        (["demo", "--speed", "fast"], "shinpan demo", "Invalid value for '--speed': 'fast' is not a number from"),
        (["label", "--wifi", "X", "--access-point"], "shinpan label", "--wifi and --access-point cannot go together"),
    ],
)
def test_what_cannot_be_used_is_told_with_the_usage_of_that_command(capsys, words, usage, sentence):
    status = main(words)
    first, second = capsys.readouterr().err.splitlines()
    assert (
        status == 2 and first.startswith(f"Usage: {usage} [OPTIONS] ") and first.endswith(f"  (more: {usage} --help)")
    )
    assert second.startswith(f"shinpan: {sentence}")


@pytest.mark.parametrize(("strict", "status"), [([], 0), (["--strict"], 1)])
def test_a_refused_turn_counts_where_it_is_asked_for(tmp_path, capsys, strict, status):
    (tmp_path / "game.jsonl").write_bytes(TURNS)
    assert main(["judge", *strict, str(tmp_path / "game.jsonl")]) == status
    (tmp_path / "game.jsonl").write_bytes(TURNS.splitlines()[0])
    assert main(["judge", *strict, str(tmp_path / "game.jsonl")]) == 0


def test_an_unreadable_line_outweighs_a_refused_turn(tmp_path, capsys):
    (tmp_path / "game.jsonl").write_bytes(TURNS + b"what\n")
    assert main(["judge", "--strict", str(tmp_path / "game.jsonl")]) == 2


def test_a_reader_that_leaves_is_no_fault(tmp_path):
    command = f"{sys.executable} -m device rules --json | head -c 1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, cwd=ROOT)
    assert result.stdout.startswith("[") and result.stderr == ""


PICTURES = {"cv2", "numpy", "onnxruntime"}
PAGE = {"flask", "jinja2", "segno", "waitress", "werkzeug"}
PANEL = {"gpiozero", "rich"}
SEALS = {"cryptography", "sqlite3"}
FREE_OF = {
    "the commands without pictures": (
        tuple(f"device.cli.{COMMANDS[name]}" for name in sorted(LIGHT)),
        PICTURES | PAGE | PANEL | SEALS,
    ),
    "the box": (("device.cli.run",), PAGE | PANEL | {"asyncio", "cryptography.x509", "onnxruntime"}),
    "the page": (("web.__main__",), PICTURES | PANEL | {"cryptography", "segno", "sqlite3"}),
    "the background worker": (("device.table.worker",), PICTURES | PAGE | PANEL | SEALS),
}
"""What each process starts without: a box is up in half of the time, which counts on a Raspberry Pi."""


@pytest.mark.slow
@pytest.mark.parametrize(("modules", "needless"), FREE_OF.values(), ids=FREE_OF)
def test_a_process_starts_without_what_it_does_not_need(modules, needless):
    script = f"import sys, {', '.join(modules)}\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True, cwd=ROOT).stdout
    assert needless & set(loaded.split()) == set()
