import cv2
import numpy as np
import pytest

from tests.support.tiers import is_long_run, sample
from tests.support.vision.labels import LEFT_OUT, LIGHTS, STONES, board_labels
from vision.camera.frame import read_image
from vision.stones.reader import StoneReader

LABELS = list(board_labels())
READ_RIGHT = 0.999
"""A little under what the shipped net was measured to read on these photographs, their corners given."""


def test_there_are_many_dense_ones():
    assert len(LABELS) >= 26 and sum(label.stones > 100 for label in LABELS) >= 10
    assert len({label.photo for label in LABELS}) == len(LABELS)


@pytest.mark.parametrize("label", sample(LABELS, 8), ids=lambda label: label.photo)
def test_a_label_is_well_formed(label):
    points = "".join(label.rows)
    assert len(label.sha256) == 64 and set(label.sha256) <= set("0123456789abcdef")
    assert label.size in (9, 13, 19) and label.light in LIGHTS
    assert [len(row) for row in label.rows] == [label.size] * label.size
    assert set(points) <= {".", *STONES, *LEFT_OUT}
    assert label.stones == sum(map(points.count, STONES))
    # The corners go clockwise from the smallest sum.
    assert label.corners.shape == (4, 2) and label.corners.sum(axis=1).argmin() == 0
    assert cv2.isContourConvex(label.corners.astype(np.float32))
    assert cv2.contourArea(label.corners.astype(np.float32), oriented=True) > 0


@pytest.mark.parametrize("label", sample(LABELS, 8), ids=lambda label: label.photo)
def test_the_corners_lie_in_the_picture(label):
    height, width = read_image(label.picture()).shape[:2]
    assert (label.corners >= 0).all() and (label.corners < [width, height]).all()


@pytest.mark.slow
def test_the_shipped_net_reads_them_where_the_corners_are_given():
    reader, right, point_count = StoneReader(), 0, 0
    for label in LABELS if is_long_run() else LABELS[::3]:
        kinds = reader.read(read_image(label.picture()), label.grid()).argmax(axis=-1)
        truth = np.array([list(row) for row in label.rows])
        is_labelled = ~np.isin(truth, list(LEFT_OUT))
        right += int((np.array([".", *STONES])[kinds] == truth)[is_labelled].sum())
        point_count += int(is_labelled.sum())
    assert right >= READ_RIGHT * point_count
