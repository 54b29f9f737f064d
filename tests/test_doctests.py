"""The examples in the packages' faces say what is so."""

import doctest
from importlib import import_module

import pytest

FACES = ("referee", "vision", "device")


@pytest.mark.parametrize("face", FACES)
def test_the_examples_hold(face):
    tried = doctest.testmod(import_module(face))
    assert tried.attempted > 0 and tried.failed == 0


def test_every_name_of_the_eyes_face_is_there():
    vision = import_module("vision")
    assert all(getattr(vision, name) is not None for name in vision.__all__)
    assert not hasattr(vision, "find_bord")


def test_every_name_of_the_referees_face_is_there():
    referee = import_module("referee")
    assert all(getattr(referee, name) is not None for name in referee._homes())
    assert len(referee._homes()) > 50 and not hasattr(referee, "juge")
