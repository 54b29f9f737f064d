"""The lamps by themselves, for a phone or a tablet that lies on the table in their place: one side's, or all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from flask import Flask, Response, render_template, request

from referee import LAMPS, Light, Showing, table_lamp
from web.answers import keep_language, reader, refusal
from web.desk import Desk
from web.language import ENGLISH, Tongue, tongue
from web.parts import Followed
from web.view import View, view_of

ALL = 0
"""Stands for the whole table in place of a side."""


@dataclass(frozen=True)
class Lamp:
    """One side's lamp, and that of the ultimate stone. player: who sits there, None where that is not known. act: what
    they have to do, in a few words. far: it is read from the other side of the table."""

    side: int
    light: Light
    player: str | None
    colour: str
    act: str
    ultimate: bool
    far: bool


@dataclass(frozen=True)
class Lamps:
    """What is shown. side: whose, ALL for the whole table."""

    view: View
    side: int
    lamps: tuple[Lamp, ...]
    table: Light


def add_lamps(app: Flask, desk: Desk, run: str) -> None:
    """The lamps, of the table or of one side."""
    pages = Followed(partial(_page, run), run)

    @app.get("/lamps")
    def show_lamps() -> Response:
        showing, side = desk.showing(), request.args.get("side", ALL, type=int)
        if side not in (ALL, *showing.game.sides):
            return refusal("http.nothing-here", 404)
        return keep_language(Response(pages.page(showing, reader().code, side), mimetype="text/html"))

    @app.get("/lamps/<int:side>/parts")
    def show_lamps_parts(side: int) -> Response:
        """What differs from the version that the reader has."""
        showing = desk.showing()
        if side not in (ALL, *showing.game.sides):
            return refusal("http.nothing-here", 404)
        text = pages.since(showing, request.args.get("since", ""), reader().code, side)
        return Response(text, mimetype="text/html")


def _page(run: str, showing: Showing, code: str, side: int) -> str:
    say, version = tongue(code), f"{run}-{showing.number}"
    return render_template("lamps.html", lit=lamps_of(showing, side, say), say=say, version=version)


def lamps_of(showing: Showing, side: int = ALL, say: Tongue = ENGLISH) -> Lamps:
    """What one side's page shows, or the whole table's. Side 2 sits across from side 1."""
    view, sides = view_of(showing, say), showing.game.sides if side == ALL else (side,)
    lamps = tuple(_lamp(showing, view, one, side == ALL and one == 2, say) for one in sides)
    return Lamps(view, side, lamps, table_lamp(showing))


def _lamp(showing: Showing, view: View, side: int, far: bool, say: Tongue) -> Lamp:
    task = showing.standing.task_at(side)
    player = next((player for player in view.players if player.side == side), None)
    name, colour = (player.person or player.name, player.colour) if player else (None, "")
    act = "" if LAMPS[task] == Light() else say(f"act.{task}")
    return Lamp(side, LAMPS[task], name, colour, act, player is not None and player.ultimate, far)
