"""The headline: one order to the players, and its reasons, from tables keyed by the table's state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from referee import (
    Actor,
    Colour,
    Listing,
    Message,
    ProposedCount,
    Sight,
    Stage,
    State,
    TableSnapshot,
    Tone,
    banner_tone,
    for_players,
    instruction_for,
    message,
    name_points,
    reason_for,
)
from web.language import ENGLISH, OUTCOMES, Translator
from web.page import labels

Says = Callable[[TableSnapshot, Translator], str]


@dataclass(frozen=True)
class Headline:
    """The order to the players.

    tone: its colour.
    label: a word or two above the order.
    text: the order.
    reasons: why, and further messages to the players.
    player: its one addressee, if there is one.
    since: start of the pause, in seconds on the box's clock; None if the game is not paused.
    asks_rules: True if nobody has named the rules, and they can still be chosen.
    """

    tone: Tone
    label: str
    text: str
    reasons: tuple[labels.LocalisedText, ...] = ()
    player: Colour | None = None
    since: float | None = None
    asks_rules: bool = False


_QUIET = (State.SEARCHING, State.PLACES, State.TURN)
"""The states before the first turn in which the rules are named."""


def headline_of(snapshot: TableSnapshot, say: Translator = ENGLISH) -> Headline:
    """Build the headline for the table's state."""
    say = say.on(snapshot)
    label, text = (
        say(part) if isinstance(part, str) else part(snapshot, say) for part in _SAID[snapshot.display_state.state]
    )
    players = snapshot.display_state.concerned.players
    reasons = tuple(
        localised
        for localised in (labels.translate_message(why, say) for why in _reasons_beside_headline(snapshot))
        if localised.text != text
    )
    player = players[0] if len(players) == 1 else None
    stands = snapshot.pause if snapshot.display_state.state in (State.PAUSED, State.CALLED) else None
    since = stands.since if stands is not None else None
    choice = default_rules_notice(snapshot)
    rules = choice or _rules_message(snapshot)
    reasons = (reasons or _camera_reasons(snapshot, say)) + (
        (labels.translate_message(rules, say),) if rules is not None else ()
    )
    return Headline(banner_tone(snapshot), label, text, reasons, player, since, choice is not None)


def _reasons_beside_headline(now: TableSnapshot) -> list[Message]:
    """Return the reasons, without that of a press out of turn, which is the headline itself."""
    own = now.trouble.message if now.trouble is not None and now.trouble.is_vain_press else None
    return [reason for reason in reasons_of(now) if reason != own]


def reasons_of(now: TableSnapshot) -> list[Message]:
    """Return the reasons for the order, and further messages to the players."""
    why = message("director.why", why=now.pause.why) if now.pause is not None and now.pause.why else None
    notice = now.notice if now.pause is None or now.notice is None or now.notice.key != "director.pause" else None
    proposal = proposal_of(now)
    if proposal is not None and notice == proposal.message:
        notice = None
    messages = (
        why,
        now.asks,
        reason_for(now),
        _seats_message(now),
        notice,
        proposal.message if proposal is not None else None,
    )
    return [one for one in messages if one is not None]


def proposal_of(now: TableSnapshot) -> ProposedCount | None:
    """Return the count that the box proposes, until a player answers it; None if there is none."""
    return now.game.counting.proposal if now.game.counting.stage is Stage.CLOSED else None


def default_rules_notice(now: TableSnapshot) -> Message | None:
    """Return the message about default rules that nobody named, and how to choose others: until the first turn."""
    game = now.game
    if game.rules_named or game.turn or game.ended:
        return None
    return message("unnamed.choose", rules=message(f"rules.{game.rules}"))


def _rules_message(now: TableSnapshot) -> Message | None:
    """Return the rules that are played: until the first turn, as long as nothing else is said of the table."""
    game = now.game
    begun = game.turn or game.ended or game.result is not None
    if begun or now.trouble is not None or now.display_state.state not in _QUIET:
        return None
    return message("headline.rules", rules=message(f"rules.{game.rules}"))


def _seats_message(now: TableSnapshot) -> Message | None:
    """Return the seating, until the first move, if all players are named."""
    game, clocks = now.game, now.game.clocks
    begun = game.turn or game.ended or game.result is not None or (clocks is not None and clocks.begun)
    if (begun and not now.taken_up) or not all(now.names):
        return None
    if len(now.names) > 2:
        return _seats_round_message(now)
    black, white = now.names
    if game.black_side is None:
        return message("headline.seats", black=black, white=white)
    other = next(side for side in game.sides if side != game.black_side)
    return message("headline.seats-at", black=black, white=white, black_side=game.black_side, white_side=other)


def _seats_round_message(now: TableSnapshot) -> Message:
    """Return the seating of more than two players, who sit round the table in the order of play."""
    seating = zip(now.players, now.names, strict=True)
    if now.game.black_side is None:
        seats = [message("games.player", player=player, name=name) for player, name in seating]
        return message("headline.seats-round", players=Listing(tuple(seats)))
    seats = [
        message("headline.seat", player=player, name=name, side=now.game.side_of(player) or 0)
        for player, name in seating
    ]
    return message("headline.seats-round-at", players=Listing(tuple(seats)))


def _camera_reasons(now: TableSnapshot, say: Translator) -> tuple[labels.LocalisedText, ...]:
    """Return the camera's state only if it does not see the table, and the headline does not say so."""
    blind = now.sight is Sight.COVERED or (
        now.sight in (Sight.LOST, Sight.SEARCHING, Sight.UNSHOWN) and not _is_about_camera(now)
    )
    return (labels.LocalisedText(labels.sight_text(now, say)),) if blind and not now.game.ended else ()


def _is_about_camera(now: TableSnapshot) -> bool:
    return now.display_state.state in (State.LOST, State.SEARCHING, State.UNSHOWN)


def _names_concerned(now: TableSnapshot, say: Translator) -> str:
    """Return the players concerned, or the sides if their players are not known yet."""
    concerned = now.display_state.concerned
    players = [labels.player_name(player, say) for player in concerned.players]
    return say.join(players or [labels.at_side(now.game, side, say) for side in concerned.sides])


def _dead_headline(now: TableSnapshot, say: Translator) -> str:
    dead = now.game.counting.named.dead
    if not dead:
        return say("headline.none-dead", player=_names_concerned(now, say))
    dead_points = name_points(now.game.position.board, dead)
    return say("headline.dead", n=dead.bit_count(), player=_names_concerned(now, say), points=dead_points)


def _claim_headline(now: TableSnapshot, say: Translator) -> str:
    names = [labels.player_name(player, say) for player in (now.game.clocks.fallen if now.game.clocks else ())]
    return say("headline.claim", fallen=say.join(names), player=_names_concerned(now, say))


def _result_headline(now: TableSnapshot, say: Translator) -> str:
    result = now.game.result or ""
    return say.outcome(result) if result in OUTCOMES else say("label.result", result=result)


def _agreement_headline(now: TableSnapshot, say: Translator) -> str:
    result = labels.result_text(now.game, say) or ""
    if not now.agreed:
        return say(for_players("headline.asked", len(now.players)), result=result)
    agreed_sides = say.join([labels.at_side(now.game, side, say) for side in now.agreed])
    return say("headline.one-agrees", result=result, agreed=agreed_sides, other=_names_concerned(now, say))


def _agreed_headline(now: TableSnapshot, say: Translator) -> str:
    if now.game.result == "0":
        return say(for_players("headline.agreed-draw", len(now.players)))
    return say(for_players("headline.agreed", len(now.players)), result=labels.result_text(now.game, say) or "")


def _waiting_headline(now: TableSnapshot, say: Translator) -> str:
    """Return who pressed which key."""
    done = [labels.at_side(now.game, side, say) for side in now.waiting if side not in now.scoring]
    score = [labels.at_side(now.game, side, say) for side in now.waiting if side in now.scoring]
    if done and score:
        return say("headline.waiting-both", done=say.join(done), score=say.join(score))
    key, sides = ("headline.waiting-score", score) if score else ("headline.waiting", done)
    return say(key, n=len(sides), players=say.join(sides))


def find_worded_order(now: TableSnapshot) -> Message | None:
    """Return the order worded by the referee or the box; None if the state has a sentence of its own.

    If there is no order, the finding says what to do.
    """
    match now.display_state.state:
        case State.LOST | State.UNSHOWN:
            return now.blind
        case State.ILLEGAL:
            return instruction_for(now)
        case State.UNEXPLAINED | State.CHECKING | State.UNFINISHED:
            return instruction_for(now) or (now.trouble.message if now.trouble is not None else None)
    return None


def _order_or(key: str) -> Says:
    """Build a function that returns the worded order, or else the sentence of this key."""

    def word_order(now: TableSnapshot, say: Translator) -> str:
        order = find_worded_order(now)
        return say.sentence(order) if order is not None else say(key)

    return word_order


def _refused_headline(now: TableSnapshot, say: Translator) -> str:
    order = find_worded_order(now)
    if order is not None:
        return say.sentence(order)
    trouble = now.trouble
    if trouble is not None and trouble.is_vain_press and trouble.player is not None:
        who, mover = labels.player_name(trouble.player, say), labels.player_name(now.game.to_play, say)
        return say("headline.not-your-turn", who=who, player=mover)
    return say("headline.counts-not", player=labels.player_name(now.game.to_play, say))


def _coming_turn(now: TableSnapshot, say: Translator) -> str:
    game = now.game
    if game.handicap_due:
        return say("label.handicap", stone=game.handicap - game.handicap_due + 1, handicap=game.handicap)
    return say("label.turn", turn=game.turn + 1)


def _paused_headline(now: TableSnapshot, say: Translator) -> str:
    players = len(now.players)
    match now.pause.by if now.pause is not None else None:
        case Actor.BOX if now.pause is not None and now.pause.unexplained:
            return say("lying.paused")
        case Colour() as player:
            return say(for_players("headline.paused-by", players), who=labels.player_name(player, say))
        case Actor.DIRECTOR if now.pause is not None and now.pause.adjourned:
            return say("headline.adjourned")
        case Actor.DIRECTOR:
            return say(for_players("headline.paused-by", players), who=say("director"))
    return say(for_players("headline.paused", players))


def _called_headline(now: TableSnapshot, say: Translator) -> str:
    caller, players = now.pause.by if now.pause is not None else None, len(now.players)
    if isinstance(caller, Colour):
        return say(for_players("headline.called-by", players), player=labels.player_name(caller, say))
    return say(for_players("headline.called", players))


def _turn_headline(now: TableSnapshot, say: Translator) -> str:
    if now.passing:
        return say("headline.passing", player=_names_concerned(now, say))
    if now.game.handicap_due:
        return say("headline.handicap", player=_names_concerned(now, say), n=now.game.handicap_due)
    key = ("headline.turn" if now.game.turn else "headline.ready") + ("-press" if now.refereed else "")
    return say(key, player=_names_concerned(now, say))


_SAID: dict[State, tuple[str | Says, str | Says]] = {
    State.RESIGNING: ("label.resigning", lambda now, say: say("headline.resigning", player=_names_concerned(now, say))),
    State.CALLED: ("label.called", _called_headline),
    State.FINAL: (_result_headline, _agreed_headline),
    State.PAUSED: ("label.paused", _paused_headline),
    State.RESULT: (_result_headline, _agreement_headline),
    State.RESTORED: ("label.power", lambda now, say: say("headline.restored", players=_names_concerned(now, say))),
    State.CLAIM: ("label.time", _claim_headline),
    State.LOST: ("label.lost", _order_or("headline.lost")),
    State.SEARCHING: ("label.searching", "headline.searching"),
    State.UNSHOWN: ("label.unshown", _order_or("headline.unshown")),
    State.WAITING: (_coming_turn, _waiting_headline),
    State.COUNT: ("label.count", _dead_headline),
    State.BOX_PROPOSAL: ("label.end", "headline.proposed"),
    State.UNCOUNTED: ("label.end", "headline.uncounted"),
    State.ILLEGAL: ("status.illegal", _refused_headline),
    State.UNEXPLAINED: ("status.unexplained", _order_or("headline.check")),
    State.CHECKING: ("label.start", _order_or("headline.check")),
    State.UNFINISHED: ("status.unfinished", _order_or("headline.check")),
    State.PLACES: (_coming_turn, _turn_headline),
    State.TURN: (_coming_turn, _turn_headline),
}
"""Label and sentence of each state: a key, or a function that builds it."""
MESSAGE_KEYS = (
    *(key for pair in _SAID.values() for key in pair if isinstance(key, str)),
    *(
        "headline.check",
        "headline.lost",
        "headline.unshown",
        "headline.ready",
        "headline.ready-press",
        "headline.turn",
        "headline.turn-press",
    ),
)
