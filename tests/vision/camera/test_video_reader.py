"""A recording that is sampled only as often as needed, and can be resumed at any frame."""

from itertools import islice

import numpy as np
import pytest

from tests.support.vision.films import write_matroska, write_mp4
from vision.camera.recordings import open_source
from vision.camera.video_reader import Film, next_mark

pytestmark = pytest.mark.slow


def test_a_film_is_taken_up_at_the_frame_after_the_mark(evening_film):
    whole = list(islice(Film(open_source(str(evening_film))).read_frames(), 12))
    rest = list(islice(Film(open_source(str(evening_film))).read_frames(next_mark(whole[5])), 6))
    assert [frame.number for frame in rest] == [frame.number for frame in whole[6:]]
    assert all((one.look.pixels == other.look.pixels).all() for one, other in zip(rest, whole[6:], strict=True))


@pytest.mark.parametrize(("name", "write"), [("a.mp4", write_mp4), ("a.webm", write_matroska)])
@pytest.mark.parametrize("at", [1, 7, 20])
def test_an_uneven_film_of_a_table_at_rest_is_taken_up_at_its_own_time(tmp_path, name, write, at):
    stamps = [33 * n if n < 30 else 990 + 100 * (n - 30) for n in range(60)]
    path = write(tmp_path / name, [np.full((64, 96, 3), 90, np.uint8)] * 60, stamps)
    whole = list(Film(open_source(str(path))).read_frames())
    assert [frame.t for frame in whole] == pytest.approx([stamps[frame.number] / 1000 for frame in whole])
    rest = list(Film(open_source(str(path))).read_frames(next_mark(whole[at])))
    assert [(frame.number, frame.t) for frame in rest] == [(frame.number, frame.t) for frame in whole[at + 1 :]]
