"""Draws games and acts by a seed: those of players who know what they do, the same disturbed, and any acts at all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from device.table.director import TIME_ACTS
from referee.rules.sets import RULESETS
from tests.support.sequences.handicaps import RULES as STONES
from tests.support.sequences.moment import ORDER
from tests.support.sequences.table import COLUMNS, SIZE, Agreement, name_of
from tests.support.sequences.truth import BESIDE, CAPTURES, CORNER, QUIET, NotPlayed, Truth, has_liberty

TAKE_UPS = ("take-up A1 C3", "take-up E5")
"""An adjourned game is taken up in which these stones were placed."""
RESTS = 23
"""Looks, a second each, after which the box has paused for a board that no turns explain."""
CONTROLS = ("", "30s", "8s+2x4s", "8s+2/6s", "20s+3s", "ing 8s 2x4s", "60s")


def drawn_game(chance: random.Random) -> Agreement:
    """Return what is agreed before a game."""
    rules = chance.choice((*RULESETS, "kee", "kee"))
    players = chance.choice((2, 2, 3, 4, 5, 6)) if rules == "kee" else 2
    seat = chance.choice((1, 1, 1, 2, 0))
    control = chance.choice([control for control in CONTROLS if players == 2 or "ing" not in control])
    return Agreement(rules, control, chance.random() < 0.6, players, seat)


def drawn_acts(chance: random.Random, agreed: Agreement, many: int) -> tuple[str, ...]:
    """Return any acts in any order, with a leaning to what players do: looks, stones and presses in turn."""
    acts, mover = ["look"] if chance.random() < 0.9 else [], 0
    begins = chance.random() if agreed.players == 2 and not agreed.handicap else 1.0
    if begins < 0.2:
        acts += [f"director set {any_position(chance)}", "look"]
    elif begins < 0.4:
        acts += [f"director {chance.choice(TAKE_UPS)}", *(["look"] if chance.random() < 0.7 else [])]
    if agreed.control and chance.random() < 0.8:
        acts.append(f"{side_at(agreed, 1)} done")
    free = list(range(SIZE * SIZE))
    chance.shuffle(free)
    while len(acts) < many:
        if chance.random() < 0.03:
            side = chance.randint(1, agreed.players)
            acts += [f"{side} hold call", *(["look"] if chance.random() < 0.3 else []), "power cut", f"{side} done"]
        elif chance.random() < 0.03:
            acts += ["director take-back 1", "director undo"]
        elif agreed.players == 2 and chance.random() < 0.03:
            changes = [any_change(chance) for _ in range(chance.randint(1, 4))]
            to_play = chance.choice(("", "", " B", " W"))
            acts += [*changes, "look", f"director go-on{to_play}", "look", "director resume"]
        elif chance.random() < 0.45:
            player = ORDER[mover % agreed.players]
            acts += usual_turn(chance, agreed, player, free)
            mover += 1
        else:
            acts.append(any_act(chance, agreed))
    return tuple(acts[:many])


def any_change(chance: random.Random) -> str:
    """Return a stone that is put anywhere, or lifted."""
    point = name_of(chance.randrange(SIZE * SIZE))
    return f"{chance.choice(('lift', *ORDER[:2]))} {point}"


def any_position(chance: random.Random) -> str:
    """Return the rows of a position in which every chain has a liberty, and who is to play there."""
    density = chance.choice((0.1, 0.3, 0.5))
    while True:
        content = [chance.choice("BW") if chance.random() < density else "." for _ in range(SIZE * SIZE)]
        rows = ["".join(content[row * SIZE : (row + 1) * SIZE]) for row in range(SIZE)]
        stones = {name_of(point): owner for point, owner in enumerate(content) if owner != "."}
        if all(has_liberty(stones, point) for point in stones):
            return f"{'/'.join(rows)} {chance.choice('BW')}"


def side_at(agreed: Agreement, place: int) -> int:
    """Return at which side the player of this place in the order sits."""
    return ((agreed.seat or 1) - 1 + place) % agreed.players + 1


def usual_turn(chance: random.Random, agreed: Agreement, player: str, free: list[int]) -> list[str]:
    """Return a stone or a call, the press and the look; one of them may be left out."""
    side = side_at(agreed, ORDER.index(player))
    first = f"{player} {name_of(free.pop())}" if free and chance.random() < 0.7 else f"{side} call"
    acts = [first, f"{side} done", "look"]
    if chance.random() < 0.25:
        acts.remove(chance.choice(acts))
    return acts


def any_act(chance: random.Random, agreed: Agreement) -> str:
    """Return any act."""
    kind = chance.random()
    side = chance.randint(1, agreed.players)
    if kind < 0.13:
        return "look"
    if kind < 0.15:
        return "cover"
    if kind > 0.97:
        return f"late {chance.choice((0.5, 1.5, 3))} {side} {chance.choice(('done', 'done', 'call'))}"
    if kind < 0.55:
        button = chance.choice(
            ("done", "done", "done", "call", "call", "score", "hold call", "hold score", "hold done")
        )
        return f"{side} {button}"
    if kind < 0.65:
        return chance.choice(("0 pause", "0 pause", "0 hold pause"))
    if kind < 0.75:
        return f"wait {chance.choice((0.5, 2, 4, 9, 30))}"
    if kind < 0.80:
        return f"{chance.choice(ORDER[: agreed.players])} {name_of(chance.randrange(SIZE * SIZE))}"
    if kind < 0.83:
        return f"lift {chance.choice(COLUMNS)}{chance.randint(1, SIZE)}"
    if kind < 0.85 and agreed.players == 2:
        return f"lid {chance.choice('BW')} {chance.choice('BW')} {chance.choice((-1, 1))}"
    if kind < 0.89:
        return chance.choice(("power cut", "replay", "replay"))
    return "director " + any_directing(chance, agreed)


def any_directing(chance: random.Random, agreed: Agreement) -> str:
    """Return any act of the director's."""
    player = chance.choice(ORDER[: agreed.players])
    point = name_of(chance.randrange(SIZE * SIZE))
    return chance.choice(
        (
            "pause",
            "resume",
            "resume",
            "take-back 1",
            "take-back 1",
            "take-back 2",
            f"enter {player} {point}",
            f"enter {player} {point} stands",
            f"enter {player} pass",
            f"enter {player} resign",
            f"enter {player} delay",
            "clocks 20",
            f"report {chance.choice(('B+R', 'W+3', '0'))}",
            "verify",
            f"propose {player} {point}",
            f"propose {player}",
            f"agree {player}",
            f"disagree {player}",
            "void",
            f"komi {chance.choice((-5.5, 0, 6.5))}",
            "exchange 1",
            "undo",
            "undo",
            *(TAKE_UPS if agreed.players == 2 else []),
            f"remove {point}",
            "remark",
            "adjourn",
            f"time claim {player}",
            "time start",
            *(f"time {act.value} {by} {player}" for act in chance.sample(TIME_ACTS, 6) for by in (player, "-")),
        )
    )


def played(seed: int, many: int = 24) -> tuple[Agreement, tuple[str, ...]]:
    """Return a game and the acts of players who know what they do."""
    chance = random.Random(f"played {seed}")
    agreed = drawn_game(chance)
    truth, acts = Truth(agreed), list[str]()
    free = list(QUIET)
    chance.shuffle(free)
    rested = 0
    for _ in range(many * 6):
        act = truth.todo[0] if truth.todo else likely_act(chance, truth, free)
        for number in range(RESTS if act == "look" and chance.random() < 0.04 else 1):
            after = truth.copy()
            try:
                after.take(act)
            except NotPlayed:
                break
            truth = after
            acts.append(act)
            rested += number > 0
        if len(acts) >= many + rested or (truth.is_final and chance.random() < 0.5):
            break
    return agreed, tuple(acts)


def likely_act(chance: random.Random, truth: Truth, free: list[str]) -> str:
    """Return what somebody may do next: mostly what the game asks for."""
    if not truth.looked:
        return "look"
    sides = range(1, len(truth.players) + 1)
    corner = next((p for p in (BESIDE, CORNER, CAPTURES) if p not in truth.stones), BESIDE)
    point = next((point for point in free if point not in truth.stones), free[0])
    point = corner if chance.random() < 0.3 else point
    kind = chance.random()
    if kind < 0.75:
        return chance.choice(asked_for(chance, truth, sides, point))
    if kind < 0.85:
        return "director " + directed(chance, truth, point)
    return chance.choice(
        (
            *(f"{chance.choice(sides)} {button}" for button in ("call", "hold call", "done", "hold done")),
            *(f"{chance.choice(sides)} {button}" for button in ("score", "hold score")),
            f"{(truth.seat or 1) - 1 + ORDER.index(truth.mover) + 1} hold call",
            "0 pause",
            "0 hold pause",
            f"wait {chance.choice((0.5, 2, 4, 9, 30))}",
            f"wait {chance.choice((0.5, 2, 4, 9, 30))}",
            "look",
            "cover",
            f"late {chance.choice((0.4, 1.6, 3))} {chance.choice(sides)} done",
            "power cut",
            "replay",
        )
    )


def asked_for(chance: random.Random, truth: Truth, sides: Sequence[int], point: str) -> list[str]:
    """Return what the table waits for."""
    side, mover = chance.choice(sides), ((truth.seat or 1) - 1 + ORDER.index(truth.mover)) % len(sides) + 1
    if truth.hold is not None:
        holder = truth.side_of(truth.hold[0])
        return [f"{holder} done", f"{holder} {chance.choice(('call', 'score'))}", "look", "0 pause", "power cut"]
    if truth.result is not None:
        return [f"{side} done", f"{side} score"]
    if truth.stands:
        return ["0 pause", "0 hold pause", "director resume", "look"]
    if truth.ready is not None or not (truth.begun or not truth.purses):
        return [f"{side} done"]
    claims = (
        [f"{truth.side_of(truth.claimant)} call", f"director time claim {truth.claimant}"] if truth.claimant else []
    )
    if truth.is_over and not truth.unjudged:
        stone = chance.choice(sorted(truth.stones) or [point])
        box = [f"box dead {stone}"] * (truth.boxed is None and not truth.unboxed)
        return [
            *box,
            f"{side} score",
            f"{side} score",
            f"{side} hold score",
            f"{side} done",
            "look",
            "look",
            f"lift {stone}",
        ]
    following = truth.next(truth.mover)
    if truth.made or truth.ahead:
        after = truth.side_of(following) if truth.seat else mover % len(sides) + 1
        late = f"late {chance.choice((0.4, 1.6))} {mover} done"
        return (
            claims
            + [f"{mover} done"] * 5
            + [
                late,
                "wait 2",
                f"{mover} call",
                "cover",
                "look",
                f"{following} {point}",
                f"{after} done",
                f"{after} done",
            ]
        )
    if truth.unjudged or truth.draws:
        again = truth.side_of(truth.pressed[-1]) if truth.pressed else mover
        late = f"late {chance.choice((0.4, 0.9))} {mover} done"
        more = [f"{truth.mover} {point}"] * 3 + [f"{mover} call", f"{mover} call", f"{again} done", "cover", late]
        return claims + ["look"] * 4 + more
    return (
        [f"{truth.mover} {point}"] * 4
        + [f"{mover} call"] * 2
        + [f"lid {truth.mover} {following} -1"] * bool(truth.lids)
    )


def directed(chance: random.Random, truth: Truth, point: str) -> str:
    """Return what the director may do."""
    kind = truth.made if truth.made in QUIET else "pass"
    return chance.choice(
        (
            "pause",
            "adjourn",
            "take-back 1",
            "take-back 1",
            "take-back 1",
            f"enter {truth.mover} {point}",
            f"enter {truth.mover} {kind}",
            "verify",
            chance.choice((f"report {chance.choice(('B+R', 'W+3', '0'))}", f"time resign {truth.mover}", "pause")),
        )
    )


def kind_of(act: str) -> str:
    """Return what kind of act it is, for a table of how many there were."""
    first, *rest = act.split()
    if first.isdigit():
        return " ".join(rest)
    if first == "director":
        return f"director {rest[0]}" + (f" {rest[1]}" if rest[0] == "time" else "")
    return "stone" if len(first) == 1 and first.isupper() else act if first in ("power", "replay", "look") else first


def drawn(seed: int, many: int = 18) -> tuple[Agreement, tuple[str, ...]]:
    """Return the game and the acts of that seed."""
    chance = random.Random(f"sequence {seed}")
    agreed, acts = _drawn(chance, seed, many)
    return agreed, stray_acts(chance, acts) if agreed.players == 2 and chance.random() < 0.2 else acts


def stray_acts(chance: random.Random, acts: Sequence[str]) -> tuple[str, ...]:
    """Return the acts, and among them stones put anywhere, looks for so long that the box may pause, and what is done
    then."""
    at = chance.randint(len(acts) // 3, len(acts))
    changes = [any_change(chance) for _ in range(chance.randint(2, 5))]
    put_right = [f"lift {change.split()[1]}" for change in changes]
    to_play = chance.choice(("", " B", " W"))
    then = chance.choice(
        (
            put_right + ["look"] * 5,
            [f"director go-on{to_play}", *chance.choice(([], ["director undo"])), "look"],
            ["0 pause", *["look"] * RESTS],
            [chance.choice(("0 hold pause", "director pause", "power cut", "replay", "director resume")), *put_right],
            [],
        )
    )
    press = [f"{chance.choice((1, 2))} done"] if chance.random() < 0.5 else []
    return (*acts[:at], *changes, *press, *["look"] * RESTS, *then, *acts[at:])


def _drawn(chance: random.Random, seed: int, many: int) -> tuple[Agreement, tuple[str, ...]]:
    if seed % 2:
        agreed, acts = played(seed, many)
        return agreed, disturb_acts(chance, agreed, acts)
    agreed = drawn_game(chance)
    if agreed.players == 2 and agreed.rules in STONES and chance.random() < 0.3:
        agreed = replace(agreed, handicap=chance.randint(2, 4))
    return agreed, drawn_acts(chance, agreed, chance.randint(8, many))


def disturb_acts(chance: random.Random, agreed: Agreement, acts: Sequence[str]) -> tuple[str, ...]:
    """Return the acts of a game with some of them forgotten, doubled or exchanged, and others between them."""
    changed = list(acts)
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(changed))
        kind = chance.random()
        if kind < 0.25 and len(changed) > 2:
            del changed[at]
        elif kind < 0.45:
            changed.insert(at, changed[at])
        elif kind < 0.6:
            other = chance.randrange(len(changed))
            changed[at], changed[other] = changed[other], changed[at]
        else:
            changed.insert(at + 1, any_act(chance, agreed))
    return tuple(changed)


def count_acts(acts: Sequence[str]) -> Counter[str]:
    """Return how many acts of each kind there are."""
    return Counter(map(kind_of, acts))


def features(agreed: Agreement, acts: Sequence[str]) -> Counter[str]:
    """Return the features of a sequence, each once: what a run has to have tried."""
    return Counter(set(_features(agreed, acts)))


def _features(agreed: Agreement, acts: Sequence[str]) -> Iterator[str]:
    yield f"{agreed.players} players"
    if not agreed.seat:
        yield "sides not named"
    if agreed.handicap:
        yield "handicap"
        yield from _handicap_features(acts)
    if any(act.startswith(("director set", "director take-up")) for act in acts):
        yield "a position set up, or an adjourned game taken up"
    is_held = False
    for act in acts:
        if act.startswith("late"):
            yield "a phone's late press"
        if act == "power cut":
            yield "a power cut between a hold and its confirmation" if is_held else "another power cut"
        is_held = act.endswith("hold call") or (is_held and act in ("look", "replay", "cover"))


def _handicap_features(acts: Sequence[str]) -> Iterator[str]:
    run = 0
    for act in acts:
        run = run + 1 if act.startswith("B ") else 0
        if run > 1:
            yield "handicap stones at once"
        if act.startswith("W "):
            return
