"""The meaning of every button in every state of a refereed table.

The first matching row of PRESSES decides the meaning of a press, and EXCEPTIONS what a fallen flag, an unset handicap,
known seats and another's turn change in it. docs/panel.md shows the same tables; `python -m tests.support.generated`
writes them there, with the course of what a press begins (tests/support/panel/press_tables.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from referee.table.events import Button, Pressed


@dataclass(frozen=True)
class PressSituation:
    """The facts about one side of the table that a press there depends on.

    confirming: this side held `call` a moment ago
    final: all players have agreed to the result
    paused: the game is paused
    directors_pause: only the director lets it go on
    called: a player called the director, which stops the clocks, and anybody may go on
    result: the game has a result
    putting_back: an adjourned game is being put back
    unready: the clock has not begun, and the table was not seen ready for the first move
    asked: a proposed count waits for this side's answer
    proposed: a proposed count waits for the other side's answer
    over: passes have ended play
    restored: the clocks wait for the players after a power cut
    out: this side's player has left a game that others play on
    claimable: an opponent's flag has fallen
    opening: no turn has been played
    handicap_asked: stones lie on handicap points, and no handicap was set
    seats_open: no turn waits for a look, and no lid has shown who sits where, so that it can be claimed
    may_resign: it is this side's turn, or will be once what waits is judged, and no other side is asked to confirm
    """

    confirming: bool = False
    final: bool = False
    paused: bool = False
    directors_pause: bool = False
    called: bool = False
    result: bool = False
    putting_back: bool = False
    unready: bool = False
    asked: bool = False
    proposed: bool = False
    over: bool = False
    restored: bool = False
    out: bool = False
    claimable: bool = False
    opening: bool = False
    handicap_asked: bool = False
    seats_open: bool = False
    may_resign: bool = True


class Meaning(StrEnum):
    """The meaning of a press, as one word.

    statement: that a press makes by it; "nothing" is one too, and a sentence gives the reason
    """

    statement: str

    def __new__(cls, word: str, statement: str) -> Self:
        """Return the meaning of this word."""
        meaning = str.__new__(cls, word)
        meaning._value_, meaning.statement = word, statement
        return meaning

    CONFIRM = "confirm", "yes, I resign"
    PLAY_ON = "play on", "no, I play on; the press does nothing else"
    RESIGN = "resign", "I want to resign: my lamp asks for DONE, which confirms it for ten seconds"
    CLOSE = "turn over", "my turn is over"
    START = "start", "the clock of the player to move starts; pressed by that player: my turn is over"
    CLAIM_BLACK = "Black", "I have Black; where the lids have shown who has, as DONE"
    READY = "ready", "I am ready"
    PASS = "pass", "I pass, and DONE closes it; where the rules have it, I declare a draw"
    CLAIM_WIN = (
        "claim",
        "an opponent's flag has fallen, and there is no result: I claim the win on time; this takes the "
        "place of *pass*, *over* and *answer first*",
    )
    SCORE = (
        "score",
        "the stones that were lifted are dead, and those that the box proposes: I propose a count, agree to "
        "it, or amend it",
    )
    HANDICAP = (
        "handicap",
        "two or more black stones lie on handicap points before the first turn, and no handicap was set: "
        "that is the handicap, and White is to play; this takes the place of *score*",
    )
    DISAGREE = "disagree", "I disagree with the count, or with the box's proposal"
    AGREE = "agree", "I agree to the result"
    DISPUTE = "dispute", "I do not agree to the result: the director is called"
    PAUSE = "pause", "the game is paused"
    GO_ON = "go on", "the game goes on"
    CALL_DIRECTOR = "call the director", "the director is called, and the game is paused"
    DIRECTOR_GOES_ON = "go on, director", "the director lets the game go on"
    DIRECTORS = "director's", "nothing: only the director lets the game go on, by holding PAUSE"
    NOT_NEXT = "not now", "nothing: a player resigns at their own turn, and one side is asked at a time"
    PAUSED = "paused", "nothing: the game is paused"
    UNREADY = "not ready", "nothing: the sentence says what has to be set up"
    ANSWER_FIRST = "answer first", "nothing: the count has to be answered first"
    LEFT = "left", "nothing: this player has left the game"
    OVER = "over", "nothing: the game is over"
    FINAL = "final", "nothing: the result is final"


Column = tuple[Button, bool]
"""A button, and True if it is held."""
DONE, DONE_HELD = (Button.DONE, False), (Button.DONE, True)
CALL, CALL_HELD = (Button.CALL, False), (Button.CALL, True)
SCORE, SCORE_HELD = (Button.SCORE, False), (Button.SCORE, True)
PAUSE, PAUSE_HELD = (Button.PAUSE, False), (Button.PAUSE, True)
SIDES_COLUMNS: tuple[Column, ...] = (DONE, DONE_HELD, CALL, CALL_HELD, SCORE, SCORE_HELD)
TABLE_COLUMNS: tuple[Column, ...] = (PAUSE, PAUSE_HELD)


@dataclass(frozen=True)
class Row:
    """A state of the table as seen by one side.

    meanings: of its presses, in the order of the columns
    """

    state: str
    holds: Callable[[PressSituation], bool]
    meanings: tuple[Meaning, ...]


M = Meaning
PRESSES = (
    Row(
        "this side held CALL less than ten seconds ago",
        lambda now: now.confirming,
        (M.CONFIRM, M.CONFIRM, M.PLAY_ON, M.RESIGN, M.PLAY_ON, M.PLAY_ON),
    ),
    Row(
        "there is a result, and the director is called",
        lambda now: now.paused and now.result,
        (M.PAUSED, M.PAUSED, M.PAUSED, M.OVER, M.PAUSED, M.PAUSED),
    ),
    Row(
        "the game is paused, and others play on without this player",
        lambda now: now.paused and now.out and not now.putting_back,
        (M.PAUSED, M.PAUSED, M.PAUSED, M.LEFT, M.PAUSED, M.PAUSED),
    ),
    Row(
        "the game is paused, or the director is called",
        lambda now: now.paused,
        (M.PAUSED, M.PAUSED, M.PAUSED, M.RESIGN, M.PAUSED, M.PAUSED),
    ),
    Row("the result is final", lambda now: now.final, (M.AGREE, M.AGREE, M.OVER, M.OVER, M.FINAL, M.FINAL)),
    Row(
        "there is a result",
        lambda now: now.result,
        (M.AGREE, M.AGREE, M.OVER, M.OVER, M.AGREE, M.DISPUTE),
    ),
    Row(
        "an adjourned game is being put back",
        lambda now: now.putting_back,
        (M.UNREADY, M.CLAIM_BLACK, M.UNREADY, M.RESIGN, M.UNREADY, M.UNREADY),
    ),
    Row("this player has resigned, or lost on time, and others play on", lambda now: now.out, (M.LEFT,) * 6),
    Row(
        "the other side has proposed a count",
        lambda now: now.asked,
        (M.SCORE, M.SCORE, M.ANSWER_FIRST, M.RESIGN, M.SCORE, M.DISAGREE),
    ),
    Row(
        "this side has proposed a count",
        lambda now: now.proposed,
        (M.ANSWER_FIRST, M.ANSWER_FIRST, M.ANSWER_FIRST, M.RESIGN, M.ANSWER_FIRST, M.ANSWER_FIRST),
    ),
    Row(
        "play has ended, and nothing is proposed",
        lambda now: now.over,
        (M.SCORE, M.SCORE, M.OVER, M.RESIGN, M.SCORE, M.DISAGREE),
    ),
    Row(
        "after a power cut",
        lambda now: now.restored,
        (M.READY, M.READY, M.PASS, M.RESIGN, M.SCORE, M.DISAGREE),
    ),
    Row(
        "the clock has not begun, and the table is not ready",
        lambda now: now.unready,
        (M.UNREADY, M.CLAIM_BLACK, M.PASS, M.RESIGN, M.SCORE, M.DISAGREE),
    ),
    Row(
        "no turn has been played",
        lambda now: now.opening,
        (M.START, M.CLAIM_BLACK, M.PASS, M.RESIGN, M.SCORE, M.DISAGREE),
    ),
    Row(
        "play",
        lambda now: True,
        (M.CLOSE, M.CLOSE, M.PASS, M.RESIGN, M.SCORE, M.DISAGREE),
    ),
)
"""The meanings of a side's buttons; the first row that holds counts."""

PAUSES = (
    Row(
        "only the director lets the game go on: their own pause, or a call under the procedures",
        lambda now: now.directors_pause,
        (M.DIRECTORS, M.DIRECTOR_GOES_ON),
    ),
    Row("clocks stand because a player called the director", lambda now: now.called, (M.GO_ON, M.DIRECTOR_GOES_ON)),
    Row("the game is paused", lambda now: now.paused, (M.GO_ON, M.CALL_DIRECTOR)),
    Row("at any other time", lambda now: True, (M.PAUSE, M.CALL_DIRECTOR)),
)
"""The meanings of the table's button; the first row that holds counts."""


@dataclass(frozen=True)
class Exceptional:
    """A press that means something else than its row says.

    column: the press
    meanings: those of which it takes the place
    holds: the test
    becomes: the meaning, None if it is that of DONE in the row
    """

    column: Column
    meanings: tuple[Meaning, ...]
    holds: Callable[[PressSituation], bool]
    becomes: Meaning | None


EXCEPTIONS = (
    Exceptional(DONE_HELD, (M.CLAIM_BLACK,), lambda now: not now.seats_open, None),
    Exceptional(CALL, (M.PASS, M.OVER, M.ANSWER_FIRST), lambda now: now.claimable and not now.result, M.CLAIM_WIN),
    Exceptional(CALL_HELD, (M.RESIGN,), lambda now: not now.may_resign, M.NOT_NEXT),
    Exceptional(SCORE, (M.SCORE,), lambda now: now.handicap_asked and now.opening, M.HANDICAP),
)
"""The presses whose statement says what they take the place of; there is one at most for each press."""


def meaning_of(press: Pressed, now: PressSituation) -> Meaning:
    """Return the meaning of a press in this situation: that of the first row that holds, or an exception from it."""
    column = (press.button, press.is_held)
    rows, columns = (PAUSES, TABLE_COLUMNS) if press.button is Button.PAUSE else (PRESSES, SIDES_COLUMNS)
    row = next(row for row in rows if row.holds(now))
    meaning = row.meanings[columns.index(column)]
    for case in EXCEPTIONS:
        if case.column == column and meaning in case.meanings and case.holds(now):
            return case.becomes or row.meanings[columns.index(DONE)]
    return meaning
