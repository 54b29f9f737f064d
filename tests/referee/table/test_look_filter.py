"""Looks that are news to a table: other contents, other doubts, and any look after a press."""

from __future__ import annotations

from referee.game.ruling import Reason
from referee.table.look_filter import observation_key
from tests.support.panel.tables import begin_match, snapshot_of
from tests.support.referee.looks import lid, lids_of, look, weighed_lid
from tests.support.table import B


def test_a_look_like_the_one_before_is_no_news_until_a_button_is_pressed():
    _, hands = begin_match()
    assert hands.look().is_kept
    assert not hands.look().is_kept
    assert hands.press(1).is_kept
    assert hands.look().is_kept
    assert hands.put(B, "C3").look().is_kept


def test_how_likely_the_counts_of_a_lid_are_is_no_news():
    """It wavers from look to look; the log keeps the reading that came with news."""
    position, (one, other) = (
        begin_match()[1].position,
        (weighed_lid({2: 0.7, 3: 0.2}, {0: 0.9}), weighed_lid({2: 0.6, 3: 0.3}, {0: 0.9})),
    )
    assert one != other
    assert observation_key(look(position, 1.0, (one, one))) == observation_key(look(position, 2.0, (one, other)))
    assert observation_key(look(position, 1.0, (one, one))) != observation_key(look(position, 2.0, (one, lid(2, 0))))


def test_a_look_older_than_a_press_does_not_hide_the_next_one():
    table, hands = begin_match()
    hands.look()
    stale = look(hands.position, hands.t, lids_of(hands.lids))
    hands.press(1)
    table.receive(stale)
    assert snapshot_of(table, hands).waiting
    hands.look()
    assert (
        not snapshot_of(table, hands).waiting
        and snapshot_of(table, hands).game.newest_ruling.reason is Reason.PASS_NOT_AVAILABLE
    )


def test_a_stone_that_a_press_waits_for_is_judged_once_it_is_surer():
    """It is likely under a hand and sure without it; neither is a doubt of the eyes'."""
    table, hands = begin_match("chinese")
    hands.look()
    hands.put(B, "C3").press(1)
    likely = {table.record.position.board.point("C3"): (0.07, 0.87, 0.06)}
    for _ in range(2):
        table.receive(look(hands.position, hands.t + 1, changed=likely))
        assert snapshot_of(table, hands).waiting
    table.receive(look(hands.position, hands.t + 2))
    assert not snapshot_of(table, hands).waiting and table.record.number == 1
