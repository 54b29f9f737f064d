"""Presses that come over a network: late, twice, out of order, from before the start."""

from __future__ import annotations

import pytest

from device.panel.phone import KEPT_S, Heard, PhonePresses, Touch, parse_touch
from referee.game.messages import Message, message
from referee.umpire.events import Button, Pressed


class Match:
    """The match that presses reach; said: its answer to the next."""

    def __init__(self) -> None:
        self.heard = list[Pressed]()
        self.said: Message | None = None

    def press(self, press: Pressed) -> Message | None:
        self.heard.append(press)
        return self.said


@pytest.fixture
def match() -> Match:
    return Match()


@pytest.fixture
def presses(match: Match) -> PhonePresses:
    return PhonePresses("run", 100.0, match.press)


def touch(number: int, t: float, button: Button = Button.DONE, run: str = "run", side: int = 1) -> Touch:
    return Touch(number, run, side, button, False, t)


def test_a_press_counts_from_its_touch_however_late_it_comes(presses, match):
    assert presses.touch(7, touch(1, 110.0), 119.5) == (Heard.TAKEN, None)
    assert match.heard == [Pressed(110.0, 1, Button.DONE)]


def test_a_press_that_comes_twice_counts_once(presses, match):
    assert [presses.touch(7, touch(1, 110.0), t)[0] for t in (111.0, 112.0)] == [Heard.TAKEN, Heard.AGAIN]
    assert len(match.heard) == 1


def test_two_phones_have_numbers_of_their_own(presses, match):
    for phone, side in ((7, 1), (8, 2)):
        assert presses.touch(phone, touch(1, 110.0 + side, side=side), 115.0)[0] is Heard.TAKEN
    assert [press.side for press in match.heard] == [1, 2]


def test_no_press_lies_after_its_arrival(presses, match):
    presses.touch(7, touch(1, 150.0), 120.0)
    assert match.heard[0].t == 120.0


def test_a_press_is_not_believed_from_before_a_contact_without_it(presses, match):
    presses.contact(7, 0, 118.0, 118.6)
    presses.touch(7, touch(1, 110.0), 119.0)
    assert match.heard[0].t == 118.0


def test_a_contact_that_knew_of_the_press_does_not_move_it(presses, match):
    presses.contact(7, 1, 118.0, 118.6)  # It overtook the press.
    presses.touch(7, touch(1, 110.0), 119.0)
    assert match.heard[0].t == 110.0


def test_a_contact_cannot_claim_to_have_heard_what_was_not_said_yet(presses, match):
    presses.contact(7, 0, 900.0, 115.0)
    presses.touch(7, touch(1, 116.0), 117.0)
    assert match.heard[0].t == 116.0


@pytest.mark.parametrize(
    ("t", "arrived", "run"), [(99.0, 101.0, "run"), (110.0, 110.1 + KEPT_S, "run"), (110.0, 111.0, "earlier")]
)
def test_an_old_press_does_not_count_and_is_told(presses, match, t, arrived, run):
    heard, said = presses.touch(7, touch(1, t, run=run), arrived)
    assert (heard, match.heard) == (Heard.LATE, []) and said is not None and said.key == "phone.too-old"


def test_what_the_match_says_of_a_late_press_is_told(presses, match):
    match.said = message("phone.too-late", side=1, seconds=0.8)
    assert presses.touch(7, touch(1, 110.0), 111.0) == (Heard.LATE, match.said)


def test_a_bounce_is_no_second_press(presses, match):
    assert presses.touch(7, touch(1, 110.0), 111.0)[0] is Heard.TAKEN
    assert presses.touch(7, touch(2, 110.02), 111.0)[0] is Heard.AGAIN
    assert presses.touch(7, touch(3, 110.04, Button.CALL), 111.0)[0] is Heard.TAKEN
    assert len(match.heard) == 2


def test_a_page_that_is_opened_again_goes_on_counting(presses):
    presses.touch(7, touch(3, 110.0), 111.0)
    assert presses.begin(7) == 3 and presses.begin(8) == 0


GOOD = {"number": 1, "run": "r", "side": 1, "button": "done", "held": False, "t": 5.0}


def test_a_press_is_read(presses):
    assert parse_touch(GOOD) == Touch(1, "r", 1, Button.DONE, False, 5.0)


@pytest.mark.parametrize(
    "odd",
    [
        {"number": 0},
        {"number": "1"},
        {"number": 1 << 40},
        {"run": None},
        {"side": 1.5},
        {"button": "win"},
        {"button": ["done"]},
        {"held": 1},
        {"t": float("nan")},
        {"t": float("inf")},
        {"t": "now"},
    ],
)
def test_nothing_else_is_a_press(odd):
    assert parse_touch(GOOD | odd) is None
