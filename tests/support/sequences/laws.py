"""Laws that hold before and after any act, whatever was done before: those of docs/panel.md, clocks.md and rulings.md.

Each law is a function of the acts so far and what was shown after each. It returns what is wrong, or None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

from device.match.record_notes import Annotator
from referee.sgf.records import write_sgf
from tests.support import ROOT
from tests.support.sequences.moment import ORDER, Moment, player_at, press_of, presser_of, side_of
from tests.support.sequences.table import View, point_of

# The meaning of a press as docs/panel.md has it, and the marks by which one sees that it was taken so.

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
    clocks, trouble = was.snapshot.game.clocks, was.snapshot.trouble
    return clocks is not None and not clocks.begun and trouble is not None and trouble.status.value == "unfinished"


Holds = Callable[[View, str, int], object]
"""A test of whether a state holds for the player at a side."""
STATES: tuple[tuple[str, Holds], ...] = (
    ("this side held CALL less than ten seconds ago", lambda was, _, side: side in was.resigning),
    (
        "there is a result, and the director is called",
        lambda was, _, side: was.result is not None and (was.paused or was.called),
    ),
    (
        "the game is paused, and others play on without this player",
        lambda was, player, _: was.paused and (player, "resign") in was.turns and not was.snapshot.taken_up,
    ),
    ("the game is paused, or the director is called", lambda was, _, side: was.paused or was.called),
    ("the result is final", lambda was, _, side: was.snapshot.phase.value == "final"),
    ("there is a result", lambda was, _, side: was.result is not None),
    ("an adjourned game is being put back", lambda was, _, side: was.snapshot.taken_up),
    (
        "this player has resigned, or lost on time, and others play on",
        lambda was, player, side: (player, "resign") in was.turns,
    ),
    ("the other side has proposed a count", lambda was, player, side: was.snapshot.game.counting.waits_for == player),
    ("this side has proposed a count", lambda was, player, side: was.snapshot.game.counting.waits_for is not None),
    ("play has ended, and nothing is proposed", lambda was, player, side: was.ended),
    (
        "after a power cut",
        lambda was, player, side: was.snapshot.game.clocks is not None and was.snapshot.game.clocks.restored,
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
    if press is None or press[0] == 0 or press[0] > moment.agreed.players or not was.snapshot.match:
        return None
    if any(time.fallen for time in moment.now.times) or was.snapshot.unable:
        return None  # A flag may fall before the press.
    side, button = press
    player = player_at(moment, was, side)
    if player is None:
        return None
    word = meaning_of(was, side, player, button)
    if word.startswith("*"):
        return _has_no_effect(moment, word)
    is_taken = TAKEN.get(word)
    return (
        None
        if is_taken is None or is_taken(moment, side)
        else f"{button} of side {side} means {word!r}, and is not taken so"
    )


def _has_no_effect(moment: Moment, word: str) -> str | None:
    was, now = moment.before, moment.now
    if set(now.resigning) - set(was.resigning):
        return f"the press is {word}, and side {now.resigning} is asked to confirm"
    clock = ["running"] if word == "*left*" else []
    for name in ("turns", "result", "waiting", "agreed", "paused", "called", *clock):
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
    "agree": lambda moment, side: side in moment.now.agreed or moment.now.snapshot.game.result is None,
    "dispute": lambda moment, side: moment.now.called,
    "ready": lambda moment, side: moment.now.state != "restored" or moment.now.lamps[side - 1] != "blue pulsing",
    "score": _is_answered,
    "disagree": _is_answered,
    "turn over": _is_answered,
    "start": _is_answered,
    "pass": lambda moment, side: _is_answered(moment, side) or side in moment.now.snapshot.passing,
    "Black": lambda moment, side: _is_answered(moment, side) or moment.now.snapshot.game.black_side == side,
}
"""By which one sees that a press was taken by a meaning."""


CONFIRM_WITHIN = 10.0
"""Seconds after a held `call` in which `done` confirms it."""
NEARLY = 0.3
PASSES = frozenset(
    {"japanese", "chinese", "aga", "new-zealand", "simple", "positional", "situational", "spight", "kee"}
)
"""Rule sets under which two or more passes in a row end play, and nothing else is a pass."""


Law = Callable[[Moment], str | None]


# What is shown


@cache
def lamps_in_the_docs() -> dict[str, tuple[str, str]]:
    """Return the lamps of each state as docs/panel.md has them: of the side concerned, and of the others."""
    page = (ROOT / "docs/panel.md").read_text()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("|")]
    return {row[0]: (row[2], row[3]) for row in rows if len(row) == 5 and row[3] != "---"}


def lamps_fit_the_state(moment: Moment) -> str | None:
    """panel.md: a state has a lamp for the side concerned and one for the other."""
    concerned, other = lamps_in_the_docs()[moment.now.state]
    lamps = moment.now.lamps
    if concerned == "as without it":
        return None
    if not set(lamps) <= {concerned, other} or concerned not in lamps:
        return f"the lamps {lamps} are not those of {moment.now.state}: {concerned} and {other}"
    side = side_of(moment, moment.now.to_play)
    if moment.now.state == "turn" and side is not None and lamps[side - 1] != "green":
        return f"it is {moment.now.to_play}'s turn, and the lamps are {lamps}"
    return None


def every_press_is_answered(moment: Moment) -> str | None:
    """panel.md: the lamps show who has to act; a press that cannot be taken has two beeps and a sentence."""
    if moment.press is None:
        return None
    was, now = moment.before, moment.now
    same = (was.lamps, was.table_lamp, was.rulings, was.answers) == (
        now.lamps,
        now.table_lamp,
        now.rulings,
        now.answers,
    )
    silent = same and not now.sounds and was.snapshot.passing == now.snapshot.passing
    known_players = set(was.resigning) & set(now.resigning)
    if moment.press == (0, "hold pause") and was.called and now.called:
        return None
    known_players |= (set(now.waiting) & set(was.waiting)) | (set(now.snapshot.passing) & set(was.snapshot.passing))
    waits = moment.press[0] in known_players
    return "the press has no answer" if silent and not waits and not now.sentence else None


# The record


def is_laid(moment: Moment) -> bool:
    """Return True if handicap stones were still laid before the act: until White's first turn."""
    return moment.agreed.handicap > 1 and len(moment.before.turns) <= moment.agreed.handicap


def was_laying(moment: Moment) -> bool:
    """Return True if handicap stones, among which Black may not pass, were due when the last acts began."""
    return moment.agreed.handicap > 1 and len(moment.past[-4].view.turns) < moment.agreed.handicap


def no_turn_is_lost(moment: Moment) -> str | None:
    """A turn in the record stays there until the director takes it back, or a handicap stone is moved."""
    if moment.act.startswith("director") or is_laid(moment):
        return None
    was, now = moment.before.turns, moment.now.turns
    return None if now[: len(was)] == was else f"the record was {was} and is {now}"


def rulings_and_answers_stay(moment: Moment) -> str | None:
    """Rulings and answers, once given, are never taken back."""
    was, now = moment.before.snapshot.game, moment.now.snapshot.game
    if now.rulings[: len(was.rulings)] != was.rulings or now.answers[: len(was.answers)] != was.answers:
        return "an earlier ruling or answer is gone"
    return None


def a_result_stays(moment: Moment) -> str | None:
    """clocks.md: a result is changed by the director alone."""
    was, now = moment.before.result, moment.now.result
    is_kept = was is None or was == now or moment.act.startswith("director")
    return None if is_kept else f"the result was {was} and is {now}"


def first_to_play(moment: Moment) -> str:
    """Return who was to play when the match began: Black, if its position was not set up for White."""
    match = moment.now.snapshot.match
    began = next(done for done in moment.past if done.view.snapshot.match == match)
    return began.act.split()[-1] if began.act.startswith("director set") else "B"


def only_turns_of_who_is_to_play(moment: Moment) -> str | None:
    """Players take turns, those who have resigned left out; Black's handicap stones come first. After a gap it is the
    turn of whom the director named."""
    gaps = dict(moment.table.box.table.record.gaps)
    named = {number: gap.to_play.value for number, gap in gaps.items() if gap.to_play is not None}
    stones = moment.agreed.handicap if moment.agreed.handicap > 1 else 1
    players, out = ORDER[: moment.agreed.players], set[str]()
    expected = named.get(0, first_to_play(moment))
    for number, (player, what) in enumerate(moment.now.turns, 1):
        if player != expected:
            return f"{player} {what} is recorded where it was {expected}'s turn"
        if what == "resign":
            out.add(player)
        left = [one for one in players if one not in out]
        after = players[players.index(player) + 1 :] + players
        expected = "B" if number < stones else next((one for one in after if one in left), expected)
        expected = named.get(number, expected)
    if not moment.now.ended and moment.now.to_play != expected:
        return f"after {moment.now.turns} it is {moment.now.to_play}'s turn"
    return None


# Presses


def held_call_and_done_resign(moment: Moment) -> str | None:
    """panel.md: `call` held, then `done`: I resign, in a pause and instead of counting too."""
    if moment.press is None or moment.press[1] not in ("done", "hold done") or moment.before.result is not None:
        return None
    if not moment.before.snapshot.match:
        return None  # No board has been found.
    if moment.before.waiting:
        return None  # A press before it is judged first.
    side = moment.press[0]
    held_at = held_call_of(moment, side)
    player = player_at(moment, moment.before, side)
    if held_at is None or player is None or ("resign" in [w for p, w in moment.before.turns if p == player]):
        return None
    if moment.before.to_play != player and not moment.before.ended:
        return None
    given_up = moment.now.result is not None or (player, "resign") in moment.now.turns
    return None if given_up else f"{player} held call and confirmed it, and has not resigned"


def held_call_of(moment: Moment, side: int) -> float | None:
    """Return when this side held `call`, if it has pressed nothing since and may still confirm it."""
    for done in reversed(moment.past[:-1]):
        if done.act == "power cut" or done.act.startswith("director"):
            return None
        if done.act and presser_of(done.act) == side:
            late = moment.now.t - done.view.t > CONFIRM_WITHIN - NEARLY or side not in done.view.resigning
            return done.view.t if press_of(done.act) == (side, "hold call") and not late else None
    return None


def only_who_held_call_resigns(moment: Moment) -> str | None:
    """panel.md: who holds `call` is asked to confirm; nobody else can do it for them."""
    if moment.act.startswith("director"):
        return None
    for player, what in moment.now.turns[len(moment.before.turns) :]:
        side = side_of(moment, player)
        waited = moment.act == "look" and side in moment.before.waiting
        if what == "resign" and side is not None and not waited and presser_of(moment.act) != side:
            forfeits = any(done.act.startswith("director time") for done in moment.past)
            return (
                None
                if forfeits or any(time.fallen for time in moment.now.times)
                else f"{player} resigned by {moment.act!r}"
            )
    return None


ENDED = ("uncounted", "box-proposal")
"""The states after the passes in which no player has proposed a count."""


def a_hold_of_call_is_asked_back(moment: Moment) -> str | None:
    """panel.md: `call` held: I want to resign: my lamp asks for `done`; a player resigns at their own turn."""
    was, press = moment.before, moment.press
    if press is None or press[1] != "hold call" or was.state not in ("turn", "paused", *ENDED) or was.waiting:
        return None
    mover = was.state in ENDED or press[0] == side_of(moment, was.to_play)
    is_asked = moment.now.state == "resigning" and moment.now.lamps[press[0] - 1] == "white pulsing"
    fell = any(time.fallen for time in moment.now.times)
    return (
        None if is_asked or not mover or moment.now.result or fell else "call was held, and nobody is asked to confirm"
    )


def done_waits_for_its_look(moment: Moment) -> str | None:
    """rulings.md, clocks.md: `done` closes a turn, which is judged on the next look."""
    was, now = moment.before, moment.now
    if moment.press is None or moment.press[1] != "done" or was.state != "turn" or was.waiting or was.ended:
        return None
    side, clocks = moment.press[0], was.snapshot.game.clocks
    begun = clocks is None or was.running is not None
    if side != side_of(moment, was.to_play) or not begun or was.resigning or was.snapshot.phase.value != "play":
        return None
    waits = side in now.waiting or now.result is not None or any(time.fallen for time in now.times)
    return None if waits else "done by the player to move waits for no look"


def a_look_judges_what_waits(moment: Moment) -> str | None:
    """rulings.md: a closed turn is judged at the next look; or a sentence says what has to be seen better."""
    now = moment.now
    if moment.act != "look" or not now.waiting or now.paused or now.called:
        return None
    return None if now.snapshot.trouble is not None else "a press still waits after a look, and nothing says why"


def a_called_pass_counts(moment: Moment) -> str | None:
    """panel.md: `call`, then `done`, is a pass."""
    if len(moment.past) < 5 or moment.agreed.rules not in PASSES or was_laying(moment):
        return None
    (first, called, closed, looked) = moment.past[-4:]
    was, side = first.view, side_of(moment, first.view.to_play)
    acts = [f"{side} call", f"{side} done", "look"]
    usual = was.state == "turn" and not was.waiting and not was.resigning and was.snapshot.phase.value == "play"
    clocks = was.snapshot.game.clocks
    runs = clocks is None or (was.running == was.to_play and all(not time.fallen for time in closed.view.times))
    if [called.act, closed.act, looked.act] != acts or not usual or not runs or not is_as_recorded(moment, was):
        return None
    passed = looked.view.turns[: len(was.turns) + 1] == (*was.turns, (was.to_play, "pass"))
    return None if passed or looked.view.result else f"{was.to_play}'s called pass is not recorded"


def is_as_recorded(moment: Moment, view: View) -> bool:
    """Return True if the board on the table is that of the record."""
    placed = {point_of(what): player for player, what in view.turns if what[0] in "ABCDE" and what[1:].isdigit()}
    return placed == moment.table.stones


def pause_stops_the_clock(moment: Moment) -> str | None:
    """clocks.md: `pause` stops the clock."""
    if moment.act not in ("0 pause", "0 hold pause") or moment.before.running is None:
        return None
    return None if moment.now.running is None else "pause was pressed, and the clock runs"


# What is asked for


def pressing_side(moment: Moment, state: str, *buttons: str) -> int | None:
    """Return the side that pressed one of these buttons in this state, as its lamp, white or blue and pulsing, asked it
    to; None where it was not so."""
    if moment.press is None or moment.before.state != state or moment.press[1] not in buttons:
        return None
    side = moment.press[0]
    was_asked = side > 0 and moment.before.lamps[side - 1] in ("white pulsing", "blue pulsing")
    return side if was_asked and moment.before.snapshot.game.black_side is not None else None


def a_claim_wins(moment: Moment) -> str | None:
    """panel.md: in the state `claim` this side presses `call` to claim the win. clocks.md: if both have no time left by
    then, the director is called."""
    side = pressing_side(moment, "claim", "call")
    if side is None or moment.before.waiting or moment.agreed.players > 2 or moment.now.result is not None:
        return None
    if all(time.fallen for time in moment.now.times) and moment.now.called:
        return None
    return "the win on time was claimed, and there is no result"


def a_flag_loses_without_procedures(moment: Moment) -> str | None:
    """clocks.md: with the procedures off, a player whose flag falls loses at once: known by the next act."""
    now = moment.now
    times = zip(ORDER, moment.before.times, now.times, strict=False)
    fell = [player for player, then, time in times if then.fallen and time.fallen]
    out = {getattr(answer, "lost", None) for answer in now.snapshot.game.answers}
    out |= {player for player, what in now.turns if what == "resign"}
    has_lost = now.result is not None or out.issuperset(fell)
    if moment.agreed.procedures or has_lost or now.waiting or "director" in " ".join(done.act for done in moment.past):
        return None
    return f"{fell} have no time left and have not lost"


def a_result_is_agreed_to(moment: Moment) -> str | None:
    """panel.md: in the state `result` this side presses `done` to agree, and holds `score` to disagree."""
    side = pressing_side(moment, "result", "done", "score")
    if side is not None and side not in moment.now.agreed:
        return f"side {side} has agreed to the result, and nobody knows"
    if pressing_side(moment, "result", "hold score") is not None and not moment.now.called:
        return "the result was disagreed with, and the director is not called"
    return None


def a_count_is_disagreed_with(moment: Moment) -> str | None:
    """panel.md: in the state `count` this side holds `score` to disagree."""
    side = pressing_side(moment, "count", "hold score")
    return (
        None if side is None or moment.now.state != "count" else "the count was disagreed with, and is still asked for"
    )


def who_is_ready_is_known(moment: Moment) -> str | None:
    """panel.md: in the state `restored` this side presses `done` to go on."""
    side = pressing_side(moment, "restored", "done")
    still = moment.now.state == "restored" and moment.now.lamps[side - 1] == "blue pulsing" if side else False
    return f"side {side} is ready, and is asked again" if still else None


def pause_ends_a_pause(moment: Moment) -> str | None:
    """panel.md: in the state `paused` wait; `pause` goes on, not while the director's own pause lasts."""
    pause = moment.before.snapshot.pause
    if moment.act != "0 pause" or moment.before.state != "paused" or (pause is not None and pause.by == "director"):
        return None
    return "pause was pressed, and the game is still paused" if moment.now.paused else None


def the_box_pauses_for_a_strange_board_alone(moment: Moment) -> str | None:
    """panel.md: the box pauses if no moves explain what lies there for 20 seconds, and two points or more differ."""
    was, now = moment.before.snapshot.pause, moment.now.snapshot.pause
    if now is None or not now.unexplained or was == now:
        return None
    if moment.act not in ("look", "power cut") and not moment.act.startswith("director undo"):
        return f"the box pauses at {moment.act!r}"
    if moment.now.called and not moment.before.called:
        return "the box pauses, and calls the director"
    acts = [done.act for done in moment.past[-BOX_LOOKS:]]
    if moment.act == "look" and set(acts) != {"look"}:
        return f"the box pauses after {acts}"
    differs = _find_differences(moment)
    return f"the box pauses, and {len(differs)} points differ" if len(differs) < 2 else None


def a_board_put_right_ends_the_boxs_pause(moment: Moment) -> str | None:
    """panel.md: once the board has been right for three seconds, the game goes on."""
    pause, looks = moment.now.snapshot.pause, [done.act for done in moment.past[-5:]]
    if pause is None or not pause.unexplained or moment.now.called or looks != ["look"] * 5:
        return None
    return "the board is right again, and the box's pause lasts" if not _find_differences(moment) else None


BOX_LOOKS = 20


def _find_differences(moment: Moment) -> set[int]:
    """Return the points at which another stone lies than in the game."""
    position, stones = moment.now.snapshot.game.position, moment.table.stones
    recorded = {point: position.colour_at(point) for point in range(position.board.points)}
    return {point for point, colour in recorded.items() if (colour and colour.value) != stones.get(point)}


# The director


def what_the_director_does_is_done(moment: Moment) -> str | None:
    """desk.md: a turn is entered as it was made; the newest turns are taken out of the game."""
    words, was, now = moment.act.split(), moment.before.turns, moment.now.turns
    if words[:1] != ["director"] or moment.past[-1].refused:
        return None
    if words[1] == "take-back":
        losers, left = (
            {getattr(answer, "lost", None) for answer in moment.now.snapshot.game.answers},
            was[: -int(words[2])],
        )
        while len(now) > len(left) and now[-1][1] == "resign" and now[-1][0] in losers:
            now = now[:-1]  # Who has lost on time leaves again as soon as it is their turn.
        if now != left:
            return f"the record was {was}, and is {now} after {moment.act!r}"
    if words[1] == "enter" and now != (*was, (words[2], words[3])):
        return f"the record was {was}, and is {now} after {moment.act!r}"
    if words[1] == "resume" and (moment.now.paused or moment.now.called):
        return "the director resumes the game, and it is still paused"
    if words[1] == "report" and moment.now.result != words[2]:
        return f"{words[2]} is reported, and the result is {moment.now.result}"
    return None


def nothing_is_ruled_without_a_press(moment: Moment) -> str | None:
    """rulings.md, clocks.md: `done` closes a turn, which is judged on the next look; before that nothing is."""
    was, now = moment.before, moment.now
    if is_laid(moment):
        return None  # Handicap stones count as soon as they lie there.
    if was.snapshot.taken_up:
        return None  # It is told that an adjourned game is seen as it was left.
    if any(time.fallen for time in now.times):
        return None  # Who has lost on time is told whenever that is found.
    if moment.act != "look" or was.waiting or not was.turns or was.ended:
        return None
    # Turns before are completed when their captured stones are lifted.
    new = now.snapshot.game.rulings[was.rulings :]
    return "a look ruled on what nobody pressed for" if any(one.turn > len(was.turns) for one in new) else None


# Time


def nobody_pays_for_another(moment: Moment) -> str | None:
    """clocks.md: while nobody presses, only the player's time passes whose clock runs."""
    if not moment.act.startswith("wait") or moment.before.running != moment.now.running:
        return None
    for player, was, now in zip(ORDER, moment.before.times, moment.now.times, strict=False):
        if player != moment.before.running and was.spent != now.spent:
            return f"{player} is charged {now.spent - was.spent} ms while {moment.before.running}'s clock runs"
    return None


def the_clock_runs_for_who_is_to_move(moment: Moment) -> str | None:
    """clocks.md: the clock changes over at `done`, and stands in a pause, after a power cut and after the end."""
    now, clocks = moment.now, moment.now.snapshot.game.clocks
    if clocks is None:
        return None
    stands = now.paused or now.called or now.result is not None or now.ended or clocks.restored
    if now.running is not None and stands:
        return f"{now.running}'s clock runs in the state {now.state}"
    if now.running is not None and now.running != now.to_play and not now.waiting:
        return f"{now.running}'s clock runs at {now.to_play}'s turn"
    free = clocks.untimed or clocks.absent or clocks.halted
    if now.running is None and clocks.begun and not stands and not free:
        return f"nobody's clock runs in the state {now.state}"
    return None


def all_time_is_charged(moment: Moment) -> str | None:
    """clocks.md: the players' times add up to the time that the clock ran."""
    was, now = moment.before.snapshot.game.clocks, moment.now.snapshot.game.clocks
    ends = (moment.now.ended and not moment.before.ended) or (now is not None and now.halted)
    if was is None or now is None or moment.act == "power cut" or ends:
        return None  # From the press that ends play nobody's time runs, also where time was shown for it meanwhile.
    spent = sum(face.spent for face in now.faces) - sum(face.spent for face in was.faces)
    ran = round((now.t - was.t) * 1000) if was.running_player is not None else 0
    fell = any(face.fallen for face in now.faces)
    # A flag is told late, and a result goes back to when it fell; that moment is between the two.
    began = was.running_player is None and now.running_player is not None
    # A phone's press counts from its touch, from which on no time may run, although more was shown meanwhile.
    touched = round(float(moment.act.split()[1]) * 1000) if moment.act.startswith("late") else 0
    earlier = touched if was.running_player is not None and now.running_player is None else 0
    latest = round((now.t - was.t) * 1000) + (touched if began else 0)  # A late DONE starts the clock at its touch.
    if spent != ran and not ((fell or began or earlier) and -earlier <= spent <= latest):
        return f"{spent} ms were charged, and the clock ran for {ran} ms"
    return None


def fischer_increment(control: str) -> int:
    """Return the milliseconds that Fischer's control adds to each turn."""
    match = re.fullmatch(r"\d+s\+(\d+)s", control)
    return int(match[1]) * 1000 if match else 0


def time_is_added_for_turns_that_were_made(moment: Moment) -> str | None:
    """clocks.md, Fischer and absolute: the time is added at the end of each turn; nothing is added to a fallen flag."""
    control, now = moment.agreed.control, moment.now
    match = re.fullmatch(r"(\d+)s(?:\+\d+s)?", control)
    acts = [done.act for done in moment.past]
    changing = ("director go-on", "director clocks", "director time penalise", "director enter", "director take-up")
    changed = any(act.startswith(changing) for act in acts)
    if match is None or not now.times or changed or now.waiting or any(time.fallen for time in now.times):
        return None
    clocks = now.snapshot.game.clocks
    if (
        clocks is None
        or not clocks.begun
        or now.result is not None
        or any(time.fallen for done in moment.past for time in done.view.times)
    ):
        return None
    for player, time in zip(ORDER, now.times, strict=False):
        if (player, "resign") in now.turns:
            continue
        turns = sum(1 for who, what in now.turns if who == player and what not in ("resign", "draw"))
        turns -= min(moment.agreed.handicap, turns) if player == "B" else 0  # No clock runs for handicap stones.
        left = int(match[1]) * 1000 - time.spent + fischer_increment(control) * turns
        if time.main != left:
            return f"{player} has {time.main} ms left after {turns} turns and {time.spent} ms, not {left}"
    return None


# The journal


def the_journal_gives_the_same(moment: Moment) -> str | None:
    """architecture.md: replaying what was heard gives the same rulings; and so the same lamps, clocks and state."""
    if moment.act != "replay" or moment.table.box.journal is None:
        return None
    again, differs = moment.table.replayed()
    now = moment.now
    if differs is not None:
        return "the journal is ruled otherwise when it is replayed"
    for name in View._fields:
        if name not in ("snapshot", "sounds", "t") and getattr(again, name) != getattr(now, name):
            return f"{name} is {getattr(now, name)}, and after a replay {getattr(again, name)}"
    then, snapshot = again.snapshot, now.snapshot
    # In no journal: what is said of stretches of time that begin by themselves, and the offer to go on from there.
    notice = snapshot.game.clocks is None and (snapshot.notice is None or snapshot.notice.key != "lying.offer")
    for name in ("trouble", "passing", "pause", "phase", *(("notice",) if notice else ())):
        if getattr(then, name) != getattr(snapshot, name):
            return f"{name} is {getattr(snapshot, name)}, and after a replay {getattr(then, name)}"
    return None if then.game == snapshot.game else "the game differs after a replay"


def the_game_record_is_as_written_afresh(moment: Moment) -> str | None:
    """The parts of the game record that are kept from turn to turn change nothing in it."""
    table, was, now = moment.table.box.table, moment.before, moment.now
    same = (was.turns, was.result, was.rulings, was.answers, was.agreed) == (
        now.turns,
        now.result,
        now.rulings,
        now.answers,
        now.agreed,
    )
    if table.record.players > 2 or (same and moment.act != "replay"):
        return None
    current, (black, white) = moment.table.box.record_writer.write(table), table.names[:2]
    notes = Annotator().collect_annotations(table.snapshot, table.game_info, table.began)
    fresh = write_sgf(table.record, black, white, notes, table.times)
    return None if current == fresh else f"the game record is {current!r}, and afresh {fresh!r}"


def a_power_cut_loses_nothing(moment: Moment) -> str | None:
    """DESIGN.md: after a power cut, game, bowls and clocks are restored, and the clocks stand until both press DONE."""
    if moment.act != "power cut":
        return None
    was, now = moment.before, moment.now
    if (was.turns, was.result, was.rulings, was.agreed) != (now.turns, now.result, now.rulings, now.agreed):
        return "the game is another after a power cut"
    pause = was.snapshot.pause
    if pause is not None and pause.by == "director" and now.snapshot.pause != pause:
        return "the director's pause is forgotten after a power cut"
    if was.snapshot.trouble != now.snapshot.trouble:
        return f"the trouble was {was.snapshot.trouble}, and is {now.snapshot.trouble} after a power cut"
    return f"{now.running}'s clock runs after a power cut" if now.running is not None else None


def an_undone_take_back_changes_nothing(moment: Moment) -> str | None:
    """desk.md: Undo: a turn taken back is entered again, with the agreements after it."""
    if moment.act != "director undo" or moment.past[-1].refused or len(moment.past) < 4:
        return None
    (before, _, undone) = (done.view for done in moment.past[-3:])
    if not moment.past[-2].act.startswith("director take-back 1") or moment.past[-2].refused:
        return None
    was, now = before.snapshot.game, undone.snapshot.game
    same = (was.position, was.bowls, was.turns) == (now.position, now.bowls, now.turns)
    fell = [time.fallen for time in before.times] != [time.fallen for time in undone.times]
    return (
        None if same or fell or before.result or undone.result else "undoing a take-back gives another game than before"
    )


def every_pass_was_called(moment: Moment) -> str | None:
    """panel.md: CALL waits for this player's DONE: however often it is pressed, it is one pass."""
    if moment.agreed.rules not in PASSES or any(done.act.startswith("director") for done in moment.past):
        return None
    for player in ORDER[: moment.agreed.players]:
        passes = moment.now.turns.count((player, "pass"))
        if not passes:
            continue
        side, called, runs = side_of(moment, player), False, 0
        for done in moment.past:
            # DONE that is held closes a turn as well, and the next player's one whose player forgot to press.
            words = done.act.replace("hold done", "done").split()
            press = (int(words[-2]), words[-1]) if len(words) > 1 and words[-2].isdigit() else None
            runs += press == (side, "call") and not called
            called = (called or press == (side, "call")) and not (press is not None and press[1] == "done")
        if side is not None and passes > runs:
            return f"{player} has passed {passes} times, and called {runs} times"
    return None


LAWS: tuple[Law, ...] = (
    lamps_fit_the_state,
    every_press_is_answered,
    a_press_is_taken_as_the_page_says,
    no_turn_is_lost,
    rulings_and_answers_stay,
    a_result_stays,
    only_turns_of_who_is_to_play,
    a_hold_of_call_is_asked_back,
    held_call_and_done_resign,
    only_who_held_call_resigns,
    done_waits_for_its_look,
    a_look_judges_what_waits,
    a_called_pass_counts,
    pause_stops_the_clock,
    a_claim_wins,
    a_flag_loses_without_procedures,
    a_result_is_agreed_to,
    a_count_is_disagreed_with,
    who_is_ready_is_known,
    pause_ends_a_pause,
    the_box_pauses_for_a_strange_board_alone,
    a_board_put_right_ends_the_boxs_pause,
    what_the_director_does_is_done,
    nothing_is_ruled_without_a_press,
    nobody_pays_for_another,
    the_clock_runs_for_who_is_to_move,
    all_time_is_charged,
    time_is_added_for_turns_that_were_made,
    the_journal_gives_the_same,
    the_game_record_is_as_written_afresh,
    a_power_cut_loses_nothing,
    an_undone_take_back_changes_nothing,
    every_pass_was_called,
)


def broken(moment: Moment, laws: Sequence[Law] = LAWS) -> str | None:
    """Return the first law that is broken, and how."""
    was, now = moment.before.snapshot, moment.now.snapshot
    if was.match and was.match != now.match:
        return None  # The board was cleared, or an adjourned game was taken up: another match has begun.
    for law in laws:
        fault = law(moment)
        if fault is not None:
            return f"{law.__name__}: {fault}"
    return None
