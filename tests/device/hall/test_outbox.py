"""Final results go from real boxes into the pairing program: once, and never over what a person has entered."""

from __future__ import annotations

import threading
import time
from datetime import datetime

import pytest

from device.hall import outbox
from device.hall.event_log import HallEventLog, Note
from device.hall.hall import Hall
from device.hall.outbox import Outbox
from device.hall.pairgoth import Pairgoth
from device.hall.tables import PairgothAt
from tests.support.attack.strangers import Stranger
from tests.support.device.pairgoth import StandIn
from tests.support.device.venues import Venues, pages, tile_of
from tests.support.waiting import PATIENCE_S, until
from web.hall.tiles import Outcome
from web.language import ENGLISH

MATCH = {"rules": "chinese", "black": "Ada Example", "white": "Sample, Ben", "round": "1", "table": "7"}


def hall_at(venues: Venues, pairgoth: StandIn) -> Hall:
    return venues.hall(pairgoth=PairgothAt(pairgoth.address, "1"))


def play(venues: Venues, result: str = "B+R", **changes: str) -> None:
    """A game of round 1 at table 7, to the end."""
    venues.box.act("set-up", **{**MATCH, **changes})
    say(venues, result)


def say(venues: Venues, result: str) -> None:
    venues.box.act("report", result=result, why="for the test")
    venues.box.act("verify")


def outcomes(hall: Hall, *wanted: Outcome) -> None:
    """Wait until the results stand so."""
    until(lambda: [what for _, what in hall.entering().results] == list(wanted), hall.entering)


def count_entered(hall: Hall) -> int:
    return sum(entry.kind is Note.ENTERED for entry in hall.event_log.entries)


def test_a_final_result_goes_into_pairgoth_and_is_read_back(venues, pairgoth):
    hall = hall_at(venues, pairgoth)
    play(venues)
    outcomes(hall, Outcome.STANDS)
    until(lambda: count_entered(hall) == 1, lambda: hall.event_log.entries)
    assert pairgoth.writes == [(1, 11, "b")]
    client, _ = pages(venues, hall)
    assert "Stands in the tournament" in client.get("/results").get_data(as_text=True)


def test_only_what_both_have_agreed_to_goes_in(venues, pairgoth):
    hall = hall_at(venues, pairgoth)
    venues.box.act("set-up", **MATCH)
    venues.box.act("report", result="B+R", why="for the test")
    tile_of(hall, lambda tile: tile.status is not None and tile.status["result"] == "B+R")
    assert hall.entering().results == () and pairgoth.writes == []
    venues.box.act("verify")
    outcomes(hall, Outcome.STANDS)


def test_what_another_has_entered_is_left_and_told(venues, pairgoth):
    pairgoth.game(11)["r"] = "w"
    hall = hall_at(venues, pairgoth)
    play(venues)
    outcomes(hall, Outcome.DIFFERS)
    assert pairgoth.writes == [] and count_entered(hall) == 0
    pairgoth.game(11)["r"] = "b"
    outcomes(hall, Outcome.STANDS)


def test_what_a_person_has_taken_out_is_not_put_in_again(venues, pairgoth):
    hall = hall_at(venues, pairgoth)
    play(venues)
    until(lambda: count_entered(hall) == 1, lambda: hall.event_log.entries)
    pairgoth.game(11)["r"] = "?"
    hall.close()
    again = hall_at(venues, pairgoth)
    outcomes(again, Outcome.REMOVED)
    assert len(pairgoth.writes) == 1


def test_a_later_result_of_the_same_game_is_for_a_person(venues, pairgoth):
    hall = hall_at(venues, pairgoth)
    play(venues)
    until(lambda: count_entered(hall) == 1, lambda: hall.event_log.entries)
    say(venues, "W+R")
    outcomes(hall, Outcome.REPLACED, Outcome.DIFFERS)
    say(venues, "B+R")
    outcomes(hall, Outcome.REPLACED, Outcome.REPLACED, Outcome.STANDS)
    assert pairgoth.writes == [(1, 11, "b")]


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({"table": "9"}, Outcome.OTHER_TABLE),
        ({"round": "2"}, Outcome.NO_GAME),
        ({"white": "Ben Samples"}, Outcome.NAMES),
        ({"black": "Ben Sample", "white": "Ada Example"}, Outcome.COLOURS),
        ({"table": "8", "black": "Cleo Model", "white": "Dan Pattern"}, Outcome.OTHER_TABLE),
    ],
)
def test_nothing_goes_to_another_table_or_another_player(venues, pairgoth, changes, outcome):
    hall = hall_at(venues, pairgoth)
    play(venues, **changes)
    outcomes(hall, outcome)
    assert pairgoth.writes == []


def test_another_boxs_word_keeps_no_result_of_the_table_back(venues, pairgoth):
    pairgoth.down = True
    hall = hall_at(venues, pairgoth)
    fields = {
        "game": "00001_x",
        "result": "W+R",
        "players": [MATCH["black"], MATCH["white"]],
        "round": "1",
        "table": "7",
    }
    hall.event_log.write(1000.0, Note.RESULT, "8", {"box": "c" * 64, **fields})
    play(venues)
    outcomes(hall, Outcome.BAD_FILE, Outcome.BAD_FILE)
    hall.close()
    pairgoth.down = False
    hall = hall_at(venues, pairgoth)
    outcomes(hall, Outcome.OTHER_TABLE, Outcome.STANDS)
    assert pairgoth.writes == [(1, 11, "b")]
    client, _ = pages(venues, hall)
    assert "To be decided, because the box of table 8 says it" in client.get("/results").get_data(as_text=True)


def test_a_program_that_is_away_gets_it_when_it_is_back(venues, pairgoth):
    pairgoth.down = True
    hall = hall_at(venues, pairgoth)
    play(venues)
    outcomes(hall, Outcome.BAD_FILE)
    client, _ = pages(venues, hall)
    assert "answers 503" in client.get("/results").get_data(as_text=True)
    hall.close()
    pairgoth.down = False
    again = hall_at(venues, pairgoth)
    outcomes(again, Outcome.STANDS)
    assert pairgoth.writes == [(1, 11, "b")]


def test_two_games_of_one_pairing_that_ended_differently_are_for_a_person(venues, pairgoth):
    pairgoth.down = True
    hall = hall_at(venues, pairgoth)
    play(venues)
    outcomes(hall, Outcome.BAD_FILE)
    play(venues, "W+R")
    outcomes(hall, Outcome.BAD_FILE, Outcome.BAD_FILE)
    hall.close()
    pairgoth.down = False
    again = hall_at(venues, pairgoth)
    outcomes(again, Outcome.TWICE, Outcome.TWICE)
    assert pairgoth.writes == []


def test_a_win_by_forfeit_is_not_given_to_a_program_that_rates_it(venues, pairgoth):
    hall = hall_at(venues, pairgoth)
    play(venues, "W+F")
    outcomes(hall, Outcome.FORFEIT)
    client, _ = pages(venues, hall)
    assert "would have this win by forfeit rated" in client.get("/results").get_data(as_text=True)
    say(venues, "W+R")
    outcomes(hall, Outcome.REPLACED, Outcome.STANDS)
    say(venues, "W+F")
    outcomes(hall, Outcome.REPLACED, Outcome.REPLACED, Outcome.FORFEIT)
    assert pairgoth.writes == [(1, 11, "w")]


def test_a_game_and_a_forfeit_of_one_pairing_are_for_a_person(venues, pairgoth):
    pairgoth.down = True
    hall = hall_at(venues, pairgoth)
    play(venues, "B+F")
    play(venues, "W+R")
    outcomes(hall, Outcome.BAD_FILE, Outcome.BAD_FILE)
    pairgoth.down = False
    outcomes(hall, Outcome.TWICE, Outcome.TWICE)
    assert pairgoth.writes == []


def test_what_is_undecided_stands_in_no_file(venues, tmp_path):
    (tmp_path / "cup.csv").write_text("round,table,black,white\n1,7,Ada Example,Ben Sample\n")
    results_file = tmp_path / "hall" / "results.csv"
    hall = venues.hall(csv=str(tmp_path / "cup.csv"))
    play(venues)
    until(lambda: results_file.exists() and "Ben Sample,B" in results_file.read_text(), hall.entering)
    play(venues, "W+R")
    outcomes(hall, Outcome.TWICE, Outcome.TWICE)
    until(lambda: "Ben Sample,B" not in results_file.read_text(), results_file.read_text)
    assert "1,7,Ada Example,Ben Sample," in results_file.read_text()
    hall.close()
    results_file.write_text(
        results_file.read_text().replace("Ben Sample,", "Ben Sample,B")
    )  # As if it had been killed before.
    hall = venues.hall(csv=str(tmp_path / "cup.csv"))
    until(lambda: "Ben Sample,B" not in results_file.read_text(), results_file.read_text)


def test_the_same_result_of_two_games_is_entered_once(venues, pairgoth):
    pairgoth.down = True
    hall = hall_at(venues, pairgoth)
    play(venues)
    outcomes(hall, Outcome.BAD_FILE)
    play(venues, "B+3.5")
    outcomes(hall, Outcome.BAD_FILE, Outcome.BAD_FILE)
    hall.close()
    pairgoth.down = False
    again = hall_at(venues, pairgoth)
    outcomes(again, Outcome.STANDS, Outcome.STANDS)
    assert pairgoth.writes == [(1, 11, "b")]


def test_a_copy_with_the_result_lies_in_the_halls_folder(venues, tmp_path):
    (tmp_path / "cup.csv").write_text("round,table,black,white\n1,7,Ada Example,Ben Sample\n")
    hall = venues.hall(csv=str(tmp_path / "cup.csv"))
    play(venues)
    results_file = tmp_path / "hall" / "results.csv"
    until(results_file.exists, hall.entering)
    assert "1,7,Ada Example,Ben Sample,B" in results_file.read_text(encoding="utf-8-sig")
    outcomes(hall, Outcome.ENTERED)
    client, _ = pages(venues, hall)
    assert client.get("/results/made").data == results_file.read_bytes()
    assert "For CSV: results.csv" in client.get("/results").get_data(as_text=True)
    (tmp_path / "cup.csv").write_bytes(results_file.read_bytes())
    outcomes(hall, Outcome.STANDS)


CUP = (
    '<Tournament dataVersion="201"><Players><Player name="Example" firstName="Ada"/><Player name="Sample" '
    'firstName="Ben"/></Players><Games><Game blackPlayer="EXAMPLEADA" whitePlayer="SAMPLEBEN" handicap="0" '
    'knownColor="true" result="{}" roundNumber="1" tableNumber="7"/></Games></Tournament>'
)


def test_no_file_for_opengotha_takes_a_directors_correction_back(venues, tmp_path):
    """Merged, a file that still lies there would put the old result over the corrected one."""
    cup, merge_file = tmp_path / "cup.xml", tmp_path / "hall" / "to-opengotha.xml"
    cup.write_text(CUP.format("RESULT_UNKNOWN"))
    hall = venues.hall(opengotha=str(cup))
    play(venues)
    until(merge_file.exists, hall.entering)
    stale = merge_file.read_bytes()
    hall.close()
    cup.write_text(CUP.format("RESULT_BLACKWINS"))
    hall = venues.hall(opengotha=str(cup))
    until(lambda: count_entered(hall) == 1 and not merge_file.exists(), hall.entering)
    hall.close()
    merge_file.write_bytes(stale)  # As if the hall had been killed before it removed the file.
    cup.write_text(CUP.format("RESULT_WHITEWINS"))
    hall = venues.hall(opengotha=str(cup))
    until(lambda: not merge_file.exists(), hall.entering)
    outcomes(hall, Outcome.DIFFERS)


def test_a_disputed_game_is_out_of_the_file_before_the_page_says_so(venues, tmp_path, monkeypatch):
    monkeypatch.setattr(outbox, "WATCHED", 3600.0)
    monkeypatch.setattr(outbox, "OFTEN", 3600.0)
    cup, merge_file = tmp_path / "cup.xml", tmp_path / "hall" / "to-opengotha.xml"
    cup.write_text(CUP.format("RESULT_UNKNOWN"))
    hall = venues.hall(opengotha=str(cup))
    play(venues)
    until(merge_file.exists, hall.entering)
    saved = datetime.fromtimestamp(cup.stat().st_mtime)
    assert f"For cup.xml as it was saved on {saved:%Y-%m-%d at %H:%M:%S}." in merge_file.read_text()
    cup.write_text(CUP.format("RESULT_WHITEWINS"))
    assert [what for _, what in hall.entering().results] == [Outcome.DIFFERS]
    assert not merge_file.exists()


def test_the_file_follows_saved_tournaments_and_corrections(venues, tmp_path, monkeypatch):
    monkeypatch.setattr(outbox, "OFTEN", 3600.0)
    cup, merge_file = tmp_path / "cup.xml", tmp_path / "hall" / "to-opengotha.xml"
    cup.write_text(CUP.format("RESULT_UNKNOWN"))
    venues.hall(opengotha=str(cup))
    play(venues)
    until(lambda: merge_file.exists() and "BLACKWINS" in merge_file.read_text(), merge_file.exists)
    say(venues, "W+2.5")
    until(lambda: "WHITEWINS" in merge_file.read_text(), merge_file.read_text)
    cup.write_text(CUP.format("RESULT_BLACKWINS"))
    until(lambda: not merge_file.exists(), merge_file.exists)
    assert cup.read_text() == CUP.format("RESULT_BLACKWINS"), "the director's own file is written to"


def test_a_copy_follows_what_the_director_corrects(venues, tmp_path):
    cup, results_file = tmp_path / "cup.csv", tmp_path / "hall" / "results.csv"
    cup.write_text("round,table,black,white,result\n1,7,Ada Example,Ben Sample,\n")
    hall = venues.hall(csv=str(cup))
    play(venues)
    until(results_file.exists, hall.entering)
    hall.close()
    cup.write_bytes(results_file.read_bytes())
    hall = venues.hall(csv=str(cup))
    until(lambda: count_entered(hall) == 1, hall.entering)
    hall.close()
    cup.write_text(corrected := "round,table,black,white,result\n1,7,Ada Example,Ben Sample,W\n")
    hall = venues.hall(csv=str(cup))
    until(lambda: "Ben Sample,W" in results_file.read_text(), results_file.read_text)
    assert cup.read_text() == corrected, "the director's own file is written to"


@pytest.mark.slow
def test_only_one_waits_for_a_slow_pairing_program(tmp_path):
    """Everybody may ask for the results, and all who wait take a place from the wall."""
    event_log, silent = HallEventLog(tmp_path), Stranger("nothing")
    entered_by = Outbox(event_log, Pairgoth(PairgothAt(silent.url, "1")), time.time)
    try:
        before = entered_by.entering()
        silent.asked.clear()
        first = threading.Thread(target=entered_by.entering)
        first.start()
        assert silent.asked.wait(PATIENCE_S)
        assert entered_by.entering() is before and before.why is not None
        assert "cannot be reached" in ENGLISH.sentence(before.why) and first.is_alive()
        first.join(PATIENCE_S)
    finally:
        entered_by.close()
        silent.close()
        event_log.close()
