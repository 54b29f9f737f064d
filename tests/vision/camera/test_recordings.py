import cv2
import numpy as np
import pytest

from vision.camera.frame import Frame
from vision.camera.recordings import Stills, Unreadable, Video, open_source
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
    frames = list(source.frames())
    assert [f.name for f in frames] == ["move_1.png", "move_2.png", "move_3.png", "move_10.png"]
    assert isinstance(frames[2], Unreadable) and "move_3.png" in frames[2].sentence
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
    times = [frame.t for frame in source.frames() if isinstance(frame, Frame)]
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
        list(open_source(str(tmp_path / name)).frames())


@pytest.mark.parametrize("name", ["", " "])
def test_no_name_is_not_the_folder_it_is_asked_in(name):
    with pytest.raises(BadSource, match="No camera is named"):
        open_source(name)
