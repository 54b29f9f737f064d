"""The referee's messages to the players: events, reasons for a refusal, and pending tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import add

from referee.game.board import COLOURS, Board, Colour, Mask, Point, Position, opponent_of
from referee.game.messages import Listing, Message, Points, Stones, message, name_points
from referee.game.observation import LidSight, OffGridStone
from referee.game.record import GameRecord, KoNotice
from referee.game.ruling import Prohibition, Reason
from referee.game.turns import OFF_BOARD, Delay, Draw, Exchange, Pass, Placement, Resign, Settlement, SetUp, Turn
from referee.rules.ing import is_adjourned
from referee.rules.legality import Verdict, available_delays, can_only_resign, legal_placements, may_draw, may_pass
from referee.rules.opening_and_end import is_last_a_pass, passes_in_a_row, was_voluntary_pass
from referee.rules.ultimate import UltimateDelayDraws

MOST_BETWEEN = 3
"""The number of stones between points that are named at most; the others follow once these are set right."""
INFERRED = ("inferred.lid", "inferred.lids")
"""The messages that a turn was inferred: by one lid's likely count, or by those of both."""
MOST_UNCLEAR = 4
"""The number of unclear points that are named at most."""

# Accepted turns


def accepted_turn_message(record: GameRecord, captured: Mask, doubt: Message | None = None, laid: Mask = 0) -> Message:
    """Return the message about an accepted turn.

    Args:
        record: the game after the turn.
        captured: the captured stones.
        doubt: why it is uncertain that the turn was made then; None if it is certain.
        laid: the handicap stones that were laid at once, which are named instead of the last of them.
    """
    board = record.position.board
    text = message("handicap.laid", points=name_points(board, laid)) if laid else _describe_turn(record, captured)
    return text + doubt + _find_ko_remark(record) + forced_options_notice(record)


def laid_count(text: Message) -> int:
    """Return the number of handicap stones that a message names as laid at once."""
    return sum(len(value.names) for _, value in text.args if text.key == "handicap.laid" and isinstance(value, Points))


def order_unseen() -> Message:
    """Return the message that several orders of the turns are possible."""
    return message("legal.uncertain")


def delays_unseen() -> Message:
    """Return the message that both players may have delayed before the turn."""
    return message("legal.delays-unseen")


def _describe_turn(record: GameRecord, captured: Mask) -> Message:
    match record.turn:
        case Placement(player, point):
            return _describe_placement(record, player, point, captured)
        case Delay(player):
            return _describe_delay(record, player)
        case Pass(player) if record.rules.ending.has_pass_stones:
            return message("legal.pass-stone", player=player, other=record.to_play) + _describe_end_of_play(record)
        case Pass(player) if not was_voluntary_pass(record):
            return message("legal.pass-handicap", player=player)
        case Pass(player):
            return message("legal.pass", player=player) + _describe_end_of_play(record)
        case Draw(player) if record.result == "0":
            return message("legal.draw", player=player)
        case Draw(player):
            return message("legal.draw-komi", player=player, result=record.result or "")
        case Resign(player) if record.ended:
            return message("legal.resign", player=player, result=record.result or "")
        case Resign(player):
            return message("legal.resign-others", player=player)
    return message("legal.begun")


def _describe_placement(record: GameRecord, player: Colour, point: Point, captured: Mask) -> Message:
    board, own = record.position.board, _find_own_captured(record, player, point)
    point_name = board.name(point)
    if own:
        text = message("legal.suicide", player=player, point=point_name, points=name_points(board, own))
    elif captured:
        text = message("legal.captures", player=player, point=point_name, points=name_points(board, captured))
    else:
        text = message("legal.place", player=player, point=point_name)
    return text + message("legal.counts-as-pass") + _describe_end_of_play(record) if is_last_a_pass(record) else text


def _find_ko_remark(record: GameRecord) -> Message | None:
    """Return the ko rule's message about the newest turn, if any."""
    ko = record.rules.ko
    return ko.find_remark(record) if isinstance(ko, KoNotice) else None


def _find_own_captured(record: GameRecord, player: Colour, point: Point) -> Mask:
    """Return the player's own stones that the newest placement took off the board."""
    before = record.before.position.stones_of(player) if record.before is not None else 0
    return (before | 1 << point) & ~record.position.stones_of(player)


def _describe_delay(record: GameRecord, player: Colour) -> Message:
    before, ultimate_delays = record.before, record.bowls.ultimate_delays
    if before is not None and before.bowls.ultimate_delays != ultimate_delays:
        if len(ultimate_delays) > 1:
            return message("legal.ultimate-second", player=player, other=ultimate_delays[0])
        return message("legal.ultimate-first", player=player)
    if before is not None and before.bowls.ultimate is None and record.bowls.ultimate is not None:
        return message("legal.first-delay", player=player, other=record.bowls.ultimate)
    return message("legal.delay", player=player)


def _describe_end_of_play(record: GameRecord) -> Message | None:
    if is_adjourned(record):
        return message("pass.adjourned", player=record.to_play)
    if record.rules.ending.has_pass_stones and not record.ended and passes_in_a_row(record) > 1:
        return message("pass.once-more", player=record.to_play)
    return message("pass.ended") if record.ended else None


def forced_options_notice(record: GameRecord) -> Message | None:
    """Return the message that the player to move can only resign, or that they may declare a draw; else None."""
    if can_only_resign(record):
        return message("legal.only-resigning", player=record.to_play)
    is_announced = len(record.bowls.ultimate_delays) > 1 and isinstance(record.turn, Delay) and record.turn.ultimate
    return message("legal.draw-open", player=record.to_play) if may_draw(record) and not is_announced else None


def stones_to_lift_message(record: GameRecord, standing: Mask) -> Message:
    """Return the message about captured stones that are still on the board; record: the game after the turn."""
    turn, board = record.turn, record.position.board
    if isinstance(turn, Placement):
        many, where = standing.bit_count(), name_points(board, standing)
        return message("lift.played", player=turn.player, point=board.name(turn.point), points=where, n=many)
    return lift_stones(board, standing)


def lift_stones(board: Board, standing: Mask) -> Message:
    """Return the message about captured stones that are still on the board, whoever captured them."""
    return message("lift", points=name_points(board, standing), n=standing.bit_count())


def lift_captured(board: Board, stones: Mask) -> Message:
    """Return the message that some of these stones were captured, in an order that could not be seen."""
    return message("lift.some", points=name_points(board, stones))


def turn_complete_message(record: GameRecord, captured: Mask) -> Message:
    """Return the message that an unfinished turn is now complete; record: the game after that turn."""
    return message("complete", turn=record.number) + accepted_turn_message(record, captured)


# Refused turns


def refusal_message(record: GameRecord, turn: Turn, prohibition: Prohibition, captured: Mask = 0) -> Message:
    """Return the message about a refused turn.

    Args:
        record: the game before it.
        turn: the turn.
        prohibition: the rule that refuses it.
        captured: the stones that it would have taken off the board.
    """
    text = why_refused(record, turn, prohibition)
    if isinstance(turn, Placement):
        text += message("illegal.restore" if captured else "illegal.take-back")
    return text + alternatives_message(record, turn, prohibition)


def alternatives_message(record: GameRecord, turn: Turn, prohibition: Prohibition) -> Message | None:
    """Return the message about the alternatives to a refused turn; None if they may place a stone elsewhere."""
    if prohibition.reason in (Reason.GAME_OVER, Reason.NOT_YOUR_TURN):
        return None
    if can_only_resign(record):
        return forced_options_notice(record)
    if prohibition.reason in (Reason.MUST_DELAY, Reason.MUST_PASS):
        return None
    elsewhere = isinstance(turn, Placement) and legal_placements(record) and not may_draw(record)
    return None if elsewhere else legal_actions(record)


def legal_actions(record: GameRecord) -> Message:
    """Return the message that lists all options of the player to move."""
    acts = ["place"] if legal_placements(record) else []
    acts += [f"delay-{kind}" for kind in available_delays(record)]
    acts += ["draw"] if may_draw(record) else []
    acts += ["pass"] if may_pass(record) else []
    listing = Listing(tuple(message(f"can.{act}") for act in (*acts, "resign")))
    return message("can", player=record.to_play, acts=listing)


def why_refused(record: GameRecord, turn: Turn, prohibition: Prohibition) -> Message:
    """Return the message why a turn is refused, without instructions; record: the game before it."""
    return _describe_act(record, turn) + _explain_refusal(record, turn, prohibition)


def _describe_act(record: GameRecord, turn: Turn) -> Message:
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
"""The condition besides the board that a ko rule, by its name, compares."""
_BY_REASON_ALONE = (
    *(Reason.GAME_OVER, Reason.MUST_DELAY, Reason.MUST_PASS, Reason.OFF_BOARD, Reason.OCCUPIED, Reason.SURROUNDED),
    *(Reason.HOT_STONE, Reason.DISTURBING, Reason.CYCLE, Reason.NO_PRISONER),
)
MESSAGE_KEYS = (
    *(f"repeats.{compared}" for compared in ("board", *_COMPARED.values())),
    *(f"repeats-start.{compared}" for compared in ("board", *_COMPARED.values())),
    *(f"why.{reason}" for reason in _BY_REASON_ALONE),
    "gap.set-up",
    "gap.set-up-now",
    *(f"can.{act}" for act in ("place", "delay-prisoner", "delay-ultimate", "draw", "pass", "resign")),
)


def _explain_refusal(record: GameRecord, turn: Turn, prohibition: Prohibition) -> Message:
    if prohibition.note is not None:
        return prohibition.note
    match prohibition.reason:
        case Reason.KO | Reason.SUPERKO:
            return _explain_repetition(record, turn.player, prohibition.repeats)
        case Reason.PATH:
            return _explain_path(prohibition)
        case Reason.NOT_YOUR_TURN:
            return message("why.not-your-turn", player=record.to_play)
        case Reason.DELAY_NOT_AVAILABLE:
            return _explain_no_delay(record)
        case Reason.DRAW_NOT_AVAILABLE:
            return _explain_no_draw(record, turn)
        case Reason.PASS_NOT_AVAILABLE:
            return _explain_no_pass(record)
    return message(f"why.{prohibition.reason}")


def _explain_repetition(record: GameRecord, player: Colour, repeats: int | None) -> Message:
    compared = _COMPARED.get(record.rules.ko.name, "board")
    if repeats:
        return message(f"repeats.{compared}", turn=repeats, player=player)
    return message(f"repeats-start.{compared}", player=player)


def _explain_path(prohibition: Prohibition) -> Message:
    passes, last, since = prohibition.passes, prohibition.repeats or 0, prohibition.since or 0
    if not passes:
        return message("why.path", turn=last, since=since)
    return message("why.path-passes", n=passes, first=last - passes, last=last, since=since)


def _explain_no_delay(record: GameRecord) -> Message:
    kinds = record.rules.delays.kinds if record.rules.delays is not None else ()
    if not kinds:
        return message("why.no-delay")
    return message("why.ultimate-once" if "ultimate" in kinds else "why.no-ultimate")


def _explain_no_pass(record: GameRecord) -> Message:
    if due := record.rules.handicap.stones_to_place(record):
        return message("why.handicap-first", n=due)
    return message("why.nothing-changed" if record.rules.ending.may_pass(record) else "why.no-pass")


def _explain_no_draw(record: GameRecord, turn: Turn) -> Message:
    if record.rules.draws is None:
        return message("why.no-draw")
    if isinstance(record.rules.draws, UltimateDelayDraws):
        return message("why.draw-delays")
    other = opponent_of(turn.player)
    if record.bowls.ultimate is not other:
        return message("why.draw-stone", player=other)
    left = Stones(record.bowls.count_prisoners(other, turn.player), turn.player)
    return message("why.draw-prisoners", player=other, stones=left)


# Observations that no turn explains


def unexplained_change(record: GameRecord, position: Position, changed: Mask) -> Message:
    """Return the message about a change on the board that is no turn of the player to move.

    Args:
        record: the game.
        position: the board observed.
        changed: the points that differ.
    """
    before, board = record.position, record.position.board
    if changed.bit_count() != 1:
        return message("unexplained.points", points=name_points(board, changed))
    point = changed.bit_length() - 1
    was, now, place = before.colour_at(point), position.colour_at(point), board.name(point)
    if was is None and now not in (None, record.to_play):
        return message("unexplained.out-of-turn", stone=now, point=place, player=record.to_play)
    if was is not None and now is None:
        return message("unexplained.gone", stone=was, point=place)
    if was is not None and now is not None:
        return message("unexplained.other-colour", stone=now, was=was, point=place)
    return message("unexplained.point", point=place)


def unclear_points_message(board: Board, open_points: Mask) -> Message:
    """Return the message about points that must be seen better before a turn can be recorded.

    If there are many, it gives only their number.
    """
    if open_points.bit_count() > MOST_UNCLEAR:
        return board_unclear(open_points.bit_count())
    return message("unclear", points=name_points(board, open_points))


def several_unexplained(count: int) -> Message:
    """Return the message that several turns were closed before a look that does not show how they were played."""
    return message("unexplained.several", count=count)


def between_points_message(board: Board, stones: Sequence[OffGridStone]) -> Message:
    """Return the message about stones that are not clearly on one point; there must be at least one."""
    text = [_describe_between(board, stone) for stone in stones[:MOST_BETWEEN]]
    return reduce(add, text)


def _describe_between(board: Board, stone: OffGridStone) -> Message:
    if stone.towards is None:
        return message("between.edge", point=board.name(stone.point))
    return message("between", point=board.name(stone.point), other=board.name(stone.towards))


def board_unclear(count: int) -> Message:
    """Return the message that too many points of the board are unclear."""
    return message("hidden", n=count)


def game_under_way(position_stones: int, to_play: Colour) -> Message:
    """Return the message that the game was under way at the first observation."""
    return message("recording.begun", stones=Stones(position_stones), player=to_play)


def turn_corrected(text: Message) -> Message:
    """Return the message about a turn that replaces a misread one."""
    return message("recording.corrected") + text


def inferred_turn_message(unsure: Sequence[Colour]) -> Message:
    """Return the message that a turn was inferred, and what that rests on.

    Args:
        unsure: the owners of the lids whose counts are only likely.
    """
    return message(INFERRED[0], player=unsure[0]) if len(unsure) == 1 else message(INFERRED[1])


def inferred_part(text: Message) -> Message | None:
    """Return the part of a ruling's message that says that the turn was inferred, None if it was not."""
    return next((part for part in text.then if part.key in INFERRED), None)


def inferred_corrected(turn: int) -> Message:
    """Return the message that the turns from number `turn` on were inferred wrongly."""
    return message("inferred.corrected", turn=turn)


def after_tolerated_move(record: GameRecord, text: Message) -> Message:
    """Return the message about the turn after an illegal placement that nobody took back.

    Args:
        record: the game after that placement.
        text: the message about the turn.
    """
    turn = record.turn
    place = record.position.board.name(turn.point) if isinstance(turn, Placement) else ""
    return text + message("recording.stood", point=place, turn=record.number)


def delay_unconfirmed(player: Colour) -> Message:
    """Return the message about a delay that nothing confirmed."""
    return message("recording.not-ended", player=player)


# Agreements of both players during play


def settlement_message(record: GameRecord, settlement: Settlement, verdict: Verdict) -> Message:
    """Return the message about an agreement that counts, or has no effect; record: the game before it."""
    if verdict.prohibition is not None:
        why = verdict.prohibition.note or message(f"why.{verdict.prohibition.reason}")
        return message("agreement.refused") + why
    if isinstance(settlement, SetUp):
        return gap_message(record, settlement)
    if isinstance(settlement, Exchange):
        return exchange_counts(settlement.count)
    where = name_points(record.position.board, verdict.captured)
    return message("agreement.removed", points=where)


def gap_message(record: GameRecord, set_up: SetUp) -> Message:
    """Return the message that the record goes on after a gap; record: the game before it."""
    turn, to_play = record.number, set_up.to_play
    if set_up.since and set_up.until:
        text = message(GAP[0], turn=turn, since=set_up.since, until=set_up.until)
    else:
        text = message(GAP[1], turn=turn)
    text += message("watch.to-play", player=to_play) if to_play is not None else message("gap.next-unknown")
    text += record.rules.ko.gap_note
    return text + message("gap.prisoners") if record.rules.bowls.are_prisoners_kept else text


def is_gap(text: Message) -> bool:
    """Return True for the message that the record goes on after a gap."""
    return text.key in GAP


GAP = ("gap.set-up", "gap.set-up-now")
"""Keys of the message that the record goes on after a gap, with its times and without."""


def removal_proposed(record: GameRecord, removed: Mask) -> Message:
    """Return the message about stones that moved from the board into the opponent's lid without a capture."""
    return message("agreement.offer", points=name_points(record.position.board, removed), n=removed.bit_count())


# The lids

Wrong = Mapping[tuple[Colour, Colour], int]
"""The surplus (or, negative, the lack) of stones in a lid, by owner and colour."""


def into_own_lid(mover: Colour, count: int, wrong_lid: bool = False) -> Message:
    """Return the message that captured stones belong in the mover's own lid."""
    key = "lids.into-own-from-other" if wrong_lid else "lids.into-own"
    return message(key, player=mover, stones=Stones(count, opponent_of(mover)))


def placement_with_delay(mover: Colour, missing: int) -> Message:
    """Return the message about a stone placed on the board while a prisoner left the lid."""
    return message("lids.placed-and-delayed", player=mover, stones=Stones(missing))


def from_the_supply(mover: Colour, wrong: Wrong) -> Message:
    """Return the message about a stone of the mover's colour that went from a lid to the board."""
    return message("lids.from-supply", player=mover, lids=_list_wrong(wrong))


def lids_wrong(wrong: Wrong) -> Message:
    """Return the message about lids whose contents no turn explains."""
    return message("lids.wrong", lids=_list_wrong(wrong))


def _list_wrong(wrong: Wrong) -> Listing:
    return Listing(
        tuple(
            message("lid.too-many" if change > 0 else "lid.too-few", player=owner, stones=Stones(abs(change), colour))
            for (owner, colour), change in wrong.items()
        )
    )


def ultimate_stone_left(mover: Colour) -> Message:
    """Return the message that the stone that left the own lid is no prisoner."""
    return message("lids.ultimate-returned", player=mover)


def exchange_message(count: int) -> Message:
    """Return the message that both lids lost the same number of prisoners, perhaps by an exchange."""
    return message("lids.exchange", stones=Stones(count))


def exchange_counts(count: int) -> Message:
    """Return the message about an exchange of prisoners that counts."""
    return message("lids.exchanged", stones=Stones(count))


def too_many_prisoners_left(mover: Colour, count: int) -> Message:
    """Return the message that more than one prisoner left the lid."""
    return message("lids.too-many-returned", player=mover, stones=Stones(count), n=count - 1)


def uncountable_lid_message(owner: Colour, sight: LidSight | None = None) -> Message:
    """Return the message about a lid or prisoner field that cannot be counted, seen so."""
    key = FIELD_FAULTS.get(sight.fault or "") if sight is not None else None
    if sight is None or key is None:
        return message("lids.spread", player=owner)
    row, circle = sight.circle or (0, 0)
    return message(key, player=owner, row=row, circle=circle) if row else message(key, player=owner)


FIELD_FAULTS = {
    "hidden": "field.hidden",
    "two": "field.two",
    "full": "field.full",
    "beside": "field.beside",
    "unclear": "field.unclear",
    "dark": "field.dark",
}
"""The messages about a prisoner field, by its fault in `LidSight`."""


def lids_needed(
    record: GameRecord,
    stones: Mask,
    players: Sequence[Colour],
    sights: Mapping[Colour, LidSight] | None,
    in_view: bool = True,
) -> Message:
    """Return the message about stones placed while lids could not be counted, so that a delay may have come between.

    Args:
        record: the game.
        stones: the stones.
        players: the owners of the lids to be spread out.
        sights: the lids by owner; None if it is not known whose they are.
        in_view: both lids are in view.
    """
    text = message("waits", points=name_points(record.position.board, stones), n=stones.bit_count())
    if not in_view:
        return text + message("waits.no-lids")
    if sights is None:
        return text + message("waits.whose-lid")
    return sum((uncountable_lid_message(player, sights.get(player)) for player in players), text)


def several_wait(board: Board, stones: Mask, next_player: Colour) -> Message:
    """Return the message about several new stones that are ruled on once the next player has pressed too."""
    return message("waits.press", points=name_points(board, stones), player=next_player)


def possibly_more_message(board: Board, stones: Mask) -> Message:
    """Return the message about several new stones, between which another may have been placed and captured."""
    return message("waits.may-be-more", points=name_points(board, stones))


def lids_never_counted() -> Message:
    """Return the message that the lids were not counted to the end, so the turns follow from observations alone."""
    return message("waits.never-counted")


def ask_which_stone_returned(mover: Colour, uncounted: bool) -> Message:
    """Return the question which stone went back when nothing is seen to have changed.

    Args:
        mover: the player.
        uncounted: besides the ultimate prisoner, one from the lid may be gone.
    """
    question = message("delay.ultimate-asked", player=mover)
    return question + message("delay.or-spread", player=mover) if uncounted else question


def into_other_lid(mover: Colour) -> Message:
    """Return the message that the game's first delay went to the supply instead of the opponent's lid."""
    return message("lids.into-other", player=mover, other=opponent_of(mover))


def to_the_supply(mover: Colour) -> Message:
    """Return the message that a later delay went into the opponent's lid instead of the supply."""
    return message("lids.to-supply", player=mover, other=opponent_of(mover))


def lids_too() -> Message:
    """Return the message that a turn still waits for its lids as well."""
    return message("lids.too")


def lids_hidden() -> Message:
    """Return the message that only the lids can tell a delay from no turn."""
    return message("lids.hidden")


def closes_nothing(presser: Colour) -> Message:
    """Return the message about a press of `done` that closes no turn, beside others that do."""
    return message("press.again", player=presser)


def resigns_in_vain(player: Colour, to_play: Colour) -> Message:
    """Return the message about a resignation out of turn."""
    return message("resign.not-next", player=player, to_play=to_play)


def done_out_of_turn(presser: Colour, to_play: Colour) -> Message:
    """Return the message about a press of `done` out of turn."""
    return message("press.out-of-turn", player=to_play, presser=presser)


# Before the first move


def start_missing(wrong: Wrong) -> Message:
    """Return the message that the starting, komi or handicap stones are not as agreed."""
    return message("start.missing", parts=Listing(lid_instructions(wrong)))


def lid_instructions(wrong: Wrong) -> tuple[Message, ...]:
    """Return the instructions to put stones into lids, or take them out."""
    return tuple(
        message("start.put-in" if change < 0 else "start.take-out", player=owner, stones=Stones(abs(change), colour))
        for (owner, colour), change in wrong.items()
    )


def set_up(start: Position, position: Position) -> Message:
    """Return the message about stones missing or surplus on the board before the first move."""
    board = start.board
    lacks = [(colour, want & ~have) for colour, want, have in zip(COLOURS, start.stones, position.stones, strict=False)]
    parts = [message("start.put-on", player=colour, points=name_points(board, lack)) for colour, lack in lacks if lack]
    surplus = position.occupied & start.empty
    parts += [message("start.lift", points=name_points(board, surplus))] if surplus else []
    return message("start.missing", parts=Listing(tuple(parts)))


def lids_unseen() -> Message:
    """Return the message about a start check without lids."""
    return message("start.no-lids")


def whose_lid() -> Message:
    """Return the message that Black's lid is still unknown."""
    return message("start.whose-lid")


# Presses and clocks


def lost_on_time(player: Colour) -> Message:
    """Return the message that one of more than two players is out on time."""
    return message("lost-on-time", player=player)


def forgotten_press_message(player: Colour) -> Message:
    """Return the message that the opponent went on before this player had pressed `done`."""
    return message("press.forgotten", player=player)


def given_up(player: Colour) -> Message:
    """Return the message that a `call` does not count because its player made another turn instead."""
    return message("call.given-up", player=player)
