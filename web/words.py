"""What the page calls things: players, stones, results, what the camera sees, in the reader's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from referee import (
    COLOURS,
    Board,
    Colour,
    Delay,
    Draw,
    Message,
    Occasion,
    Pass,
    Placement,
    Reason,
    Resign,
    Ruling,
    Showing,
    Sight,
    Snapshot,
    Status,
    Turn,
    opponent_of,
    result_read,
)
from web.language import ENGLISH, Tongue


@dataclass(frozen=True)
class Told:
    """A sentence. lang: its language where that is not the reader's."""

    text: str
    lang: str | None = None


_KINDS: dict[type[Turn], str] = {
    Placement: "place",
    Delay: "delay",
    Pass: "pass",
    Draw: "draw",
    Resign: "resign",
}

MESSAGE_KEYS = (
    *(f"occasion.{part}" for part in ("round", "table")),
    *(f"turn.{kind}" for kind in _KINDS.values() if kind != "place"),
    *(f"result.{how}" for how in "RTF"),
    *(f"status.{status}" for status in Status),
    *(f"reason.{reason}" for reason in Reason),
    *(f"sight.{sight}" for sight in Sight),
)


def name(colour: Colour, say: Tongue = ENGLISH) -> str:
    """What a player is called."""
    return say(f"colour.{colour.value}")


def rules(game: Snapshot, say: Tongue = ENGLISH) -> str:
    """What the game's rule set is called, and that nobody named it where that is so."""
    called = rules_named(game.rules, say)
    return called if game.rules_named else say("unnamed.about", rules=called)


def rules_named(name: str, say: Tongue = ENGLISH) -> str:
    """What the rule set of this name is called."""
    key = f"rules.{name}"
    return say(key) if key in say else say("rules", rules=name)


def occasion(showing: Showing, say: Tongue = ENGLISH) -> str:
    """What the game is part of: "Spring Open, round 3, table 12"; "" where nobody said it."""
    return occasion_named(showing.occasion, say)


def occasion_named(known: Occasion, say: Tongue = ENGLISH) -> str:
    """The same of an occasion."""
    parts = [known.event, _numbered("occasion.round", known.round, say), _numbered("occasion.table", known.table, say)]
    return say.comma.join(part for part in parts if part)


def _numbered(key: str, said: str, say: Tongue) -> str:
    """A number gets its word; what has one already, as "Final" or "Board 1", stays."""
    return say(key, number=said) if said.isdigit() else said


def about(game: Snapshot, say: Tongue = ENGLISH) -> Iterator[str]:
    """What the game is played by: rules, komi, handicap, time; and what the players are fined."""
    yield rules(game, say)
    if game.komi:
        yield say("about.komi", komi=float(game.komi))
    if game.handicap:
        yield say("about.handicap", n=game.handicap)
    if game.clocks is not None:
        yield control(game)
    yield from penalties(game, say)


def penalties(game: Snapshot, say: Tongue = ENGLISH) -> Iterator[str]:
    """ "2 penalty points for White": who receives what the other is fined."""
    for fine in game.penalties:
        yield say("about.penalty", n=fine.points, player=name(opponent_of(fine.player), say))


def certified(showing: Showing, say: Tongue = ENGLISH) -> Iterator[str]:
    """For what the box was certified today."""
    if showing.certified is not None:
        yield say.sentence(showing.certified)


def control(game: Snapshot) -> str:
    """The time control, "30m + 5×30s"; "" where no time is kept."""
    return game.clocks.control.replace("x", "×").replace("+", " + ") if game.clocks is not None else ""


def persons(showing: Showing, say: Tongue = ENGLISH) -> str:
    """Who plays whom, where anybody was named."""
    if not any(showing.names):
        return ""
    return " – ".join(person or name(colour, say) for colour, person in zip(COLOURS, showing.names, strict=False))


def told(said: Message, say: Tongue = ENGLISH) -> Told:
    """What the referee, the box or the director said, in the reader's language; plain sentences are English."""
    return Told(say.sentence(said), say.foreign(said))


def stones(count: int, colour: Colour, say: Tongue = ENGLISH) -> str:
    """ "1 white stone", "3 black stones"."""
    return say(f"stones.{colour.value}", n=count)


def at_side(game: Snapshot, side: int, say: Tongue = ENGLISH) -> str:
    """Who sits at this side, or the side where nothing says it yet."""
    player = game.at_side(side)
    return say("side", side=side) if player is None else name(player, say)


def turn(board: Board, made: Turn, say: Tongue = ENGLISH) -> str:
    """What a player did, without saying who: "E5", "prisoner returned"."""
    match made:
        case Placement(point=place) if place < 0:
            return say("turn.off-board")
        case Placement(point=place, stood=stood):
            return say("turn.stood", place=board.name(place)) if stood else board.name(place)
        case Delay(ultimate=ultimate):
            return say("turn.ultimate" if ultimate else "turn.delay")
    return say(f"turn.{_KINDS[type(made)]}")


def result(game: Snapshot, say: Tongue = ENGLISH) -> str | None:
    """The result as a player would say it, None while the game is on."""
    if not game.ended:
        return None
    return say("result.uncounted") if game.result is None else result_named(game.result, say)


def result_named(written: str, say: Tongue = ENGLISH) -> str:
    """A result as a player would say it; as it is written where it is none that is known."""
    if written in ("0", "Void"):
        return say("result.draw" if written == "0" else "result.void")
    shares = result_read(written)
    if isinstance(shares, dict):
        return say.joined(
            [say("result.share", player=name(Colour(letter), say), total=n) for letter, n in shares.items()]
        )
    won = re.fullmatch(r"([BWRGYV])\+([RTF]|[0-9]+(?:\.[0-9]+)?)", written)
    return _won(Colour(won[1]), won[2], say) if won else written


def _won(winner: Colour, how: str, say: Tongue) -> str:
    player = name(winner, say)
    if how in "RTF":
        return say(f"result.{how}", player=player)
    if how in ("0", "0.5"):
        return say("result.tie" if how == "0" else "result.half", player=player)
    return say("result.points", player=player, n=float(how))


def sight(showing: Showing, say: Tongue = ENGLISH) -> str:
    """What the camera gives, as a sentence."""
    return say(f"sight.{showing.sight.value}")


def finding(ruling: Ruling, say: Tongue = ENGLISH) -> str:
    """A ruling's status and reason: "Legal", "Illegal: superko"."""
    status = say(f"status.{ruling.status.value}")
    return say("finding", status=status, reason=say(f"reason.{ruling.reason}")) if ruling.reason else status
