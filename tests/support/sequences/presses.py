"""The meaning of a press as docs/panel.md has it, and the marks by which one sees that it was taken so."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tests.support import ROOT
from tests.support.sequences.moment import Moment, press_of, seated, side_of
from tests.support.sequences.table import View

COLUMNS = ("done", "hold done", "call", "hold call", "score", "hold score")


@cache
def meanings() -> dict[str, dict[str, str]]:
    """Return of each state in docs/panel.md what the buttons of a side mean there; in italics what has no effect."""
    page = (ROOT / "docs/panel.md").read_text()
    table = page.partition("| a side's buttons, in the first state that holds |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()[2:]]
    return {row[0]: dict(zip(COLUMNS, row[1:], strict=True)) for row in rows}


def _is_unready(was: View) -> bool:
    """Return True if the clock has not begun, and something is known to be missing for the first move."""
    clocks, trouble = was.showing.game.clocks, was.showing.trouble
    return clocks is not None and not clocks.begun and trouble is not None and trouble.status.value == "unfinished"


Holds = Callable[[View, str, int], object]
"""A test of whether a state holds for the player at a side."""
STATES: tuple[tuple[str, Holds], ...] = (
    ("this side held CALL less than ten seconds ago", lambda was, _, side: side in was.resigning),
    (
        "there is a result, and the director is called",
        lambda was, _, side: was.result is not None and (was.paused or was.called),
    ),
    ("the game is paused, or the director is called", lambda was, _, side: was.paused or was.called),
    ("the result is final", lambda was, _, side: was.showing.phase.value == "final"),
    ("there is a result", lambda was, _, side: was.result is not None),
    ("an adjourned game is being put back", lambda was, _, side: was.showing.taken_up),
    (
        "this player has resigned, or lost on time, and others play on",
        lambda was, player, side: (player, "resign") in was.turns,
    ),
    ("the other side has proposed a count", lambda was, player, side: was.showing.game.counting.waits_for == player),
    ("this side has proposed a count", lambda was, player, side: was.showing.game.counting.waits_for is not None),
    ("play has ended, and nothing is proposed", lambda was, player, side: was.ended),
    (
        "after a power cut",
        lambda was, player, side: was.showing.game.clocks is not None and was.showing.game.clocks.restored,
    ),
    (
        "the clock has not begun, and the table is not ready",
        lambda was, player, side: _is_unready(was),
    ),
    ("no turn has been played", lambda was, player, side: not was.turns),
    ("play", lambda was, player, side: True),
)


def meaning_of(was: View, side: int, player: str, button: str) -> str:
    """Return what a press means: the word in the first state that holds."""
    state = next(state for state, holds in STATES if holds(was, player, side))
    return meanings()[state][button]


def a_press_is_taken_as_the_page_says(moment: Moment) -> str | None:
    """panel.md: a press means what the table says in the first state that holds. Words in italics: nothing comes of it,
    and a sentence says why, with two beeps."""
    press, was = press_of(moment.act), moment.before
    if press is None or press[0] == 0 or press[0] > moment.agreed.players or not was.showing.match:
        return None
    if any(time.fallen for time in moment.now.times) or was.showing.unable:
        return None  # A flag may fall before the press.
    side, button = press
    player = seated(moment, was, side)
    if player is None:
        return None
    word = meaning_of(was, side, player, button)
    if word.startswith("*"):
        return _has_no_effect(moment, word)
    seen = TAKEN.get(word)
    return (
        None if seen is None or seen(moment, side) else f"{button} of side {side} means {word!r}, and is not taken so"
    )


def _has_no_effect(moment: Moment, word: str) -> str | None:
    was, now = moment.before, moment.now
    if set(now.resigning) - set(was.resigning):
        return f"the press is {word}, and side {now.resigning} is asked to confirm"
    for name in ("turns", "result", "waiting", "agreed", "paused", "called"):
        if getattr(was, name) != getattr(now, name):
            return f"the press is {word}, and {name} changes to {getattr(now, name)}"
    return None if now.sentence else f"the press is {word}, and no sentence says so"


def _is_answered(moment: Moment, side: int) -> bool:
    return bool(moment.now.sentence or moment.now.sounds or side in moment.now.waiting)


def _may_resign(moment: Moment, side: int) -> bool:
    """A player resigns at their own turn, and one side is asked at a time."""
    was, now = moment.before, moment.now
    own = was.ended or (side == side_of(moment, was.to_play) and not was.waiting)
    return not own or bool(was.resigning) or side in now.resigning


TAKEN: dict[str, Callable[[Moment, int], bool]] = {
    "confirm": lambda moment, side: side not in moment.now.resigning,
    "play on": lambda moment, side: side not in moment.now.resigning and moment.now.turns == moment.before.turns,
    "resign": _may_resign,
    "agree": lambda moment, side: side in moment.now.agreed or moment.now.showing.game.result is None,
    "dispute": lambda moment, side: moment.now.called,
    "ready": lambda moment, side: moment.now.state != "restored" or moment.now.lamps[side - 1] != "blue pulsing",
    "score": _is_answered,
    "disagree": _is_answered,
    "turn over": _is_answered,
    "start": _is_answered,
    "pass": lambda moment, side: _is_answered(moment, side) or side in moment.now.showing.passing,
    "Black": lambda moment, side: _is_answered(moment, side) or moment.now.showing.game.black_side == side,
}
"""By which one sees that a press was taken by a meaning."""
