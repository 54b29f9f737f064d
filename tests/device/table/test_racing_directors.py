"""Two and more directors who tap at the same time: no act is lost, done twice, or done to a turn that was not seen."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from device.journal.replay import replay_journal
from device.table.controller import TableController
from referee.codec import read_message
from referee.game.messages import error_message
from tests.support.device.directed import ORIGIN, DirectedTable
from tests.support.tiers import seeds
from tests.support.waiting import PATIENCE_S
from tests.support.wording import english
from web.director.confirmation import word_for
from web.errors import BadAct, Unsure

WHY, TAPS = "for the test", 25
ACTS = ({"act": "pause"}, {"act": "resume"}, {"act": "remark"}, {"act": "take-back", "turns": 1})


@pytest.fixture
def table(tmp_path: Path) -> Iterator[DirectedTable]:
    table = DirectedTable(tmp_path, "chinese")
    yield table
    table.close()


def enter_act(player: str, point: str, **more: object) -> dict[str, object]:
    return {"act": "enter", "player": player, "turn": "place", "point": point, "why": WHY, **more}


def race(table: DirectedTable, *bodies: Mapping[str, object]) -> list[str]:
    """Return the answers to directors who all act before any of the acts is done, in the order of their taps."""
    holds, inside, answers = threading.Event(), threading.Event(), dict[int, str]()

    def hold(_: TableController) -> None:
        holds.set()
        inside.wait(PATIENCE_S)

    def act(number: int, body: Mapping[str, object]) -> None:
        try:
            answers[number] = " ".join(map(english, table.director.act(body)))
        except BadAct as error:
            answers[number] = f"no: {english(error_message(error))}"

    table.event_loop._queue.put(hold)
    assert holds.wait(PATIENCE_S)
    directors = [threading.Thread(target=act, args=one) for one in enumerate(bodies)]
    for number, director in enumerate(directors, 1):
        director.start()
        while table.event_loop._queue.qsize() < number and director.is_alive():
            pass
    inside.set()
    for director in directors:
        director.join(PATIENCE_S)
    return [answers[number] for number in range(len(bodies))]


def same_again(table: DirectedTable) -> bool:
    return replay_journal(table.journals[-1]).differs is None


def test_two_who_take_back_the_turn_they_saw_take_one_back(table):
    for player, point in (("B", "B2"), ("W", "C3"), ("B", "D4")):
        table.act(**enter_act(player, point))
    tap = {"act": "take-back", "turns": 1, "last": 3, "why": WHY}
    first, second, third = race(table, tap, tap, tap)
    assert not first.startswith("no: ") and table.now.game.turn == 2
    assert second == third == "no: Turn 3 is not the newest any more. Please look again." and same_again(table)


def test_two_who_enter_the_same_turn_enter_one(table):
    first, second = race(table, enter_act("B", "B2"), enter_act("B", "B2"))
    assert not first.startswith("no: ") and second.startswith("no: ") and table.now.game.turn == 1


def test_a_turn_is_entered_after_the_turn_that_was_seen_and_no_other(table):
    """The third director saw the game before its first turn, and it is Black's turn again."""
    answers = race(
        table,
        enter_act("B", "B2", last=0),
        enter_act("W", "C3", last=1),
        enter_act("B", "D4", last=0),
        enter_act("B", "D2"),
    )
    assert [one.startswith("no: ") for one in answers] == [False, False, True, False]
    assert "Please look again" in answers[2] and table.now.game.turn == 3 and same_again(table)


def test_a_loss_that_another_act_has_changed_is_not_confirmed(table):
    """Each was shown what is lost: the second has not seen that there is a result by now, nor whose."""
    table.act(**enter_act("B", "B2"))
    report, words = {"act": "report", "why": WHY}, {}
    for result in ("B+R", "W+R"):
        with pytest.raises(Unsure) as unsure:
            table.director.act({**report, "result": result})
        words[result] = word_for(error_message(unsure.value))
    first, second = race(table, *({**report, "result": one, "sure": word} for one, word in words.items()))
    assert not first.startswith("no: ") and str(table.now.game.result) == "B+R"
    assert second.startswith("no: ") and "B+R" in second
    with pytest.raises(Unsure) as unsure:
        table.director.act({"act": "verify"})
    verify = {"act": "verify", "sure": word_for(error_message(unsure.value))}
    changed, refused = race(table, {**report, "result": "W+R", "sure": True}, verify)
    assert not changed.startswith("no: ") and refused.startswith("no: ") and "W+R" in refused
    assert str(table.now.game.result) == "W+R" and same_again(table)


def test_a_match_that_two_set_up_is_not_ended_untold(table):
    match = {"act": "set-up", "rules": "chinese", "black": "Ada", "white": "Ben"}
    first, second, third = race(table, match, enter_act("B", "B2"), {**match, "black": "Cleo"})
    assert not (first.startswith("no: ") or second.startswith("no: "))
    assert third.startswith("no: ") and table.now.names == ("Ada", "Ben")


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, 20))
def test_every_act_of_three_racing_directors_is_done_or_refused(table, seed):
    """Each in a browser of their own: what is answered 200 stands in the journal, once, and nothing else does."""
    pin, chance, done, refused = table.pin.make(), random.Random(seed), set[str](), set[str]()

    def tap(number: int, own: random.Random) -> None:
        client = table.app.test_client()
        token = client.post("/director/session", json={"pin": pin}, headers=ORIGIN).get_json()["token"]
        for turn in range(TAPS):
            point, word = f"{own.choice('ABCDE')}{own.randrange(1, 6)}", f"tap {number}-{turn}."
            chosen = own.choice((*ACTS, enter_act(own.choice("BW"), point)))
            answer = client.post("/director/acts", json={**chosen, "why": word}, headers={**ORIGIN, "X-Token": token})
            (done if answer.status_code == 200 else refused).add(word)

    directors = [threading.Thread(target=tap, args=(one, random.Random(chance.random()))) for one in range(3)]
    for director in directors:
        director.start()
    for director in directors:
        director.join(PATIENCE_S)
    assert len(done) + len(refused) == 3 * TAPS and done and refused
    remarks = [english(read_message(one.body)) for one in table.entries if one.body.get("word") == "remark"]
    counts = {word: sum(word in remark for remark in remarks) for word in done | refused}
    assert counts == dict.fromkeys(done, 1) | dict.fromkeys(refused, 0)
    assert same_again(table)
