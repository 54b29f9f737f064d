"""The clock of a game with the procedures of a tournament: steps in, answers out, time passed in.

    now, answers = handle(now, Step(t, Act.PRESS, Colour.BLACK))

The procedures are guidelines: `Timekeeping(clock, procedures=False)` plays without them. Then a fallen flag loses by
itself, the player who paused resumes, the director alone sets clocks, and the acts in `GUIDELINES` are refused.
"""

from __future__ import annotations

from dataclasses import fields, replace

from referee.game.actor import Actor, By, attribute_to_director
from referee.game.messages import message
from referee.time import clock_presses, pauses, results
from referee.time import disputes as claims
from referee.time import disputes as faults
from referee.time import pauses as absence
from referee.time.state import Finding, Procedure, Timekeeping, refuse_step
from referee.time.steps import Act, Answer, Refusal, Step

PROCEDURES: dict[Act, Procedure] = {
    Act.ANNOUNCE: absence.announce_start,
    Act.MISSING: absence.record_absence,
    Act.ARRIVE: absence.record_arrival,
    Act.START: absence.start_first_turn,
    Act.PENALISE: absence.deduct_time,
    Act.PRESS: clock_presses.press_clock,
    Act.ACCEPT: clock_presses.accept_turns,
    Act.HAND_BACK: clock_presses.hand_back,
    Act.DUE: clock_presses.pass_time,
    Act.PAUSE: pauses.pause_clock,
    Act.RESUME: pauses.resume_clock,
    Act.READY: pauses.record_ready,
    Act.TURN_OFF: pauses.turn_off,
    Act.ASK_LEAVE: pauses.ask_leave,
    Act.REFUSE_LEAVE: pauses.refuse_leave,
    Act.GRANT_LEAVE: pauses.grant_leave,
    Act.RETURN: pauses.record_return,
    Act.CLAIM: claims.claim_win,
    Act.LAST_POINT: claims.last_point,
    Act.DENY_LAST_POINT: claims.deny_last_point,
    Act.MALFUNCTION: faults.report_malfunction,
    Act.PROPOSE: faults.propose_times,
    Act.NO_AGREEMENT: faults.no_agreement,
    Act.ADMIT: faults.admit_malfunction,
    Act.DISMISS: faults.dismiss_malfunction,
    Act.ADJUDICATE: faults.adjudicate_game,
    Act.RESIGN: results.resign_game,
    Act.REPORT: results.report_result,
    Act.VERIFY: results.verify_result,
    Act.DISPUTE: results.dispute_result,
    Act.CLEAR: results.make_result_final,
}
GUIDELINES = frozenset(
    {Act.MISSING, Act.ARRIVE, Act.TURN_OFF, Act.NO_AGREEMENT, Act.CLAIM, Act.LAST_POINT, Act.DENY_LAST_POINT}
    | {Act.ASK_LEAVE, Act.REFUSE_LEAVE, Act.GRANT_LEAVE, Act.RETURN}
    | {Act.MALFUNCTION, Act.ADMIT, Act.DISMISS, Act.ADJUDICATE}
)
"""The acts that exist only with the procedures."""
AFTER_THE_GAME = frozenset(
    {Act.DUE, Act.ACCEPT, Act.HAND_BACK, Act.MALFUNCTION, Act.REPORT, Act.VERIFY, Act.DISPUTE, Act.CLEAR}
    | {Act.DISMISS, Act.ADMIT, Act.PROPOSE, Act.NO_AGREEMENT, Act.ADJUDICATE}
)
"""The acts that are accepted after a result, until it is final."""


def handle_step(now: Timekeeping, step: Step) -> tuple[Timekeeping, tuple[Answer, ...]]:
    """Apply one step; return the timekeeping after it and the answers: to flags that fell, then to the step."""
    findings: list[tuple[Timekeeping, Finding, By]] = []
    for act, author in ((_find_flags, Actor.BOX), (_carry_out, step.author or step.by), (_find_flags, Actor.BOX)):
        for finding in act(now, step):
            findings.append((now, finding, author))
            now = finding.after
    now = clock_presses.forget_flags_that_stand(now, step.t)
    announcements = [(before, outcome, author) for before, outcome, author in findings if outcome.message is not None]
    return now, tuple(_make_answer(before, outcome, author, step) for before, outcome, author in announcements)


def restore_after_cut(now: Timekeeping, t: float) -> Timekeeping:
    """Return the timekeeping after a power cut.

    The clock is as at t, when the box was last alive, on its time base then. It is stopped until all players are ready,
    or until the director resumes it. A press that waited for its ruling keeps waiting.
    """
    is_interrupted = now.begun and now.result is None and not now.called
    return replace(now, clock=now.clock.broken_off(t), restored=is_interrupted, ready=frozenset(), announced=None)


def halt_clock(now: Timekeeping, t: float) -> Timekeeping:
    """Stop the clock while the players agree on something (a count, an adjourned game), without calling anybody."""
    return replace(now, clock=now.clock.stop(t))


def go_on(now: Timekeeping, t: float) -> Timekeeping:
    """Resume the clock after that, unless something else keeps it stopped."""
    stands = not now.begun or now.is_held or now.result is not None or now.clock.turn in now.absent
    return now if stands else replace(now, clock=now.clock.resumed(t))


def _carry_out(now: Timekeeping, step: Step) -> list[Finding]:
    if now.final and step.act is not Act.DUE:
        return [refuse_step(now, Refusal.FINAL, message("time.final", result=now.result or ""))]
    if step.act in GUIDELINES and not now.procedures:
        return [refuse_step(now, Refusal.PROCEDURES_OFF, message("time.no-procedures"))]
    if now.result is not None and step.act not in AFTER_THE_GAME:
        return [refuse_step(now, Refusal.GAME_OVER, message("time.game-over", result=now.result))]
    return [PROCEDURES[step.act](now, step)]


def _find_flags(now: Timekeeping, step: Step) -> list[Finding]:
    return clock_presses.judge_flags(now, step.t)[1]


def _make_answer(before: Timekeeping, finding: Finding, author: By, step: Step) -> Answer:
    after, sentence = finding.after, finding.message
    assert sentence is not None
    sentence = attribute_to_director(sentence) if author is Actor.DIRECTOR and finding.refusal is None else sentence
    changed_fields = tuple(f.name for f in fields(Timekeeping) if getattr(before, f.name) != getattr(after, f.name))
    new_result = after.result if after.result != before.result else None
    return Answer(
        step.t, step.act, sentence, finding.who, finding.refusal, changed_fields, finding.lost, new_result, author
    )
