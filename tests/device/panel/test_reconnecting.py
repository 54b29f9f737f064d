"""Lights that may be unplugged at any time: driven by a thread of their own, and reopened while they are gone."""

import threading

import pytest

from device.panel.reconnecting import ReconnectingDevice
from referee.game.messages import Message, message
from tests.support.waiting import PATIENCE_S

AWAY, LACKS = message("away"), message("lacks")


class Lights(ReconnectingDevice[str]):
    """Lights that are fed until they are closed."""

    def __init__(self, opened, tell) -> None:
        self.fed, self.given_back = threading.Event(), 0
        super().__init__("lights", opened, tell, LACKS, AWAY)

    def _feed(self, lights: str) -> None:
        if lights == "broken":
            raise OSError
        self._note_success()
        self.fed.set()
        self._end.wait(PATIENCE_S)

    def _give_back(self, lights: str) -> None:
        self.given_back += 1


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.panel.reconnecting.AGAIN", 0.0)


def test_lights_that_are_gone_are_told_once_and_opened_again():
    messages: list[Message | None] = []
    there = iter([OSError(), OSError(), "broken", "whole"])

    def opened() -> str:
        result = next(there)
        if isinstance(result, OSError):
            raise result
        return result

    lights = Lights(opened, lambda fault, message: messages.append(message))
    assert lights.fed.wait(PATIENCE_S)
    lights.close()
    assert messages == [AWAY, None] and lights.given_back == 2


def test_a_missing_library_is_told_and_not_tried_again():
    messages: list[Message | None] = []

    def opened() -> str:
        raise ImportError

    Lights(opened, lambda fault, message: messages.append(message)).close()
    assert messages == [LACKS]
