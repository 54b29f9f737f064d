"""Attacks by what is entered: absurd matches on the director's form, and the same in the settings."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

from tests.support.attack.boxes import AttackedBox, Ground, Outcome
from tests.support.attack.cameras import SEES_WITHIN, Feed, seeing

RULES = (
    "ultimate",
    "chinese",
    "japanese",
    "aga",
    "ing",
    "new-zealand",
    "ultimate-original",
    "go",
    "",
    7,
)
SIZES = (None, None, None, 0, 2, 3, 9, 19, 25, 26, -1, 9.5, "9", 10**30, True, [9])
HANDICAPS = (None, 0, 1, 2, 9, 10, 25, 80, 81, 82, 100, 360, 361, 362, -1, 2.5, "9", 10**30)
KOMIS = (None, 0, 7.5, -1000, 1000, 1001, 1e308, "x", 0.1, 3.25, -0.0)
CONTROLS = (None, "", "45m", "30m+5x30s", "0m", "-1m", "99999999h", "1s+999999x1s", "ing 1s 1x1s", "🕰", "45", "m" * 41)
NAMES = (None, "", "Ann", "A" * 60, "A" * 61, "\u202egnol", "a\nb", "\x00", "🙂" * 30, "<script>alert(1)</script>", 7)
SIDES = (None, 0, 1, 2, 3, "1")
SETTLES_WITHIN = 8.0
"""Seconds in which a box sees its board; one that cannot use its settings before it is watched so long."""


def forms(ground: Ground) -> Outcome:
    """Set-ups by the hundred at a 9x9 board: each is answered, and the box lives and shows its page."""
    outcome, folder = Outcome(), ground.folder("forms")
    feed = Feed(folder / "pictures")
    box = _beginning(ground, folder / "0", feed)
    for number in range(ground.many(130)):
        asked = _known_set_up(number) or set_up(ground.rng)
        if not outcome.case(*_entered(box, asked)):
            box.kill()
            box = _beginning(ground, folder / str(number + 1), feed)
    outcome.case("Traceback" not in box.said, f"a traceback: {box.said[-300:]}")
    box.kill()
    return outcome


def _beginning(ground: Ground, folder: Path, feed: Feed) -> AttackedBox:
    """A box that has seen its 9x9 board, and the director inside."""
    folder.mkdir()
    box = seeing(ground, folder / "data", feed, settings="").begun()
    until = time.monotonic() + SEES_WITHIN
    while box.status()["size"] != [9, 9] and time.monotonic() < until:
        time.sleep(0.1)
    assert box.status()["size"] == [9, 9], f"the board was not seen: {box.said[-300:]}"
    assert box.login() == 200
    return box


def _known_set_up(number: int) -> dict[str, object] | None:
    """The first ones: lines left empty, and more handicap than fits on the board that lies there."""
    known = ({"rules": "chinese", "handicap": 82}, {"rules": "ultimate", "handicap": 361}, {"rules": "japanese"})
    return dict(known[number]) if number < len(known) else None


def set_up(rng: random.Random) -> dict[str, object]:
    """Draw values that somebody may enter."""
    fields = {"size": SIZES, "handicap": HANDICAPS, "komi": KOMIS, "control": CONTROLS, "black_side": SIDES}
    fields |= {"black": NAMES, "white": NAMES, "procedures": (None, True, False, 1)}
    # Few fields at a time are odd: with more, what is odd in one would hide behind another's refusal.
    made = {name: rng.choice(fields[name]) for name in rng.sample(list(fields), rng.choice((1, 1, 2, 3)))}
    made["rules"] = rng.choice(RULES) if rng.random() < 0.1 else rng.choice(RULES[:3])
    if rng.random() < 0.3:
        made["handicap"] = rng.randrange(362)
    return {name: value for name, value in made.items() if value is not None}


def _entered(box: AttackedBox, asked: dict[str, object]) -> tuple[bool, str]:
    """Enter it; then something harmless, which is heard only where the box goes on."""
    try:
        code, said = box.act(act="set-up", **asked)
        after, _ = box.act(act="remark", why="all is well")
        shown = box.status()
    except OSError as error:
        return False, f"{json.dumps(asked)[:120]}: {error}; {box.said[-150:]}"
    health = box.health()
    well = not box.ended and (health["ok"] or bool(health["faults"])) and shown["size"] is not None
    held = code in (200, 422) and after == 200 and well
    return held, f"{json.dumps(asked)[:120]}: {code} {said[:100]}, then {after}, {health}"


def settings(ground: Ground) -> Outcome:
    """The same in the settings: refused in a sentence, or the box goes on before a 9x9 board."""
    outcome, folder = Outcome(), ground.folder("settings")
    feed = Feed(folder / "pictures")
    for number in range(ground.many(12)):
        asked = _known_set_up(number) or set_up(ground.rng)
        keys = [key for key in ("rules", "size", "handicap", "komi") if key in asked]
        text = "[game]\n" + "".join(f"{key} = {json.dumps(asked[key], ensure_ascii=False)}\n" for key in keys)
        (at := folder / str(number)).mkdir()
        outcome.case(*_started(seeing(ground, at / "data", feed, settings=text), text))
    return outcome


def _started(box: AttackedBox, text: str) -> tuple[bool, str]:
    """Held: it ends at once with a sentence, or still serves its page once it has seen the board."""
    said = " ".join(text.split())
    try:
        box.begun()
    except OSError:
        box.kill()
        held = box.process.returncode == 2 and "shinpan: " in box.said and "Traceback" not in box.said
        return held, f"{said}: exit {box.process.returncode}, {box.said[-200:]}"
    until = time.monotonic() + SETTLES_WITHIN
    try:
        while time.monotonic() < until and box.status()["size"] != [9, 9]:
            time.sleep(0.1)
        held = not box.ended and "Traceback" not in box.said
    except OSError:
        held = False
    words = box.said[-200:]
    box.kill()
    return held, f"{said}: after the board was seen: {words}"
