"""Values sent over the wire come back as they were, through JSON as text."""

from __future__ import annotations

import base64
import json
import string
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import codec
from referee.codec.events import STEPS, _unpack_sights
from referee.game.board import COLOURS, Colour, Position, board_of
from referee.game.count_result import Count, CountStep, DeadStoneClaim
from referee.game.errors import BadRecord, RefereeError
from referee.game.messages import Duration, Listing, Message, Points, Stones, message
from referee.game.observation import LidSight, Observation
from referee.game.ruling import Reason, Ruling, Status
from referee.game.turns import OFF_BOARD, Delay, Draw, Exchange, Pass, Placement, Removal, Resign, Turn
from referee.table.events import (
    Agree,
    AgreeVoid,
    Amend,
    Button,
    ChangeKomi,
    Disagree,
    EnterAgreement,
    EnterTurn,
    Pressed,
    Propose,
    Remark,
    TakeBack,
    WaiveReminder,
)
from referee.time.controls import TimeLeft
from referee.time.steps import Act, Ground, Step

B, W = Colour.BLACK, Colour.WHITE
BOARD = board_of(5, 3)
boards = st.builds(board_of, st.integers(1, 25), st.integers(1, 25))
colours, players = st.sampled_from(COLOURS), st.sampled_from((B, W))
points, masks = st.integers(0, BOARD.points - 1), st.integers(0, BOARD.full)
texts = st.text(string.printable + "äß審", max_size=20)
times = st.integers(0, 10**9).map(lambda ms: ms / 1000)
whole = st.integers(0, 10**6)
lefts = st.builds(TimeLeft, whole, whole, whole, whole)
without_point: st.SearchStrategy[Turn] = st.one_of(
    st.builds(Delay, players, st.booleans()), *(st.builds(kind, players) for kind in (Pass, Draw, Resign))
)
turns: st.SearchStrategy[Turn] = st.builds(Placement, players, points | st.just(OFF_BOARD)) | without_point
values = st.one_of(
    *(texts, whole, times, colours),
    st.builds(Points, st.lists(texts).map(tuple)),
    st.builds(Stones, whole, st.none() | colours),
    st.builds(Duration, whole),
)
messages = st.recursive(
    st.builds(lambda key, args: message(key, **args), texts, st.dictionaries(texts, values, max_size=3)),
    lambda inner: st.builds(
        lambda key, args, then: Message(key, message(key, **args).args, tuple(then)),
        texts,
        st.dictionaries(texts, inner | st.lists(values | inner, max_size=2).map(tuple).map(Listing), max_size=2),
        st.lists(inner, max_size=2),
    ),
    max_leaves=5,
)
rulings = st.builds(
    Ruling,
    st.sampled_from(Status),
    whole,
    messages,
    st.none() | players,
    st.none() | turns,
    st.none() | st.sampled_from(Reason),
    st.none() | whole,
    st.lists(points).map(tuple),
    st.lists(points).map(tuple),
    st.none() | st.just("uncertain"),
).map(lambda ruling: replace(ruling, player=ruling.move.player) if ruling.move else ruling)
ranges = st.tuples(whole, whole)
shares = st.lists(st.floats(0, 1), max_size=9).map(tuple)
circles = st.none() | st.tuples(whole, whole)
lids = st.builds(
    LidSight,
    whole,
    whole,
    ranges,
    ranges,
    st.booleans(),
    st.booleans(),
    st.none() | st.just("two"),
    circles,
    st.none() | st.tuples(shares, shares),
).map(lambda lid: lid if lid.fault else replace(lid, circle=None))
named = st.builds(
    DeadStoneClaim, masks, masks, st.tuples(masks, masks), st.none() | st.tuples(st.integers(1, 400), whole)
)
said = st.one_of(
    st.builds(Propose, times, players, named),
    st.builds(Amend, times, players, named),
    st.builds(Agree, times, players),
    st.builds(Disagree, times, players),
    st.builds(AgreeVoid, times, st.none() | players),
    st.builds(TakeBack, times, st.integers(1, 1000)),
    st.builds(EnterTurn, times, turns, st.booleans()),
    st.builds(WaiveReminder, times),
    st.builds(ChangeKomi, times, st.floats(-1000, 1000)),
    st.builds(EnterAgreement, times, st.builds(Exchange, st.integers(1, 400)) | st.builds(Removal, masks.filter(bool))),
    st.builds(Remark, times, messages),
)
steps = st.builds(
    Step,
    times,
    st.sampled_from(Act),
    st.none() | colours,
    st.none() | colours,
    st.none() | whole,
    st.lists(st.tuples(colours, lefts), unique_by=lambda pair: pair[0]).map(tuple),
    st.none() | texts,
    st.sampled_from(Ground),
    st.integers(1, 99),
)
figures = st.dictionaries(texts, whole | st.dictionaries(players, whole))
counts = st.builds(
    Count,
    st.sampled_from(["area", "fill-in"]),
    texts | st.dictionaries(players, whole),
    st.lists(st.builds(CountStep, st.none() | players, texts, messages, st.none() | points)).map(tuple),
    figures,
    masks,
    st.booleans(),
    st.lists(messages, max_size=3).map(tuple),
    st.none() | st.tuples(masks, masks).map(lambda s: Position(BOARD, (s[0], s[1] & ~s[0]))),
)


def through_json(body: dict[str, object]) -> dict[str, Any]:
    """The body as it comes out of a text."""
    read: dict[str, Any] = json.loads(json.dumps(body))
    return read


@given(st.data(), boards, st.integers(2, 6))
def test_a_turn_comes_back_on_any_board(data, board, count):
    player = data.draw(st.sampled_from(COLOURS[:count]))
    turn = data.draw(st.builds(Placement, st.just(player), st.integers(OFF_BOARD, board.points - 1)) | without_point)
    assert codec.turn_from_json(through_json(codec.turn_to_json(turn, board)), board, count) == turn


@given(rulings)
def test_a_ruling_comes_back(ruling):
    assert codec.ruling_from_json(through_json(codec.ruling_to_json(ruling, BOARD)), BOARD) == ruling


@given(
    st.lists(st.tuples(st.integers(0, STEPS), st.integers(0, STEPS)), max_size=25),
    st.lists(lids, max_size=2).map(tuple),
    times,
)
def test_a_look_comes_back_the_same_from_the_second_time_on(stones, lid_sights, t):
    chances = tuple((1 - (b + w) / STEPS, b / STEPS, w / STEPS) for b, w in stones)
    look = Observation(t, chances, lid_sights)
    once = codec.observation_from_json(through_json(codec.observation_to_json(look)), t)
    again = codec.observation_from_json(
        through_json(codec.observation_to_json(Observation(t, once.points, once.lids))), t
    )
    assert again == once and again.packed == once.packed
    assert [sight[1:] for sight in once.points] == [sight[1:] for sight in chances] and once.lids == lid_sights
    assert all(sight[0] >= 0 for sight in once.points)


def test_a_look_that_unpacks_to_more_than_any_board_is_refused():
    endless = zlib.compress(bytes(10_000_000), 9)
    for packed in (endless, endless[:-4]):
        with pytest.raises(ValueError, match="cannot be unpacked"):
            _unpack_sights(base64.b64encode(packed).decode(), 2)


@given(st.builds(Pressed, times, st.sampled_from((0, 1, 2)), st.sampled_from(Button), st.booleans()))
def test_a_press_comes_back(press):
    assert codec.press_from_json(through_json(codec.press_to_json(press)), press.t) == press


@given(said)
def test_a_word_and_a_decision_come_back(word):
    assert codec.statement_from_json(through_json(codec.statement_to_json(word, BOARD)), word.t, BOARD) == word


@given(steps)
def test_a_step_comes_back(step):
    assert codec.step_from_json(through_json(codec.step_to_json(step))) == step


@given(counts)
def test_a_count_comes_back(count):
    assert codec.count_from_json(through_json(codec.count_to_json(count, BOARD)), BOARD) == count


junk = st.none() | st.booleans() | st.integers(-9, 10**12) | st.just(float("nan")) | texts
junk = junk | st.lists(junk, max_size=4) | st.dictionaries(texts, junk, max_size=2)
READERS: dict[str, tuple[dict[str, object], Callable[[dict[str, Any]], object]]] = {
    "turn": (codec.turn_to_json(Placement(B, 3), BOARD), lambda body: codec.turn_from_json(body, BOARD)),
    "ruling": (
        codec.ruling_to_json(Ruling(Status.LEGAL, 1, message("game-over"), B, Pass(B)), BOARD),
        lambda body: codec.ruling_from_json(body, BOARD),
    ),
    "look": (
        codec.observation_to_json(Observation(1.0, ((1.0, 0.0, 0.0),), (LidSight(1, 2, (1, 1), (2, 3), False),))),
        lambda body: codec.observation_from_json(body, 1.0),
    ),
    "press": (codec.press_to_json(Pressed(1.0, 1, Button.DONE)), lambda body: codec.press_from_json(body, 1.0)),
    "word": (
        codec.statement_to_json(Amend(1.0, B, DeadStoneClaim(3)), BOARD),
        lambda body: codec.statement_from_json(body, 1.0, BOARD),
    ),
    "entered": (
        codec.statement_to_json(EnterTurn(1.0, Pass(B)), BOARD),
        lambda body: codec.statement_from_json(body, 1.0, BOARD),
    ),
    "waived": (
        codec.statement_to_json(WaiveReminder(1.0), BOARD),
        lambda body: codec.statement_from_json(body, 1.0, BOARD),
    ),
    "komi": (
        codec.statement_to_json(ChangeKomi(1.0, 6.5), BOARD),
        lambda body: codec.statement_from_json(body, 1.0, BOARD),
    ),
    "agreed": (
        codec.statement_to_json(EnterAgreement(1.0, Exchange(2)), BOARD),
        lambda body: codec.statement_from_json(body, 1.0, BOARD),
    ),
    "step": (codec.step_to_json(Step(1.0, Act.START, B, lefts=((B, TimeLeft(1)),))), codec.step_from_json),
    "count": (
        codec.count_to_json(Count("area", "B+1", (CountStep(B, "fill", message("count"), 3),), {}), BOARD),
        lambda body: codec.count_from_json(body, BOARD),
    ),
}


@pytest.mark.parametrize("name", READERS)
@given(st.data())
def test_what_cannot_be_read_is_refused_as_its_callers_expect(name, data):
    body, read = READERS[name]
    key = data.draw(st.sampled_from(sorted(body)))
    spoilt = (
        through_json(body) | {key: data.draw(junk)}
        if data.draw(st.booleans())
        else {k: body[k] for k in body if k != key}
    )
    with suppress(KeyError, TypeError, ValueError, RefereeError):
        read(spoilt)


@pytest.mark.parametrize(
    ("fields", "turn"),
    [
        ({"turn": "place", "point": 7}, Placement(W, 7)),
        ({"turn": "place", "point": -1}, Placement(W, OFF_BOARD)),
        ({"turn": "delay"}, Delay(W)),
        ({"turn": "ultimate"}, Delay(W, ultimate=True)),
        ({"turn": "pass"}, Pass(W)),
        ({"turn": "draw"}, Draw(W)),
        ({"turn": "resign"}, Resign(W)),
    ],
)
def test_a_turn_entered_in_version_0_1_is_read(fields, turn):
    body = {"word": "enter", "stands": False, "player": "W", **fields}
    assert codec.statement_from_json(body, 2.0, BOARD) == EnterTurn(2.0, turn)


def test_dead_stones_named_in_version_0_1_are_read():
    body = {"word": "propose", "player": "B", "dead": [0, 4], "seki": [], "one_sided": [[1], []], "supplies": None}
    assert codec.statement_from_json(body, 2.0, BOARD) == Propose(2.0, B, DeadStoneClaim(0b10001, 0, (0b10, 0)))


@pytest.mark.parametrize(
    "body",
    [
        {"player": "B"},
        {"player": "B", "place": "D4", "pass": True},
        {"player": "R", "pass": True},
        {"player": "B", "pass": False},
        {"player": "B", "place": "4D"},
        {"player": "B", "place": 7},
        {"player": "B", "delay": True},
    ],
)
def test_what_is_no_turn_gets_a_sentence(body):
    with pytest.raises(BadRecord, match=r"\.$"):
        codec.turn_from_json(body, BOARD)
