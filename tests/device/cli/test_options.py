"""The declaration of commands: their option types, shared options and exit statuses."""

import pytest

from device.cli.options import Exit, print_aside, print_hint, print_note


def test_a_note_is_one_line_whatever_a_file_is_called(capsys):
    print_note("bad\nname\x7f.sgf: it is empty")
    assert capsys.readouterr().err == "shinpan: bad\\nname\\x7f.sgf: it is empty\n"


def test_a_hint_is_for_a_terminal_alone(capsys):
    print_hint("Press Ctrl-C to end.")
    assert capsys.readouterr().err == ""


def test_an_answer_is_not_lost_where_nobody_reads_the_notes(monkeypatch: pytest.MonkeyPatch):
    notes = list[str]()

    class BrokenStream:
        def write(self, text: str) -> None:
            notes.append(text)
            raise BrokenPipeError

        def flush(self) -> None:
            raise BrokenPipeError

    monkeypatch.setattr("sys.stderr", BrokenStream())
    print_aside("a note")
    assert notes == ["a note"]


def test_exit_statuses_are_those_of_the_page():
    assert [int(status) for status in Exit] == [0, 1, 2, 3, 130]
