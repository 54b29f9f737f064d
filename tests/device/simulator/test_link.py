"""The box's client of a simulated table: its camera, its buttons and its clock."""

import threading
from contextlib import contextmanager
from multiprocessing.connection import Listener

import pytest

from device.simulator.link import VirtualTable
from tests.support.waiting import PATIENCE_S

pytestmark = pytest.mark.slow


@pytest.fixture
def socket(tmp_path):
    return tmp_path / "table"


@contextmanager
def connect(socket, patience=PATIENCE_S, on_edge=None):
    edges = []
    camera = VirtualTable(socket, on_edge or edges.append, patience)
    try:
        yield camera, edges
    finally:
        camera.close()


def test_who_leaves_while_waiting_gets_no_frame(socket):
    with Listener(str(socket), family="AF_UNIX"), connect(socket) as (camera, _):
        threading.Timer(0, camera.close).start()
        assert camera.newest(PATIENCE_S) is None


def test_no_frame_in_time_is_none(socket):
    with Listener(str(socket), family="AF_UNIX"), connect(socket) as (camera, _):
        assert camera.newest(0) is None
