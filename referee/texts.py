"""What the referee says to the players: one plain sentence or two, naming points and lids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.board import COLOURS, Board, Colour, Mask, Point, Position, points_of
from referee.legality import only_resigning_left
from referee.record import GameRecord, Remarking
from referee.rules.ing import adjourned
from referee.rules.opening_and_end import passed, passes_in_a_row
from referee.rules.ultimate import UltimateDelayDraws
from referee.ruling import Prohibition, Reason
from referee.turns import OFF_BOARD, Delay, Draw, Pass, Placement, Resign, Turn

NAMES = {Colour.BLACK: "Black", Colour.WHITE: "White", Colour.RED: "Red", Colour.GREEN: "Green"}
MOST_NAMED = 8
"""So many points are named one by one in a sentence; a ruling's `points` always has them all."""


def name(colour: Colour) -> str:
    """What a player is called."""
    return NAMES.get(colour, colour.name.capitalize())


def listed(board: Board, points: Mask | Iterable[Point]) -> str:
    """Points in a sentence: "D4", "D4 and E4", "D4, E4 and F4", and no more than a reader can take in."""
    found = list(points_of(points)) if isinstance(points, int) else sorted(points)
    names = [board.name(point) for point in found]
    if len(names) > MOST_NAMED:
        names = [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more points"]
    return joined(names)


def joined(words: list[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def stones(count: int, colour: Colour | None = None) -> str:
    """ "one white stone", "3 black stones"."""
    kind = f"{name(colour).lower()} " if colour else ""
    return f"one {kind}stone" if count == 1 else f"{count} {kind}stones"


def legal(record: GameRecord, captured: Mask, uncertain: bool = False) -> str:
    """An accepted turn; record: as it stands after it."""
    turn, board = record.turn, record.position.board
    match turn:
        case Placement(player, point):
            own = _own_taken(record, player, point)
            said = f"{name(player)} played {board.name(point)}"
            said += f" and captured {listed(board, captured & ~own)}" if captured & ~own else ""
            said += f" and took {listed(board, own)} off the board by it" if own else ""
            said += f", which counts as a pass{_after_pass(record)}" if passed(record) else ""
        case Delay(player):
            said = _delayed(record, player)
        case _:
            said = _ended(record, turn)
    said += " (in what order could not be seen)" if uncertain else ""
    return f"{said}.{_remark(record)}{_last_resort(record)}"


def _remark(record: GameRecord) -> str:
    """What the ko rule has to tell of the newest turn."""
    ko = record.rules.ko
    remark = ko.remark(record) if isinstance(ko, Remarking) else None
    return f" {remark}" if remark else ""


def _own_taken(record: GameRecord, player: Colour, point: Point) -> Mask:
    """The player's own stones that the newest placement took off the board."""
    before = record.before.position.of(player) if record.before is not None else 0
    return (before | 1 << point) & ~record.position.of(player)


def _delayed(record: GameRecord, player: Colour) -> str:
    before, given = record.before, record.bowls.ultimate_delays
    if before is not None and before.bowls.ultimate_delays != given:
        other = f", so {name(given[0])} may declare a draw from now on" if len(given) > 1 else ""
        return f"{name(player)} gave the ultimate prisoner{other or ', first of the two'}"
    if before is not None and before.bowls.ultimate is None and record.bowls.ultimate is not None:
        return f"{name(player)} was first to delay: the ultimate stone now lies in {name(record.bowls.ultimate)}'s lid"
    return f"{name(player)} returned a prisoner"


def _ended(record: GameRecord, turn: Turn | None) -> str:
    match turn:
        case Pass(player):
            handed = f" and hands {name(record.to_play)} a stone" if record.rules.ending.stone_a_pass else ""
            return f"{name(player)} passed{handed}{_after_pass(record)}"
        case Draw(player) if record.result == "0":
            return f"{name(player)} declared a draw; the game is drawn"
        case Draw(player):
            return f"{name(player)} declared a draw, which the half in the komi makes {record.result}"
        case Resign(player) if record.ended:
            return f"{name(player)} resigned; the result is {record.result}"
        case Resign(player):
            return f"{name(player)} resigned; the others play on, and the stones stay on the board"
    return "The game has begun"


def _after_pass(record: GameRecord) -> str:
    if adjourned(record):
        who = name(record.to_play)
        return f"; the game is adjourned: if you agree on the groups, both pass once more, else {who} plays on"
    if record.rules.ending.stone_a_pass and not record.ended and passes_in_a_row(record) > 1:
        return f"; if you agree on the groups {name(record.to_play)} passes once more, for White passes last"
    return "; play has ended and the board can be counted" if record.ended else ""


def _last_resort(record: GameRecord) -> str:
    if not only_resigning_left(record):
        return ""
    return f" {name(record.to_play)} has no placement, no prisoner and no draw to declare: only resigning is left."


def lift(record: GameRecord, standing: Mask) -> str:
    """Captured stones that still stand; record: as it stands after the turn."""
    turn, board = record.turn, record.position.board
    if isinstance(turn, Placement):
        place = board.name(turn.point)
        return f"{name(turn.player)} played {place}: lift the captured stones at {listed(board, standing)}."
    return f"The captured stones at {listed(board, standing)} still stand: lift them."


def complete(record: GameRecord, captured: Mask) -> str:
    """A turn was unfinished and nothing is missing any more; record: as it stands after that turn."""
    return f"Turn {record.number} is complete. {legal(record, captured)}"


def refused(record: GameRecord, turn: Turn, prohibition: Prohibition, captured: Mask = 0) -> str:
    """A turn that may not be made; record: before it. captured: the stones it would have taken off the board."""
    said = why_refused(record, turn, prohibition)
    return said + (" " + _take_back(captured) if isinstance(turn, Placement) else "")


def why_refused(record: GameRecord, turn: Turn, prohibition: Prohibition) -> str:
    """A turn that may not be made, without what to do about it; record: before it."""
    return f"{_act(record, turn)}{_why(record, turn, prohibition)}"


def _act(record: GameRecord, turn: Turn) -> str:
    match turn:
        case Placement(player, point) if point == OFF_BOARD:
            return f"{name(player)} may not play there: "
        case Placement(player, point):
            return f"{name(player)} may not play {record.position.board.name(point)}: "
        case Delay(player):
            return f"{name(player)} may not delay: "
        case Pass(player):
            return f"{name(player)} may not pass: "
        case Draw(player):
            return f"{name(player)} may not declare a draw: "
        case Resign(player):
            return f"{name(player)} may not resign now: "


def _why(record: GameRecord, turn: Turn, prohibition: Prohibition) -> str:
    ko = record.rules.ko.name
    if prohibition.note is not None:
        return prohibition.note
    match prohibition.reason:
        case Reason.KO | Reason.SUPERKO:
            return f"the board would be again as it was {_moment(prohibition.repeats)}{_COMPARED.get(ko, '')}."
        case Reason.PATH:
            return _path(prohibition)
        case Reason.OFF_BOARD:
            return "this board has no such point."
        case Reason.OCCUPIED:
            return "a stone stands there already."
        case Reason.SURROUNDED:
            return "the stone would have no liberty."
        case Reason.MUST_DELAY:
            return "in this handicap turn the only move is returning a prisoner to the supply."
        case Reason.MUST_PASS:
            return "in this handicap turn the only move is a pass."
        case Reason.NOT_YOUR_TURN:
            return f"it is {name(record.to_play)}'s turn."
        case Reason.GAME_OVER:
            return "the game is over."
        case Reason.NO_PRISONER:
            return "there is no prisoner to return."
        case Reason.DELAY_NOT_AVAILABLE:
            return _no_delay(record)
        case Reason.DRAW_NOT_AVAILABLE:
            return _no_draw(record, turn)
        case Reason.PASS_NOT_AVAILABLE:
            return _no_pass(record)
    return f"the rules do not allow it ({prohibition.reason.value})."


_COMPARED = {
    "situational": ", with the same player to move",
    "spight-situational": ", with the same player to move",
    "natural-situational": ", which was this player's own doing",
    "spight": ", and nobody has passed since",
}
"""What besides the board a ko rule, by its name, compares."""


def _moment(repeats: int | None) -> str:
    return "before the first turn" if not repeats else f"after turn {repeats}"


def _path(prohibition: Prohibition) -> str:
    passes, last = prohibition.passes, prohibition.repeats or 0
    counted = "pass" if passes == 1 else f"{passes} passes"
    before = f"with the {counted} before it, " if passes else ""
    taken = f"turns {last - passes} {'and' if passes == 1 else 'to'} {last}" if passes else f"turn {last}"
    return (
        f"{before}this would begin again, as {taken} did, the cycle that turn {prohibition.since} completed; "
        "that path is prohibited since then."
    )


def _no_delay(record: GameRecord) -> str:
    kinds = record.rules.delays.kinds if record.rules.delays is not None else ()
    if not kinds:
        return "these rules have no delay; place a stone, pass or resign."
    if "ultimate" in kinds:
        return "the ultimate prisoner is given once, and not before the handicap turns are over."
    return "a prisoner is returned, and there is no ultimate prisoner."


def _no_pass(record: GameRecord) -> str:
    if record.rules.handicap.stones_to_place(record):
        return "the handicap stones are placed first, one a turn."
    if record.rules.ending.may_pass(record):
        return "nothing changed and nobody pressed call; place a stone, or press call and done."
    return "these rules have no pass; place a stone, return a prisoner or resign."


def _no_draw(record: GameRecord, turn: Turn) -> str:
    if record.rules.draws is None:
        return "these rules have no declared draw."
    if isinstance(record.rules.draws, UltimateDelayDraws):
        return "only who gave the ultimate prisoner first may, and only when the other has given his too."
    other = Colour.WHITE if turn.player is Colour.BLACK else Colour.BLACK
    prisoners = record.bowls.count(other, turn.player)
    if record.bowls.ultimate is not other:
        return f"the ultimate stone does not lie in {name(other)}'s lid."
    return f"{name(other)}'s lid still holds {stones(prisoners, turn.player)} besides the ultimate stone."


def _take_back(captured: Mask) -> str:
    return "Take the stone back and put its prisoners on the board again." if captured else "Take the stone back."


def unexplained(record: GameRecord, seen: Position, changed: Mask) -> str:
    """A change on the board that is no turn of the player to move; seen: the board as it looks."""
    before, board = record.position, record.position.board
    if changed.bit_count() != 1:
        return f"What changed at {listed(board, changed)} is no single turn: put them right."
    point = changed.bit_length() - 1
    was, now, place = before.colour_at(point), seen.colour_at(point), board.name(point)
    if was is None and now not in (None, record.to_play):
        return f"A {name(now).lower()} stone came to {place}, but it is {name(record.to_play)}'s turn: take it away."
    if was is not None and now is None:
        return f"The {name(was).lower()} stone at {place} is gone, and no turn takes it: put it back."
    if was is not None and now is not None:
        return f"At {place} lies a {name(now).lower()} stone where a {name(was).lower()} one was: put it right."
    return f"What changed at {place} is no single turn: put it right."


def unclear(board: Board, points: Mask) -> str:
    """Points that have to be seen better before a turn can be written."""
    return f"It cannot be seen clearly what lies at {listed(board, points)}: show the board again."


def hidden(count: int) -> str:
    """So much of the board is doubtful that the look says nothing."""
    return f"The board cannot be seen well ({count} points are unclear): clear the view."


def begun(position_stones: int, to_play: Colour) -> str:
    """The game was under way when the first look was taken."""
    return f"The recording begins with {stones(position_stones)} on the board; {name(to_play)} seems to be to play."


def corrected(text: str) -> str:
    """A turn that replaces one that was misread."""
    return f"The turn before was misread and is corrected. {text}"


def stood(record: GameRecord, text: str) -> str:
    """The turn after an illegal placement that nobody took back; record: as it stands after that placement."""
    turn = record.turn
    place = record.position.board.name(turn.point) if isinstance(turn, Placement) else ""
    return f"{text} The illegal stone at {place} was not taken back and stands as turn {record.number}."


def not_ended(player: Colour) -> str:
    """A delay that nothing confirmed."""
    return f"{name(player)} seems to have delayed, but nothing has ended that turn."


# The lids


def _lid(owner: Colour) -> str:
    return f"{name(owner)}'s lid"


def into_own_lid(mover: Colour, count: int, wrong_lid: bool = False) -> str:
    """Captured stones that are not where they belong."""
    kind = Colour.WHITE if mover is Colour.BLACK else Colour.BLACK
    if wrong_lid:
        return f"{name(mover)}: the captured stones belong in your lid; move {stones(count, kind)} there."
    return f"{name(mover)}: put {stones(count, kind)} more into your lid."


def placed_and_delayed(mover: Colour, missing: int) -> str:
    """A stone on the board and a prisoner gone from the lid."""
    return f"{name(mover)} placed a stone and took {stones(missing)} from the lid: do one or the other, not both."


def from_the_supply(mover: Colour, wrong: Mapping[tuple[Colour, Colour], int]) -> str:
    """A stone of the mover's colour went from a lid to the board."""
    return f"{name(mover)} must take the stone from the supply: {_listing(wrong)}."


def lids_wrong(wrong: Mapping[tuple[Colour, Colour], int]) -> str:
    """Lids that hold what no turn explains."""
    listing = _listing(wrong)
    return f"{listing[0].upper()}{listing[1:]}: put it right."


def _listing(wrong: Mapping[tuple[Colour, Colour], int]) -> str:
    return joined(
        [
            f"{_lid(owner)} has {stones(abs(change), colour)} too {'many' if change > 0 else 'few'}"
            for (owner, colour), change in wrong.items()
        ]
    )


def ultimate_returned(mover: Colour) -> str:
    """The stone in the own lid that is no prisoner left it."""
    return f"{name(mover)} may not return the ultimate stone, for it is no prisoner: put it back into {_lid(mover)}."


def exchange(count: int) -> str:
    """Both lids lost as many."""
    return f"Both lids have {stones(count)} fewer: if this is an agreed exchange, both press done."


def exchanged(count: int) -> str:
    """Both pressed done."""
    return f"The players exchanged {stones(count)} each; nobody has used a turn."


def too_many_returned(mover: Colour, count: int) -> str:
    """More than one prisoner left the lid."""
    return f"{name(mover)} returned {stones(count)}: put {'one' if count == 2 else count - 1} back."


def spread(owner: Colour) -> str:
    """A lid that cannot be counted."""
    return f"Spread the stones in {_lid(owner)} so that they can be counted."


def into_other_lid(mover: Colour) -> str:
    """The first delay of the game went to the supply."""
    other = Colour.WHITE if mover is Colour.BLACK else Colour.BLACK
    return f"{name(mover)}: this is the first delay of the game, so put the prisoner into {_lid(other)}."


def to_the_supply(mover: Colour) -> str:
    """A later delay went into the opponent's lid."""
    other = Colour.WHITE if mover is Colour.BLACK else Colour.BLACK
    return f"{name(mover)}: the prisoner goes back to {name(other)}'s supply, not into {_lid(other)}."


def start_missing(wrong: Mapping[tuple[Colour, Colour], int]) -> str:
    """The starting, komi or handicap stones are not as agreed."""
    parts = [
        f"{'put' if change < 0 else 'take'} {stones(abs(change), colour)} "
        f"{'into' if change < 0 else 'out of'} {_lid(owner)}"
        for (owner, colour), change in wrong.items()
    ]
    return f"Before the first move, {joined(parts)}."


def lids_too() -> str:
    """A turn still waits for its lids as well."""
    return "The prisoners are not in their lid yet."


def lids_hidden() -> str:
    """A delay or nothing: only the lids can tell."""
    return "Nothing changed on the board and the lids cannot be seen: clear the view of both lids."


def done_out_of_turn(presser: Colour, to_play: Colour) -> str:
    """A press of `done` by the player whose turn it is not."""
    return f"It is {name(to_play)}'s turn: {name(presser)}'s press counts for nothing."


def set_up(start: Position, seen: Position) -> str:
    """What the board lacks before the first move, and what stands there that should not."""
    board = start.board
    lacks = [(colour, want & ~have) for colour, want, have in zip(COLOURS, start.stones, seen.stones, strict=False)]
    parts = [f"put {name(colour)}'s stones on {listed(board, points)}" for colour, points in lacks if points]
    surplus = seen.occupied & start.empty
    parts += [f"lift {listed(board, surplus)}"] if surplus else []
    return f"Before the first move, {joined(parts)}."


def lids_unseen() -> str:
    """The start check without lids."""
    return "Before the first move, put both prisoner lids where the camera sees them."


def lost_on_time(player: Colour) -> str:
    """One of more than two players is out."""
    return f"{name(player)} has used up all time and is out of the game; her stones stay."


def forgotten(player: Colour) -> str:
    """The opponent went on before this player had pressed `done`."""
    return f"{name(player)} did not press done."


def whose_lid() -> str:
    """Nothing says yet which lid is Black's."""
    return "It cannot be seen whose lid is whose: put the white starting stone into Black's lid and spread the stones."
