import pytest

from device.cli.watch import read_presses
from referee.game.errors import BadRecord
from referee.table.events import Button, Pressed


def test_presses_come_in_the_order_of_time(tmp_path):
    path = tmp_path / "presses.jsonl"
    path.write_text('{"t":3,"side":2,"button":"done"}\n\n{"t":1.5,"side":1,"button":"call","held":true}\n')
    assert read_presses(path) == [Pressed(1.5, 1, Button.CALL, is_held=True), Pressed(3.0, 2, Button.DONE)]


@pytest.mark.parametrize(
    "line",
    [
        "words",
        "[]",
        "7",
        "{}",
        '{"t":"soon","side":1,"button":"call"}',
        '{"t":1,"side":3,"button":"call"}',
        '{"t":1,"side":1,"button":"horn"}',
        '{"t":1,"side":[1],"button":"call"}',
        '{"t":null,"side":1,"button":"call"}',
        '{"t":NaN,"side":1,"button":"call"}',
        '{"t":-1,"side":1,"button":"call"}',
    ],
)
def test_a_line_that_is_no_press_is_named(tmp_path, line):
    path = tmp_path / "presses.jsonl"
    path.write_text(f'{{"t":1,"side":1,"button":"call"}}\n{line}\n')
    with pytest.raises(BadRecord, match="line 2"):
        read_presses(path)


def test_a_missing_or_binary_file_is_one_sentence(tmp_path):
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for name in ("missing", "binary"):
        with pytest.raises(BadRecord, match=name):
            read_presses(tmp_path / name)
