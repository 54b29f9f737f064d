from dataclasses import replace
from itertools import combinations, product

import pytest

from device.panel.signals import Signal, Sound, signal_of, sound_of
from referee.game.messages import message
from referee.game.prisoners import empty_bowls
from referee.game.ruling import Status
from referee.game.turns import Pass
from referee.table.display_state import STATES, Phase, Sight, State
from referee.table.lamps import LAMPS, OFF, SIGHTS, Light, Tone
from tests.support import ROOT
from tests.support.panel.tables import GAME, PLAY, RESULT, TABLES, WHITE, clocked_snapshot, finding, in_trouble

PAGE = (ROOT / "docs/panel.md").read_text()
GREEN, RED, AMBER, BLUE = (Light(colour) for colour in (Tone.GREEN, Tone.RED, Tone.AMBER, Tone.BLUE))
STEADY, PULSE = Light(Tone.WHITE), Light(Tone.WHITE, pulse=True)


AGREEMENT = (State.COUNT, State.UNCOUNTED, State.BOX_PROPOSAL, State.RESULT)
"""Both are asked to agree, and the lamps of these states are the same."""


def test_tables_that_ask_for_different_acts_look_different():
    for (state, sides, one), (other_state, other_sides, other) in combinations(TABLES.values(), 2):
        alike = state == other_state or {state, other_state} <= set(AGREEMENT)
        if not alike or sides != other_sides:
            assert signal_of(one) != signal_of(other), (state, sides, other_state, other_sides)


@pytest.mark.parametrize(
    ("name", "lamps"),
    [
        ("Black's turn", (GREEN, OFF)),
        ("Black's turn at side 2", (OFF, GREEN)),
        ("a turn, sides unknown", (GREEN, GREEN)),
        ("White is not finished", (OFF, AMBER)),
        ("Black is refused", (RED, OFF)),
        ("unexplained", (Light(Tone.AMBER, pulse=True),) * 2),
        ("paused", (BLUE, BLUE)),
        ("Black waits for a look", (PULSE, OFF)),
        ("White waits, Black refused", (OFF, PULSE)),
        ("Black resigns", (PULSE, BLUE)),
        ("side 1 has agreed", (STEADY, PULSE)),
        ("final", (STEADY, STEADY)),
        ("the director is called", (PULSE, PULSE)),
        ("White may claim", (Light(Tone.RED, pulse=True), PULSE)),
        ("after a power cut, White is ready", (Light(Tone.BLUE, pulse=True), BLUE)),
        ("White has to answer a proposal", (STEADY, PULSE)),
    ],
)
def test_the_lamps(name, lamps):
    assert signal_of(TABLES[name][2]).sides == lamps


@pytest.mark.parametrize(("sight", "called"), list(product(Sight, (False, True))))
def test_the_table_lamp_says_what_the_camera_sees(sight, called):
    signal = signal_of(replace(PLAY, sight=sight, called=called))
    assert signal.table == (PULSE if called else SIGHTS[sight])


@pytest.mark.parametrize("name", TABLES)
def test_the_lamp_pulses_red_if_nothing_can_be_judged(name):
    signal = signal_of(replace(TABLES[name][2], unable=True))
    assert signal == replace(signal_of(TABLES[name][2]), table=Light(Tone.RED, pulse=True))


@pytest.mark.parametrize(
    ("owner", "black_side", "lit"),
    [
        (None, 1, (False, False)),
        (GAME.to_play, 1, (True, False)),
        (WHITE, 1, (False, True)),
        (WHITE, 2, (True, False)),
        (WHITE, None, (False, False)),
    ],
)
def test_the_ultimate_lamp_is_where_the_ultimate_stone_lies(owner, black_side, lit):
    bowls = empty_bowls() if owner is None else empty_bowls().with_ultimate(owner)
    assert signal_of(replace(PLAY, game=replace(GAME, bowls=bowls, black_side=black_side))).ultimate == lit


def test_the_page_has_the_same_tables():
    table_rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in PAGE.splitlines() if line.startswith("|")
    ]
    state_rows = [(row[0], row[2], row[3]) for row in table_rows if row[0] in set(State) and len(row) == 5]
    assert state_rows == [
        (row.state, *map(str, (LAMPS[row.task], LAMPS[row.other])))
        if row.task is not None
        else (row.state, "as without it", "as without it")
        for row in STATES
    ]
    for sight, light in SIGHTS.items():
        assert [sight, str(light)] in table_rows


def test_all_off_is_what_a_signal_starts_with():
    assert Signal() == Signal((OFF, OFF), (False, False), OFF)


def with_rulings(*statuses, snapshot=PLAY, move=None):
    rulings = tuple(replace(finding(status), move=move) if move else finding(status) for status in statuses)
    return replace(snapshot, game=replace(snapshot.game, rulings=rulings))


@pytest.mark.parametrize(
    ("before", "after", "sound"),
    [
        (None, PLAY, None),
        (None, replace(PLAY, called=True), None),
        (PLAY, PLAY, None),
        (PLAY, replace(PLAY, number=2, t=11.0), None),
        (PLAY, with_rulings(Status.LEGAL), Sound.HEARD),
        (PLAY, with_rulings(Status.ILLEGAL), Sound.REFUSED),
        (PLAY, with_rulings(Status.UNFINISHED), Sound.PUT_RIGHT),
        (PLAY, with_rulings(Status.UNEXPLAINED), Sound.PUT_RIGHT),
        (PLAY, with_rulings(Status.LEGAL, Status.ILLEGAL, Status.UNFINISHED), Sound.REFUSED),
        (with_rulings(Status.ILLEGAL), with_rulings(Status.ILLEGAL, Status.LEGAL), Sound.HEARD),
        (replace(PLAY, waiting=(1,)), with_rulings(Status.LEGAL, move=Pass(WHITE)), None),
        (replace(PLAY, waiting=(1,)), with_rulings(Status.LEGAL), Sound.HEARD),
        (replace(PLAY, waiting=(1,)), with_rulings(Status.ILLEGAL), Sound.REFUSED),
        (replace(PLAY, waiting=(1,)), replace(with_rulings(Status.LEGAL), waiting=(2,)), Sound.HEARD),
        (PLAY, in_trouble(Status.UNEXPLAINED), Sound.PUT_RIGHT),
        (PLAY, in_trouble(Status.ILLEGAL, snapshot=with_rulings(Status.ILLEGAL)), Sound.REFUSED),
        (in_trouble(Status.UNEXPLAINED), in_trouble(Status.ILLEGAL), Sound.REFUSED),
        (in_trouble(Status.UNEXPLAINED), PLAY, None),
        (PLAY, replace(PLAY, waiting=(1,)), Sound.HEARD),
        (replace(PLAY, waiting=(1,)), PLAY, None),
        (PLAY, replace(PLAY, resigning=(2,)), Sound.HEARD),
        (RESULT, replace(RESULT, agreed=(2,)), Sound.HEARD),
        (replace(RESULT, agreed=(2,)), replace(RESULT, phase=Phase.FINAL, agreed=(1, 2)), Sound.HEARD),
        (PLAY, replace(PLAY, paused=True), Sound.HEARD),
        (replace(PLAY, paused=True), PLAY, Sound.HEARD),
        (PLAY, replace(PLAY, paused=True, called=True), Sound.CALLED),
        (replace(PLAY, paused=True), replace(PLAY, paused=True, called=True), Sound.CALLED),
        (clocked_snapshot(t=30.0 - 0.1), clocked_snapshot(t=30.0), Sound.COUNTED),
        (clocked_snapshot(t=30.0), clocked_snapshot(t=30.0), None),
        (clocked_snapshot(t=30.0), clocked_snapshot(t=31.0), None),
        (clocked_snapshot(t=59.0), clocked_snapshot(t=60.0), Sound.FALLEN),
        (
            clocked_snapshot(t=30.0 - 0.1),
            with_rulings(Status.ILLEGAL, snapshot=clocked_snapshot(t=30.0)),
            Sound.REFUSED,
        ),
        (PLAY, with_rulings(Status.LEGAL, snapshot=RESULT), Sound.ENDED),
        (RESULT, replace(RESULT, phase=Phase.PLAY), None),
    ],
)
def test_what_is_heard(before, after, sound):
    assert sound_of(before, after) is sound


def test_a_finding_that_is_seen_again_sounds_once():
    before = in_trouble(Status.UNEXPLAINED)
    again = replace(before, trouble=replace(finding(Status.UNEXPLAINED), t=99.0, name="later.jpg"))
    assert sound_of(before, again) is None


@pytest.mark.parametrize(("is_granted", "sound"), [(True, Sound.HEARD), (False, Sound.PUT_RIGHT)])
def test_a_new_notice_sounds_as_the_act_that_it_answers_counts(is_granted, sound):
    after = replace(PLAY, notice=message("notice.paused"), is_notice_granted=is_granted)
    assert sound_of(PLAY, after) is sound
    assert sound_of(after, replace(after, number=2)) is None, "it sounds once"
