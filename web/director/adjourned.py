"""An adjourned game on paper: photograph, diagram, lids and clocks, and the QR code of the whole game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, Response, redirect, render_template, url_for
from werkzeug.wrappers import Response as Redirect

from referee import Snapshot, TableSnapshot, message
from web.backend import Backend, DirectorBackend
from web.errors import BadAct
from web.language import Translator
from web.page import labels
from web.page.navigation import NOW
from web.page.qr import qr_svg
from web.page.svg import board_at, lid_svg, lid_words
from web.responses import error_response, keep_language, request_translator, text_response


@dataclass(frozen=True)
class PlayerLeftovers:
    """A player's part of an adjourned game.

    role: the colour.
    seated: the colour with the side, if that is known.
    person: the player's name.
    clock: its reading, empty without clocks.
    lid: a drawing of the stones in it.
    lid_words: the same in words.
    """

    role: str
    seated: str
    person: str
    clock: str
    lid: str
    lid_words: str


@dataclass(frozen=True)
class Paper:
    """The contents of the printed page.

    board: a drawing of the board.
    code: a drawing of the QR code.
    text: the code's text.
    match: the journal's name.
    seal: the journal's digest.
    """

    title: str
    to_play: str
    board: str
    players: tuple[PlayerLeftovers, ...]
    code: str
    text: str
    match: str
    seal: str


def paper_of(showing: TableSnapshot, text: str, seal: str, say: Translator) -> Paper:
    """Build the page of an adjourned game.

    showing: the game.
    text: the text of its code, which holds the whole game.
    seal: the journal's digest.
    say: the language.
    """
    game = showing.game
    mover = labels.name(game.to_play, say)
    return Paper(
        labels.occasion(showing, say) or say("paper.title"),
        say("paper.to-play", player=mover, turn=game.turn),
        board_at(showing, NOW, say),
        tuple(_leftovers(showing, number, say) for number in range(len(showing.players))),
        qr_svg(text),
        text,
        showing.match or showing.kept,
        seal,
    )


def _leftovers(showing: TableSnapshot, number: int, say: Translator) -> PlayerLeftovers:
    game, colour = showing.game, showing.players[number]
    role, side = labels.name(colour, say), game.side_of(colour)
    seated = role if side is None else say("paper.at-side", player=role, side=side)
    drawn = lid_svg(game.bowls, colour, say), lid_words(game.bowls, colour, say)
    return PlayerLeftovers(role, seated, showing.names[number], _clock(game, number, say), *drawn)


def _clock(game: Snapshot, number: int, say: Translator) -> str:
    return say.sentence(game.clocks.faces[number].shown) if game.clocks is not None else ""


def add_adjourned(
    app: Flask,
    desk: Backend,
    director: DirectorBackend,
    home: str,
    is_inside: Callable[[], bool],
    come_in: Callable[[], object],
) -> None:
    """Add the page of each adjourned game, beneath the director's home.

    home: the path of the director's home.
    is_inside: returns True if the client is a director.
    come_in: ends the request of any other client.
    """

    @app.get(f"{home}/adjourned")
    def show_this_adjourned() -> Response | Redirect:
        match = desk.showing().match
        return redirect(url_for("show_adjourned", name=match)) if match else error_response("http.no-game", 404)

    @app.get(f"{home}/games/<name>/adjourned")
    def show_adjourned(name: str) -> Response | Redirect:
        if not is_inside():
            return redirect(home)
        say, showing = request_translator(), desk.showing()
        try:
            text, seal = director.adjourned() if showing.match == name else ("", "")
        except BadAct as error:
            return text_response(say.sentence(error.args[0]), 404)
        if not text:
            replay = desk.replay(name)
            if replay is None or replay.showing is None or not replay.adjourned:
                return text_response(say.sentence(message("paper.none")), 404)
            showing, text, seal = replay.showing, replay.adjourned, replay.showing.seal
        pictured = director.photograph(name) is not None
        paper = paper_of(showing, text, seal, say)
        page = render_template("adjourned.html", paper=paper, say=say, name=name, back=home, pictured=pictured)
        return keep_language(Response(page, mimetype="text/html"))

    @app.get(f"{home}/games/<name>/adjourned.jpg")
    def show_photograph(name: str) -> Response:
        come_in()
        found = director.photograph(name)
        return error_response("http.no-picture", 404) if found is None else Response(found, mimetype="image/jpeg")
