"""Properties of every game: tried in random games of the rule sets, beside slow models that share no code."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cli.judge import Judge
from device.match.game_files import read_setup
from referee.game.board import COLOURS, Colour, Position, board_of, points_of
from referee.game.record import GameRecord
from referee.game.turns import Delay, Draw, Pass, Placement, Turn
from referee.rules.legality import available_delays, illegal_points, judge, legal_placements, may_draw, may_pass
from referee.rules.sets import RULESETS
from referee.rules.setup import Setup
from tests.support.oracle.game import Coordinate, Stones, has_path_to_empty, other
from tests.support.play import draw_record
from tests.support.referee.positions import endless
from tests.support.tiers import examples, sample

# A second, slow referee of ko and suicide: the whole history as a list, each rule as its text has it.
#
# It shares no code with the referee. A board is a dict from (column, row), counted from the top left, to "B" or "W".


@dataclass
class Moment:
    """The state after a turn: the board, who is to move, and whose placement led to it ("" after a pass)."""

    stones: Stones
    to_play: str
    placed_by: str = ""


@dataclass
class SlowKoGame:
    """Two players, endless passes."""

    cols: int
    rows: int
    ko: str
    suicide: str
    history: list[Moment] = field(default_factory=lambda: [Moment({}, "B")])
    prisoners: dict[str, int] = field(default_factory=lambda: {"B": 0, "W": 0})

    @property
    def now(self) -> Moment:
        return self.history[-1]

    def placed(self, point: Coordinate) -> tuple[Stones, int, int]:
        """The board after a placement, how many of the opponent's stones it takes and how many of its own."""
        mover = self.now.to_play
        after = {**self.now.stones, point: mover}
        foes = [p for p, colour in after.items() if colour != mover and not self.lives(after, p)]
        after = {p: colour for p, colour in after.items() if p not in foes}
        own = [p for p, colour in after.items() if colour == mover and not self.lives(after, p)]
        return {p: colour for p, colour in after.items() if p not in own}, len(foes), len(own)

    def lives(self, stones: Stones, point: Coordinate) -> bool:
        return has_path_to_empty(stones, point, self.cols, self.rows)

    def refuses(self, point: Coordinate) -> str | None:
        after, _, own = self.placed(point)
        if own and (self.suicide == "none" or (self.suicide == "multi" and own == 1)):
            return "surrounded"
        if own == 1 and self.suicide == "single-is-pass":
            return None
        return self.repeats(after)

    def repeats(self, after: Stones) -> str | None:
        mover, following = self.now.to_play, other(self.now.to_play)
        if self.ko == "simple":
            two_ago = self.history[-2].stones if len(self.history) > 1 else None
            return "ko" if after == two_ago and after != self.now.stones else None
        same = [moment for moment in self.barred() if moment.stones == after]
        if self.ko in ("situational", "spight-situational"):
            same = [moment for moment in same if moment.to_play == following]
        if self.ko == "natural-situational":
            same = [moment for moment in same if moment.placed_by == mover]
        return "superko" if same else None

    def barred(self) -> list[Moment]:
        """The moments that may count: all, or those from the last pass on."""
        if not self.ko.startswith("spight"):
            return self.history
        passes = [number for number, moment in enumerate(self.history) if number and not moment.placed_by]
        return self.history[passes[-1] :] if passes else self.history

    def place(self, point: Coordinate) -> None:
        mover = self.now.to_play
        after, foes, own = self.placed(point)
        a_pass = own == 1 and self.suicide == "single-is-pass"
        self.prisoners[mover] += foes
        self.prisoners[other(mover)] += 0 if a_pass else own
        self.history.append(Moment(after, other(mover), "" if a_pass else mover))

    def pass_turn(self) -> None:
        self.history.append(Moment(self.now.stones, other(self.now.to_play)))


pytestmark = pytest.mark.slow

sizes = st.tuples(st.integers(1, 5), st.integers(1, 5))
seeds = st.integers(0, 10**9)
KO = ("simple", "positional", "situational", "natural-situational", "spight", "spight-situational")


def turns_of(record: GameRecord, chance: random.Random) -> list[Turn]:
    """List the turns that the player to move may make, each kind once."""
    player, points = record.to_play, list(points_of(legal_placements(record)))
    turns: list[Turn] = [Placement(player, chance.choice(points))] * 6 if points else []
    turns += [Delay(player, ultimate=kind == "ultimate") for kind in available_delays(record)]
    turns += [Pass(player)] * may_pass(record) + [Draw(player)] * (may_draw(record) and chance.random() < 0.2)
    return turns


def game(record: GameRecord, chance: random.Random, length: int = 70) -> Iterator[GameRecord]:
    """The records of a random game, the start first."""
    yield record
    for _ in range(length):
        turns = [] if record.ended else turns_of(record, chance)
        after = judge(record, chance.choice(turns)).after if turns else None
        if after is None:
            return
        record = after
        yield record


@pytest.mark.parametrize(("ko", "suicide"), sample(product(KO, ("none", "multi", "any")), 9))
@examples(6)
@given(size=sizes, seed=seeds)
def test_no_position_repeats_where_it_may_not(ko: str, suicide: str, size: tuple[int, int], seed: int) -> None:
    """Every empty point at every turn is judged as the slow model does, which looks through the whole history."""
    compare(Setup(endless(ko, suicide), size=size).record(), SlowKoGame(*size, ko, suicide), random.Random(seed))


@pytest.mark.parametrize("ko", KO)
@examples(6)
@given(size=sizes, seed=seeds)
def test_a_single_suicide_that_is_a_pass(ko: str, size: tuple[int, int], seed: int) -> None:
    """The same where a single stone's self-capture is as good as a pass."""
    rules = endless(ko, "single-is-pass")
    compare(Setup(rules, size=size).record(), SlowKoGame(*size, ko, "single-is-pass"), random.Random(seed))


def compare(record: GameRecord, slow: SlowKoGame, chance: random.Random) -> None:
    cols = slow.cols
    for _ in range(60):
        empty = list(points_of(record.position.empty))
        why = {point: slow.refuses((point % cols, point // cols)) for point in empty}
        assert {p: r.value for p, r in illegal_points(record).items()} == {p: w for p, w in why.items() if w}, (
            draw_record(record)
        )
        prisoners = [
            record.bowls.count_prisoners(*pair) for pair in ((COLOURS[0], COLOURS[1]), (COLOURS[1], COLOURS[0]))
        ]
        assert prisoners == [slow.prisoners["B"], slow.prisoners["W"]], draw_record(record)
        open_to = [point for point, reason in why.items() if reason is None]
        if open_to and chance.random() < 0.9:
            point = chance.choice(open_to)
            slow.place((point % cols, point // cols))
            after = judge(record, Placement(record.to_play, point)).after
        else:
            slow.pass_turn()
            after = judge(record, Pass(record.to_play)).after
        assert after is not None, draw_record(record)
        record = after


def test_the_small_boards_meet_every_refusal() -> None:
    """The games above would prove little if the rules never parted in them."""
    met = set()
    for ko in KO:
        for seed in range(30):
            for record in game(Setup(endless(ko, "any"), size=(3, 2)).record(), random.Random(seed), 40):
                met |= {(ko, reason.value) for reason in illegal_points(record).values()}
    assert met == {(ko, "ko" if ko == "simple" else "superko") for ko in KO}


@pytest.mark.parametrize("rules", ["ultimate", "ultimate-original", "fundamental"])
@examples(15)
@given(size=sizes, seed=seeds, komi=st.integers(-3, 3), handicap=st.integers(0, 4))
def test_the_stone_difference_of_ultimate_go(
    rules: str, size: tuple[int, int], seed: int, komi: int, handicap: int
) -> None:
    """Black less white stones in the game are the komi stones Black gave less White's, plus one at White's turn."""
    handicap = min(handicap, size[0] * size[1])
    start = Setup(RULESETS[rules], size=size, komi=komi, handicap=handicap).record()
    for record in game(start, random.Random(seed)):
        expected = komi + max(handicap - 1, 0) + (record.to_play is Colour.WHITE and not record.ended)
        if not record.ended:
            assert in_the_game(record, Colour.BLACK) - in_the_game(record, Colour.WHITE) == expected, draw_record(
                record
            )


def in_the_game(record: GameRecord, colour: Colour) -> int:
    """Stones of a colour on the board, in the bowls, and beside the other's bowl as her ultimate prisoner."""
    holder = Colour.WHITE if colour is Colour.BLACK else Colour.BLACK
    beside = record.rules.name == "ultimate-original" and holder not in record.bowls.ultimate_delays
    in_bowls = sum(record.bowls.count_prisoners(owner, colour) for owner in (Colour.BLACK, Colour.WHITE))
    return record.position.stones_of(colour).bit_count() + in_bowls + beside


@examples(15)
@given(size=st.tuples(st.integers(1, 25), st.integers(1, 25)), seed=seeds, players=st.integers(2, 6))
def test_chains_and_liberties_are_those_of_a_naive_model(size: tuple[int, int], seed: int, players: int) -> None:
    cols, rows = size
    chance = random.Random(seed)
    letters = [chance.choice(["", "", *COLOURS[:players]]) for _ in range(cols * rows)]
    masks = [sum(1 << p for p, at in enumerate(letters) if at == colour) for colour in COLOURS[:players]]
    position = Position(board_of(cols, rows), tuple(masks))
    for point in chance.sample(range(cols * rows), min(12, cols * rows)):
        chain, liberties = naive_chain(letters, cols, rows, point)
        assert set(points_of(position.chain_at(point))) == chain
        assert set(points_of(position.liberties_of(position.chain_at(point)))) == liberties


def naive_chain(letters: list[str], cols: int, rows: int, point: int) -> tuple[set[int], set[int]]:
    """The chain of the stone on a point and its liberties, point by point."""
    chain, liberties, waiting = set(), set(), [point] if letters[point] else []
    while waiting:
        here = waiting.pop()
        chain.add(here)
        row, col = divmod(here, cols)
        for r, c in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
            if not (0 <= r < rows and 0 <= c < cols):
                continue
            there = r * cols + c
            if not letters[there]:
                liberties.add(there)
            elif letters[there] == letters[point] and there not in chain:
                waiting.append(there)
    return chain, liberties


@pytest.mark.parametrize("rules", RULESETS)
@examples(6, 200)
@given(size=sizes, seed=seeds)
def test_what_is_extended_and_taken_back_is_the_same_record(rules: str, size: tuple[int, int], seed: int) -> None:
    """Identically the same, and what is open in it does not change by what was tried from it."""
    chance, before = random.Random(seed), None
    for record in game(Setup(RULESETS[rules], size=size).record(), chance):
        assert before is None or record.taken_back() is before[0]
        if before is not None:
            assert described(before[0]) == before[1], draw_record(before[0])
        before = (record, described(record))


def described(record: GameRecord) -> tuple[Any, ...]:
    """All that a record answers."""
    return (
        record.situation,
        record.number,
        record.turns,
        (record.ended, record.result),
        illegal_points(record),
        available_delays(record),
        (may_draw(record), may_pass(record)),
    )


@pytest.mark.parametrize("rules", RULESETS)
@examples(6, 200)
@given(seed=seeds)
def test_judge_is_deterministic(rules: str, seed: int) -> None:
    """The same lines get the same answers, word for word."""
    lines = list(random_lines(rules, random.Random(seed)))
    answers = [[json.dumps(answer) for answer in answer_lines(lines)] for _ in range(2)]
    assert answers[0] == answers[1] and len(answers[0]) == len(lines) - 1


def answer_lines(lines: list[dict[str, Any]]) -> Iterator[dict[str, object]]:
    judge = Judge(read_setup(lines[0]).record())
    yield from map(judge.answer, lines[1:])


def random_lines(rules: str, chance: random.Random) -> Iterator[dict[str, Any]]:
    """A start, and turns that are often legal, with questions between them."""
    yield {"rules": rules, "size": [3, 4]}
    acts: list[dict[str, Any]] = [{"pass": True}, {"delay": "prisoner"}, {"delay": "ultimate"}, {"draw": True}]
    for number in range(60):
        place = {"place": f"{chance.choice('ABCD')}{chance.randint(1, 4)}"}
        player = "BW"[number % 2] if chance.random() < 0.9 else chance.choice("BW")
        yield {"ask": "legal"} if chance.random() < 0.1 else {"player": player} | chance.choice([place] * 6 + acts)
