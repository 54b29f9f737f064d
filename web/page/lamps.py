"""The lamps alone, for a phone or a tablet on the table in place of the panel: one side's, or all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

from flask import Flask, Response, render_template, request

from referee import LAMPS, Light, TableSnapshot, message, table_lamp
from web.backend import Backend
from web.bounded_json import parse_count
from web.language import find_translator
from web.page.banner import count_letters
from web.page.clocks import ClockFace
from web.page.headline import proposal_of
from web.page.model import PageModel
from web.page.partials import DiffedPage
from web.responses import error_response, keep_language, request_translator

ALL = 0
"""The value that means the whole table in place of a side."""
ORDER_SIZES = ((100, ""), (165, "long"))
"""The most letters of an order above a clock's digits, and the size in phone.css that they have there."""


@dataclass(frozen=True)
class Lamp:
    """One side's lamp, and that of the ultimate stone.

    side: the table's side.
    light: the lamp's colour and rhythm.
    player: the player there, None if unknown.
    name_size: the size of the name's letters.
    colour: the player's colour.
    act: the player's task, in a few words.
    ultimate: True if the player has the ultimate stone.
    far: True if it is read from the other side of the table.
    clock: the player's; while the seats are unknown the one that both have; None if there is none.
    """

    side: int
    light: Light
    player: str | None
    name_size: str
    colour: str
    act: str
    ultimate: bool
    far: bool
    clock: ClockFace | None


@dataclass(frozen=True)
class LampsModel(PageModel):
    """The contents of the lamps' page. side: the side shown, ALL for the whole table."""

    side: int = ALL

    @cached_property
    def lamps(self) -> tuple[Lamp, ...]:
        """The sides' lamps. Side 2 sits across from side 1."""
        sides = self.game.sides if self.side == ALL else (self.side,)
        return tuple(self._side_lamp(side, self.side == ALL and side == 2) for side in sides)

    @cached_property
    def table(self) -> Light:
        """The table's lamp."""
        return table_lamp(self.snapshot)

    @cached_property
    def proposal(self) -> tuple[str, ...]:
        """The count that the box proposes: the result, how many chains are dead, and the uncertain ones."""
        proposal = proposal_of(self.snapshot)
        messages = (proposal.outcome, proposal.doubts, message("proposal.refuse")) if proposal is not None else ()
        return tuple(self.say.sentence(one) for one in messages if one is not None)

    @cached_property
    def beside_order(self) -> tuple[str, ...]:
        """The first reason for the order, or the count that the box proposes, if nothing else is to be said."""
        reasons = tuple(reason.text for reason in self.headline.reasons)
        return self.proposal if self.proposal and len(reasons) == 1 else reasons[:1]

    @cached_property
    def order_size(self) -> str:
        """The size of the letters that hold order and reason above a clock's digits."""
        letters = count_letters(" ".join((self.headline.text, *self.beside_order)))
        return next((size for most, size in ORDER_SIZES if letters <= most), "longest")

    def _side_lamp(self, side: int, far: bool) -> Lamp:
        task = self.snapshot.display_state.task_at(side)
        player = next((player for player in self.players if player.side == side), None)
        name, colour = (player.person or player.name, player.colour) if player else (None, "")
        act = "" if LAMPS[task] == Light() else self.say(f"act.{task}")
        clock = player.clock if player else self._common_clock
        size = player.name_size if player else ""
        return Lamp(side, LAMPS[task], name, size, colour, act, player is not None and player.ultimate, far, clock)

    @cached_property
    def _common_clock(self) -> ClockFace | None:
        """The clock of every player, None if they differ."""
        clocks = {player.clock for player in self.players}
        return clocks.pop() if len(clocks) == 1 else None


def add_lamps(app: Flask, backend: Backend, run: str) -> None:
    """Add the lamps of the table and of each side."""
    pages = DiffedPage(partial(_render_page, run), run)

    @app.get("/lamps")
    def show_lamps() -> Response:
        snapshot, side_text = backend.read_snapshot(), request.args.get("side")
        side = ALL if side_text is None else parse_count(side_text)
        if side is None or side not in (ALL, *snapshot.game.sides):
            return error_response("http.nothing-here", 404)
        return keep_language(Response(pages.page(snapshot, request_translator().code, side), mimetype="text/html"))

    @app.get("/lamps/<int:side>/parts")
    def show_lamps_parts(side: int) -> Response:
        """Return the differences from the client's version."""
        snapshot = backend.read_snapshot()
        if side not in (ALL, *snapshot.game.sides):
            return error_response("http.nothing-here", 404)
        text = pages.since(snapshot, request.args.get("since", ""), request_translator().code, side)
        return Response(text, mimetype="text/html")


def _render_page(run: str, snapshot: TableSnapshot, code: str, side: int) -> str:
    view, version = LampsModel(snapshot, find_translator(code), side=side), f"{run}-{snapshot.number}"
    return render_template("lamps.html", view=view, say=view.say, version=version)
