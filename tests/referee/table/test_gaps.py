"""Gaps in a recording: when the record goes on from what lies there, and what is never taken for a gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import pytest

from referee.game.board import Colour, Position, points_of
from referee.game.record import GameRecord
from referee.game.regions import points_bordered_by
from referee.game.ruling import Reason, Ruling, Status
from referee.game.turns import Pass, Placement, SetUp, Turn
from referee.rules.agreements import apply_action, find_stones_captured_since
from referee.rules.legality import judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.sgf.reader import read_game
from referee.sgf.records import write_sgf
from referee.table.gaps import is_no_play, may_be_play, turn_by_stones
from referee.table.table import Table, TableConfig
from tests.support.referee.looks import lids_of, look, sight
from tests.support.simulator.game_scripts import self_play
from tests.support.tiers import LONG

SIZE = 9
B, W = Colour.BLACK, Colour.WHITE


@cache
def game(size: int = SIZE, seed: int = 3, turns: int = 40) -> tuple[GameRecord, ...]:
    """A game of the program against itself: the record at its start and after each turn."""
    record = Setup(rule_set("chinese"), (size, size)).record()
    records = [record]
    for turn in self_play(size, seed, turns, delays=False):
        after = judge(records[-1], turn).after
        assert after is not None
        records.append(after)
    return tuple(records)


class Recording:
    """A recorder that is shown positions: stills with names, or a film with some seconds between two looks."""

    def __init__(self, record: GameRecord, is_film: bool = False, apart_s: float = 4.0) -> None:
        self.referee, self.is_film, self.apart_s = Table(record, TableConfig()), is_film, apart_s
        self.t, self.rulings = 0.0, list[Ruling]()

    def see(self, positions: Iterable[Position], times: int = 1, lids: tuple = (), changed: dict | None = None) -> None:
        for position in positions:
            for _ in range(times):
                self.t += self.apart_s
                name = None if self.is_film else f"{self.t:.0f}.jpg"
                self.rulings += self.referee.receive(look(position, self.t, lids, changed, name)).rulings

    @property
    def record(self) -> GameRecord:
        return self.referee.record

    @property
    def gaps(self) -> list[int]:
        return [number for number, _ in self.record.gaps]


def positions(records: Sequence[GameRecord]) -> list[Position]:
    return [record.position for record in records]


def turns(records: Sequence[GameRecord]) -> list[Turn]:
    return [record.turn for record in records if record.turn is not None]


def seen_until(number: int, size: int = SIZE, seed: int = 3, is_film: bool = False) -> Recording:
    records = game(size, seed)
    recording = Recording(records[0], is_film)
    recording.see(positions(records[: number + 1]))
    return recording


@pytest.mark.parametrize("is_film", [False, True])
def test_a_record_goes_on_after_a_gap(is_film: bool) -> None:
    records, recording = game(), seen_until(6, is_film=is_film)
    recording.see(positions(records[28:34]))
    assert recording.gaps == [6]
    assert recording.record.turns == (*turns(records[1:7]), *turns(records[29:34]))
    assert recording.record.position == records[33].position
    (gap,) = (gap for _, gap in recording.record.gaps)
    assert gap.stones == records[28].position.stones and gap.to_play is records[28].to_play
    assert (gap.since, gap.until) == (("0:28", "0:32") if is_film else ("28.jpg", "32.jpg"))
    statuses = [ruling.status for ruling in recording.rulings[-6:]]
    assert Status.LEGAL in statuses and statuses[-1] is Status.LEGAL


def test_each_turn_after_a_gap_has_its_own_picture() -> None:
    records, recording = game(), seen_until(6)
    recording.see(positions(records[28:34]))
    named = {ruling.turn: ruling.name for ruling in recording.rulings if ruling.move is not None}
    assert [named[number] for number in range(7, 12)] == [f"{t}.jpg" for t in range(36, 53, 4)]
    unexplained = [ruling.name for ruling in recording.rulings if ruling.status is Status.UNEXPLAINED]
    assert unexplained == ["32.jpg", "36.jpg", "40.jpg"]


def test_a_gap_is_told_once_and_said_in_words() -> None:
    records, recording = game(), seen_until(6)
    recording.see(positions(records[28:34]))
    rulings = [ruling for ruling in recording.rulings if ruling.message.key == "gap.set-up"]
    assert len(rulings) == 1
    assert rulings[0].status is Status.LEGAL and rulings[0].turn == 6 and rulings[0].move is None
    assert dict(rulings[0].message.args) == {"turn": 6, "since": "28.jpg", "until": "32.jpg"}


def test_two_gaps_are_both_recorded() -> None:
    records, recording = game(13, 5, 120), Recording(game(13, 5, 120)[0])
    for part in (records[:13], records[50:55], records[100:106]):
        recording.see(positions(part))
    assert recording.gaps == [12, 16]
    assert recording.record.position == records[105].position


def test_few_turns_of_a_gap_are_found() -> None:
    """Each of them left its stone: they are written, with their order as uncertain, and nothing is set up."""
    records, recording = game(13, 5, 120), Recording(game(13, 5, 120)[0])
    recording.see(positions([*records[:13], *records[22:26]]))
    assert recording.gaps == []
    assert recording.record.number == 25
    assert {ruling.order for ruling in recording.rulings if 13 <= ruling.turn <= 22} == {"uncertain"}


def test_after_a_steady_gap_the_next_stone_shows_the_turn() -> None:
    records = game(13, 5, 120)
    recording, there = Recording(records[0], is_film=True), records[50].position
    recording.see(positions(records[:7]))
    free = list(points_of(there.empty))
    there = there.with_stones(B, sum(1 << point for point in (free[0], free[20], free[-1])))
    assert turn_by_stones(records[6], there) is None
    recording.see([there], times=8)
    assert recording.gaps == [6]
    assert recording.record.gaps[0][1].to_play is None
    guess = recording.record.to_play
    other = B if guess is W else W
    recording.see([there.with_stones(other, 1 << free[40])])
    assert recording.record.turns[6:] == (Placement(other, free[40]),)


def test_a_position_seen_for_a_moment_is_not_recorded() -> None:
    records, recording = game(), seen_until(6, is_film=True)
    recording.see([records[28].position], times=5)
    assert recording.gaps == []
    recording.see(positions(records[7:9]))
    assert recording.record.turns == tuple(turns(records[1:9]))


def test_a_doubtful_point_is_set_up_only_once_it_was_seen_plainly() -> None:
    records, recording = game(), seen_until(6)
    before, there = records[6].position, records[28].position
    point = next(points_of(there.stones_of(B) & before.empty))
    recording.see([there], changed={point: sight(0, 0.7, 1)})
    recording.see(positions(records[29:34]))
    assert recording.gaps == [6]
    assert recording.record.gaps[0][1].stones == there.stones
    assert recording.record.turns[6:] == tuple(turns(records[29:34]))


def test_a_bumped_board_put_right_otherwise_is_recorded_once_play_went_on() -> None:
    records, recording = game(), seen_until(12)
    point = next(points_of(records[12].position.stones_of(B)))
    after = [record.position.without_stones(1 << point) for record in records[12:24]]
    free = next(points_of(after[-1].empty & records[12].position.empty))
    moved = [position.with_stones(B, 1 << free) for position in after]
    recording.see(moved[:5])
    assert recording.gaps == []
    recording.see(moved[5:])
    assert recording.gaps == [12] and recording.record.number == 23


# What is no gap


def filled(position: Position) -> list[Position]:
    """The board as prisoners of both colours are put into territory one by one."""
    own = {colour: list(points_of(points_bordered_by(position, colour))) for colour in (B, W)}
    positions = []
    for number in range(20):
        colour = (B, W)[number % 2]
        if own[colour]:
            position = position.with_stones(colour, 1 << own[colour].pop())
            positions.append(position)
    return positions


def handfuls(position: Position) -> list[Position]:
    stones = list(points_of(position.occupied))
    return [
        position.without_stones(sum(1 << point for point in stones[:many])) for many in range(5, len(stones) + 5, 5)
    ]


def in_bands(position: Position) -> Position:
    """A board of two walls with territory behind each."""
    cols = position.board.cols
    black, white = (sum(1 << row * cols + col for row in range(cols)) for col in (cols // 2 - 1, cols // 2))
    return Position(position.board, (black, white))


@pytest.mark.parametrize("is_film", [pytest.param(False, marks=LONG), True])
@pytest.mark.parametrize("kind", ["cleared", "arm", "sleeve", "shifted", "turned", "lifted", "filled", "exchanged"])
def test_what_hands_do_is_never_set_up(kind: str, is_film: bool) -> None:
    records = game()
    last = in_bands(records[0].position) if kind in ("lifted", "filled", "exchanged") else records[30].position
    board, empty = last.board, records[0].position
    band = sum(1 << point for point in range(3 * SIZE, 5 * SIZE))
    dead = last.with_stones(W, 1 << 2 * SIZE + 1).with_stones(B, 1 << 6 * SIZE + 7)
    sights = {
        "cleared": handfuls(last),
        "arm": [last.without_stones(last.occupied & band)] * 8,
        "sleeve": [last.with_stones(B, last.empty & band)] * 8,
        "shifted": [Position(board, tuple(board.neighbours_of(stones)[0] for stones in last.stones))] * 8,
        "turned": [Position(board, tuple(map(board.rotate_mask, last.stones)))] * 8,
        "lifted": [last] * 8,
        "filled": [last, *filled(last)],
        "exchanged": [*filled(last), empty, empty],
    }[kind]
    start = Setup(rule_set("chinese"), (SIZE, SIZE), board=None).record()
    recording = Recording(start, is_film)
    if kind == "lifted":
        recording.see([dead])
    elif last.stones == in_bands(empty).stones:
        recording.see([last])
    else:
        recording.see(positions(records[:31]))
    recording.see(sights, times=7 if is_film else 1)
    assert recording.gaps == []


def test_a_clearing_a_turned_board_and_a_count_are_no_play() -> None:
    before = game()[30].position
    board = before.board
    assert is_no_play(before, handfuls(before)[-2])
    assert is_no_play(before, Position(board, tuple(map(board.rotate_mask, before.stones))))
    assert is_no_play(in_bands(before), filled(in_bands(before))[-1])
    assert not is_no_play(game()[6].position, before)


def test_lifted_stones_were_not_captured() -> None:
    before = game()[30].position
    chain = before.chain_at(next(points_of(before.stones_of(W))))
    assert before.liberties_of(chain)
    assert find_stones_captured_since(before, before.without_stones(chain)) == (0, 0)
    assert not may_be_play(before, before.without_stones(chain))


# The rules after a gap


def after_gap(rules: str, stones: Position, number: int = 30) -> GameRecord:
    record = Setup(rule_set(rules), (SIZE, SIZE)).record()
    for turn in turns(game()[1 : number + 1]):
        record = judge(record, turn).after or record
    after = apply_action(record, SetUp(stones.stones, B, since="a", until="b")).after
    assert after is not None
    return after


def ko_and_captured() -> tuple[Position, Position, int, int]:
    """A ko that Black may take, and the same taken: White's stone and Black's."""
    cols = SIZE
    at = [row * cols + col for row, col in ((3, 3), (3, 4), (2, 3), (4, 3), (3, 2), (2, 4), (4, 4), (3, 5))]
    white, black, *rest = at
    board = game()[0].position
    around = board.with_stones(B, sum(1 << p for p in rest[:3])).with_stones(W, sum(1 << p for p in rest[3:]))
    return around.with_stones(W, 1 << white), around.with_stones(B, 1 << black), white, black


def test_simple_ko_is_not_judged_over_a_gap() -> None:
    """White retakes at once after the gap: nobody saw that Black had just taken."""
    untaken, board_after, white, _ = ko_and_captured()
    before = apply_action(Setup(rule_set("japanese"), (SIZE, SIZE)).record(), SetUp(untaken.stones, B)).after
    assert before is not None
    unseen = apply_action(before, SetUp(board_after.stones, W)).after
    assert unseen is not None and judge(unseen, Placement(W, white)).legal


def test_positions_before_a_gap_are_still_refused_by_superko() -> None:
    untaken, board_after, white, _ = ko_and_captured()
    start = Setup(rule_set("chinese", {"ko": "positional"}), (SIZE, SIZE)).record()
    record_before = apply_action(start, SetUp(untaken.stones, B)).after
    assert record_before is not None
    after = apply_action(record_before, SetUp(board_after.stones, W)).after
    assert after is not None
    assert judge(after, Placement(W, white)).prohibition.reason is Reason.SUPERKO  # type: ignore[union-attr]


@pytest.mark.parametrize("rules", ["chinese", "japanese", "aga", "ing", "kee", "new-zealand", "ultimate"])
def test_play_goes_on_after_a_gap_under_any_rules(rules: str) -> None:
    record = after_gap(rules, game()[33].position, 20)
    point = next(points_of(legal_placements(record)))
    assert record.gap is not None and record.gaps[0][0] == record.number
    assert judge(record, Placement(B, point)).after is not None


def test_a_pass_before_a_gap_and_one_after_it_end_nothing() -> None:
    record = judge(game()[6], Pass(game()[6].to_play)).after
    assert record is not None
    after = apply_action(record, SetUp(game()[28].position.stones, B)).after
    assert after is not None
    assert judge(after, Pass(B)).after.ended is False  # type: ignore[union-attr]


def test_prisoners_that_were_surely_captured_in_a_gap_are_counted() -> None:
    board = game()[0].position
    corner = board.with_stones(W, 1).with_stones(B, 1 << 1)
    board_after = board.with_stones(B, 1 << 1 | 1 << SIZE)
    record = apply_action(Setup(rule_set("japanese"), (SIZE, SIZE)).record(), SetUp(corner.stones, B)).after
    assert record is not None
    after = apply_action(record, SetUp(board_after.stones, W)).after
    assert after is not None and after.bowls.count_prisoners(B, W) == 1


# Records


@pytest.mark.parametrize("rules", ["chinese", "japanese", "ultimate"])
def test_a_record_with_gaps_is_read_back(rules: str) -> None:
    record = after_gap(rules, game()[33].position, 20)
    record = judge(record, Placement(B, next(points_of(legal_placements(record))))).after or record
    data = write_sgf(record)
    read = read_game(data)
    again = read.setup.record()
    for act in read.acts:
        again = apply_action(again, act).after or again
    assert (again.turns, again.position, again.bowls) == (record.turns, record.position, record.bowls)
    assert [(n, gap.stones, gap.since, gap.until) for n, gap in again.gaps] == [
        (n, gap.stones, gap.since, gap.until) for n, gap in record.gaps
    ]
    assert any("nobody saw" in note for note in read.notes)
    assert write_sgf(again) == data


def test_another_program_that_keeps_the_nodes_is_understood() -> None:
    record = after_gap("chinese", game()[33].position, 20)
    record = judge(record, Placement(B, next(points_of(legal_placements(record))))).after or record
    data = write_sgf(record).replace(b"AP[shinpan", b"AP[other")
    assert len(read_game(data).acts) == 22


def test_the_lids_tell_the_prisoners_at_the_end_of_a_gap() -> None:
    start = Setup(rule_set("ultimate"), (SIZE, SIZE)).record()
    record, recording = start, Recording(start, is_film=True)
    recording.see([start.position], lids=lids_of(start.bowls))
    for turn in turns(game()[1:35]):
        record = judge(record, turn).after or record
        if record.number <= 6:
            recording.see([record.position], lids=lids_of(record.bowls))
    recording.see([record.position], times=10, lids=lids_of(record.bowls))
    assert recording.gaps == [6]
    assert recording.record.bowls == record.bowls and recording.record.position == record.position
