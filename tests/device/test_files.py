import pytest

from device.files import write_whole
from referee.errors import BadRecord


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "game.sgf"
    for data in (b"first", b"second and longer", b""):
        write_whole(path, data)
        assert path.read_bytes() == data
    assert [p.name for p in tmp_path.iterdir()] == ["game.sgf"]


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path):
    with pytest.raises(BadRecord, match="nowhere"):
        write_whole(tmp_path / "nowhere" / "game.sgf", b"x")


def test_a_folder_of_that_name_is_left_alone(tmp_path):
    (tmp_path / "game.sgf").mkdir()
    with pytest.raises(BadRecord, match=r"game\.sgf"):
        write_whole(tmp_path / "game.sgf", b"x")
    assert [p.name for p in tmp_path.iterdir()] == ["game.sgf"]
