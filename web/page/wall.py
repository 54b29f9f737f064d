"""The wall: one game on a projector or a television, readable from across the room, and as an overlay for a stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

from flask import Flask, Response, render_template, request

from referee import COLOURS, Colour, Snapshot, State, TableSnapshot
from web.allowed_hosts import address_for_others
from web.backend import Backend
from web.language import ENGLISH, Translator, tongue
from web.page import labels
from web.page.clocks import newest_answers
from web.page.partials import DiffedPage
from web.page.qr import qr_svg
from web.page.view import Player, View, view_of
from web.responses import keep_language, request_translator

WALL, OVERLAY = "wall", "overlay"
"""The kinds of wall; the second, as a query, is the wall without its background, to be laid over a stream's picture."""
TOLD = 6
"""Number of newest rulings and remarks shown."""
LONG_CLOCK = 5
"""Characters of a clock, "59:59", beyond which its digits are set narrower."""
SHORT, LONG = 24, 60
"""Characters of an order up to which it is set in the largest letters, and beyond which in the smallest."""
_OVER = (State.FINAL, State.RESULT)


@dataclass(frozen=True)
class Seat:
    """A player's row.

    player: the player's card.
    lit: True if it is this player's turn.
    held: the prisoners in the lid by colour, if any.
    beside: the text beside the clock now, such as for overtime.
    narrow: True if the clock's digits are narrow.
    """

    player: Player
    lit: bool
    held: tuple[tuple[str, int], ...]
    beside: str
    narrow: bool


@dataclass(frozen=True)
class Wall:
    """The contents of the wall.

    seats: one is lit, unless it is nobody's turn and nobody has won.
    addressed: the colour of the order's addressee, "" for everybody.
    size: of the order's letters.
    told: the newest rulings and remarks.
    """

    view: View
    seats: tuple[Seat, ...]
    addressed: str
    size: str
    told: tuple[labels.LocalisedText, ...]


def add_wall(app: Flask, desk: Backend, run: str, address: str = "") -> None:
    """Add the wall, also as an overlay. address: the page's URL for other devices, as the box reports it."""
    walls = DiffedPage(partial(_page, run), run)

    def asked(kind: str) -> tuple[str, str, str]:
        return request_translator().code, kind, address_for_others(address) if kind == WALL else ""

    @app.get("/wall")
    def show_wall() -> Response:
        of = asked(OVERLAY if OVERLAY in request.args else WALL)
        return keep_language(Response(walls.page(desk.showing(), *of), mimetype="text/html"))

    @app.get("/wall/parts", defaults={"kind": WALL})
    @app.get("/wall/overlay/parts", defaults={"kind": OVERLAY})
    def show_wall_parts(kind: str) -> Response:
        """Return the differences from the client's version."""
        text = walls.since(desk.showing(), request.args.get("since", ""), *asked(kind))
        return Response(text, mimetype="text/html")


def _page(run: str, showing: TableSnapshot, code: str, kind: str, address: str) -> str:
    wall, drawn, version = wall_of(showing, tongue(code)), qr_svg(address), f"{run}-{showing.number}"
    shown = {"wall": wall, "view": wall.view, "say": tongue(code), "version": version, "kind": kind}
    return render_template("wall.html", **shown, address=address, qr=drawn, overlay=kind == OVERLAY)


def wall_of(showing: TableSnapshot, say: Translator = ENGLISH) -> Wall:
    """Build the wall's contents."""
    view, mover = view_of(showing, say), _mover(showing)
    seats = tuple(_seat(showing.game, player, player.colour == mover, say) for player in view.players)
    addressed = view.headline.player or mover
    told = tuple(one for one in _rulings_shown(showing, say) if one not in view.headline.reasons)
    order = len(view.headline.text)
    size = "short" if order <= SHORT else "long" if order > LONG else "middle"
    return Wall(view, seats, addressed or "", size, told[:TOLD])


def _rulings_shown(showing: TableSnapshot, say: Translator) -> Iterator[labels.LocalisedText]:
    """Yield the rulings except the order's subject, and the newest remark among them, newest first.

    If both have the same time, the remark comes first.
    """
    rulings = (ruling for ruling in reversed(showing.game.rulings) if ruling != showing.trouble)
    remark = newest_answers(showing.game.answers)[:1]
    said = sorted([*remark, *islice(rulings, TOLD + 1)], key=lambda one: -one.t)
    return (labels.translate_message(one.message, say) for one in said)


def _mover(showing: TableSnapshot) -> Colour | None:
    """Return the winner; before the end the only player with a task, else the player to move; None if there is none."""
    game, standing = showing.game, showing.standing
    if standing.state in _OVER:
        winner, won, _ = (game.result or "").partition("+")
        return Colour(winner) if won else None
    if standing.state is State.ILLEGAL or len(standing.concerned.players) != 1:
        return None if game.ended else game.to_play
    return standing.concerned.players[0]


def _seat(game: Snapshot, player: Player, lit: bool, say: Translator) -> Seat:
    colour, bowls = Colour(player.colour), game.bowls
    held = ((one.value, bowls.count(colour, one)) for one in COLOURS[: len(bowls.contents)])
    faces = game.clocks.faces if game.clocks is not None else ()
    beside = (say.sentence(face.beside) for face in faces if face.player is colour and face.beside is not None)
    narrow = player.clock is not None and len(player.clock.time) > LONG_CLOCK
    return Seat(player, lit, tuple(one for one in held if one[1]), next(beside, ""), narrow)
