"""The page tells one thing at a time: of two snapshots in succession, nothing that belongs to the first is on the page
of the second. The snapshots are those of a real box before which acts are done in any order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from flask.testing import FlaskClient

from referee.game.ruling import Ruling, Status
from referee.table.corrections import without_order
from referee.table.display_state import State, TableSnapshot
from tests.support.referee.table import B, W
from tests.support.sequences.random_games import drawn, played
from tests.support.sequences.table import AtTable
from tests.support.tiers import seeds
from tests.support.web.snapshots import Box, superko, take_snapshot
from web.app import create_app
from web.language import ENGLISH
from web.page.model import PageModel
from web.page.partials import parts_of

EACH = 2
"""Sequences a test."""
REFUSED = (22, 51)
"""Sequences in which a refused turn stands while the game is paused, for every test."""
_PART = re.compile(r"<!--(\w+)-->.*?<!--/\1-->", re.S)
_HEAD = re.compile(r"<title>.*?</title>|<main [^>]*>", re.S)


def snapshots(number: int) -> Iterator[TableSnapshot]:
    """Yield what is shown before and after each act of a sequence, each thing once."""
    agreed, acts = played(number) if number % 2 else drawn(number)
    with AtTable(agreed) as table:
        last = table.view.snapshot
        yield last
        for act in acts:
            now = table.do(act).snapshot
            if now != last:
                yield now
            last = now


def words(text: str) -> str:
    """Return a text without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())


def told_by(ruling: Ruling) -> str:
    """Return a ruling without what it orders, as the page writes it."""
    return words(ENGLISH.sentence(without_order(ruling.message)))


def out_of_date(before: TableSnapshot, after: TableSnapshot, page: str) -> Iterator[str]:
    """Yield what the page of the second tells of the first alone."""
    parts, state = parts_of(page), after.display_state.state
    banner, trouble = words(parts["banner"] + parts["more"]), after.trouble
    if state is not State.ILLEGAL and "data-ruled" in parts["ruling"]:
        yield "a flash"
    if trouble is None and ("asked" in parts["lids"] or "<svg" in parts["lids"]) and state.value in list(Status):
        yield "lids"
    newest = after.game.newest_ruling
    current = {told_by(one) for one in (trouble, newest) if one is not None and (one is trouble or _is_legal(one))}
    notices = {words(ENGLISH.sentence(one)) for one in (after.notice, after.asks, after.blind) if one is not None}
    for ruling in {before.trouble, before.game.newest_ruling} - {None}:
        assert ruling is not None
        sentence = told_by(ruling)
        if sentence in banner and not any(sentence in one for one in (*current, *notices)):
            yield f"the ruling {sentence!r}"
    if trouble is not None and state is State.PAUSED and words(ENGLISH.sentence(trouble.message)) in banner:
        yield "an order of a game that stands"


def _is_legal(ruling: Ruling) -> bool:
    return ruling.status is Status.LEGAL


def shown_by(client: FlaskClient, shown_box: Box, now: TableSnapshot) -> str:
    """Return the page of a snapshot."""
    shown_box.now = now
    return client.get("/").get_data(as_text=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", seeds(1, 300))
def test_nothing_of_the_snapshot_before_stays_on_the_page(seed: int) -> None:
    for number in (*range(seed * EACH, (seed + 1) * EACH), *REFUSED):
        moments = list(snapshots(number))
        shown_box = Box(moments[0])
        client = create_app(shown_box.backend).test_client()
        pages = [shown_by(client, shown_box, now) for now in moments]
        for (before, after), (was, now) in zip(pairwise(moments), pairwise(pages), strict=True):
            stale = list(out_of_date(before, after, now))
            assert not stale, f"sequence {number}, at {after.number}: {stale}"
            same = _bare(was) == _bare(now) or before.match != after.match or before.players != after.players
            assert same, f"sequence {number}, at {after.number}: more than the parts has changed"


def _bare(page: str) -> str:
    """Return a page without its parts, which alone are exchanged."""
    return _HEAD.sub("", _PART.sub("", page))


def test_a_refused_turn_flashes_while_it_stands_and_is_no_news_afterwards() -> None:
    table = superko()
    assert PageModel(take_snapshot(table)).repeated is not None
    put_right = table.lift("C8").put(W, "B8").lid(B, W, -1)
    put_right.look()
    model = PageModel(take_snapshot(put_right, trouble=None))
    assert model.repeated is None and model.news == "" and model.finding is None
    assert [one.label for one in model.earlier] == ["Illegal: superko"]
    paused = PageModel(take_snapshot(superko(), paused=True))
    assert paused.repeated is None and "C8" not in paused.headline.text + paused.news
