"""Claims of a win on time, with their conditions and limits, and disputes about faulty clocks.

A faulty clock: the burden of proof, agreement on times, and adjudication if there is none.
"""

from __future__ import annotations

from dataclasses import replace

from referee.game.board import Colour
from referee.game.messages import Listing, Message, for_players, message
from referee.time.results import is_result
from referee.time.state import NOBODY, NOT_BEGUN, SETTLE_FIRST, Finding, OpenIssue, Timekeeping, refuse_step, who_acts
from referee.time.steps import Ground, Refusal, Step


def claim_win(now: Timekeeping, step: Step) -> Finding:
    """Claim a win because an opponent's time has run out."""
    if step.by is None:
        return refuse_step(
            now, Refusal.PLAYER_ONLY, message(for_players("time.claim-opponent", len(now.clock.players)))
        )
    against = step.player or next(iter(sorted(now.claimable_players - {step.by})), now.opponents_of(step.by)[0])
    if against is step.by:
        return refuse_step(now, Refusal.OTHER_PLAYER, message("time.claim-own"))
    if now.matter is not None:
        return refuse_step(now, Refusal.OPEN_MATTER, SETTLE_FIRST)
    if step.by in now.clock.fallen_players(step.t) and against in now.clock.fallen_players(step.t):
        # If the opponent's press closed a legal turn, that turn let the claimer's own flag pass.
        return _refuse_until_judged(now, now.unjudged[0].by) if now.unjudged else _stop_for_both(now, step)
    refusal = _why_no_claim(now, step, step.by, against)
    if refusal is not None:
        return refusal
    sentence = message("time.claims", player=step.by, loser=against)
    return Finding(now.lost_by(against, step.t, "T"), sentence, lost=against, who=against)


def _stop_for_both(now: Timekeeping, step: Step) -> Finding:
    after = replace(now.standing_for_director(step.t), matter=OpenIssue.DEAD, proposals=())
    fallen_players = Listing(tuple(now.clock.fallen_players(step.t)))
    several = len(now.clock.players) > 2
    sentence = message("time.several-lost", players=fallen_players) if several else message("time.both-lost")
    return Finding(after, sentence + message("time.agree-or-adjudicate"), Refusal.BOTH_FALLEN)


def _why_no_claim(now: Timekeeping, step: Step, player: Colour, against: Colour) -> Finding | None:
    """Return the reason why a win on time may not be claimed now."""
    if against in now.finished:
        return refuse_step(now, Refusal.PLAY_WAS_OVER, message("time.claim-play-over", player=against))
    if any(press.by is player for press in now.unjudged):
        return _refuse_until_judged(now, player)
    if against not in now.clock.fallen_players(step.t):
        return refuse_step(now, Refusal.FLAG_STANDING, message("time.claim-not-fallen", player=against))
    if against in now.passed_over:
        return refuse_step(now, Refusal.NEXT_MOVE_MADE, message("time.claim-late", player=against))
    if against in now.players_away:
        return refuse_step(now, Refusal.AWAY, message("time.claim-away", player=against))
    return None


def _refuse_until_judged(now: Timekeeping, player: Colour) -> Finding:
    return refuse_step(now, Refusal.UNJUDGED, message("time.claim-unjudged", player=player))


def last_point(now: Timekeeping, step: Step) -> Finding:
    """Record a player's justified claim, or the director's finding, that the last significant point has been taken."""
    player = step.player if step.by is None else step.by
    if player is None:
        return refuse_step(now, Refusal.OTHER_PLAYER, message("time.last-point-who"))
    if not now.begun:
        return refuse_step(now, Refusal.STANDING, NOT_BEGUN)
    if player in now.finished:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.last-point-said", player=player))
    if step.by is not None and player in now.clock.fallen_players(step.t):
        return refuse_step(now, Refusal.FLAG_FALLEN, message("time.last-point-late", player=player))
    now = replace(now, finished=now.finished | {player}, reported_flags=now.reported_flags - {player})
    sentence = message("time.last-point", who=who_acts(step))
    if not now.monitored:
        return Finding(now, sentence + message("time.last-point-runs-on", player=player), who=player)
    now = replace(now, clock=now.clock.set_free(step.t, player))
    return Finding(now, sentence + message("time.last-point-stopped", player=player), who=player)


def deny_last_point(now: Timekeeping, step: Step) -> Finding:
    """Keep the clock again, because the director finds the claim unjustified."""
    player = step.player
    if step.by is not None:
        return refuse_step(now, Refusal.DIRECTOR_ONLY, message("time.last-point-director"))
    if player is None or player not in now.finished:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.last-point-unsaid"))
    clock = now.clock.set_free(step.t, player, free=False)
    now = replace(
        now,
        clock=clock,
        finished=now.finished - {player},
        ceded=now.ceded - {player},
        reported_flags=now.reported_flags - {player},
    )
    return Finding(now, message("time.last-point-denied", player=player), who=player)


def report_malfunction(now: Timekeeping, step: Step) -> Finding:
    """Report a clock malfunction: the clock stops, and the director is called."""
    if not now.begun:
        return refuse_step(now, Refusal.STANDING, NOT_BEGUN)
    fallen_players = now.clock.fallen_players(step.t)
    has_lost = step.by is not None and (step.by in fallen_players or _has_lost_on_time(now, step))
    if now.result is not None and not has_lost:
        return refuse_step(now, Refusal.GAME_OVER, message("time.game-over", result=now.result))
    if has_lost and step.ground in (Ground.STICKY, Ground.UNPRESSED):
        return refuse_step(now, Refusal.NO_GROUND, message("time.no-ground"))
    if step.ground is Ground.DEAD or len(fallen_players) == len(now.clock.players):
        matter, instruction = OpenIssue.DEAD, message("time.agree-or-adjudicate")
    elif has_lost:
        matter, instruction = OpenIssue.FLAG, message(for_players("time.malfunction-loss", len(now.clock.players)))
    else:
        matter, instruction = OpenIssue.FAULT, message("time.malfunction-replace")
    after = replace(now.standing_for_director(step.t), matter=matter, doubter=step.by, admitted=False, proposals=())
    return Finding(after, message("time.malfunction", who=who_acts(step)) + instruction)


def _has_lost_on_time(now: Timekeeping, step: Step) -> bool:
    return now.result in [f"{other}+T" for other in now.clock.players if other is not step.by]


def admit_malfunction(now: Timekeeping, step: Step) -> Finding:
    """Record that the opponent agrees to the malfunction, or that the director finds the loss proved impossible."""
    if now.matter is not OpenIssue.FLAG or now.admitted:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.admit-nothing"))
    if step.by is now.doubter:
        return refuse_step(now, Refusal.OTHER_PLAYER, message(for_players("time.admit-other", len(now.clock.players))))
    sentence = message("time.admits", player=step.by) if step.by else message("time.found-wrong")
    return Finding(replace(now, admitted=True, result=None, verified=NOBODY), sentence + message("time.times-open"))


def dismiss_malfunction(now: Timekeeping, step: Step) -> Finding:
    """Record that the director finds nothing shown: a loss is confirmed, a clock is replaced at the times it shows."""
    if step.by is not None:
        return refuse_step(now, Refusal.DIRECTOR_ONLY, message("time.dismiss-director"))
    if now.matter is OpenIssue.FAULT:
        return _restart_at_times_shown(now, step)
    if now.matter is not OpenIssue.FLAG or now.admitted or now.doubter is None:
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.dismiss-nothing"))
    after = now.lost_by(now.doubter, step.t, "T")
    sentence = message("time.dismissed", player=now.doubter)
    return Finding(replace(after, matter=None, doubter=None), sentence, lost=now.doubter, who=now.doubter)


def _restart_at_times_shown(now: Timekeeping, step: Step) -> Finding:
    now = replace(now, matter=None, doubter=None, proposals=())
    return Finding(now, message("time.replaced"))


def propose_times(now: Timekeeping, step: Step) -> Finding:
    """Propose times; the clocks are set when the players and the director propose the same."""
    if now.result is not None and now.matter is None:
        return refuse_step(now, Refusal.GAME_OVER, message("time.game-over", result=now.result))
    if now.clock.running_player is not None:
        return refuse_step(now, Refusal.RUNNING, message("time.propose-running"))
    lefts = tuple(sorted(step.lefts, key=lambda pair: now.clock.players.index(pair[0])))
    if not lefts:
        return refuse_step(now, Refusal.OTHER_PLAYER, message("time.propose-which"))
    if not now.procedures:
        if step.by is not None:
            return refuse_step(now, Refusal.DIRECTOR_ONLY, message("time.propose-director"))
        return _set_clocks(now, step, message("time.set-by-director"))
    proposals = (*(pair for pair in now.proposals if pair[0] != step.by), (step.by, lefts))
    now = replace(now, proposals=proposals)
    everybody = {None, *now.clock.players}
    if {who for who, _ in proposals} == everybody and len({times for _, times in proposals}) == 1:
        return _set_clocks(now, step, message("time.set-by-both" if len(everybody) == 3 else "time.set-by-all"))
    control = now.clock.control
    times = tuple(message("time.proposed", player=player, left=control.text_of(left)) for player, left in lefts)
    return Finding(now, message("time.proposes", who=who_acts(step), times=Listing(times)))


def _set_clocks(now: Timekeeping, step: Step, sentence: Message) -> Finding:
    clock = now.clock.set_to(step.t, dict(step.lefts))
    still = frozenset(clock.fallen_players(step.t))
    now = replace(now, clock=clock, matter=None, doubter=None, admitted=False, proposals=(), result=None)
    now = replace(now, reported_flags=now.reported_flags & still, passed_over=now.passed_over & still)
    return Finding(now, sentence)


def no_agreement(now: Timekeeping, step: Step) -> Finding:
    """Record that no times can be agreed."""
    if step.by is not None:
        return refuse_step(now, Refusal.DIRECTOR_ONLY, message("time.no-agreement-director"))
    if now.matter is OpenIssue.OFF and now.doubter is not None:
        sentence = message("time.no-agreement-forfeit", player=now.doubter)
        return Finding(now.lost_by(now.doubter, step.t, "F"), sentence, lost=now.doubter, who=now.doubter)
    if now.matter is OpenIssue.FAULT:
        return _restart_at_times_shown(now, step)
    if now.matter is OpenIssue.FLAG and not now.admitted:
        return refuse_step(now, Refusal.NOT_SHOWN, message("time.no-agreement-undecided"))
    if now.matter not in (OpenIssue.FLAG, OpenIssue.DEAD):
        return refuse_step(now, Refusal.NOTHING_OPEN, message("time.no-agreement-nothing"))
    return Finding(replace(now, matter=OpenIssue.ADJUDICATION), message("time.no-agreement"))


def adjudicate_game(now: Timekeeping, step: Step) -> Finding:
    """Announce the result: the strongest player present has decided the frozen position."""
    if step.by is not None:
        return refuse_step(now, Refusal.DIRECTOR_ONLY, message("time.adjudicate-director"))
    if now.matter is not OpenIssue.ADJUDICATION:
        return refuse_step(now, Refusal.AGREEMENT_FIRST, message("time.adjudicate-first"))
    if step.result is None or not is_result(step.result, now.clock.players):
        return refuse_step(now, Refusal.BAD_RESULT, message("time.give-result"))
    now = replace(now, matter=None, doubter=None, admitted=False, proposals=(), result=step.result, verified=NOBODY)
    return Finding(now, message("time.adjudicated", result=step.result))
