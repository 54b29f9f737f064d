"""The Kee rules: every example of their text, random games beside a literal reading of it, and what it costs."""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.game.board import COLOURS, Colour, Position, board_of, points_of
from referee.game.diagram import rows_of
from referee.game.errors import BadRecord, BadSetup
from referee.game.record import GameRecord
from referee.game.turns import Pass, Placement, Resign, Turn
from referee.rules import ruling_messages
from referee.rules.ko.kee import GameFlow
from referee.rules.legality import illegal_points, judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.area import measure_areas
from referee.sgf.records import write_sgf
from tests.support.play import draw_record, play_turns, reason, start_game, try_turn, turn_of
from tests.support.referee.positions import View
from tests.support.shared import cases
from tests.support.tiers import LONG, examples, is_long_run
from tests.support.wording import english

# Kee's GAME FLOW DETAILS as they are written, for comparison: lists, whole boards, paths situation by situation.
#
# It shares no code with the referee. A board is a tuple of rows of text, a situation a board and the player to move.
# The text's letters (A to G) name the parts.

Board = tuple[str, ...]
Situation = tuple[Board, str]
Point = tuple[int, int]


def neighbours(board: Board, point: Point) -> list[Point]:
    x, y = point
    around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return [(i, j) for i, j in around if 0 <= j < len(board) and 0 <= i < len(board[j])]


def chain(board: Board, point: Point) -> list[Point]:
    x, y = point
    chain = [point]
    for stone in chain:
        for i, j in neighbours(board, stone):
            if board[j][i] == board[y][x] and (i, j) not in chain:
                chain.append((i, j))
    return chain


def alive(board: Board, stones: list[Point]) -> bool:
    return any(board[j][i] == "." for stone in stones for i, j in neighbours(board, stone))


def put(board: Board, points: list[Point], symbol: str) -> Board:
    return tuple(
        "".join(symbol if (x, y) in points else old for x, old in enumerate(row)) for y, row in enumerate(board)
    )


def dead(board: Board, colours: str) -> list[Point]:
    points = [(x, y) for y, row in enumerate(board) for x, symbol in enumerate(row) if symbol in colours]
    return [point for point in points if not alive(board, chain(board, point))]


@dataclass
class SlowKee:
    """A game from its start. suicide: the fewest stones that may capture themselves, 0 for none."""

    players: str
    board: Board
    to_play: str = "B"
    suicide: int = 0
    plays: list[str] = field(default_factory=list)
    situations: list[Situation] = field(default_factory=list)
    recent: list[Situation] = field(default_factory=list)
    prohibited_boards: list[Board] = field(default_factory=list)
    prohibited_paths: list[tuple[Situation, ...]] = field(default_factory=list)
    ended: bool = False
    result: str | None = None

    def __post_init__(self) -> None:
        self.initial_setting()

    def initial_setting(self) -> None:
        """A, for those who are left."""
        self.plays = []
        self.situations = [(self.board, self.to_play)]
        self.recent = [(self.board, self.to_play)]
        self.prohibited_boards = [self.board]
        self.prohibited_paths = []

    def next_player(self) -> str:
        return self.players[(self.players.index(self.to_play) + 1) % len(self.players)]

    def placed(self, point: Point) -> Board | None:
        """B and C: the new board, None for suicide that is not allowed."""
        board = put(self.board, [point], self.to_play)
        board = put(board, dead(board, "".join(set("BWRGYV") - {self.to_play})), ".")
        own = dead(board, self.to_play)
        if own and (not self.suicide or len(own) < self.suicide):
            return None
        return put(board, own, ".")

    def refuses(self, point: Point) -> str | None:
        """D."""
        new = self.placed(point)
        if new is None:
            return "surrounded"
        if new in self.prohibited_boards:
            return "superko"
        return "path" if any(path in self.prohibited_paths for path in self.paths_to(new)) else None

    def paths_to(self, new: Board) -> list[tuple[Situation, ...]]:
        """The placement alone, with the pass before it, with two passes before it, and so on."""
        end, paths = (new, self.next_player()), []
        for passes in range(len(self.plays) + 1):
            if any(play != "pass" for play in self.plays[len(self.plays) - passes :]):
                break
            paths.append((*self.situations[len(self.situations) - passes - 1 :], end))
        return paths

    def place(self, point: Point) -> None:
        new = self.placed(point)
        assert new is not None
        self.board = new
        self.prohibited_boards.append(new)
        self.follow("placement")

    def pass_turn(self) -> None:
        self.prohibited_boards = [self.board]
        passes = 0
        for play in reversed([*self.plays, "pass"]):
            if play != "pass":
                break
            passes += 1
        self.ended = passes == len(self.players) + 1
        self.follow("pass")

    def follow(self, play: str) -> None:
        """F and G.3, G.4."""
        self.plays.append(play)
        self.to_play = self.next_player()
        here = (self.board, self.to_play)
        if any(play != "pass" for play in self.plays[-len(self.players) :]) and here in self.recent:
            first = self.recent.index(here)
            changed = next(i for i in range(first, len(self.recent)) if self.recent[i][0] != self.board)
            self.prohibited_paths.append(tuple(self.recent[first : changed + 1]))
            self.recent = []
        self.recent.append(here)
        self.situations.append(here)

    def resign(self) -> None:
        player, following = self.to_play, self.next_player()
        if len(self.players) == 2:
            self.ended, self.result = True, f"{following}+R"
            return
        self.players, self.to_play = self.players.replace(player, ""), following
        self.initial_setting()


Case = dict[str, Any]
Path = list[tuple[tuple[str, ...], str]]
"""Board situations: rows, and who is to play."""

EXAMPLES = (
    "A.1 simple ko, 2 players",
    "A.2 simple ko, 3 players",
    "B.1 sending two first, two-eye white",
    "B.2 returning one first, two-eye white",
    "B.1 sending two first, one-eye white",
    "B.2 returning one first, one-eye white",
    "C.1 2x1",
    "C.2 2x2 main line",
    "C.2 variation: W8 on the LOWER corner, B9 pass, W10 (upper) must be prohibited",
    "C.2 variation: W14 on the LOWER corner, B15 pass: text says W16 prohibited",
    "C.3 2x3 main line",
    "C.3 variation: W14 on the LOWER RIGHT corner, B15 pass, W16 must be prohibited",
)
DISOWNED = {
    ("C.2 variation: W14 on the LOWER corner, B15 pass: text says W16 prohibited", 16, "B2"),
}
"""Claims of the text (as `expected`) that its own rules deny: the turn is legal.

Nor is it asserted that White wins C.2 "by 2 points" (by area, as the text counts, it is 4) or that Black 3 of C.2 and
Black 5 of C.3 are "non-optimal"; and when C.1 says that Black cannot take the way of White 2 again, it means White."""
PROHIBITIONS = {
    "suicide": "surrounded",
    "PROHIBITION ONE": "superko",
    "PROHIBITION TWO": "path",
    "PROHIBITION ONE+TWO": "superko",
}


def lettered(position: Position) -> tuple[str, ...]:
    """The position as rows, black and white as B and W however many play."""
    return tuple(row.translate(str.maketrans("XO", "BW")) for row in rows_of(position))


class CaseView:
    """An example turned by quarters, then mirrored or not, each colour exchanged for one so many places on in play."""

    def __init__(self, case: Case, geometry: View, places: int) -> None:
        players, self._geometry, self._size = case["players"], geometry, (case["w"], case["h"])
        self._board = board_of(*geometry.size(*self._size))
        self._colour = {one: players[(i + places) % len(players)] for i, one in enumerate(players)} | {".": "."}

    def rows(self, rows: list[str]) -> tuple[str, ...]:
        return tuple("".join(self._colour[symbol] for symbol in row) for row in self._geometry.rows(rows))

    def point(self, name: str) -> int:
        return self._board.point(self._geometry.point(name, *self._size))

    def player(self, letter: str) -> Colour:
        return Colour(self._colour[letter])

    def path(self, situations: list[tuple[list[str], str]] | None) -> Path | None:
        path = [(self.rows(rows), self._colour[to_play]) for rows, to_play in situations or ()]
        return path or None

    def area(self, area: dict[str, int]) -> dict[str, int]:
        return {self._colour[letter]: points for letter, points in area.items()}


def example(title: str) -> Case:
    examples: dict[str, Case] = {case["title"]: case for case in json.loads(cases("kee_examples.json").read_text())}
    return examples[title]


def test_no_example_is_left_out() -> None:
    assert {case["title"] for case in json.loads(cases("kee_examples.json").read_text())} == set(EXAMPLES)


@pytest.mark.parametrize("title", EXAMPLES)
def test_an_example_of_the_text_from_all_sides(title: str) -> None:
    case = example(title)
    for quarters, mirrored, places in product(range(4), (False, True), range(len(case["players"]))):
        check_example(case, CaseView(case, View(quarters, mirrored), places))


def check_example(case: Case, view: CaseView) -> None:
    record = Setup(
        rule_set("kee"),
        players=case["players"],
        board=view.rows(case["setup"]),
        to_play=view.player(case["plies"][0]["by"]),
    ).record()
    for ply in case["plies"]:
        player = view.player(ply["by"])
        if "before" in ply:
            prohibition = judge(record, Placement(player, view.point(ply["point"]))).prohibition
            reason = prohibition.reason.value if prohibition else None
            assert reason == (PROHIBITIONS[ply["reason"]] if ply["reason"] else None), f"{ply}\n{draw_record(record)}"
            as_the_text_says = bool(ply["expected"]) is not ply["legal"]
            assert as_the_text_says is ((case["title"], ply["before"], ply["point"]) not in DISOWNED), ply
            continue
        illegal = {view.point(name): PROHIBITIONS[why] for name, why in ply["illegal_before"].items()}
        assert {p: why.value for p, why in illegal_points(record).items()} == illegal, f"{ply}\n{draw_record(record)}"
        turn = Pass(player) if ply["move"] == "pass" else Placement(player, view.point(ply["move"]))
        after = judge(record, turn).after
        assert after is not None, f"{ply}\n{draw_record(record)}"
        assert new_path(record, after) == view.path(ply.get("new_prohibited_path")), f"{ply}\n{draw_record(after)}"
        record = after
        assert lettered(record.position) == view.rows(ply["board"]), f"{ply}\n{draw_record(record)}"
    assert record.ended is case["over"]
    assert dict(zip(COLOURS, measure_areas(record.position), strict=False)) == view.area(case["area"])


def new_path(record: GameRecord, after: GameRecord) -> Path | None:
    """The situations of the path that the newest turn put on the List of Prohibited Paths; None where it put none."""
    old_paths, now = (past.memory.paths for past in (record, after) if isinstance(past.memory, GameFlow))
    stood = {past.number: past for past in after.iterate_back()}
    cycle = [number for number in stood if number and stood[number].position != stood[number - 1].position]
    ways = {(stood[number - 1].position, stood[number].position) for number in cycle}
    new = [now.get(way) for way in ways if now.get(way) != old_paths.get(way)]
    assert len(new) == (now is not old_paths), draw_record(after)
    if new and (path := new[0]) is not None:
        assert path.closed == after.number, draw_record(after)
        way = [stood[number] for number in range(path.placed - path.passes - 1, path.placed + 1)]
        return [(lettered(past.position), past.to_play.value) for past in way]
    return None


# Random games


def both(players: int, cols: int, rows: int, suicide: str = "none") -> tuple[GameRecord, SlowKee]:
    letters = "".join(COLOURS[:players])
    record = Setup(rule_set("kee", {"suicide": suicide}), size=(cols, rows), players=letters).record()
    return record, SlowKee(letters, ("." * cols,) * rows, suicide=SUICIDES[suicide])


SUICIDES = {"none": 0, "any": 1, "multi": 2}


def assert_agree(record: GameRecord, slow: SlowKee) -> Counter[str]:
    """Board, player, end, and why each empty point is refused; how often each reason came up."""
    cols = record.position.board.cols
    assert lettered(record.position) == slow.board, draw_record(record)
    assert (record.ended, record.result) == (slow.ended, slow.result), draw_record(record)
    if record.ended:
        return Counter()
    assert record.to_play.value == slow.to_play, draw_record(record)
    why = {point: slow.refuses((point % cols, point // cols)) for point in points_of(record.position.empty)}
    assert {p: r.value for p, r in illegal_points(record).items()} == {p: w for p, w in why.items() if w}, draw_record(
        record
    )
    return Counter(filter(None, why.values()))


def step(record: GameRecord, slow: SlowKee, chance: random.Random, passing: float) -> GameRecord:
    """One random turn in both games."""
    cols, points = record.position.board.cols, list(points_of(legal_placements(record)))
    turn: Turn = Pass(record.to_play)
    if chance.random() < 0.01:
        turn = Resign(record.to_play)
        slow.resign()
    elif points and chance.random() > passing:
        point = chance.choice(points)
        turn = Placement(record.to_play, point)
        slow.place((point % cols, point // cols))
    else:
        slow.pass_turn()
    after = judge(record, turn).after
    assert after is not None, f"{turn}\n{draw_record(record)}"
    return after


def random_game(record: GameRecord, slow: SlowKee, seed: int, turns: int) -> Counter[str]:
    chance, met = random.Random(seed), Counter[str]()
    passing = chance.choice([0.05, 0.2, 0.4])
    for _ in range(turns):
        met += assert_agree(record, slow)
        if record.ended:
            break
        record = step(record, slow, chance, passing)
    return met


@pytest.mark.slow
@examples(40)
@given(
    players=st.integers(2, 4),
    size=st.tuples(st.integers(1, 3), st.integers(1, 4)),
    suicide=st.sampled_from(["none", "any", "multi"]),
    seed=st.integers(0, 10**9),
)
def test_a_random_game_is_judged_as_the_text_is_written(
    players: int, size: tuple[int, int], suicide: str, seed: int
) -> None:
    random_game(*both(players, *size, suicide), seed, 150)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games_meet_both_prohibitions(players: int) -> None:
    """The games above would prove little if paths never came up, with passes and without."""
    met, long = Counter[str](), 0
    for seed in range(20 if is_long_run() else 8):
        record, slow = both(players, 2, 2)
        met += random_game(record, slow, seed, 200)
        long += any(len(path) > 2 for path in slow.prohibited_paths)
    assert min(met["superko"], met["path"], long) > 0, (met, long)


def test_random_games_come_to_an_end() -> None:
    """Principle 2 of the text: even on the smallest boards, with a pass only where there is nothing else to do."""
    for seed in range(20):
        record, slow = both(2, 2, 2)
        chance, turns = random.Random(seed), 0
        while not record.ended:
            record, turns = step(record, slow, chance, 0), turns + 1
            assert turns < 1000, draw_record(record)


# What the rulings say


def test_a_board_that_stood_since_the_last_pass_is_named() -> None:
    record = play_turns(start_game("kee", size=(2, 1)), "B A1", "W B1")
    assert (
        refusal_sentence(record, "B A1")
        == "Black may not play A1. This would repeat the position after turn 1. Black can pass or resign."
    )
    record = play_turns(record, "B pass", "W pass", "B A1")
    assert (
        refusal_sentence(record, "W B1")
        == "White may not play B1. This would repeat the position after turn 2. White can pass or resign."
    )


def test_a_prohibited_path_is_named_by_its_turns() -> None:
    record = play_turns(start_game("kee", size=(2, 1)), "B A1", "W B1", "B pass", "W pass", "B A1", "W pass", "B pass")
    assert (reason(record, "W B1"), repeats(record, "W B1")) == ("path", 2)
    assert refusal_sentence(record, "W B1") == (
        "White may not play B1. This would re-enter the cycle completed by turn 5, as turn 2 did. "
        "That path is now prohibited. White can pass or resign."
    )


def test_a_path_with_passes_is_named_with_them() -> None:
    turns = ["B A1", "W pass", "R B1", "B pass", "W pass", "R pass", "B A1", "W pass"]
    record = play_turns(start_game("kee", players="BWR", size=(2, 1)), *turns)
    assert (reason(record, "R B1"), repeats(record, "R B1")) == ("path", 3)
    assert refusal_sentence(record, "R B1") == (
        "Red may not play B1. With the pass this re-enters the cycle of turn 7, as turns 2 and 3 did: "
        "now prohibited. Red can pass or resign."
    )


def test_a_cycle_back_to_where_all_passed_began_before_the_passes() -> None:
    turns = ["B A1", "W pass", "B pass", "W B1", "B pass", "W pass", "B A1", "W pass", "B pass"]
    record = play_turns(start_game("kee", size=(2, 1)), *turns)
    assert refusal_sentence(record, "W B1") == (
        "White may not play B1. With 2 passes this re-enters the cycle of turn 7, as turns 2 to 4 did: "
        "now prohibited. White can pass or resign."
    )


def refusal_sentence(record: GameRecord, text: str) -> str:
    """Return what is said of a turn that is refused, without what to do with the stone."""
    prohibition = try_turn(record, text).prohibition
    assert prohibition is not None, f"{text}\n{draw_record(record)}"
    turn = turn_of(text, record.position.board)
    return english(ruling_messages.refusal_message(record, turn, prohibition)).replace(
        " Please take the stone back.", ""
    )


def repeats(record: GameRecord, text: str) -> int | None:
    prohibition = try_turn(record, text).prohibition
    return prohibition.repeats if prohibition else None


# Players, passes, resigning


@pytest.mark.parametrize("count", range(2, 7))
def test_one_pass_more_than_there_are_players_ends_the_game(count: int) -> None:
    players = "".join(COLOURS[:count])
    record = start_game("kee", players=players, size=(3, 3))
    for letter in players:
        record = play_turns(record, f"{letter} pass")
        assert not record.ended
    record = play_turns(record, "B pass")
    assert record.ended and record.result is None
    assert reason(record, f"{players[1]} A1") == "game-over"


def test_chains_of_every_other_colour_are_captured() -> None:
    record = play_turns(start_game("kee", "R.W", "BBB", "...", players="BWR"), "B B3")
    assert rows_of(record.position) == (".B.", "BBB", "...")
    assert record.bowls.as_dict() == {"B": {"W": 1, "R": 1}, "W": {}, "R": {}}
    assert record.to_play is Colour.WHITE


def test_passes_before_a_resignation_no_longer_count() -> None:
    record = play_turns(start_game("kee", players="BWR", size=(3, 3)), "B A1", "W pass", "R pass", "B resign")
    record = play_turns(record, "W pass", "R pass")
    assert not record.ended
    assert play_turns(record, "W pass").ended, "one more than the two who are left"


def test_who_resigns_has_no_more_turns_and_leaves_the_stones() -> None:
    record = play_turns(start_game("kee", players="BWR", size=(3, 3)), "B A1", "W C3", "R C1", "B B2", "W resign")
    assert (record.ended, record.result, record.to_play) == (False, None, Colour.RED)
    assert (
        english(ruling_messages.accepted_turn_message(record, 0))
        == "White resigned. The others play on, and the stones stay on the board."
    )
    record = play_turns(record, "R A3")
    assert record.to_play is Colour.BLACK and reason(record, "W B3") == "not-your-turn"
    assert rows_of(record.position) == ("R.W", ".B.", "B.R")
    ended = play_turns(record, "B pass", "R pass", "B pass")
    assert ended.ended and ended.result is None


def test_the_last_player_left_wins() -> None:
    record = play_turns(start_game("kee", players="BWR", size=(3, 3)), "B resign", "W A1", "R resign")
    assert (record.ended, record.result) == (True, "W+R")
    assert english(ruling_messages.accepted_turn_message(record, 0)) == "Red resigned. The result is W+R."
    assert record.taken_back().remaining_players == (Colour.WHITE, Colour.RED)


def test_a_resignation_begins_the_lists_anew() -> None:
    record = play_turns(start_game("kee", players="BWR", size=(2, 1)), "B A1", "W B1")
    assert reason(play_turns(record, "R pass"), "B A1") is None, "a pass in between"
    record = play_turns(record, "R resign")
    assert reason(record, "B A1") is None
    assert reason(play_turns(record, "B A1"), "W B1") == "superko"


@pytest.mark.parametrize("start", [{"komi": 5.5}, {"handicap": 2}])
def test_komi_and_handicap_are_for_two_players(start: dict[str, float]) -> None:
    with pytest.raises(BadSetup, match="for two players"):
        start_game("kee", players="BWR", size=(5, 5), **start)
    assert start_game("kee", size=(5, 5), **start).players == 2


def test_no_sgf_is_written_of_more_than_two_players() -> None:
    with pytest.raises(BadRecord, match="SGF knows black and white alone"):
        write_sgf(start_game("kee", players="BWR", size=(5, 5)))


def test_suicide_of_one_stone_is_left_to_prohibition_one() -> None:
    rules = {suicide: rule_set("kee", {"suicide": suicide}) for suicide in SUICIDES}
    rows = (".W.", "W.B", ".B.")
    corner = {name: Setup(rule, board=rows).record() for name, rule in rules.items()}
    why = {name: reason(record, "B A3") for name, record in corner.items()}
    assert why == {"none": "surrounded", "multi": "surrounded", "any": "superko"}
    pair = {name: Setup(rule, board=("B.W", "WW.")).record() for name, rule in rules.items()}
    assert {name: reason(record, "B B2") for name, record in pair.items()} == {
        "none": "surrounded",
        "multi": None,
        "any": None,
    }
    assert rows_of(play_turns(pair["any"], "B B2").position) == ("..O", "OO.")


# What it costs


def long_game(rules: str, turns: int, side: int = 19) -> GameRecord:
    """A seeded game with captures and a pass now and then, the same under both rules while nothing repeats."""
    record, chance = start_game(rules, size=(side, side)), random.Random(19)
    while record.number < turns:
        record = next_of(record, chance)
    return record


def next_of(record: GameRecord, chance: random.Random) -> GameRecord:
    """The record after a pass, each twentieth turn, or the first legal one of the empty points in a random order."""
    points = list(points_of(record.position.empty)) if record.number % 20 else []
    chance.shuffle(points)
    tries = (judge(record, Placement(record.to_play, point)).after for point in points)
    after = next(filter(None, tries), None) or judge(record, Pass(record.to_play)).after
    assert after is not None, draw_record(record)
    return after


def count_calls(work: Callable[[], object]) -> int:
    """Return how many functions are called, Python's own too: a cost that is the same on every machine."""
    calls = 0

    def count(_: object, event: str, __: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


@LONG
def test_move_400_costs_little_more_than_positional_superko() -> None:
    kee, positional = long_game("kee", 400), long_game("positional", 400)
    ratio = count_calls(lambda: illegal_points(kee)) / count_calls(lambda: illegal_points(positional))
    assert ratio < 10, ratio
