"""A recorded game, followed look by look."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from itertools import islice, product

import pytest

from referee.game.board import Colour, Position, points_of
from referee.game.diagram import position_of
from referee.game.observation import LidSight
from referee.game.record import GameRecord
from referee.game.ruling import Reason, Ruling, Status
from referee.game.turns import Delay, Placement
from referee.rules.legality import judge
from referee.table.events import Button, Pressed
from referee.table.table import Table, TableConfig
from tests.support.referee.looks import lid, lids_of, look, look_at, noisy_look, sight
from tests.support.referee.random_play import judge_again, opening_of, play_random
from tests.support.referee.table import B, PlayedTable, W
from tests.support.shared import cases, photos
from tests.support.tiers import LONG, sample
from tests.support.wording import english


def statuses(rulings: Iterable[Ruling]) -> list[tuple[int, Status]]:
    return [(ruling.turn, ruling.status) for ruling in rulings]


# Whole games


def test_a_real_game_with_a_captured_stone_left_standing() -> None:
    labels = photos("fixed-camera-13x13") / "labels"
    referee = Table(opening_of(13))
    rulings: list[Ruling] = []
    for number in range(28):
        rows = json.loads((labels / f"move_{number}.json").read_text())["rows"]
        rulings += referee.receive(look_at(rows, number)).rulings
    board = referee.record.position.board
    assert statuses(rulings) == [*((n, Status.LEGAL) for n in range(1, 27)), (27, Status.UNFINISHED)]
    assert [board.name(point) for point in rulings[-1].points] == ["L8"]
    assert rulings[-1].move == Placement(B, board.point("K8"))
    assert referee.record.number == 27


@pytest.mark.parametrize("size", [5, 9, pytest.param(13, marks=LONG)])
@pytest.mark.parametrize("refereed", [False, True])
def test_every_turn_of_a_random_game_of_ultimate_go(size: int, refereed: bool) -> None:
    rng = random.Random(size)
    true: GameRecord = opening_of(size, "ultimate")
    referee = Table(true, TableConfig(refereed))
    referee.receive(look(true.position, 0, lids_of(true.bowls)))
    t = 0.0
    while true.number < 150 and (after := play_random(true, rng, 0.12)) is not None:
        t += 1
        referee.receive(Pressed(t, 1 if true.to_play is B else 2, Button.DONE)) if refereed else None
        true = after
        referee.receive(look(true.position, t + 0.5, lids_of(true.bowls)))
    pending = isinstance(true.turn, Delay) and not refereed
    assert referee.record.turns == (true.turns[:-1] if pending else true.turns)
    assert pending or referee.record.situation == true.situation


@pytest.mark.parametrize(("number", "skip"), sample(product(range(6), (2, 3)), 2))
def test_a_real_game_looked_at_every_few_turns(number: int, skip: int) -> None:
    with cases("real_games.jsonl").open() as lines:
        game = json.loads(next(islice(lines, number, None)))
    true: GameRecord = opening_of(19)
    referee = Table(true)
    referee.receive(look(true.position))
    for _, place in game["moves"]:
        if place == "pass" or (after := judge(true, _placement_at(true, place)).after) is None:
            break
        true = after
        if true.number % skip == 0:
            referee.receive(look(true.position))
    referee.receive(look(true.position))
    assert referee.record.position == true.position
    assert set(referee.record.turns) == set(true.turns)


def _placement_at(record: GameRecord, place: str) -> Placement:
    return Placement(record.to_play, record.position.board.point(place))


# A reading that is wrong for one look


@pytest.mark.parametrize("seed", range(30))
def test_one_wrong_point_for_one_look_writes_no_wrong_turn(seed: int) -> None:
    """The point is misread surely, as what no turn can have made of it: the turn waits for the next look."""
    rng = random.Random(seed)
    true: GameRecord = opening_of(9)
    referee = Table(true)
    for _ in range(rng.randrange(4, 30)):
        true = play_random(true, rng) or true
        referee.receive(look(true.position))
    referee_record = true
    true = play_random(true, rng) or true
    point = rng.choice(
        list(
            points_of(
                referee_record.position.stones_of(referee_record.to_play)
                & true.position.stones_of(referee_record.to_play)
            )
        )
    )
    flicker = rng.choice([0, 2 if referee_record.to_play is B else 1])
    referee.receive(look(true.position, changed={point: sight(flicker)}))
    assert referee.record.turns in (referee_record.turns, true.turns)
    true = play_random(true, rng) or true
    rulings = referee.receive(look(true.position)).rulings
    if any(ruling.message.key == "waits.may-be-more" for ruling in rulings):
        true = play_random(true, rng) or true
        referee.receive(look(true.position))
    assert referee.record.turns == true.turns


def test_a_misread_turn_is_corrected_when_play_goes_on() -> None:
    table = PlayedTable(("........",) * 8, rules="chinese")
    table.look()
    table.put(B, "C3")
    table.look()
    table.lift("C3").put(B, "C4")
    (ruling,) = table.look()
    assert (ruling.status, table.names(ruling)) == (Status.UNEXPLAINED, ["C4", "C3"])
    table.put(W, "F6")
    first, second = table.look()
    assert (first.turn, first.move) == (1, Placement(B, table.board.point("C4")))
    assert "corrected" in english(first)
    assert (second.turn, second.move) == (2, Placement(W, table.board.point("F6")))


EIGHT = ("C5", "F6", "E5", "F5", "D6", "E4", "G5", "C4")
"""Black's third stone takes D5."""


@pytest.mark.parametrize("deep", [False, True])
def test_eight_turns_with_a_capture_are_found_where_there_is_time(deep: bool) -> None:
    record = opening_of(9, "positional")
    referee = Table(record, TableConfig(deep=deep))
    for number, name in enumerate(("D4", "D5", "J9", "A9", *EIGHT)):
        if number in (0, 4):
            referee.receive(look(record.position))
        point = record.position.board.point(name)
        record = judge(record, Placement((Colour.BLACK, Colour.WHITE)[number % 2], point)).after or record
    rulings = referee.receive(look(record.position)).rulings
    assert record.number == 12 and record.position.colour_at(record.position.board.point("D5")) is None
    assert (referee.record.number == record.number and referee.record.position == record.position) is deep
    assert not deep or [(ruling.status, ruling.order) for ruling in rulings] == [(Status.LEGAL, "uncertain")] * 8


def test_a_look_with_too_many_doubtful_points_rules_nothing() -> None:
    table = PlayedTable(("........",) * 8, rules="chinese")
    table.look()
    table.put(B, "C3")
    hand = {point: sight(0, 0.5, other=1 + point % 2) for point in range(30)}
    (ruling,) = table.referee.receive(look(table.position, changed=hand)).rulings
    assert ruling.status is Status.UNEXPLAINED
    assert table.referee.record.number == 0
    (ruling,) = table.look()
    assert (ruling.turn, ruling.status) == (1, Status.LEGAL)


@pytest.mark.parametrize(("p", "said"), [(0.3, False), (0.7, True), (0.9, True)])
def test_a_stone_that_is_not_seen_clearly_is_asked_for(p: float, said: bool) -> None:
    table = PlayedTable(("........",) * 8, rules="chinese")
    table.look()
    point = table.board.point("C3")
    doubt = {point: sight(1, p, other=0)}
    rulings = table.referee.receive(look(table.position, changed=doubt)).rulings
    assert [(r.status, r.points) for r in rulings] == [(Status.UNEXPLAINED, (point,))] * said
    assert table.referee.receive(look(table.position, changed=doubt)).rulings == ()
    table.put(B, "C3")
    assert statuses(table.look()) == [(1, Status.LEGAL)]


def test_a_stone_moved_while_turns_wait_for_a_look_ends_their_wait() -> None:
    table = PlayedTable((".....",) * 5, black_side=1)
    table.seen_lids = ()
    table.put(B, "C2").look()
    table.seen_lids = (lid(1, 1), lid(0, 0))
    table.put(B, "B1").put(W, "C1").look()
    rulings = table.lift("B1").put(B, "B3").look()
    written, newest = [r for r in rulings if r.status is Status.LEGAL], rulings[-1]
    assert [(r.turn, r.order) for r in written] == [(2, "uncertain"), (3, "uncertain"), (4, "uncertain")]
    assert (newest.turn, newest.status) == (5, Status.UNEXPLAINED)
    assert table.lift("B3").put(B, "B1").look() == ()


# Findings, said once


def test_the_same_finding_is_said_once() -> None:
    table = PlayedTable(("........",) * 8, rules="chinese")
    table.look()
    table.put(W, "C3")
    assert statuses(table.look()) == [(1, Status.UNEXPLAINED)]
    assert table.look() == ()
    table.put(W, "D3")
    assert [table.names(ruling) for ruling in table.look()] == [["C3", "D3"]]
    table.lift("C3", "D3")
    assert table.look() == ()
    table.put(W, "C3")
    assert statuses(table.look()) == [(1, Status.UNEXPLAINED)]


def ko_taken_back() -> PlayedTable:
    """Black takes a simple ko back at once, and nobody has looked yet."""
    table = PlayedTable((".XO..", "X.XO.", ".XO..", ".....", "....."), rules="chinese", to_play=W)
    table.look()
    table.put(W, "B4").lift("C4")
    table.look()
    return table.put(B, "C4").lift("B4")


def test_a_simple_ko_taken_back_at_once() -> None:
    table = ko_taken_back()
    (ruling,) = table.look()
    assert (ruling.reason, ruling.turn, ruling.repeats) == (Reason.KO, 2, 0)
    assert ruling.captured == (table.board.point("B4"),)
    assert table.look() == ()
    table.lift("C4").put(W, "B4")
    assert table.look() == ()
    table.put(B, "E1")
    assert statuses(table.look()) == [(2, Status.LEGAL)]


def test_an_illegal_stone_that_nobody_takes_back_stands() -> None:
    table = ko_taken_back()
    assert statuses(table.look()) == [(2, Status.ILLEGAL)]
    table.put(W, "E1")
    (ruling,) = table.look()
    assert (ruling.turn, ruling.status, ruling.move) == (3, Status.LEGAL, Placement(W, table.board.point("E1")))
    assert "C4 was not taken back" in english(ruling)
    assert table.referee.record.turns[1] == Placement(B, table.board.point("C4"), stood=True)


def test_play_goes_on_while_a_captured_stone_still_stands() -> None:
    table = PlayedTable((".....", "..X..", ".XO..", "..X..", "....O"), rules="chinese")
    table.look()
    table.put(B, "D3")
    assert statuses(table.look()) == [(1, Status.UNFINISHED)]
    table.put(W, "A1")
    (ruling,) = table.look()
    assert (ruling.turn, ruling.status, table.names(ruling)) == (2, Status.UNFINISHED, ["C3"])
    assert table.look() == ()
    table.lift("C3")
    assert statuses(table.look()) == [(1, Status.LEGAL), (2, Status.LEGAL)]
    table.put(B, "C3")
    assert statuses(table.look()) == [(3, Status.LEGAL)]


def test_two_turns_between_looks_are_written_in_order() -> None:
    table = PlayedTable(("........",) * 8, rules="chinese")
    table.look()
    table.put(B, "C3").put(W, "F6")
    rulings = table.look()
    assert statuses(rulings) == [(1, Status.LEGAL), (2, Status.LEGAL)]
    assert [ruling.order for ruling in rulings] == [None, None]


def test_three_turns_between_looks_have_an_uncertain_order() -> None:
    """Written in the order in which each stone answers the one beside it."""
    table = PlayedTable(("........",) * 8, rules="chinese")
    table.look()
    table.put(B, "F5")
    table.look()
    table.put(W, "F6", "B2").put(B, "F7")
    rulings = table.look()
    assert [ruling.order for ruling in rulings] == ["uncertain", None, "uncertain"]
    places = [table.board.name(ruling.move.point) for ruling in rulings if isinstance(ruling.move, Placement)]
    assert places == ["F6", "F7", "B2"]


# How it begins


MIDDLE = ("X..O.....", ".XXOO....", "..XXO....", "...XO....", "..XXOO...", ".........") + (".........",) * 3


def test_after_a_ko_of_uncertain_order_the_next_is_uncertain() -> None:
    """Nobody saw when Black took the ko at F5, so White may have taken it back before G3 as well as after it."""
    stones = {"D5": "X", "E6": "X", "E4": "X", "E5": "O", "F6": "O", "F4": "O", "G5": "O"}
    looks = ["", "C8 X", "C9 O", "F5 X, E5 ., C3 O, C7 X", "E5 O, F5 ., G7 X, G3 O"]
    table = Table(opening_of(9))
    for t, changes in enumerate(looks):
        stones |= dict(change.split() for change in changes.split(", ") if change)
        rows = ["".join(stones.get(f"{letter}{line}", ".") for letter in "ABCDEFGHJ") for line in range(9, 0, -1)]
        rulings = table.receive(look_at(rows, float(t))).rulings
        if t == 3:
            assert [english(ruling)[:15] for ruling in rulings][-1] == "Black played F5"
    assert [(ruling.turn, ruling.order) for ruling in rulings] == [(6, "uncertain"), (7, None), (8, "uncertain")]


def test_a_recording_that_begins_in_the_middle() -> None:
    referee = Table(opening_of(9))
    (ruling,) = referee.receive(look_at(MIDDLE)).rulings
    assert (ruling.turn, ruling.status, ruling.move) == (0, Status.LEGAL, None)
    assert "begins with 15 stones" in english(ruling)
    record = referee.record
    assert (record.number, record.position.occupied.bit_count()) == (0, 15)
    after = record.position.with_stones(record.to_play, 1 << record.position.board.point("J1"))
    assert statuses(referee.receive(look(after)).rulings) == [(1, Status.LEGAL)]


@pytest.mark.parametrize("first", [B, W])
def test_in_the_middle_the_first_stone_says_whose_turn_it_was(first: Colour) -> None:
    referee = Table(opening_of(9))
    referee.receive(look_at(MIDDLE))
    position = referee.record.position
    after = position.with_stones(first, 1 << position.board.point("J1"))
    (ruling,) = referee.receive(look(after)).rulings
    assert (ruling.turn, ruling.status, ruling.player) == (1, Status.LEGAL, first)


def test_handicap_stones_that_lay_there_first() -> None:
    referee = Table(opening_of(9))
    rows = (".........", ".........", "..X...X..", ".........", ".........", ".........", "..X...X..") + (
        ".........",
    ) * 2
    (ruling,) = referee.receive(look_at(rows)).rulings
    assert (ruling.turn, referee.record.to_play, referee.record.handicap) == (0, W, 4)
    after = referee.record.position.with_stones(W, 1 << referee.record.position.board.point("E5"))
    assert statuses(referee.receive(look(after)).rulings) == [(1, Status.LEGAL)]


def test_the_lids_are_taken_as_they_lie_in_the_middle() -> None:
    referee = Table(opening_of(9, "ultimate"))
    referee.receive(look(position_of(MIDDLE), 0, (lid(0, 4), lid(3, 1))))
    bowls = referee.record.bowls
    assert (bowls.count_prisoners(B, W), bowls.count_prisoners(W, B), bowls.ultimate) == (4, 3, W)
    assert referee.snapshot.black_side == 1


def test_a_few_stones_at_first_are_the_first_turns() -> None:
    referee = Table(opening_of(9))
    start = referee.record.position
    after = start.with_stones(B, 1 << start.board.point("C3")).with_stones(W, 1 << start.board.point("G7"))
    assert statuses(referee.receive(look(after)).rulings) == [(1, Status.LEGAL), (2, Status.LEGAL)]


# Whatever comes

SEEDS = [0, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 3)), 5, 7]
SEEDS += [pytest.param(seed, marks=LONG) for seed in (4, 6)]
"""Seeds of random events; the slow ones lead to searches in many doubtful points."""


def test_a_look_of_another_size_is_left_aside() -> None:
    referee = Table(opening_of(9))
    assert referee.receive(look_at(("...",) * 3)).rulings == ()


@pytest.mark.parametrize(("seed", "skip"), sample(product((0, 2), (1, 2, 3)), 3))
def test_random_games_seen_badly_are_never_recorded_illegally(seed: int, skip: int) -> None:
    """Doubtful points and uncounted lids: whatever is written is legal, and what is seen well is written."""
    rng = random.Random(seed)
    true: GameRecord = opening_of(9, "ultimate")
    referee = Table(true)
    referee.receive(look(true.position, 0, lids_of(true.bowls)))
    for _ in range(80 // skip):
        for _ in range(skip):
            true = play_random(true, rng, 0.12) or true
        lids = tuple(_fuzzy(sight, rng) for sight in lids_of(true.bowls))
        referee.receive(noisy_look(true.position, rng, 0, lids))
    again = judge_again(referee.record)
    assert again.situation == referee.record.situation


def _fuzzy(sight: LidSight, rng: random.Random) -> LidSight:
    if rng.random() < 0.7:
        return sight
    black = (max(0, sight.black - rng.randint(0, 1)), sight.black + rng.randint(0, 1))
    white = (max(0, sight.white - rng.randint(0, 1)), sight.white + rng.randint(0, 2))
    return LidSight(sight.black, sight.white, black, white, False)


@pytest.mark.parametrize("late", ["prisoners", "lifting"])
@pytest.mark.parametrize("seed", sample(range(6), 2))
def test_captures_that_are_finished_late(seed: int, late: str) -> None:
    """The prisoners reach their lid only after the opponent's reply; or the stones stand for one look."""
    rng = random.Random(seed)
    true: GameRecord = opening_of(7, "ultimate")
    referee = Table(true)
    rulings = list(referee.receive(look(true.position, 0, lids_of(true.bowls))).rulings)
    while true.number < 100 and (after := play_random(true, rng, 0.1)) is not None:
        before, true = true, after
        captured = before.position.occupied & ~true.position.occupied
        if captured and late == "lifting":
            black, white = (s | b & captured for s, b in zip(true.position.stones, before.position.stones, strict=True))
            standing = Position(true.position.board, (black, white))
            rulings += referee.receive(look(standing, 0, lids_of(before.bowls))).rulings
        elif captured:
            rulings += referee.receive(look(true.position, 0, lids_of(before.bowls))).rulings
            reply = play_random(true, rng)
            if reply is not None and not true.position.occupied & ~reply.position.occupied:
                true = reply
                rulings += referee.receive(look(true.position, 0, lids_of(before.bowls))).rulings
        rulings += referee.receive(look(true.position, 0, lids_of(true.bowls))).rulings
    pending = isinstance(true.turn, Delay)
    assert referee.record.turns == (true.turns[:-1] if pending else true.turns)
    assert {ruling.status for ruling in rulings} == {Status.LEGAL, Status.UNFINISHED}
    done = [ruling.turn for ruling in rulings if ruling.status is Status.LEGAL]
    assert sorted(done) == list(range(1, referee.record.number + 1))
