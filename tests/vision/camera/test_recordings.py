import cv2
import numpy as np
import pytest

from tests.support.vision.films import write_matroska, write_mp4, write_unstamped
from vision.camera.frame import Frame
from vision.camera.recordings import Stills, UnreadableStill, Video, open_source
from vision.errors import BadSource


def picture(shade: int) -> np.ndarray:
    return np.full((64, 96, 3), shade, np.uint8)


def test_stills_come_in_natural_order_and_a_bad_one_keeps_its_place(tmp_path):
    for number in (1, 10, 2):
        cv2.imwrite(str(tmp_path / f"move_{number}.png"), picture(number))
    (tmp_path / "move_3.png").write_text("no picture")
    (tmp_path / "notes.txt").write_text("not looked at")
    source = open_source(str(tmp_path))
    assert isinstance(source, Stills) and len(source) == 4
    frames = list(source.read_frames())
    assert [f.name for f in frames] == ["move_1.png", "move_2.png", "move_3.png", "move_10.png"]
    assert isinstance(frames[2], UnreadableStill) and "move_3.png" in frames[2].sentence
    last = frames[3]
    assert isinstance(last, Frame) and last.t == 3.0 and int(last.pixels[0, 0, 0]) == 10


def test_a_video_is_read_to_its_end_with_its_own_time(tmp_path):
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (96, 64))
    for shade in range(0, 100, 10):
        writer.write(picture(shade))
    writer.release()
    source = open_source(str(path))
    assert isinstance(source, Video) and not source.stills and not source.live and len(source) == 10
    times = [frame.t for frame in source.read_frames() if isinstance(frame, Frame)]
    assert times == pytest.approx([0.1 * i for i in range(10)])


def test_one_picture_is_a_source_too(tmp_path):
    path = tmp_path / "one.png"
    cv2.imwrite(str(path), picture(9))
    assert isinstance(open_source(str(path)), Stills)


@pytest.mark.parametrize("name", ["missing", "empty", "words.avi", "usb0"])
def test_what_gives_no_pictures_is_refused(tmp_path, name):
    (tmp_path / "empty").mkdir()
    (tmp_path / "words.avi").write_text("not a video")
    with pytest.raises(BadSource, match=name):
        list(open_source(str(tmp_path / name)).read_frames())


@pytest.mark.parametrize("name", ["", " "])
def test_no_name_is_not_the_folder_it_is_asked_in(name):
    with pytest.raises(BadSource, match="No camera is named"):
        open_source(name)


EVEN = [33 * n for n in range(30)]
UNEVEN = [33 * n if n < 10 else 330 + 100 * (n - 10) for n in range(30)]
KINDS = {
    "a phone's varying rate": ("a.mp4", write_mp4, UNEVEN, UNEVEN),
    "a browser's, which states 1,000 a second": ("a.webm", write_matroska, UNEVEN, UNEVEN),
    "cut out of a longer film": ("a.mkv", write_matroska, [3_600_000 + t for t in UNEVEN], UNEVEN),
    "with a gap": ("a.mkv", write_matroska, [t + 8000 * (t > 500) for t in EVEN], [t + 8000 * (t > 500) for t in EVEN]),
    "24 a second": ("a.mp4", write_mp4, [round(n * 1000 / 24) for n in range(30)], [n * 1000 / 24 for n in range(30)]),
    "one a second": ("a.mp4", write_mp4, [1000 * n for n in range(30)], [1000 * n for n in range(30)]),
    "no stamps at all": ("a.mkv", write_matroska, [0] * 30, [40 * n for n in range(30)]),
    "nothing but pictures": ("a.mjpeg", write_unstamped, EVEN, [40 * n for n in range(30)]),
}
GREYS = [picture(8 * number) for number in range(30)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_films_times_are_its_own_stamps(tmp_path, kind):
    name, write, stamps, true = KINDS[kind]
    frames = list(open_source(str(write(tmp_path / name, GREYS, stamps))).read_frames())
    assert [frame.t for frame in frames] == pytest.approx([t / 1000 for t in true], abs=0.002)
    assert [int(frame.pixels[0, 0, 0]) for frame in frames] == pytest.approx([8 * n for n in range(30)], abs=2)
    notes = [frame.note.key for frame in frames if frame.note]
    assert notes == (["camera.film-gap"] if kind == "with a gap" else [])


def test_joined_films_go_on_and_it_is_told(tmp_path):
    path = write_matroska(tmp_path / "joined.mkv", GREYS, [60_000 + t for t in EVEN[:15]] + EVEN[:15])
    frames = list(open_source(str(path)).read_frames())
    assert [frame.t for frame in frames] == pytest.approx([t / 1000 for t in EVEN], abs=0.01)
    assert [(n, frame.note.key) for n, frame in enumerate(frames) if frame.note] == [(15, "camera.film-back")]


def test_of_240_pictures_a_second_some_30_are_looked_at(tmp_path):
    path = write_mp4(tmp_path / "fast.mp4", GREYS * 8, [round(n * 1000 / 240) for n in range(240)])
    times = [frame.t for frame in open_source(str(path)).read_frames()]
    assert 25 <= len(times) <= 35 and times[-1] == pytest.approx(1.0, abs=0.05)


@pytest.mark.parametrize(("capture_rate", "steps"), [(240.0, 33 / 8000), (2.0, 0.5)])
def test_slow_motion_and_time_lapse_get_the_times_of_the_table(tmp_path, capture_rate, steps):
    path = write_mp4(tmp_path / "slow.mp4", GREYS * 8, [33 * n for n in range(240)], capture_rate)
    frames = list(open_source(str(path)).read_frames())
    assert frames[-1].t == pytest.approx(239 * steps, rel=0.05)
    assert [frame.note.key for frame in frames if frame.note] == ["camera.film-slow"]
