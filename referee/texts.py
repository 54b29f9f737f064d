"""What the referee says to the players, as messages: what happened, why a turn is refused, and what is still to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add

from referee.board import COLOURS, Board, Colour, Mask, Point, Position, opponent_of
from referee.events import Between
from referee.legality import Verdict, delays, legal_placements, may_draw, may_pass, only_resigning_left
from referee.messages import Listing, Message, Stones, message, points
from referee.record import GameRecord, Remarking
from referee.rules.ing import adjourned
from referee.rules.opening_and_end import chose_to_pass, passed, passes_in_a_row
from referee.rules.ultimate import UltimateDelayDraws
from referee.ruling import Prohibition, Reason
from referee.turns import OFF_BOARD, Delay, Draw, Exchange, Pass, Placement, Resign, Settlement, Turn

MOST_BETWEEN = 3
"""Of stones between points so many are named; the others when these are set right."""
MOST_UNCLEAR = 4
"""Of points that are unclear so many are named."""

# Turns that count


def legal(record: GameRecord, captured: Mask, uncertain: bool = False) -> Message:
    """An accepted turn; record: as it stands after it."""
    said = _made(record, captured)
    said += message("legal.uncertain") if uncertain else None
    return said + _remark(record) + outlook(record)


def _made(record: GameRecord, captured: Mask) -> Message:
    match record.turn:
        case Placement(player, point):
            return _placed(record, player, point, captured)
        case Delay(player):
            return _delayed(record, player)
        case Pass(player) if record.rules.ending.stone_a_pass:
            return message("legal.pass-stone", player=player, other=record.to_play) + _after_pass(record)
        case Pass(player) if not chose_to_pass(record):
            return message("legal.pass-handicap", player=player)
        case Pass(player):
            return message("legal.pass", player=player) + _after_pass(record)
        case Draw(player) if record.result == "0":
            return message("legal.draw", player=player)
        case Draw(player):
            return message("legal.draw-komi", player=player, result=record.result or "")
        case Resign(player) if record.ended:
            return message("legal.resign", player=player, result=record.result or "")
        case Resign(player):
            return message("legal.resign-others", player=player)
    return message("legal.begun")


def _placed(record: GameRecord, player: Colour, point: Point, captured: Mask) -> Message:
    board, own = record.position.board, _own_taken(record, player, point)
    at = board.name(point)
    if own:
        said = message("legal.suicide", player=player, point=at, points=points(board, own))
    elif captured:
        said = message("legal.captures", player=player, point=at, points=points(board, captured))
    else:
        said = message("legal.place", player=player, point=at)
    return said + message("legal.counts-as-pass") + _after_pass(record) if passed(record) else said


def _remark(record: GameRecord) -> Message | None:
    """What the ko rule has to say of the newest turn."""
    ko = record.rules.ko
    return ko.remark(record) if isinstance(ko, Remarking) else None


def _own_taken(record: GameRecord, player: Colour, point: Point) -> Mask:
    """The player's own stones that the newest placement took off the board."""
    before = record.before.position.of(player) if record.before is not None else 0
    return (before | 1 << point) & ~record.position.of(player)


def _delayed(record: GameRecord, player: Colour) -> Message:
    before, given = record.before, record.bowls.ultimate_delays
    if before is not None and before.bowls.ultimate_delays != given:
        if len(given) > 1:
            return message("legal.ultimate-second", player=player, other=given[0])
        return message("legal.ultimate-first", player=player)
    if before is not None and before.bowls.ultimate is None and record.bowls.ultimate is not None:
        return message("legal.first-delay", player=player, other=record.bowls.ultimate)
    return message("legal.delay", player=player)


def _after_pass(record: GameRecord) -> Message | None:
    if adjourned(record):
        return message("pass.adjourned", player=record.to_play)
    if record.rules.ending.stone_a_pass and not record.ended and passes_in_a_row(record) > 1:
        return message("pass.once-more", player=record.to_play)
    return message("pass.ended") if record.ended else None


def outlook(record: GameRecord) -> Message | None:
    """That nothing but resigning is left to the player to move, or that they may declare a draw."""
    if only_resigning_left(record):
        return message("legal.only-resigning", player=record.to_play)
    told = len(record.bowls.ultimate_delays) > 1 and isinstance(record.turn, Delay) and record.turn.ultimate
    return message("legal.draw-open", player=record.to_play) if may_draw(record) and not told else None


def lift(record: GameRecord, standing: Mask) -> Message:
    """Captured stones that still stand; record: as it stands after the turn."""
    turn, board = record.turn, record.position.board
    many, where = standing.bit_count(), points(board, standing)
    if isinstance(turn, Placement):
        return message("lift.played", player=turn.player, point=board.name(turn.point), points=where, n=many)
    return message("lift", points=where, n=many)


def complete(record: GameRecord, captured: Mask) -> Message:
    """A turn was unfinished and nothing is missing any more; record: as it stands after that turn."""
    return message("complete", turn=record.number) + legal(record, captured)


# Turns that are refused


def refused(record: GameRecord, turn: Turn, prohibition: Prohibition, captured: Mask = 0) -> Message:
    """A turn that may not be made; record: before it. captured: the stones it would have taken off the board."""
    said = why_refused(record, turn, prohibition)
    if isinstance(turn, Placement):
        said += message("illegal.restore" if captured else "illegal.take-back")
    return said + instead(record, turn, prohibition)


def instead(record: GameRecord, turn: Turn, prohibition: Prohibition) -> Message | None:
    """What the player can do whose turn was refused; None where they may place a stone elsewhere, as they meant to."""
    if prohibition.reason in (Reason.GAME_OVER, Reason.NOT_YOUR_TURN):
        return None
    if only_resigning_left(record):
        return outlook(record)
    if prohibition.reason in (Reason.MUST_DELAY, Reason.MUST_PASS):
        return None
    elsewhere = isinstance(turn, Placement) and legal_placements(record) and not may_draw(record)
    return None if elsewhere else open_to(record)


def open_to(record: GameRecord) -> Message:
    """All that the player to move can do."""
    acts = ["place"] if legal_placements(record) else []
    acts += [f"delay-{kind}" for kind in delays(record)]
    acts += ["draw"] if may_draw(record) else []
    acts += ["pass"] if may_pass(record) else []
    listed = Listing(tuple(message(f"can.{act}") for act in (*acts, "resign")))
    return message("can", player=record.to_play, acts=listed)


def why_refused(record: GameRecord, turn: Turn, prohibition: Prohibition) -> Message:
    """A turn that may not be made, without what to do about it; record: before it."""
    return _act(record, turn) + _why(record, turn, prohibition)


def _act(record: GameRecord, turn: Turn) -> Message:
    match turn:
        case Placement(player, point) if point == OFF_BOARD:
            return message("illegal.off-board", player=player)
        case Placement(player, point):
            return message("illegal.place", player=player, point=record.position.board.name(point))
        case Delay(player):
            return message("illegal.delay", player=player)
        case Pass(player):
            return message("illegal.pass", player=player)
        case Draw(player):
            return message("illegal.draw", player=player)
        case Resign(player):
            return message("illegal.resign", player=player)


_COMPARED = {
    "situational": "to-move",
    "spight-situational": "to-move",
    "natural-situational": "own",
    "spight": "no-pass",
}
"""What besides the board a ko rule, by its name, compares."""
_BY_REASON_ALONE = (
    *(Reason.GAME_OVER, Reason.MUST_DELAY, Reason.MUST_PASS, Reason.OFF_BOARD, Reason.OCCUPIED, Reason.SURROUNDED),
    *(Reason.HOT_STONE, Reason.DISTURBING, Reason.CYCLE, Reason.NO_PRISONER),
)
MESSAGE_KEYS = (
    *(f"repeats.{compared}" for compared in ("board", *_COMPARED.values())),
    *(f"repeats-start.{compared}" for compared in ("board", *_COMPARED.values())),
    *(f"why.{reason}" for reason in _BY_REASON_ALONE),
    *(f"can.{act}" for act in ("place", "delay-prisoner", "delay-ultimate", "draw", "pass", "resign")),
)


def _why(record: GameRecord, turn: Turn, prohibition: Prohibition) -> Message:
    if prohibition.note is not None:
        return prohibition.note
    match prohibition.reason:
        case Reason.KO | Reason.SUPERKO:
            return _repeats(record, turn.player, prohibition.repeats)
        case Reason.PATH:
            return _path(prohibition)
        case Reason.NOT_YOUR_TURN:
            return message("why.not-your-turn", player=record.to_play)
        case Reason.DELAY_NOT_AVAILABLE:
            return _no_delay(record)
        case Reason.DRAW_NOT_AVAILABLE:
            return _no_draw(record, turn)
        case Reason.PASS_NOT_AVAILABLE:
            return _no_pass(record)
    return message(f"why.{prohibition.reason}")


def _repeats(record: GameRecord, player: Colour, repeats: int | None) -> Message:
    compared = _COMPARED.get(record.rules.ko.name, "board")
    if repeats:
        return message(f"repeats.{compared}", turn=repeats, player=player)
    return message(f"repeats-start.{compared}", player=player)


def _path(prohibition: Prohibition) -> Message:
    passes, last, since = prohibition.passes, prohibition.repeats or 0, prohibition.since or 0
    if not passes:
        return message("why.path", turn=last, since=since)
    return message("why.path-passes", n=passes, first=last - passes, last=last, since=since)


def _no_delay(record: GameRecord) -> Message:
    kinds = record.rules.delays.kinds if record.rules.delays is not None else ()
    if not kinds:
        return message("why.no-delay")
    return message("why.ultimate-once" if "ultimate" in kinds else "why.no-ultimate")


def _no_pass(record: GameRecord) -> Message:
    if record.rules.handicap.stones_to_place(record):
        return message("why.handicap-first")
    return message("why.nothing-changed" if record.rules.ending.may_pass(record) else "why.no-pass")


def _no_draw(record: GameRecord, turn: Turn) -> Message:
    if record.rules.draws is None:
        return message("why.no-draw")
    if isinstance(record.rules.draws, UltimateDelayDraws):
        return message("why.draw-delays")
    other = opponent_of(turn.player)
    if record.bowls.ultimate is not other:
        return message("why.draw-stone", player=other)
    left = Stones(record.bowls.count(other, turn.player), turn.player)
    return message("why.draw-prisoners", player=other, stones=left)


# Looks that no turn explains


def unexplained(record: GameRecord, seen: Position, changed: Mask) -> Message:
    """A change on the board that is no turn of the player to move; seen: the board as it looks."""
    before, board = record.position, record.position.board
    if changed.bit_count() != 1:
        return message("unexplained.points", points=points(board, changed))
    point = changed.bit_length() - 1
    was, now, place = before.colour_at(point), seen.colour_at(point), board.name(point)
    if was is None and now not in (None, record.to_play):
        return message("unexplained.out-of-turn", stone=now, point=place, player=record.to_play)
    if was is not None and now is None:
        return message("unexplained.gone", stone=was, point=place)
    if was is not None and now is not None:
        return message("unexplained.other-colour", stone=now, was=was, point=place)
    return message("unexplained.point", point=place)


def unclear(board: Board, open_points: Mask) -> Message:
    """Points that have to be seen better before a turn can be written; of many only how many they are."""
    if open_points.bit_count() > MOST_UNCLEAR:
        return hidden(open_points.bit_count())
    return message("unclear", points=points(board, open_points))


def between(board: Board, stones: Sequence[Between]) -> Message:
    """Stones that lie on no point plainly; there is at least one."""
    said = [_one_between(board, stone) for stone in stones[:MOST_BETWEEN]]
    return reduce(add, said)


def _one_between(board: Board, stone: Between) -> Message:
    if stone.towards is None:
        return message("between.edge", point=board.name(stone.point))
    return message("between", point=board.name(stone.point), other=board.name(stone.towards))


def hidden(count: int) -> Message:
    """So many points of the board are doubtful that what can be seen of it is not enough."""
    return message("hidden", n=count)


def begun(position_stones: int, to_play: Colour) -> Message:
    """The game was under way when the first look was taken."""
    return message("recording.begun", stones=Stones(position_stones), player=to_play)


def corrected(said: Message) -> Message:
    """A turn that replaces one that was misread."""
    return message("recording.corrected") + said


def stood(record: GameRecord, said: Message) -> Message:
    """The turn after an illegal placement that nobody took back; record: as it stands after that placement."""
    turn = record.turn
    place = record.position.board.name(turn.point) if isinstance(turn, Placement) else ""
    return said + message("recording.stood", point=place, turn=record.number)


def not_ended(player: Colour) -> Message:
    """A delay that nothing confirmed."""
    return message("recording.not-ended", player=player)


# What both players agree on during play


def settling(record: GameRecord, settlement: Settlement, verdict: Verdict) -> Message:
    """An agreement that counts, or has no effect; record: before it."""
    if verdict.prohibition is not None:
        why = verdict.prohibition.note or message(f"why.{verdict.prohibition.reason}")
        return message("agreement.refused") + why
    if isinstance(settlement, Exchange):
        return exchanged(settlement.count)
    where = points(record.position.board, verdict.captured)
    return message("agreement.removed", points=where)


def removal_offered(record: GameRecord, gone: Mask) -> Message:
    """Stones went from the board into the opponent's lid though nobody captured them."""
    return message("agreement.offer", points=points(record.position.board, gone), n=gone.bit_count())


# The lids

Wrong = Mapping[tuple[Colour, Colour], int]
"""By how many stones of a colour an owner's lid has too many or, negative, too few: by owner and colour."""


def into_own_lid(mover: Colour, count: int, wrong_lid: bool = False) -> Message:
    """Captured stones that are not where they belong."""
    key = "lids.into-own-from-other" if wrong_lid else "lids.into-own"
    return message(key, player=mover, stones=Stones(count, opponent_of(mover)))


def placed_and_delayed(mover: Colour, missing: int) -> Message:
    """A stone on the board and a prisoner gone from the lid."""
    return message("lids.placed-and-delayed", player=mover, stones=Stones(missing))


def from_the_supply(mover: Colour, wrong: Wrong) -> Message:
    """A stone of the mover's colour went from a lid to the board."""
    return message("lids.from-supply", player=mover, lids=_listing(wrong))


def lids_wrong(wrong: Wrong) -> Message:
    """Lids that hold what no turn explains."""
    return message("lids.wrong", lids=_listing(wrong))


def _listing(wrong: Wrong) -> Listing:
    return Listing(
        tuple(
            message("lid.too-many" if change > 0 else "lid.too-few", player=owner, stones=Stones(abs(change), colour))
            for (owner, colour), change in wrong.items()
        )
    )


def ultimate_returned(mover: Colour) -> Message:
    """The stone in the own lid that is no prisoner left it."""
    return message("lids.ultimate-returned", player=mover)


def exchange(count: int) -> Message:
    """Both lids lost as many."""
    return message("lids.exchange", stones=Stones(count))


def exchanged(count: int) -> Message:
    """Both pressed done."""
    return message("lids.exchanged", stones=Stones(count))


def too_many_returned(mover: Colour, count: int) -> Message:
    """More than one prisoner left the lid."""
    return message("lids.too-many-returned", player=mover, stones=Stones(count), n=count - 1)


def spread(owner: Colour) -> Message:
    """A lid that cannot be counted."""
    return message("lids.spread", player=owner)


def waits_for(
    record: GameRecord, seen: Mask, players: Sequence[Colour], in_view: bool = True, known: bool = True
) -> Message:
    """Stones that were placed while lids could not be counted, so that a delay may have come before one of them.

    players: whose lids are to be spread out. in_view: both lids are. known: it is known whose they are.
    """
    said = message("waits", points=points(record.position.board, seen), n=seen.bit_count())
    if not in_view:
        return said + message("waits.no-lids")
    return sum(map(spread, players), said if known else said + message("waits.whose-lid"))


def may_be_more(board: Board, seen: Mask) -> Message:
    """Several stones since the last look, between which one may have been placed and captured."""
    return message("waits.may-be-more", points=points(board, seen))


def never_counted() -> Message:
    """What was played was followed by looks alone, for the lids were not counted to the end."""
    return message("waits.never-counted")


def which_went_back(mover: Colour, uncounted: bool) -> Message:
    """Nothing is seen to have changed; the ultimate prisoner may be gone. uncounted: or one from the lid."""
    asked = message("delay.ultimate-asked", player=mover)
    return asked + message("delay.or-spread", player=mover) if uncounted else asked


def into_other_lid(mover: Colour) -> Message:
    """The first delay of the game went to the supply."""
    return message("lids.into-other", player=mover, other=opponent_of(mover))


def to_the_supply(mover: Colour) -> Message:
    """A later delay went into the opponent's lid."""
    return message("lids.to-supply", player=mover, other=opponent_of(mover))


def lids_too() -> Message:
    """A turn still waits for its lids as well."""
    return message("lids.too")


def lids_hidden() -> Message:
    """A delay or nothing: only the lids can tell."""
    return message("lids.hidden")


def closes_nothing(presser: Colour) -> Message:
    """A press of `done` that closes no turn, beside others that do."""
    return message("press.again", player=presser)


def resigns_in_vain(player: Colour, to_play: Colour) -> Message:
    """A resignation of a player whose turn it is not."""
    return message("resign.not-next", player=player, to_play=to_play)


def done_out_of_turn(presser: Colour, to_play: Colour) -> Message:
    """A press of `done` by the player whose turn it is not."""
    return message("press.out-of-turn", player=to_play, presser=presser)


# Before the first move


def start_missing(wrong: Wrong) -> Message:
    """The starting, komi or handicap stones are not as agreed."""
    return message("start.missing", parts=Listing(moved(wrong)))


def moved(wrong: Wrong) -> tuple[Message, ...]:
    """What is to be put into lids, or taken out of them."""
    return tuple(
        message("start.put-in" if change < 0 else "start.take-out", player=owner, stones=Stones(abs(change), colour))
        for (owner, colour), change in wrong.items()
    )


def set_up(start: Position, seen: Position) -> Message:
    """What the board lacks before the first move, and what stands there that should not."""
    board = start.board
    lacks = [(colour, want & ~have) for colour, want, have in zip(COLOURS, start.stones, seen.stones, strict=False)]
    parts = [message("start.put-on", player=colour, points=points(board, lack)) for colour, lack in lacks if lack]
    surplus = seen.occupied & start.empty
    parts += [message("start.lift", points=points(board, surplus))] if surplus else []
    return message("start.missing", parts=Listing(tuple(parts)))


def lids_unseen() -> Message:
    """The start check without lids."""
    return message("start.no-lids")


def whose_lid() -> Message:
    """Nothing says yet which lid is Black's."""
    return message("start.whose-lid")


# Presses and clocks


def lost_on_time(player: Colour) -> Message:
    """One of more than two players is out."""
    return message("lost-on-time", player=player)


def forgotten(player: Colour) -> Message:
    """The opponent went on before this player had pressed `done`."""
    return message("press.forgotten", player=player)


def given_up(player: Colour) -> Message:
    """Say that a `call` does not count, because its player made another turn instead."""
    return message("call.given-up", player=player)
