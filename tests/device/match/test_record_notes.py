"""Notes in a match's game record beside its turns, and other programs that read it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from sgfmill import sgf, sgf_moves

from device.journal.replay import replay_journal
from device.match.record_notes import Annotator
from device.match.record_writer import write_record
from referee.game.actor import Actor
from referee.game.game_info import NO_GAME_INFO, GameInfo
from referee.game.messages import message
from referee.game.record import GameRecord
from referee.rules.agreements import apply_action
from referee.sgf.records import read_sgf, write_sgf
from referee.table.events import Agree, Propose, Remark
from referee.table.table import Table
from tests.support import ROOT
from tests.support.gnugo import GtpRefusal, gnugo
from tests.support.referee.table import B, PlayedTable, W
from tests.support.tiers import sample
from tests.support.wanting import SABAKI, program, wanting
from tests.support.web.snapshots import begun_table, counted_table, superko, ultimate_game

# Other programs that read SGF: each tells a record's main line as it sees it.

Moves = list[tuple[str, str]]
"""Colour's letter and SGF's point, empty for a pass."""
_SABAKI = """
const { parse } = require("@sabaki/sgf");
let node = parse(require("fs").readFileSync(0, "utf8"))[0];
let branches = 0;
const moves = [];
for (; node; node = node.children[0]) {
  branches += Math.max(node.children.length - 1, 0);
  for (const colour of ["B", "W"]) if (node.data[colour]) moves.push([colour, node.data[colour][0]]);
}
console.log(JSON.stringify({ moves, branches }));
"""


def by_sgfmill(data: bytes) -> tuple[Moves, int]:
    """The moves of the main line, and how many variations leave it. Stones are set up and played as sgfmill does."""
    game = sgf.Sgf_game.from_bytes(data)
    sgf_moves.get_setup_and_moves(game)
    line = game.get_main_sequence()
    moves = [(colour.upper(), node.get_raw(colour.upper()).decode()) for node in line if (colour := node.get_move()[0])]
    return moves, sum(max(len(node) - 1, 0) for node in line)


def by_sabaki(data: bytes) -> tuple[Moves, int]:
    """The same by Sabaki's parser; skips where it is not installed."""
    node, paths = program("node", SABAKI), [str(ROOT / ".venv/node_modules"), os.environ.get("NODE_PATH", "")]
    environment = {**os.environ, "NODE_PATH": os.pathsep.join(filter(None, paths))}
    read = subprocess.run([node, "-e", _SABAKI], input=data, env=environment, capture_output=True, check=False)
    if b"Cannot find module" in read.stderr:
        wanting(SABAKI)
    assert read.returncode == 0 and not read.stderr, read.stderr
    game = json.loads(read.stdout)
    return [(colour, point) for colour, point in game["moves"]], game["branches"]


def by_gnugo(path: Path) -> str | None:
    """Return GNU Go's reason to refuse the file, None if it loads it; skip if it is not installed."""
    with gnugo() as engine:
        try:
            engine.ask(f"loadsgf {path}")
        except GtpRefusal as refusal:
            return str(refusal)
    return None


KEPT = sorted((ROOT / "tests" / "data" / "journals").glob("*.journal"))
JOURNALS = pytest.mark.parametrize("journal", KEPT, ids=lambda path: path.stem)
SOME = pytest.mark.parametrize("journal", sample(KEPT, 3), ids=lambda path: path.stem)


def record_of(table: PlayedTable, game_info: GameInfo = NO_GAME_INFO, began: str = "") -> bytes:
    return write_sgf(
        table.referee.record, "Ann", "Ben", Annotator().collect_annotations(table.referee.snapshot, game_info, began)
    )


def read(data: bytes) -> list[sgf.Tree_node]:
    return sgf.Sgf_game.from_bytes(data).get_main_sequence()


def again(data: bytes) -> GameRecord:
    setup, acts = read_sgf(data)
    record = setup.record()
    for act in acts:
        record = apply_action(record, act).after or record
    return record


def replay_copy(journal: Path, folder: Path) -> Table:
    return replay_journal(Path(shutil.copy(journal, folder))).table


def moves_of(record: GameRecord) -> int:
    """Turns that SGF has as moves."""
    return sum(type(turn).__name__ in ("Placement", "Delay", "Pass") for turn in record.turns)


def test_when_and_where_it_was_played():
    root = read(record_of(begun_table(), GameInfo("Open", "2", "14", "Köln"), "2026-11-22T18:30:00+01:00"))[0]
    properties = {name: root.get(name) for name in ("PB", "PW", "DT", "EV", "RO", "PC", "GC")}
    assert properties == {
        "PB": "Ann",
        "PW": "Ben",
        "DT": "2026-11-22",
        "EV": "Open",
        "RO": "2",
        "PC": "Köln",
        "GC": "Table 14",
    }
    assert not {"DT", "EV", "RO", "PC", "GC"} & set(read(record_of(begun_table()))[0].properties())


def test_a_ruling_is_the_comment_of_its_turn():
    nodes = read(record_of(ultimate_game()))
    assert nodes[1].get("C").startswith("White played B8 and captured C8.")
    assert [node.get("N") if node.has_property("N") else "" for node in nodes[1:5]] == [
        "",
        "",
        "",
        "ultimate prisoner returned",
    ]


def test_a_refused_turn_is_a_variation_and_never_the_main_line():
    table = superko()
    nodes = read(record_of(table))
    main, refused = nodes[1]
    assert main is nodes[2] and main.get_move() == (None, None)
    assert refused.get_raw("B") == b"cb" and refused.get("N") == "Illegal: superko"
    assert refused.get("C").startswith("Black may not play C8.") and refused.get("C") == main.get("C")
    table.lift("C8").put(W, "B8").lid(B, W, -1).look()
    table.play("B A1")
    main, refused = read(record_of(table))[1]
    assert main.get_raw("B") == b"ai" and refused.get_raw("B") == b"cb"
    assert again(record_of(table)).acts == table.referee.record.acts


def test_the_dead_and_whose_the_points_are_stand_at_the_end():
    rows = (".OX.XO.", "..XXXO.", "XXX.XO.", "XX.XO.O", ".XXXOO.", "XX.XO.O", ".XX.XOO")
    table = PlayedTable(rows, rules="chinese", refereed=True, black_side=1)
    table.look()
    table.play("B pass", "W pass").say(Propose, B, table.dead("B7"))
    proposed = read(record_of(table))[-1]
    assert (proposed.get_raw_list("MA"), proposed.get("C")) == ([b"ba"], "Dead stones: B7.")
    table.say(Agree, W)
    end = read(record_of(table))[-1]
    assert end.get_raw_list("TW") == [b"ga", b"gb", b"gc", b"fd", b"ge", b"ff"]
    assert b"ba" in end.get_raw_list("TB") and end.get_raw_list("MA") == [b"ba"]
    assert "dead" in end.get("C") and end.get("C").endswith("Dead stones: B7.")
    assert again(record_of(table)).position == table.referee.record.position


def test_a_count_without_dead_stones_says_so():
    end = read(record_of(counted_table()))[-1]
    assert not end.has_property("MA") and "White wins by" in end.get("C")


def test_what_the_players_say_is_told_where_it_was_said():
    table = ultimate_game()
    table.play("W resign")
    nodes = read(record_of(table))
    assert "resigned" in nodes[-1].get("C") and not nodes[3].get("C").count("\n")


@JOURNALS
def test_kept_games_are_read_back_the_same(journal, tmp_path):
    table = replay_copy(journal, tmp_path)
    assert again(write_record(table, "SEAL")).acts == table.record.acts and b"SEAL[SEAL]" in write_record(table, "SEAL")


@SOME
def test_sgfmill_reads_kept_games(journal, tmp_path):
    table = replay_copy(journal, tmp_path)
    moves, branches = by_sgfmill(write_record(table))
    assert len(moves) == moves_of(table.record)
    assert branches == sum(len(then.tried) for then in table.snapshot.past.thens)


@SOME
def test_sabaki_reads_kept_games(journal, tmp_path):
    data = write_record(replay_copy(journal, tmp_path))
    assert by_sabaki(data) == by_sgfmill(data)


@SOME
def test_gnugo_reads_kept_games(journal, tmp_path):
    data = write_record(replay_copy(journal, tmp_path))
    path = tmp_path / "game.sgf"
    path.write_bytes(data)
    assert by_gnugo(path) is None


def test_a_round_that_another_program_wrote_exchanges_no_rule():
    setup, _ = read_sgf(b"(;FF[4]GM[1]SZ[9]RU[chinese]RO[3 (semifinal)];B[aa])")
    assert setup.rules.name == "chinese" and setup.rules.ko.name == "simple"


@pytest.mark.parametrize("name", ["RX", "RO"])
def test_exchanged_rules_are_read_from_either_property(name):
    setup, _ = read_sgf(f"(;FF[4]GM[1]SZ[9]RU[chinese]{name}[ko:positional];B[aa])".encode())
    assert setup.rules.ko.name == "positional"


@pytest.mark.parametrize("wait", [0.0, 1.0])
def test_what_is_collected_turn_by_turn_is_what_is_collected_at_once(wait: float) -> None:
    table, annotator = begun_table(), Annotator()
    for number, move in enumerate(("B A1", "W B1", "B J9", "W H9")):
        table.play(move)
        annotator.collect_annotations(table.referee.snapshot, NO_GAME_INFO, "")
        table.referee.receive(Remark(table.t + wait, message("notice.no-board"), Actor.DIRECTOR))
        notes = annotator.collect_annotations(table.referee.snapshot, NO_GAME_INFO, "")
        assert notes == Annotator().collect_annotations(table.referee.snapshot, NO_GAME_INFO, "")
        assert notes.comments[table.referee.record.number].count("\n") == 1, number
