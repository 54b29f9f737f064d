"""The part that Linux and macOS share: children that are handed sockets, and listeners at a path."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys

import pytest

from device.system import system
from tests.support.waiting import PATIENCE_S

CHILD = """
import sys
from device.system import system
near, far = system.received_sockets(sys.argv[1:])
box = system.Parent()
near.sendall(b"here")
assert box.wait_for_end(float(far.recv(20)))
far.sendall(b"alone")
"""


def test_a_child_has_its_sockets_and_sees_the_end_of_its_parent():
    (near, its_near), (far, its_far) = socket.socketpair(), socket.socketpair()
    with near, far:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        with system.start_child([sys.executable, "-c", CHILD], [its_near, its_far], environment, watches=True) as child:
            its_near.close()
            its_far.close()
            assert near.recv(10) == b"here"
            far.sendall(str(PATIENCE_S).encode())
            assert child.stdin is not None
            child.stdin.close()
            assert far.recv(10) == b"alone"
        assert child.returncode == 0


def test_a_listener_is_for_this_user_and_takes_an_abandoned_path(tmp_path):
    path = tmp_path / "table"
    subprocess.run([sys.executable, "-c", "import socket, sys; socket.socket(1).bind(sys.argv[1])", path], check=True)
    with system.listen_locally(path, 1) as listener:
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
        with system.connect_locally(path) as ours, listener.accept() as theirs:
            ours.send_bytes(b"there")
            assert theirs.recv_bytes() == b"there"
            system.shut_socket(theirs.fileno())
            with pytest.raises(EOFError):
                ours.recv_bytes()
        with pytest.raises(OSError):
            system.listen_locally(path, 1)


def test_a_locked_file_is_not_deleted(tmp_path):
    path = tmp_path / "draft"
    with path.open("wb") as writes, path.open("rb") as reads:
        system.lock_file(writes)
        with pytest.raises(BlockingIOError):
            system.delete_unlocked(path, reads)
    with path.open("rb") as reads:
        system.delete_unlocked(path, reads)
    assert not path.exists()


def test_a_child_that_is_handed_nothing_has_no_input():
    with system.start_child([sys.executable, "-c", "input()"], [], os.environ, is_quiet=True) as child:
        pass
    assert child.returncode == 1
