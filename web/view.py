"""What the page's template is given: words and drawings made from a Showing. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from referee import LAMPS, Barred, Light, Message, Ruling, Showing, Snapshot, State, Task
from web import words
from web.clocks import ClockFace, clock_face, newest_answers
from web.headline import Headline, headline_of
from web.language import ENGLISH, Tongue
from web.openapi import MOST_RULINGS
from web.svg import NOW, At, board_at, lid_svg, lid_words

MESSAGE_KEYS = tuple(f"act.{task}" for task in Task if task is not Task.NOTHING)


@dataclass(frozen=True)
class Player:
    """A player's card. person: who plays, if that was said. act: what the player is doing or has to do, in a few words.

    lid: a drawing. clock: if any.
    """

    colour: str
    name: str
    person: str
    side: int | None
    lamp: Light
    act: str
    lid: str
    lid_words: str
    ultimate: bool
    clock: ClockFace | None


@dataclass(frozen=True)
class Finding:
    """A ruling as the page shows it. kind: its status, for the style sheet."""

    kind: str
    label: str
    turn: int
    text: str


@dataclass(frozen=True)
class CountStep:
    """A step of the count. shown: the board is shown as it is after this step."""

    number: int
    told: words.Told
    shown: bool


@dataclass(frozen=True)
class Move:
    """An accepted turn."""

    number: int
    colour: str
    player: str
    text: str


@dataclass(frozen=True)
class Bar:
    """A point that may not be taken now, and why."""

    point: str
    reason: str
    text: str


@dataclass(frozen=True)
class View:
    """Everything on the page; newest first in the lists. count: the steps of a count that was agreed to.

    turn: after how many turns the board is shown, of turns; step: after how many steps of the count, 0 where it is not
    shown; live: it is shown as it stands. said: what players and director did. seal: stands for the journal, once there
    is a result. Bars and the rest are of now.
    """

    headline: Headline
    rules: str
    sight: str
    sight_word: str
    board: str
    turn: int
    turns: int
    step: int
    live: bool
    to_play: str
    bars: tuple[Bar, ...]
    players: tuple[Player, ...]
    finding: Finding | None
    earlier: tuple[Finding, ...]
    moves: tuple[Move, ...]
    said: tuple[words.Told, ...]
    count: tuple[CountStep, ...]
    faults: tuple[words.Told, ...]
    seal: str


def view_of(showing: Showing, say: Tongue = ENGLISH, at: At = NOW) -> View:
    """The page's contents. at: which board is shown."""
    game = showing.game
    shown = showing.trouble or game.newest
    rulings = list(reversed(game.rulings[-MOST_RULINGS:]))
    return View(
        headline=headline_of(showing, say),
        rules=words.rules(game, say),
        sight=words.sight(showing, say),
        sight_word=showing.sight.value,
        board=board_at(showing, at, say),
        turn=game.turn if at.turn is None else at.turn,
        turns=game.turn,
        step=at.step,
        live=at.turn in (None, game.turn) and not at.step,
        to_play=words.name(game.to_play, say),
        bars=tuple(_bar(found, game, say) for found in game.past.barred),
        players=_players(showing, say),
        finding=None if shown is None else _finding(shown, say),
        earlier=tuple(_finding(ruling, say) for ruling in rulings if ruling != shown),
        moves=_moves(showing, say),
        said=tuple(words.told(answer.message, say) for answer in newest_answers(game.answers)),
        count=_count(game, at.step, say),
        faults=tuple(words.told(fault, say) for fault in showing.faults if not _is_headline(fault, showing)),
        seal=showing.seal,
    )


def _is_headline(fault: Message, showing: Showing) -> bool:
    return showing.standing.state is State.LOST and fault == showing.blind


def _count(game: Snapshot, shown: int, say: Tongue) -> tuple[CountStep, ...]:
    steps = game.counting.count.steps if game.counting.count else ()
    return tuple(
        CountStep(number, words.told(step.message, say), number == shown) for number, step in enumerate(steps, 1)
    )


def _bar(found: Barred, game: Snapshot, say: Tongue) -> Bar:
    place = game.position.board.name(found.point)
    return Bar(place, found.reason.value, say.sentence(found.message))


def _players(showing: Showing, say: Tongue) -> tuple[Player, ...]:
    standing, bowls = showing.standing, showing.game.bowls
    return tuple(
        Player(
            colour.value,
            words.name(colour, say),
            showing.names[index] if index < len(showing.names) else "",
            showing.game.side_of(colour),
            LAMPS[standing.task_of(colour)],
            _act(standing.task_of(colour), say),
            lid_svg(bowls, colour, say),
            lid_words(bowls, colour, say),
            bowls.ultimate is colour,
            clock_face(showing.game, colour, say),
        )
        for index, colour in enumerate(showing.players)
    )


def _act(task: Task, say: Tongue) -> str:
    return "" if task is Task.NOTHING else say(f"act.{task}")


def _finding(ruling: Ruling, say: Tongue) -> Finding:
    return Finding(ruling.status.value, words.finding(ruling, say), ruling.turn, say.sentence(ruling.message))


def _moves(showing: Showing, say: Tongue) -> tuple[Move, ...]:
    board = showing.game.position.board
    moves = [
        Move(number, turn.player.value, words.name(turn.player, say), words.turn(board, turn, say))
        for number, turn in enumerate(showing.game.turns, 1)
    ]
    return tuple(reversed(moves))
