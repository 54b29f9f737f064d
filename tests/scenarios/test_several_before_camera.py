"""Games of more than two players at a camera's table: eyes, referee, journal, record, lamps and page."""

from __future__ import annotations

import json

import pytest

from device.__main__ import main
from device.journal.replay import replay_journal
from device.panel.signals import signal_of
from referee.game.board import COLOURS
from referee.table.display_state import Sight, State
from tests.benchmarks.parts.several import Several, SeveralTable, wrong
from tests.support.tiers import LONG
from web.page.model import PageModel

pytestmark = LONG


@pytest.mark.parametrize(
    ("players", "turns", "stones", "light"),
    [(3, 5, 1, "white"), (2, 7, 0, "warm"), (4, 11, 2, "cool and dim"), (6, 15, 0, "white")],
)
def test_a_short_game_is_shown_its_stones_played_counted_and_kept(players, turns, stones, light, tmp_path, capsys):
    game = Several(players, turns, 40 + players, stones=stones, light=light)
    true_record, table = game.played(), SeveralTable.of(game, tmp_path)
    table.play(game, true_record)
    assert [message.key for message in table.asked] == ["stones.show", "stones.clear"]
    assert not list(wrong(table, true_record))
    assert {ruling.status.value for ruling in table.box.table.snapshot.rulings} == {"legal"}
    now = table.box.snapshot
    assert now.game.ended and len(signal_of(now).sides) == players
    states = [snapshot.display_state.state for snapshot in table.snapshots]
    assert states.index(State.UNSHOWN) < states.index(State.TURN) and table.snapshots[-1].sight is Sight.SEEN
    assert [player.colour for player in PageModel(now).players] == list(COLOURS[:players])
    if players > 2:
        assert main(["judge", str(table.box.journal.with_suffix(".jsonl"))]) == 0
        answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [answer["legal"] for answer in answers] == [True] * true_record.number and answers[-1]["ended"]
        assert table.box.sgf_record.splitlines()[0].startswith(b'{"rules": "kee"')
    again = replay_journal(table.box.journal)
    assert again.differs is None and again.table.record.turns == true_record.turns
    assert again.place.stones == table.box.place.stones
