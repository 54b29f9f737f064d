"""The result sheet: one game on paper, for both players' signatures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee import Snapshot, TableSnapshot
from web.language import ENGLISH, Translator
from web.page import labels
from web.page.navigation import NOW
from web.page.svg import board_at, lid_svg, lid_words

MOST_STEPS, FIRST_STEPS = 24, 8
"""A count of more steps is printed with its first ones and its last."""


@dataclass(frozen=True)
class Signer:
    """A player who signs. lid: a drawing of the stones in it, empty if there are no lids."""

    role: str
    person: str = ""
    lid: str = ""
    lid_words: str = ""


@dataclass(frozen=True)
class RefusedTurn:
    """A refused turn. number: the one that it would have had."""

    number: int
    told: str


@dataclass(frozen=True)
class CountLine:
    """A printed step of the count; number 0 marks omitted steps."""

    number: int
    told: labels.LocalisedText


@dataclass(frozen=True)
class Sheet:
    """The contents of the sheet. facts: the terms, place and day of the game. seal: the journal's digest."""

    title: str
    facts: tuple[tuple[str, str], ...]
    board: str
    players: tuple[Signer, ...]
    result: str
    steps: tuple[CountLine, ...]
    remarks: tuple[labels.LocalisedText, ...]
    refused: tuple[RefusedTurn, ...]
    seal: str


def sheet_of(showing: TableSnapshot, say: Translator = ENGLISH, day: str = "") -> Sheet:
    """Build the sheet of a game in its present state. day: the day on which it began (ISO 8601), empty if unknown."""
    game = showing.game
    count = game.counting.count
    remarks = count.remarks if count is not None else ()
    return Sheet(
        labels.occasion(showing, say) or say("sheet.title"),
        tuple((say(f"sheet.{name}"), text) for name, text in _facts(showing, say, day) if text),
        board_at(showing, NOW, say),
        tuple(_players(showing, say)),
        labels.result(game, say) or say("games.result.none"),
        tuple(_steps(game, say)),
        tuple(labels.translate_message(remark, say) for remark in remarks),
        tuple(_refusal_lines(game, say)),
        showing.seal,
    )


def _facts(showing: TableSnapshot, say: Translator, day: str) -> Iterator[tuple[str, str]]:
    game, part = showing.game, showing.game_info
    yield "place", part.place
    yield "day", day
    yield "rules", labels.rules(game, say)
    yield "komi", f"{game.komi:g}" if len(showing.players) == 2 else ""
    yield "handicap", str(game.handicap or "")
    yield "penalties", say.comma.join(labels.penalties(game, say))
    yield "time", labels.control(game)
    yield "turns", str(game.turn)


def _players(showing: TableSnapshot, say: Translator) -> Iterator[Signer]:
    bowls = showing.game.bowls
    for index, colour in enumerate(showing.players):
        person = showing.names[index] if index < len(showing.names) else ""
        lid = (lid_svg(bowls, colour, say), lid_words(bowls, colour, say)) if bowls.are_lids else ("", "")
        yield Signer(labels.name(colour, say), person, *lid)


def _steps(game: Snapshot, say: Translator) -> Iterator[CountLine]:
    steps = list(enumerate(game.counting.count.steps, 1)) if game.counting.count is not None else []
    left_out = range(FIRST_STEPS, len(steps) - FIRST_STEPS) if len(steps) > MOST_STEPS else range(0)
    for place, (number, step) in enumerate(steps):
        if place not in left_out:
            yield CountLine(number, labels.translate_message(step.message, say))
        elif place == left_out[0]:
            yield CountLine(0, labels.LocalisedText(say("sheet.left-out", n=len(left_out))))


def _refusal_lines(game: Snapshot, say: Translator) -> Iterator[RefusedTurn]:
    for then in game.past.thens:
        for ruling in then.tried:
            yield RefusedTurn(then.number + 1, say.sentence(ruling.message))


FACTS = ("place", "day", "rules", "komi", "handicap", "penalties", "time", "turns")
MESSAGE_KEYS = tuple(f"sheet.{fact}" for fact in FACTS)
