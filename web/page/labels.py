"""The page's names for players, stones, results and camera states, in the client's language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee import (
    COLOURS,
    Board,
    Colour,
    Delay,
    Draw,
    GameInfo,
    Message,
    Pass,
    Placement,
    Points,
    Reason,
    Resign,
    Ruling,
    Sight,
    Snapshot,
    Status,
    TableSnapshot,
    Turn,
    message,
    name_points,
    opponent_of,
    read_control,
)
from web.language import ENGLISH, Translator


@dataclass(frozen=True)
class LocalisedText:
    """A sentence. lang: its language if that is not the client's."""

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


def find_newest_ruling(game: Snapshot) -> Ruling | None:
    """Return the newest ruling, on handicap stones that were moved since as they lie now; None without one."""
    ruling = game.newest_ruling
    if ruling is None or ruling.move is None or ruling.status is not Status.LEGAL:
        return ruling
    if not 0 < ruling.turn == game.turn <= game.handicap:
        return ruling
    laid, black = dict(ruling.message.args).get("points"), game.position.stones_of(Colour.BLACK)
    if isinstance(laid, Points):
        board = game.position.board
        if not board.mask(laid.names) & ~black:
            return ruling
        first = message(ruling.message.key, points=name_points(board, black))
        return replace(ruling, message=Message(first.key, first.args, ruling.message.then))
    entry = game.past.entry_after(game.turn) if ruling.move != game.turns[-1] else None
    return entry.ruling if entry is not None else ruling


def player_name(colour: Colour, say: Translator = ENGLISH) -> str:
    """Return a player's name."""
    return say(f"colour.{colour.value}")


def rules_text(game: Snapshot, say: Translator = ENGLISH) -> str:
    """Return the name of the game's rule set, and that nobody named it if that is so."""
    title = rules_title(game.rules, say)
    return title if game.rules_named else say("unnamed.about", rules=title)


def rules_title(name: str, say: Translator = ENGLISH) -> str:
    """Return the title of the rule set of this name."""
    key = f"rules.{name}"
    return say(key) if key in say else say("rules", rules=name)


def occasion_label(snapshot: TableSnapshot, say: Translator = ENGLISH) -> str:
    """Return the game's event: "Spring Open, round 3, table 12"; "" if unknown."""
    return occasion_text(snapshot.game_info, say)


def occasion_text(game_info: GameInfo, say: Translator = ENGLISH) -> str:
    """Return an event, round and table in words."""
    parts = [
        game_info.event,
        _with_number("occasion.round", game_info.round, say),
        _with_number("occasion.table", game_info.table, say),
    ]
    return say.comma.join(part for part in parts if part)


def _with_number(key: str, text: str, say: Translator) -> str:
    """Add the word to a number; a text such as "Final" or "Board 1" stays."""
    return say(key, number=text) if text.isdigit() else text


def list_terms(game: Snapshot, say: Translator = ENGLISH) -> Iterator[str]:
    """Yield the game's terms: rules, komi, handicap, time; and the players' penalties."""
    yield rules_text(game, say)
    if game.komi:
        yield say("about.komi", komi=float(game.komi))
    if game.handicap:
        yield say("about.handicap", n=game.handicap)
    if game.clocks is not None:
        yield time_control_text(game, say)
    yield from list_penalties(game, say)


def list_penalties(game: Snapshot, say: Translator = ENGLISH) -> Iterator[str]:
    """Yield the penalties: "2 penalty points for White" for the player who receives them."""
    for fine in game.penalties:
        yield say("about.penalty", n=fine.points, player=player_name(opponent_of(fine.player), say))


def certificate_lines(snapshot: TableSnapshot, say: Translator = ENGLISH) -> Iterator[str]:
    """Yield today's certificate, if there is one."""
    if snapshot.certified is not None:
        yield say.sentence(snapshot.certified)


def time_control_text(game: Snapshot, say: Translator = ENGLISH) -> str:
    """Return the time control in a few words; "" if there are no clocks."""
    return say.sentence(read_control(game.clocks.control).describe_briefly()) if game.clocks is not None else ""


def persons_text(snapshot: TableSnapshot, say: Translator = ENGLISH) -> str:
    """Return the players' names, if anybody was named."""
    if not any(snapshot.names):
        return ""
    return " – ".join(
        person or player_name(colour, say) for colour, person in zip(COLOURS, snapshot.names, strict=False)
    )


def translate_message(message: Message, say: Translator = ENGLISH) -> LocalisedText:
    """Translate a message of the referee, the box or the director; plain sentences are English."""
    return LocalisedText(say.sentence(message), say.foreign(message))


def count_stones(count: int, colour: Colour, say: Translator = ENGLISH) -> str:
    """Return a number of stones in words: "1 white stone", "3 black stones"."""
    return say(f"stones.{colour.value}", n=count)


def at_side(game: Snapshot, side: int, say: Translator = ENGLISH) -> str:
    """Return the player at this side, or the side if its player is not known yet."""
    player = game.at_side(side)
    return say("side", side=side) if player is None else player_name(player, say)


def turn_text(board: Board, act: Turn, say: Translator = ENGLISH) -> str:
    """Return a turn in words, without the player: "E5", "prisoner returned"."""
    match act:
        case Placement(point=place) if place < 0:
            return say("turn.off-board")
        case Placement(point=place, stood=stood):
            return say("turn.stood", place=board.name(place)) if stood else say.point(board.name(place))
        case Delay(ultimate=ultimate):
            return say("turn.ultimate" if ultimate else "turn.delay")
    return say(f"turn.{_KINDS[type(act)]}")


def result_text(game: Snapshot, say: Translator = ENGLISH) -> str | None:
    """Return the result in a player's words, None during the game."""
    if not game.ended:
        return None
    return say("result.uncounted") if game.result is None else say.result(game.result)


def winner_of(game: Snapshot) -> Colour | None:
    """Return the winner by the result; None during the game, of a draw, and for more than two players."""
    winner, plus, _ = (game.result or "").partition("+")
    return Colour(winner) if plus else None


def sight_text(snapshot: TableSnapshot, say: Translator = ENGLISH) -> str:
    """Return the camera's state as a sentence."""
    return say(f"sight.{snapshot.sight.value}")


def finding_text(ruling: Ruling, say: Translator = ENGLISH) -> str:
    """Return a ruling's status and reason: "Legal", "Illegal: superko"."""
    status = say(f"status.{ruling.status.value}")
    return say("finding", status=status, reason=say(f"reason.{ruling.reason}")) if ruling.reason else status
