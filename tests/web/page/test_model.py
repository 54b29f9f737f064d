"""The page's sentences, and that it says each thing once."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from referee.game.coordinates import JOINT, Coordinates
from referee.table.display_state import Phase
from referee.table.events import Button
from tests.support.referee.table import PlayedTable
from tests.support.tiers import LONG
from tests.support.web.snapshots import (
    KO,
    B,
    Box,
    W,
    box,
    counted_table,
    fallen,
    passed_out,
    proposed_table,
    resigned_table,
    running,
    superko,
    take_snapshot,
    ultimate_game,
    unfinished_table,
    words_of,
)
from web.app import create_app
from web.director.actions import log_of, taps_of
from web.page.model import PageModel
from web.page.navigation import NOW, GamePosition, find_neighbours, steps_of
from web.page.partials import parts_of
from web.page.status import status_of
from web.voice.speech import speech_of


@pytest.mark.parametrize(
    ("now", "mover"),
    [
        (lambda: take_snapshot(ultimate_game()), "W"),
        (lambda: take_snapshot(fallen()), "W"),
        (lambda: take_snapshot(passed_out()), ""),
    ],
    ids=["turn", "flag fallen", "end of play"],
)
def test_the_bright_side_is_the_one_who_has_to_act(now, mover):
    assert "".join(player.colour for player in PageModel(now()).players if player.moves) == mover


def timed() -> PlayedTable:
    """White took the ko in twelve seconds, and Black was refused to take it back."""
    table = PlayedTable(KO, refereed=True, to_play=W, black_side=1, control="5m")
    table.look()
    table.press(B, Button.DONE)
    table.wait(11).play("W B8")
    table.put(B, "C8").lift("B8").lid(B, W, +1)
    table.done(B)
    return table


@pytest.mark.parametrize("table", [superko(), ultimate_game()], ids=["refused", "legal"])
def test_a_ruling_is_told_in_one_part_of_the_page(table):
    shown_box = box(table)
    parts = parts_of(create_app(shown_box.backend).test_client().get("/").get_data(as_text=True))
    sentence = "Black may not play C8" if shown_box.now.trouble else "Black played E4."
    part_names = [
        name for name in ("banner", "players", "ruling", "said", "moves", "earlier") if sentence in parts[name]
    ]
    assert part_names == ["banner"] and parts["banner"].count(sentence) == 1


def test_the_list_of_turns_has_captures_refusals_and_seconds():
    refused, capture = PageModel(take_snapshot(timed())).moves
    assert (refused.text, refused.why, refused.is_refused, refused.spent) == ("C8", "superko", True, "")
    assert (capture.text, capture.why, capture.took, capture.spent, capture.seconds) == (
        "B8",
        "",
        "takes 1",
        "0:12",
        12,
    )


def test_earlier_rulings_are_those_that_were_not_legal():
    table = superko()
    assert PageModel(take_snapshot(ultimate_game())).earlier == PageModel(take_snapshot(table)).earlier == ()
    table.lift("C8").put(W, "B8").lid(B, W, -1).look()
    table.play("B G3")
    assert [one.label for one in PageModel(take_snapshot(table)).earlier] == ["Illegal: superko"]


def test_an_earlier_moment_orders_nothing():
    now = take_snapshot(superko())
    then, refused, start = (PageModel(now, at=GamePosition(*at)) for at in ((1, 0, 0), (1, 0, 1), (0, 0, 0)))
    assert refused.headline.label == "You are at turn 2, which was refused"
    assert refused.headline.text == "Black may not play C8. This would repeat the starting position."
    assert then.headline.text.startswith("White played B8") or then.is_live
    assert (start.headline.label, start.headline.text) == ("You are at turn 0 of 1", "The game begins.")
    assert not start.headline.reasons and start.headline.player is None


def test_a_step_of_the_count_is_told_in_the_banner():
    model = PageModel(take_snapshot(counted_table()), at=GamePosition(step=3))
    assert (model.headline.label, model.headline.text) == ("Count, step 3 of 4", "White receives 7.5 points as komi.")


def test_the_winner_is_known_once_there_is_a_result():
    names = {"names": ("Ann", "Bo"), "phase": Phase.RESULT}
    over = PageModel(take_snapshot(resigned_table(), **names))
    assert over.winner is not None and over.winner.person == "Ann"
    assert PageModel(take_snapshot(ultimate_game())).winner is None
    assert PageModel(take_snapshot(resigned_table(), **names), at=GamePosition(2)).winner is None, (
        "not of an earlier moment"
    )
    page = (
        create_app(box(resigned_table(), archive_name="1", **names).backend)
        .test_client()
        .get("/")
        .get_data(as_text=True)
    )
    banner, ends = parts_of(page)["banner"], parts_of(page)["ruling"]
    assert '<p class="winner">Ann</p>' in banner and "won" in banner
    assert all(f'href="/{where}"' in ends for where in ("poster.svg", "sheet", "game.sgf"))


def test_the_clocks_are_curves_over_the_turns():
    table = running("5m").play("B A3")
    table.wait(60).play("W E3")
    table.wait(20).play("B A4")
    curves = PageModel(take_snapshot(table)).curves
    assert 'viewBox="0 0 3 50"' in curves and curves.count("<path") == 2
    black, white = (curves.partition(f'of-{player}" d="')[2].partition('"')[0] for player in "BW")
    assert black.count("l1") == 2 and white.count("l1") == 1 and white.count("h1") == 2, "each at their own turns"
    assert PageModel(take_snapshot(ultimate_game())).curves == ""


@pytest.mark.parametrize("game", [timed, superko, ultimate_game, counted_table])
def test_from_each_position_the_ways_lead_to_those_beside_it(game):
    game = take_snapshot(game()).game
    at, way = GamePosition(0), [GamePosition(0)]
    while (on := find_neighbours(game, at).on) != at:
        assert find_neighbours(game, on).back == at
        at = on
        way.append(at)
    refused = [GamePosition(then.number, tried=1) for then in game.past.thens if then.tried]
    turns = [GamePosition(turn) for turn in range(game.turn + bool(refused))]
    assert way == [*turns, *refused, NOW, *(GamePosition(step=step) for step in range(1, steps_of(game) + 1))]
    assert find_neighbours(game, GamePosition(0)).back == GamePosition(0)
    assert (
        find_neighbours(game, GamePosition(99))
        == find_neighbours(game, GamePosition(1, tried=7))
        == find_neighbours(game, NOW)
    )


def test_the_two_positions_of_a_repetition_stand_side_by_side():
    table = superko()
    live = PageModel(take_snapshot(table))
    assert live.compared == (
        (GamePosition(0), "At the start"),
        (GamePosition(1, tried=1), "Turn 2: refused"),
    )
    client = create_app(box(table).backend).test_client()
    assert all(client.get(f"/board.svg{at.address}").status_code == 200 for at, _ in live.compared)
    assert PageModel(take_snapshot(table), at=GamePosition(0)).compared == ()


POINT = re.compile(r"(?<![\w-])(?!A4)[A-HJ-T]1?[0-9](?![\w])")
"""The name of an intersection as files have it, but for one that is a size of paper."""
READ_BY_PEOPLE = ("/", "/?turn=1", "/wall", "/lamps", "/sheet", "/poster.svg", "/board.svg", "/parts")


@pytest.mark.parametrize("coordinates", [pytest.param("1-1", marks=LONG), "japanese"])
@pytest.mark.parametrize("table", [superko, ultimate_game, proposed_table, counted_table, unfinished_table])
def test_people_read_intersections_as_the_settings_say(table, coordinates):
    """Every page, and everything that a page says, drawings' descriptions too."""
    now = take_snapshot(table(), coordinates=Coordinates(coordinates))
    client = create_app(Box(now).backend).test_client()
    pages = {address: words_of(client.get(address).get_data(as_text=True)) for address in READ_BY_PEOPLE}
    assert {address: points for address, text in pages.items() if (points := POINT.findall(text))} == {}
    assert any(re.search(f"[1-9]{JOINT}[1-9一二三四五六七八九]", text) for text in pages.values())
    texts = [utterance.text for utterance in speech_of(now)]
    texts += [tap.label for tap in taps_of(now)] + [one.sentence.text for one in log_of(now)]
    assert [text for text in texts if POINT.search(text)] == []


def test_other_programs_read_intersections_as_files_have_them():
    now = take_snapshot(superko())
    there = replace(now, coordinates=Coordinates.NUMERALS)
    assert status_of(there) == status_of(now) | {"coordinates": "japanese"}
