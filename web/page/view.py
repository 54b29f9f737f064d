"""The page template's view model: words and drawings made from a Showing. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from referee import (
    LAMPS,
    OFF,
    Board,
    Colour,
    ForbiddenPoint,
    HistoryEntry,
    Light,
    Message,
    Phase,
    Ruling,
    Snapshot,
    State,
    TableSnapshot,
    Task,
    Turn,
)
from web.formats import Format, format_for
from web.language import ENGLISH, Translator
from web.openapi import MOST_RULINGS
from web.page import labels
from web.page.clocks import ClockFace, clock_face, clock_then, newest_answers
from web.page.counting import bowls_after
from web.page.headline import Headline, headline_of
from web.page.navigation import NOW, GamePosition, Neighbours, around, is_live, ruling_at, then_at
from web.page.review_view import Worths
from web.page.svg import board_at, lid_svg, lid_words

MESSAGE_KEYS = (
    *(f"act.{task}" for task in Task if task is not Task.NOTHING),
    *("page.players", "page.players-alone"),
)


@dataclass(frozen=True)
class Player:
    """A player's card.

    colour: the letter.
    name: the colour's name.
    person: the player's name, if it was given.
    side: the player's seat, if known.
    lamp: its light.
    act: the player's present action or task, in a few words.
    lid: a drawing, empty if there are no lids.
    lid_words: the lid's contents in words.
    ultimate: True if the player has the ultimate stone.
    clock: if there is one.
    moves: True if it is this player's turn.
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
    moves: bool


@dataclass(frozen=True)
class Finding:
    """A ruling on the page.

    kind: its status, for the style sheet.
    label: its status and reason in words.
    turn: its number.
    text: the message.
    repeats: the turn after which the same position occurred, 0 for the start.
    """

    kind: str
    label: str
    turn: int
    text: str
    repeats: int | None = None


@dataclass(frozen=True)
class CountStep:
    """A step of the count. shown: True if the board after this step is shown."""

    number: int
    told: labels.LocalisedText
    shown: bool


@dataclass(frozen=True)
class Move:
    """A turn.

    at: its position.
    tried: True if it was refused; it has the number that it would have had.
    phase: of the game in which it was made, if that was analysed.
    """

    number: int
    colour: str
    player: str
    text: str
    at: GamePosition
    tried: bool = False
    phase: str = ""


@dataclass(frozen=True)
class Bar:
    """A point that is forbidden now, and why."""

    point: str
    reason: str
    text: str


@dataclass(frozen=True)
class View:
    """The contents of the page; lists are newest first.

    Board, players and finding are of the shown position, the rest is of the present.

    about: rules, komi, handicap, time, and the box's certificate.
    occasion: event, round, table.
    persons: the players' names.
    turn: number of turns made at the shown position.
    turns: number of turns made now.
    step: the shown step of the count, 0 if none.
    tried: index of the shown refused turn, 0 if none.
    live: True if the present position is shown.
    said: the messages about players' and director's actions.
    count: the steps of an agreed count.
    seal: the journal's digest, once there is a result.
    kept: the record's name, then.
    final: True if both have agreed to the result.
    format: of the game record.
    worths: the analysis of the turns of a finished game.
    """

    headline: Headline
    about: tuple[str, ...]
    occasion: str
    persons: str
    sight: str
    sight_word: str
    board: str
    turn: int
    turns: int
    step: int
    tried: int
    live: bool
    around: Neighbours
    to_play: str
    bars: tuple[Bar, ...]
    players: tuple[Player, ...]
    finding: Finding | None
    earlier: tuple[Finding, ...]
    moves: tuple[Move, ...]
    said: tuple[labels.LocalisedText, ...]
    count: tuple[CountStep, ...]
    faults: tuple[labels.LocalisedText, ...]
    seal: str
    kept: str
    final: bool
    format: Format
    worths: Worths | None = None


def view_of(showing: TableSnapshot, say: Translator = ENGLISH, at: GamePosition = NOW) -> View:
    """Build the page's contents. at: the shown position."""
    game, live = showing.game, is_live(showing.game, at)
    shown = (showing.trouble or game.newest) if live or at.step else ruling_at(game, at)
    rulings = list(reversed(game.rulings[-MOST_RULINGS:]))
    return View(
        headline=headline_of(showing, say),
        about=(*labels.about(game, say), *labels.certificate_lines(showing, say)),
        occasion=labels.occasion(showing, say),
        persons=labels.persons(showing, say),
        sight=labels.sight(showing, say),
        sight_word=showing.sight.value,
        board=board_at(showing, at, say),
        turn=game.turn if at.turn is None else at.turn,
        turns=game.turn,
        step=at.step,
        tried=0 if live else at.tried,
        live=live,
        around=around(game, at),
        to_play=labels.name(game.to_play, say),
        bars=tuple(_bar(found, game, say) for found in game.past.barred),
        players=_players(showing, then_at(game, at), at.step, say),
        finding=None if shown is None else _finding(shown, say),
        earlier=tuple(_finding(ruling, say) for ruling in rulings if ruling != (showing.trouble or game.newest)),
        moves=_moves(showing, say),
        said=tuple(labels.translate_message(answer.message, say) for answer in newest_answers(game.answers)),
        count=_count(game, at.step, say),
        faults=tuple(
            labels.translate_message(fault, say) for fault in showing.faults if not _is_headline(fault, showing)
        ),
        seal=showing.seal,
        kept=showing.kept,
        final=showing.phase is Phase.FINAL,
        format=format_for(len(showing.players)),
    )


def _is_headline(fault: Message, showing: TableSnapshot) -> bool:
    return showing.standing.state in (State.LOST, State.UNSHOWN) and fault == showing.blind


def _count(game: Snapshot, shown: int, say: Translator) -> tuple[CountStep, ...]:
    steps = game.counting.count.steps if game.counting.count else ()
    return tuple(
        CountStep(number, labels.translate_message(step.message, say), number == shown)
        for number, step in enumerate(steps, 1)
    )


def _bar(found: ForbiddenPoint, game: Snapshot, say: Translator) -> Bar:
    place = game.position.board.name(found.point)
    return Bar(place, found.reason.value, say.sentence(found.message))


def _players(showing: TableSnapshot, then: HistoryEntry | None, step: int, say: Translator) -> tuple[Player, ...]:
    return tuple(
        _player(showing, then, step, colour, name, say)
        for colour, name in zip_longest(showing.players, showing.names[: len(showing.players)], fillvalue="")
        if isinstance(colour, Colour)
    )


def _player(
    showing: TableSnapshot, then: HistoryEntry | None, step: int, colour: Colour, person: str, say: Translator
) -> Player:
    """Return a player's card for the present, or for a past turn, when nobody has anything to do."""
    game, task = showing.game, showing.standing.task_of(colour)
    bowls = bowls_after(game, step) if then is None else then.bowls
    return Player(
        colour.value,
        labels.name(colour, say),
        person,
        game.side_of(colour),
        LAMPS[task] if then is None else OFF,
        _act(task, say) if then is None else "",
        lid_svg(bowls, colour, say) if bowls.are_lids else "",
        lid_words(bowls, colour, say) if bowls.are_lids else "",
        bowls.ultimate is colour,
        clock_face(game, colour, say) if then is None else clock_then(then, colour, say),
        then is None and not game.ended and colour is game.to_play,
    )


def _act(task: Task, say: Translator) -> str:
    return "" if task is Task.NOTHING else say(f"act.{task}")


def _finding(ruling: Ruling, say: Translator) -> Finding:
    text = say.sentence(ruling.message)
    return Finding(ruling.status.value, labels.finding(ruling, say), ruling.turn, text, ruling.repeats)


def _moves(showing: TableSnapshot, say: Translator) -> tuple[Move, ...]:
    board = showing.game.position.board
    moves = [move for then in showing.game.past.thens for move in _turns_at(then, board, say)]
    return tuple(reversed(moves))


def _turns_at(then: HistoryEntry, board: Board, say: Translator) -> Iterator[Move]:
    """Yield the turn, and those that were refused after it."""
    if then.turn is not None:
        yield _move(then.number, then.turn, board, GamePosition(then.number), say)
    for nth, ruling in enumerate(then.tried, 1):
        if ruling.move is not None:
            yield _move(then.number + 1, ruling.move, board, GamePosition(then.number, tried=nth), say)


def _move(number: int, turn: Turn, board: Board, at: GamePosition, say: Translator) -> Move:
    text = labels.turn(board, turn, say)
    return Move(number, turn.player.value, labels.name(turn.player, say), text, at, bool(at.tried))
