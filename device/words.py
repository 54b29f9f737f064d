"""What the box itself says to players, beside the referee's rulings."""

from __future__ import annotations

from referee.messages import Message, plain
from referee.texts import name
from referee.time.clock import Face
from web.language import ENGLISH

PAUSED = plain("The game is paused: press pause to go on.")
ONLY_DIRECTOR = plain("Only the director lets the game go on: by holding pause.")
NO_SIDES = plain("Nothing says yet who sits where: nobody can propose to score.")
DISAGREED = plain("A player disagrees with the result: the director is called. Press pause to go on.")
FINAL = plain("Both players have agreed to the result; it is final.")
NO_BOARD_YET = plain("The board has not been found yet: show the whole board to the camera.")


def unpressed(player: str, turn: str) -> Message:
    """A turn lies on the table that nobody has closed."""
    return plain(f"{player} has played {turn} and has not pressed done: {player}'s time goes on.")


def new_stretch(then: Face, now: Face) -> Message | None:
    """What has begun on a clock by itself: a bought period, overtime, another period; None where nothing has."""
    player = name(now.player)
    if now.fallen:
        return None
    if now.bought > then.bought:
        left = f"{now.periods} more can be bought" if now.periods else "no more can be bought"
        return plain(f"{player} has bought time and is charged {now.points} points at the count; {left}.")
    if now.in_overtime and not then.in_overtime:
        return plain(f"{player}'s main time is used up; overtime begins: {ENGLISH.sentence(now.shown)}.")
    if now.in_overtime and now.periods < then.periods:
        return plain(f"{player} has used up a period: {ENGLISH.sentence(now.shown)}.")
    return None


def not_ready(missing: Message | None) -> Message:
    """A press that would start the clock, while the start check is not over."""
    first = plain("The clock does not start before the table is ready.")
    return first + (missing or plain("It has not been seen yet."))


def other_board(lines: int, played: int) -> Message:
    """Another board than the match's is seen."""
    return plain(f"A board of {lines} lines is seen, but the match is played on {played}: show that board.")
