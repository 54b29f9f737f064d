"""The pairing program of a hall, and its rounds prepared to be handed out on the hall's terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from device.hall.byes import is_nobody
from device.hall.csv_pairings import Listed
from device.hall.macmahon import MacMahon
from device.hall.opengotha import OpenGotha
from device.hall.pairgoth import Pairgoth
from device.hall.pairing import Pairing, Program, newest_round, rounds_of, seat_of
from device.hall.tables import HallConfig
from device.settings import expand_home
from referee.game.messages import message
from web.hall.assignment import Draft


def program_of(venue: HallConfig, folder: Path) -> Program | None:
    """Return the pairing program that the settings name, None if there is none.

    folder: the hall's own, where files for the program are written, so that none can overwrite the tournament's
    """
    if venue.opengotha is not None:
        return OpenGotha(expand_home(venue.opengotha), folder / "to-opengotha.xml")
    if venue.macmahon is not None:
        return MacMahon(expand_home(venue.macmahon), folder / "to-macmahon.xml")
    if venue.csv is not None:
        return Listed(expand_home(venue.csv), folder / "results.csv")
    return Pairgoth(venue.pairgoth) if venue.pairgoth is not None else None


def build_draft(pairings: Iterable[Pairing], venue: HallConfig, round_name: str = "") -> Draft:
    """Prepare the tables of a round, by default of the newest."""
    all_pairings = tuple(pairings)
    chosen_round = round_name or newest_round(all_pairings)
    boxes = {one.table for one in venue.tables}
    tables = [
        one for one in all_pairings if one.round == chosen_round and not (is_nobody(one.black) or is_nobody(one.white))
    ]
    twice = [seat for seat, games in Counter(seat_of(one) for one in tables if one.table).items() if games > 1]
    if twice:
        table = next(one.table for one in tables if seat_of(one) == twice[0])
        why = message("hall.paired-twice", table=table, round=chosen_round)
        return Draft(chosen_round, tuple(rounds_of(all_pairings)), why=why)
    matches = tuple(_build_match(one, venue) for one in tables if one.table in boxes)
    without = tuple(one.table for one in tables if one.table not in boxes)
    return Draft(chosen_round, tuple(rounds_of(all_pairings)), matches, without)


def _build_match(pairing: Pairing, venue: HallConfig) -> dict[str, Any]:
    assert venue.round is not None, "a list that names a pairing program names what its rounds are played on"
    return {
        "event": venue.event,
        "round": pairing.round,
        "table": pairing.table,
        "black": pairing.black,
        "white": pairing.white,
        **venue.round.act(pairing.handicap, pairing.komi),
    }
