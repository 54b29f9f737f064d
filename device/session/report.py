"""The report of an evening: one HTML file with each game's board, and the doubts with times and pictures."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Sequence
from html import escape

from device.session.doubts import Doubt
from device.session.game import EveningGame
from device.session.watching import file_of
from referee.game.board import Board
from referee.game.turns import Placement, Turn
from vision.camera.film_clock import clock_text
from web.page.svg import board_svg

STYLE = """
body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fff}
h1,h2{line-height:1.2}table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.4rem}
tr{border-top:1px solid #ccc}td:first-child{white-space:nowrap;width:10rem}
img{display:block;max-width:100%;margin:.4rem 0}
.board{max-width:26rem}@media(prefers-color-scheme:dark){body{color:#eee;background:#1b1b1b}a{color:#9cf}}
"""
Picture = Callable[[int], bytes | None]
"""A function that returns the picture of an observation, as JPEG."""


def report_of(
    name: str, lasts: float, games: Sequence[EveningGame], between: Sequence[Doubt], picture: Picture, over: bool
) -> str:
    """Return the whole file.

    name: of the recording
    lasts: seconds that were watched
    games: the games
    between: doubts that belong to no game
    picture: returns a picture
    over: whether it was watched to its end
    """
    title = f"{escape(name)}: {_count_text(len(games), 'game')}"
    far = f"{clock_text(lasts)} watched{'' if over else ' so far'}."
    parts = (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>',
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style><h1>{title}</h1><p>{far}</p>',
        *(part for number, game in enumerate(games, 1) for part in _render_game(number, game, picture)),
        *(_render_doubts("Beside the games", between, picture)),
        "</html>\n",
    )
    return "\n".join(parts)


def line_of(number: int, game: EveningGame) -> str:
    """Return a line about a game."""
    turns, doubts, gaps = game.record.number, len(game.doubts.entries), len(game.record.gaps)
    missing = f"{_count_text(gaps, 'gap')}, " if gaps else ""
    return (
        f"Game {number}: {game.size}x{game.size}, {clock_text(game.began or 0.0)} to {clock_text(game.ended)}, "
        f"{_count_text(turns, 'turn')}, {missing}{_count_text(doubts, 'doubt')}: {file_of(number)}"
    )


def _render_game(number: int, game: EveningGame, picture: Picture) -> Iterator[str]:
    record = game.record
    turns = " ".join(f"{n}&nbsp;{_format_turn(turn, record.position.board)}" for n, turn in enumerate(record.turns, 1))
    yield f'<h2 id="game-{number}">{escape(line_of(number, game))}</h2>'
    yield f'<p><a href="{file_of(number)}">{file_of(number)}</a></p>'
    yield f'<div class="board">{board_svg(record.position)}</div><p>{turns}</p>'
    yield from _render_doubts("What was doubtful", game.doubts.entries, picture)


def _render_doubts(title: str, doubts: Sequence[Doubt], picture: Picture) -> Iterator[str]:
    if not doubts:
        return
    yield f"<h3>{title}</h3><table><tr><th>when</th><th>what</th></tr>"
    for one in sorted(doubts, key=lambda one: one.t):
        yield f"<tr><td>{_format_when(one)}</td><td>{escape(one.text)}{_render_image(one, picture)}</td></tr>"
    yield "</table>"


def _format_when(one: Doubt) -> str:
    return clock_text(one.t) + (f" to {clock_text(one.until)}" if one.until is not None else "")


def _render_image(one: Doubt, picture: Picture) -> str:
    jpeg = picture(one.look) if one.look is not None else None
    if jpeg is None:
        return ""
    return f'<img loading="lazy" alt="the table then" src="data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}">'


def _format_turn(turn: Turn, board: Board) -> str:
    return board.name(turn.point) if isinstance(turn, Placement) else type(turn).__name__.lower()


def _count_text(many: int, what: str) -> str:
    return f"{many} {what}{'' if many == 1 else 's'}"
