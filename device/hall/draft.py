"""A round as the pairing program has it, made ready to be handed out: each table's match on the terms of the hall."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from device.hall.pairing import Pairing, newest_round, rounds_of
from device.hall.tables import Venue
from web.hall.handing import Draft


def drafted(pairings: Iterable[Pairing], venue: Venue, asked: str = "") -> Draft:
    """The tables of the round that is asked for, else of the newest."""
    known = tuple(pairings)
    played = asked or newest_round(known)
    boxes = {one.table for one in venue.tables}
    tables = [one for one in known if one.round == played]
    matches = tuple(_match(one, venue) for one in tables if one.table in boxes)
    without = tuple(one.table for one in tables if one.table not in boxes)
    return Draft(played, tuple(rounds_of(known)), matches, without)


def _match(pairing: Pairing, venue: Venue) -> dict[str, Any]:
    return {
        "event": venue.event,
        "round": pairing.round,
        "table": pairing.table,
        "black": pairing.black,
        "white": pairing.white,
        **venue.round.act(pairing.handicap, pairing.komi),
    }
