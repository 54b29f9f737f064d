"""Presses that come over a network: late, twice, out of order, from before the start, and from phones that lie."""

from __future__ import annotations

from itertools import count

import pytest

from device.panel.phone_presses import (
    AT_ONCE,
    BELIEVED_S,
    KEPT_S,
    LAG_S,
    QUIET_S,
    REMEMBERED,
    STAMP_S,
    PhonePresses,
    PressFate,
    Touch,
    parse_touch,
)
from referee.game.messages import Message, message
from referee.table.events import Button, Pressed
from tests.benchmarks.parts.phone_liars import figures_of
from tests.support.tiers import LONG

SLOW = pytest.mark.slow


class Match:
    """The match that presses reach; said: its answer to the next. touched: the times that the phones stamped."""

    def __init__(self) -> None:
        self.heard, self.touched = list[Pressed](), list[float]()
        self.said: Message | None = None

    def press(self, press: Pressed, touched: float) -> Message | None:
        self.heard.append(press)
        self.touched.append(touched)
        return self.said


class Table:
    """The phones of a table, with a match."""

    def __init__(self) -> None:
        numbers = count()
        self.match = Match()
        self.presses = PhonePresses("run", 100.0, self.match.press, lambda: f"nonce {next(numbers)}")

    def hears(self, t: float, phone: int = 7, press_count: int = 0) -> str:
        """Let a phone show the answer that it was given at this time."""
        nonce = self.presses.answer(phone, t)
        self.presses.contact(phone, press_count, nonce, t)
        return nonce

    def touch(self, number: int, t: float, arrived: float, phone: int = 7, **other: object):
        """Let a press come that was stamped with t."""
        fields = {"run": "run", "side": 1, "button": Button.DONE, "is_held": False, "nonce": "", **other}
        return self.presses.touch(phone, Touch(number, t=t, **fields), arrived)

    @property
    def counted(self) -> list[float]:
        """The times from which presses count."""
        return [press.t for press in self.match.heard]


@pytest.fixture
def table() -> Table:
    return Table()


def key_of(message: Message | None) -> str:
    return message.key if message is not None else ""


def test_a_press_counts_from_its_touch(table):
    table.hears(109.0)
    assert table.touch(1, 110.0, 111.9) == (PressFate.TAKEN, None)
    assert table.match.heard == [Pressed(110.0, 1, Button.DONE)]


def test_a_press_shows_the_newest_answer_by_itself(table):
    nonce = table.presses.answer(7, 109.0)
    table.touch(1, 110.0, 111.0, nonce=nonce)
    assert table.counted == [110.0]


@pytest.mark.parametrize("back", [STAMP_S + 0.1, 20.0, 43.4])
def test_a_stamp_of_long_ago_counts_from_the_arrival_and_is_told(table, back):
    table.hears(147.0)
    fate, message = table.touch(1, 150.0 - back, 150.0)
    assert (fate, key_of(message), table.counted) == (PressFate.TAKEN, "phone.counts-late", [150.0])
    assert message is not None and dict(message.args)["seconds"] == round(back, 1)
    assert table.match.touched == [150.0 - back]  # A DONE that the other side has closed since is still found out.


@pytest.mark.parametrize("shown", ["", "guessed", "of another phone", "long ago", "forgotten"])
def test_a_phone_that_shows_no_new_answer_is_not_believed(table, shown):
    nonces = {
        "of another phone": table.presses.answer(8, 149.0),
        "long ago": table.presses.answer(7, 150.0 - LAG_S - 1),
    }
    nonces["forgotten"] = table.presses.answer(7, 149.5)
    if shown == "forgotten":
        for _ in range(REMEMBERED):
            table.presses.answer(7, 149.6)
    nonce = nonces.get(shown, shown)
    assert not table.presses.contact(7, 0, nonce, 149.9)
    _, message = table.touch(1, 149.0, 150.0, nonce=nonce)
    assert table.counted == [150.0] and key_of(message) == "phone.counts-late"


def test_a_phone_that_keeps_presses_back_is_in_no_contact(table):
    for t in (100.0, 102.0, 104.0, 105.0):
        in_contact = table.presses.contact(7, 10**6, table.presses.answer(7, t), t)
    assert not in_contact
    table.touch(1, 104.0, 105.0)
    assert table.counted == [105.0]


def test_a_press_that_comes_ends_what_was_owed(table):
    table.hears(110.0, press_count=1)
    table.touch(1, 109.9, 116.0)
    table.touch(2, 116.5, 117.0, nonce=table.presses.answer(7, 116.4))
    assert table.counted == [116.0, 116.5]


def test_small_lies_do_not_add_up(table):
    for number in range(1, 101):
        t = 110.0 + 5 * number
        table.hears(t, press_count=number - 1)
        table.touch(number, t - STAMP_S, t, nonce=table.presses.answer(7, t))
    gained = sum(110.0 + 5 * (number + 1) - t for number, t in enumerate(table.counted))
    assert gained <= BELIEVED_S


def test_what_is_believed_is_a_sides_and_not_a_phones(table):
    for number in range(1, 51):
        for phone in (7, 8):
            t = 110.0 + 10 * number + phone
            table.touch(number, t - 1.5, t, phone, nonce=table.presses.answer(phone, t - 3))
    gained = sum(110.0 + 10 * (k // 2 + 1) + 7 + k % 2 - t for k, t in enumerate(table.counted))
    assert gained <= BELIEVED_S


def test_a_press_that_comes_twice_counts_once(table):
    assert [table.touch(1, 110.0, t)[0] for t in (110.0, 112.0)] == [PressFate.TAKEN, PressFate.AGAIN]
    assert len(table.counted) == 1


def test_two_phones_have_numbers_of_their_own(table):
    for phone, side in ((7, 1), (8, 2)):
        assert table.touch(1, 115.0, 115.0, phone, side=side)[0] is PressFate.TAKEN
    assert [press.side for press in table.match.heard] == [1, 2]


def test_no_press_lies_after_its_arrival(table):
    table.touch(1, 150.0, 120.0)
    assert table.counted == [120.0]


def test_a_press_is_not_believed_from_before_an_answer_without_it(table):
    table.hears(118.0)
    _, message = table.touch(1, 117.2, 119.0)
    assert table.counted == [118.0] and key_of(message) == "phone.counts-late"


def test_a_contact_that_knew_of_the_press_does_not_move_it(table):
    table.hears(118.0, press_count=1)  # It overtook the press.
    table.touch(1, 117.5, 119.0)
    assert table.counted == [117.5]


def test_two_presses_of_a_gap_are_no_bounce(table):
    for number, t in ((1, 110.0), (2, 115.0)):
        assert table.touch(number, t, 120.0 + number / 1000)[0] is PressFate.TAKEN


@pytest.mark.parametrize(
    ("t", "arrived", "run"), [(99.0, 101.0, "run"), (110.0, 110.1 + KEPT_S, "run"), (110.0, 111.0, "earlier")]
)
def test_an_old_press_does_not_count_and_is_told(table, t, arrived, run):
    fate, message = table.touch(1, t, arrived, run=run)
    assert (fate, table.counted, key_of(message)) == (PressFate.LATE, [], "phone.too-old")


def test_an_old_pause_names_no_side(table):
    _, message = table.touch(1, 99.0, 101.0, side=0, button=Button.PAUSE)
    assert key_of(message) == "phone.pause-too-old"


def test_what_the_match_says_of_a_late_press_is_told(table):
    table.match.said = message("phone.too-late", side=1, seconds=0.8)
    assert table.touch(1, 110.0, 111.0) == (PressFate.LATE, table.match.said)


def test_a_bounce_is_no_second_press(table):
    table.hears(109.5)
    assert table.touch(1, 110.0, 111.0)[0] is PressFate.TAKEN
    assert table.touch(2, 110.02, 111.0)[0] is PressFate.AGAIN
    assert table.touch(3, 110.04, 111.0, button=Button.CALL)[0] is PressFate.TAKEN
    assert len(table.counted) == 2


def test_a_page_that_is_opened_again_goes_on_counting(table):
    table.touch(3, 110.0, 111.0)
    assert table.presses.last_of(7) == 3 and table.presses.last_of(8) == 0


def test_a_flood_of_presses_is_limited_counted_and_told_once(table):
    flood = [table.touch(number, 50.0, 110.0 + number / 200) for number in range(1, 4001)]  # 20 seconds of it
    heard = [heard for heard, _ in flood]
    assert heard.count(PressFate.LATE) < AT_ONCE + 2 * 20 + 1
    messages = [note for fate, note in flood if fate is PressFate.MANY and note is not None]
    assert [note.key for note in messages] == ["phone.too-many"]
    assert table.presses.end_floods(130.0) == []
    over = table.presses.end_floods(130.1 + QUIET_S)
    assert over == [message("phone.many-over", presses=heard.count(PressFate.MANY))]
    assert table.presses.end_floods(200.0) == []


@pytest.mark.parametrize("schedules", [300, pytest.param(100_000, marks=LONG)])
def test_no_client_gains_more_than_the_bound(schedules):
    figures = figures_of(range(schedules))
    assert figures.faults == []
    assert min(figures.presses) > schedules and figures.within > schedules
    assert figures.gained > 0.99 * STAMP_S and figures.in_all > 0.5 * BELIEVED_S  # The liars do what can be done.


GOOD = {"number": 1, "run": "r", "side": 1, "button": "done", "held": False, "t": 5.0}


def test_a_press_without_an_answer_shows_none():
    assert [parse_touch(GOOD | {"heard": nonce}).nonce for nonce in (5, None, "nonce")] == ["", "", "nonce"]


def test_a_press_is_read():
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
        {"t": "now"},
    ],
)
def test_nothing_else_is_a_press(odd):
    assert parse_touch(GOOD | odd) is None
