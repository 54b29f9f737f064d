"""SGF of a game that goes on: what the writer keeps is what it would write afresh, and what sgfmill writes."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from referee.game.board import Colour, points_of
from referee.game.penalties import Offence, Penalty
from referee.game.record import GameRecord
from referee.game.turns import OFF_BOARD, Delay, Exchange, Pass, Placement, Removal, Resign, Turn
from referee.rules.agreements import judge_settlement
from referee.rules.legality import judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.sgf.annotations import MoveMark, RefusedMove, SgfAnnotations
from referee.sgf.records import SgfWriter, without_words, write_sgf
from referee.time.controls import TimeControl, TimeLeft, read_control
from referee.time.records import Times
from tests.support.play import play_turns, start_game
from tests.support.tiers import examples

WORDS = ("", "a \\ b]", "weiß\nSchwarz", "long " * 40, "SEAL[x]")


@dataclass
class Game:
    """A game that goes on by lot: turns, turns refused or taken back, comments, what a director changes, an end."""

    record: GameRecord
    lot: random.Random
    notes: SgfAnnotations
    times: Times | None = None
    seal: str = ""
    names: tuple[str, str] = ("", "")

    def write(self, writer: SgfWriter) -> tuple[bytes, bytes]:
        """The record as the writer that knows the game gives it, and afresh."""
        args = (self.record, *self.names, self.notes, self.times, self.seal)
        return writer.write_record(*args), write_sgf(*args)

    def go_on(self) -> None:
        lot = self.lot
        for _ in range(lot.choice((0, 1, 1, 1, 2))):
            self._turn()
        lot.choice((self._say, self._refuse, self._say_nothing, self._say_nothing, self._change))()
        self.seal = lot.choice(("", *(f"{lot.getrandbits(64):016x}",) * 5))

    def _turn(self) -> None:
        record, player = self.record, self.record.to_play
        turns: list[Turn] = [Placement(player, point) for point in points_of(legal_placements(record))]
        turns += [Delay(player), Pass(player), *([Resign(player)] if self.lot.random() < 0.05 else [])]
        self.record = judge(record, self.lot.choice(turns)).after or record
        number = self.record.number
        if self.times is not None and self.record is not record and self.lot.random() < 0.9:
            left = self.times.control.spend(self.times.control.time_at_start(), self.lot.randrange(90_000))
            self.times = replace(self.times, lefts={**self.times.lefts, number: left})

    def _number(self) -> int:
        """The number of a turn, mostly a new one."""
        number = self.record.number
        return self.lot.choice((number, number, number, self.lot.randint(0, number)))

    def _say(self) -> None:
        notes, number, word = self.notes, self._number(), self.lot.choice(WORDS)
        match self.lot.randrange(5):
            case 0:
                mark = MoveMark(self.lot.choice((None, 2.5)), self.lot.random() < 0.5, self.lot.getrandbits(4))
                self.notes = replace(notes, marks={**notes.marks, number: mark})
            case 1:
                self.notes = replace(notes, names={**notes.names, number: word})
            case 2:
                self.notes = replace(notes, end=word)
            case 3 if self.times is not None and number:
                left = TimeLeft(self.lot.randrange(90_000))
                self.times = replace(self.times, lefts={**self.times.lefts, number: left})
            case _:
                self.notes = replace(notes, comments={**notes.comments, number: word})

    def _say_nothing(self) -> None:
        pass

    def _refuse(self) -> None:
        number, player = self._number(), self.record.to_play
        turn = self.lot.choice((Pass(player), Placement(player, 3), Placement(player, OFF_BOARD)))
        refused = RefusedMove(turn, "refused", self.lot.choice(WORDS))
        tried = {**self.notes.tried, number: (*self.notes.tried.get(number, ()), refused)}
        self.notes = replace(self.notes, tried=tried)

    def _change(self) -> None:
        record, lot = self.record, self.lot
        match lot.randrange(8):
            case 0 | 1:
                for _ in range(lot.randint(1, 3)):
                    self.record = self.record.before or self.record
                self._forget_after(self.record.number)
            case 2:
                self.record = record.with_penalties((Penalty(record.to_play, lot.randint(1, 4), Offence.TIME),))
            case 3:
                self.record = record.going_on(record.to_play)
            case 4:
                self.record = record.with_result("B+R") if record.number else record
            case 5 if record.position.occupied:
                stone = 1 << lot.choice(list(points_of(record.position.occupied)))
                self.record = judge_settlement(record, lot.choice((Exchange(1), Removal(stone)))).after or record
            case 6:
                self.names = (lot.choice(WORDS), lot.choice(WORDS))
            case _:
                self.times = lot.choice((None, Times(control("10m+3x30s")), Times(control("1h"))))

    def _forget_after(self, number: int) -> None:
        """Forget what was said of turns that were taken back; comments stay, as an analysis may."""
        notes_kept = {key: tried for key, tried in self.notes.tried.items() if key <= number}
        self.notes = replace(self.notes, tried=notes_kept)
        self.notes = replace(self.notes, names={key: name for key, name in self.notes.names.items() if key <= number})


def control(text: str) -> TimeControl:
    time_control = read_control(text)
    assert time_control is not None
    return time_control


def played_by_lot(rules: str, seed: int, steps: int) -> Iterator[Game]:
    """A game before its first turn, and after each of these steps."""
    lot = random.Random(seed)
    times = Times(control("5m+3x30s")) if seed % 2 else None
    handicap = seed % 4
    game = Game(Setup(rule_set(rules), size=(5, 4), komi=2, handicap=handicap).record(), lot, SgfAnnotations(), times)
    yield game
    for _ in range(steps):
        game.go_on()
        yield game


@examples(8, 1000)
@given(rules=st.sampled_from(["ultimate", "chinese", "ing"]), seed=st.integers(0, 10**9))
def test_a_game_that_goes_on_is_written_as_it_is_afresh(rules: str, seed: int) -> None:
    writer = SgfWriter()
    for game in played_by_lot(rules, seed, 25):
        incremental, fresh = game.write(writer)
        assert incremental == fresh


@examples(8, 300)
@given(seed=st.integers(0, 10**9))
def test_nodes_and_lines_are_those_of_sgfmill(seed: int) -> None:
    for game in played_by_lot("chinese", seed, 12):
        game.seal = ""  # What the seal adds is added behind the breaking of lines.
        data = game.write(SgfWriter())[1]
        assert sgf_grammar.serialise_game_tree(sgf_grammar.parse_sgf_game(data)) == data


def test_one_turn_more_leaves_the_text_of_the_others_as_it_is() -> None:
    record, writer = start_game("chinese", size=(9, 9)), SgfWriter()
    texts: tuple[bytes, ...] = ()
    times = Times(control("1h"))
    for number, point in enumerate(range(0, 40, 2), 1):
        record = judge(record, Placement(record.to_play, point)).after or record
        times = replace(times, lefts={**times.lefts, number: TimeLeft(1000 * number)})
        notes = SgfAnnotations(comments={n: f"turn {n}" for n in range(1, number + 1)})
        writer.write_record(record, notes=notes, times=times, seal=f"{number:016x}")
        now = writer._written.texts
        assert len(now) == number and all(one is other for one, other in zip(texts, now, strict=False))
        texts = now


LATER = {
    "a comment": {"comments": {1: "a"}},
    "a name": {"names": {1: "a"}},
    "an evaluation": {"marks": {1: MoveMark(1.5)}},
    "a refused turn": {"tried": {1: (RefusedMove(Pass(Colour.WHITE), "a", "b"),)}},
    "a comment before the game": {"comments": {0: "a"}},
    "an end": {"end": "a"},
}


@pytest.mark.parametrize("noted", LATER.values(), ids=LATER)
def test_what_is_said_later_of_an_early_turn_is_written(noted: dict[str, Any]) -> None:
    record, writer = play_turns(start_game("chinese", size=(5, 5)), "B A1", "W B2", "B C3"), SgfWriter()
    for notes in (SgfAnnotations(), SgfAnnotations(**noted), SgfAnnotations()):
        assert writer.write_record(record, notes=notes) == write_sgf(record, notes=notes)


def test_a_time_that_is_corrected_later_is_written() -> None:
    record, writer = play_turns(start_game("chinese", size=(5, 5)), "B A1", "W B2", "B C3"), SgfWriter()
    hour, day = control("1h"), control("24h")
    for times in (Times(hour, {1: TimeLeft(9)}), Times(hour, {1: TimeLeft(8)}), Times(day, {1: TimeLeft(8)}), None):
        assert writer.write_record(record, times=times) == write_sgf(record, times=times)


ROOT_ONLY = frozenset(re.findall("..", "FFGMCAAPSZRUKMHAPBPWBRWRREDTEVROPCGCGNTMOT"))
MOVE, SETUP = frozenset(("B", "W", "KO")), frozenset(("AB", "AW", "AE", "PL"))
VALUES = {
    **dict.fromkeys(("KM", "TM", "BL", "WL", "V"), re.compile(rb"[+-]?[0-9]+(\.[0-9]+)?")),
    **dict.fromkeys(("FF", "GM", "HA", "OB", "OW", "PM"), re.compile(rb"[0-9]+")),
    **dict.fromkeys(("B", "W"), re.compile(rb"([a-z]{2})?")),
    **dict.fromkeys(("AB", "AW", "AE", "TB", "TW", "MA", "TR"), re.compile(rb"[a-z]{2}(:[a-z]{2})?")),
    "PL": re.compile(rb"[BW]"),
    "SZ": re.compile(rb"[0-9]+(:[0-9]+)?"),
    "KO": re.compile(rb""),
}


def _faults(data: bytes) -> list[str]:
    """Return what SGFC would correct: a program without version, wrong nodes, twins and values of another type."""
    tree = sgf_grammar.parse_sgf_game(data)
    faults = [] if re.fullmatch(rb"[^:]+:[^:]+", tree.sequence[0]["AP"][0]) else ["AP without version"]
    left = [(tree, True)]
    while left:
        here, is_root = left.pop()
        for number, node in enumerate(here.sequence):
            names = set(node)
            faults += [f"{name} twice" for name in names & (ROOT_ONLY | MOVE | {"PL", "C", "N"}) if len(node[name]) > 1]
            faults += [f"{name} behind the root" for name in names & ROOT_ONLY if not (is_root and number == 0)]
            faults += ["set-up and move in a node"] if names & MOVE and names & SETUP else []
            faults += ["KO without a move"] if "KO" in names and not names & {"B", "W"} else []
            points = [value for name in ("AB", "AW", "AE") for value in node.get(name, [])]
            faults += ["a point set up twice"] if len(set(points)) < len(points) else []
            faults += ["HA of fewer than two stones"] if int(node.get("HA", [b"2"])[0]) < 2 else []
            stones, handicap = node.get("AB", []), int(node.get("HA", [b"0"])[0])
            faults += ["HA is not the number of AB"] if stones and handicap not in (0, len(stones)) else []
            faults += [
                f"{name} has no such value"
                for name in names & VALUES.keys()
                if not all(map(VALUES[name].fullmatch, node[name]))
            ]
        left += [(child, False) for child in here.children]
    return faults


@pytest.mark.parametrize("rules", ["ultimate", "japanese", "chinese", "aga", "ing"])
def test_records_have_nothing_that_sgfc_corrects(rules: str) -> None:
    for handicap in (0, 1, 3) if rules != "ultimate" else (0,):
        record = Setup(rule_set(rules), size=(9, 9), handicap=handicap).record()
        lot = random.Random(handicap)
        for _ in range(30):
            player, points = record.to_play, list(points_of(legal_placements(record)))
            record = judge(record, Placement(player, lot.choice(points)) if points else Pass(player)).after or record
        refused = RefusedMove(Placement(record.to_play, 0), "A9", "occupied")
        notes = SgfAnnotations(comments={0: "a", 3: "b"}, tried={4: [refused]}, end="over")
        data = write_sgf(record, "Ann", "Ben", notes, Times(control("5m+3x30s"), {5: TimeLeft(1500, 2)}))
        assert _faults(data) == [] and (b"AB[" in data) is (handicap == 3)


def test_the_version_in_a_record_is_no_difference_between_records() -> None:
    data = write_sgf(Setup(rule_set("chinese"), size=(5, 5)).record())
    other = re.sub(rb"AP\[shinpan:[^]]+\]", b"AP[shinpan]", data)
    assert other != data and without_words(other) == without_words(data)
