"""Sentences said aloud, and when, of tables whose rulings come from the referee."""

from dataclasses import replace

import pytest

from referee.table.display_state import Sight
from referee.table.events import Agree, Button, Propose
from tests.support.referee.table import B, W
from tests.support.web.snapshots import PAIR, begun_table, fallen, running, take_snapshot, unfinished_table
from web.language import ENGLISH, find_translator
from web.language_traits import CODES
from web.page.headline import headline_of
from web.voice.speech import LAST, Kind, build_utterances, silent_from, speech_of, utterances_between


def sentences_of(*tables, moves=True, say=ENGLISH):
    """The sentences of these tables, one after the other, without their times."""
    return [text for _, text in utterances_between(tables, say, moves)]


def superko(say=ENGLISH, moves=True):
    table = begun_table(to_play=W)
    snapshots = [take_snapshot(table)]
    table.play("W B8")
    snapshots.append(take_snapshot(table))
    table.put(B, "C8").lift("B8").lid(B, W, +1)
    table.done(B)
    return sentences_of(*snapshots, take_snapshot(table), moves=moves, say=say)


def test_a_refused_turn_is_said_with_its_reason_first_and_what_to_do():
    assert superko()[-2:] == [
        "Black may not play C8. This would repeat the starting position.",
        "Black: remove C8 and put the white stone back on B8.",
    ]


@pytest.mark.parametrize("code", CODES)
def test_what_is_said_is_what_the_page_has(code):
    table = begun_table(to_play=W).play("W B8")
    table.put(B, "C8").lift("B8").lid(B, W, +1)
    table.done(B)
    now, say = take_snapshot(table), find_translator(code)
    headline = headline_of(now, say)
    orders = [one.text for one in speech_of(now, say) if one.about in {headline.text, f"illegal {headline.text}"}]
    assert orders == [headline.text]
    assert {why.text for why in headline.reasons} <= {one.text for one in speech_of(now, say)}


def test_turns_are_said_only_where_that_is_wanted():
    assert "White played B8 and captured C8." in superko(moves=True)
    assert "White played B8 and captured C8." not in superko(moves=False)
    assert [text for text in superko(moves=True) if text not in superko(moves=False)] == [
        "White played B8 and captured C8."
    ]


def test_the_same_is_said_once():
    table = unfinished_table()
    snapshots = [
        take_snapshot(begun_table(PAIR)),
        take_snapshot(table),
        take_snapshot(table, 2),
        replace(take_snapshot(table), sight=Sight.COVERED),
    ]
    assert sentences_of(*snapshots).count("Black: remove C7 and D7.") == 1


def test_a_hand_over_the_board_is_not_spoken_of():
    before = take_snapshot(begun_table().play("B D4"))
    assert build_utterances(before, replace(before, sight=Sight.COVERED), moves=True) == ()


def test_two_turns_that_come_at_once_are_both_said():
    table = begun_table(to_play=W)
    snapshots = [take_snapshot(table), take_snapshot(table.play("W G5", "B E4"))]
    assert sentences_of(*snapshots)[1:3] == ["White played G5.", "Black played E4."]


def test_what_was_before_the_first_is_not_said():
    assert sentences_of(take_snapshot(begun_table(to_play=W).play("W G5", "B E4"))) == ["White: play, then press DONE."]


def test_the_count_is_said_step_by_step_and_the_result_last():
    table = running()
    table.play("B pass", "W pass")
    snapshots = [take_snapshot(table)]
    table.say(Propose, B, table.dead("B5"))
    snapshots.append(take_snapshot(table))
    table.say(Agree, W)
    sentences = sentences_of(*snapshots, take_snapshot(table), moves=False)
    assert "White: is B5 dead? SCORE agrees; hold SCORE to disagree." in sentences
    assert sentences[-5:] == [
        "The dead stones are removed: B5, B4, B3, B2 and B1.",
        "Black has 0 stones on the board and surrounds 0 empty points, which makes 0.",
        "White has 5 stones on the board and surrounds 20 empty points, which makes 25.",
        "White receives 7.5 points as komi.",
        "White wins by 32.5 points. Both players are asked to agree.",
    ]


def test_seconds_are_counted_like_a_time_keeper_does():
    table = running("5s+2x40s")
    snapshots = [take_snapshot(table)]
    for _ in range(40):
        table.due()
        snapshots.append(take_snapshot(table))
    sentences = [text for text in sentences_of(*snapshots, moves=False) if text[0].isdigit()]
    assert sentences[:4] == ["30 seconds", "20 seconds", "10", "9"] and sentences[-1] == "1"
    assert len(sentences) == 12


def test_a_period_that_begins_is_said_once_and_not_at_every_turn():
    table = running("12s+3x30s")
    snapshots = [take_snapshot(table)]
    table.wait(5).due()
    snapshots.append(take_snapshot(table))
    for turn in ("B A5", "W E5", "B A4"):
        snapshots.append(take_snapshot(table.play(turn)))
    assert [text for text in sentences_of(*snapshots) if "period" in text] == ["Black: 3 periods left."]


def test_the_last_seconds_begin_ten_before_the_running_clock_ends():
    table = running("1m")
    now = take_snapshot(table)
    ends = now.t + next(face for face in now.game.clocks.faces if face.running).stretch / 1000
    assert silent_from(now) == pytest.approx(ends - LAST)
    assert silent_from(take_snapshot(begun_table())) is None


def test_a_fallen_flag_is_said():
    sentences = sentences_of(take_snapshot(running("15s")), take_snapshot(fallen()))
    assert sentences[-1:] == ["Black is out of time. White: press CALL before the next move to claim the win."]


def test_whoever_calls_the_director_is_heard():
    table = begun_table().play("B D4")
    before = take_snapshot(table)
    table.press(W, Button.CALL)
    assert build_utterances(before, replace(before, called=True))[0].kind is Kind.RULING
