"""Attacks by what is entered: absurd matches on the director's form, and the same in the settings."""

from __future__ import annotations

import json
import os
import random
import re
import socket
import subprocess
from contextlib import suppress
from pathlib import Path

from tests.benchmarks.attack.camera import Feed, seeing
from tests.support.attack.boxes import DIRECTOR, NO_TABLE, AttackedBox, Ground, Outcome
from tests.support.waiting import SLOWNESS, comes, until

# Attacks on the page's doors: PINs guessed, names that are not the box's, tokens that are no text, the PIN told.

GUESSER = "127.0.0.5"
GUESSES = 12
FOREIGN = ("evil.example", "evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example:{port}", "8.8.8.8")
READ = ("/", "/status.json", "/frame.jpg", "/game.sgf", "/health", "/games", "/director")
ODD_WORDS: tuple[object, ...] = ([], {}, 7, "", "\ud800", "no act")
BODIES: tuple[object, ...] = ([], "x", 1e308, {"act": "remark", "why": ["x"]}, *({"act": odd} for odd in ODD_WORDS))


def lock_out(ground: Ground) -> Outcome:
    """Wrong PINs from one address: does the director come in from another? This machine's loopback is one client."""
    outcome = Outcome()
    with AttackedBox(ground, ground.folder("lock-out") / "data") as box:
        for _ in range(GUESSES):
            box.login("000000", GUESSER)
        own = own_address()
        for address, wanted in ((DIRECTOR, 429), ("127.0.0.1", 429), *([(own, 200)] if own else [])):
            code = box.login(address=address)
            description = f"{GUESSES} wrong PINs from {GUESSER}, then the right one from {address}: {code}"
            outcome.case(code == wanted, description)
    return outcome


def own_address() -> str:
    """An address of this machine in a network; empty where it has none."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(("192.0.2.1", 9))
        return str(asking.getsockname()[0])
    return ""


def host(ground: Ground) -> Outcome:
    """Asked under another site's name, as a browser would be after that name was pointed at the box."""
    outcome = Outcome()
    with AttackedBox(ground, ground.folder("host") / "data") as box:
        for name in FOREIGN:
            for path in READ:
                host_header = name.format(port=box.port)
                code, _ = box.ask("GET", path, headers={"Host": host_header})
                outcome.case(400 <= code < 500 and code != 404, f"{path} as {host_header}: {code}")
    return outcome


def token(ground: Ground) -> Outcome:
    """Cookies and tokens that are no plain text, and bodies that are no act: an answer, never an error of the box's."""
    odd = ("schlüssel", "\xff\xfe", "\x85", "", "a" * 5000, "é" * 300)
    outcome = Outcome()
    with AttackedBox(ground, ground.folder("token") / "data") as box:
        assert box.login() == 200
        for text in odd:
            for headers in ({"X-Token": text, "Cookie": box.cookie}, {"X-Token": text, "Cookie": f"director={text}"}):
                code, _ = box.ask("POST", "/director/acts", body={"act": "pause"}, headers=headers)
                outcome.case(400 <= code < 500, f"{text[:10]!r} as a token: {code}")
        for body in BODIES:
            code, _ = box.ask("POST", "/director/acts", body=body, headers=box.inside)
            outcome.case(400 <= code < 500, f"the act {body!r}: {code}")
        outcome.case(box.act(act="remark", why="well")[0] == 200, "the director's own act is refused afterwards")
        outcome.case("Traceback" not in box.said, f"a traceback: {box.said[-200:]}")
    return outcome


def told_pin(ground: Ground) -> Outcome:
    """Started by systemd, which keeps what is said: is the director's PIN in what is kept, or in the box's own log?"""
    outcome, data = Outcome(), ground.folder("told") / "data"
    with AttackedBox(ground, data, camera=NO_TABLE, environment={"NOTIFY_SOCKET": "/nobody"}) as box:
        logged_text = box.said + (data / "shinpan.log").read_text()
        outcome.case(re.search(r"PIN\D{0,20}\d{6}", logged_text) is None, "the PIN is in the system's log")
    return outcome


def owned_pin(ground: Ground) -> Outcome:
    """`sudo shinpan pin` on the folder of a box that runs as a user of its own: can that user read it?"""
    if os.geteuid() != 0:
        return Outcome(skipped="only an administrator can make a PIN in another's folder")
    outcome, folder = Outcome(), ground.folder("owned")
    user = 1000
    os.chown(folder, user, user)
    code, output = ground.run("pin", "--data", folder)
    assert code == 0, output
    ground.scratch.chmod(0o755)
    read = subprocess.run(["cat", folder / "pin"], user=user, group=user, capture_output=True)
    outcome.case(read.returncode == 0, f"the box's user cannot read the PIN: {read.stderr.decode()}")
    return outcome


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
    box = _begin(ground, folder / "0", feed)
    for number in range(ground.many(130)):
        terms = _known_set_up(number) or set_up(ground.rng)
        if not outcome.case(*_entered(box, terms)):
            box.kill()
            box = _begin(ground, folder / str(number + 1), feed)
    outcome.case("Traceback" not in box.said, f"a traceback: {box.said[-300:]}")
    box.kill()
    return outcome


def _begin(ground: Ground, folder: Path, feed: Feed) -> AttackedBox:
    """A box that has seen its 9x9 board, and the director inside."""
    folder.mkdir()
    box = seeing(ground, folder / "data", feed, settings="").begun()
    until(lambda: box.status()["size"] == [9, 9], lambda: f"the board was not seen: {box.said[-300:]}", again=0.1)
    assert box.login() == 200
    return box


def _known_set_up(number: int) -> dict[str, object] | None:
    """The first ones: lines left empty, and more handicap than fits on the board that lies there."""
    setups = ({"rules": "chinese", "handicap": 82}, {"rules": "ultimate", "handicap": 361}, {"rules": "japanese"})
    return dict(setups[number]) if number < len(setups) else None


def set_up(rng: random.Random) -> dict[str, object]:
    """Draw values that somebody may enter."""
    fields = {"size": SIZES, "handicap": HANDICAPS, "komi": KOMIS, "control": CONTROLS, "black_side": SIDES}
    fields |= {"black": NAMES, "white": NAMES, "procedures": (None, True, False, 1)}
    # Few fields at a time are odd: with more, what is odd in one would hide behind another's refusal.
    terms = {name: rng.choice(fields[name]) for name in rng.sample(list(fields), rng.choice((1, 1, 2, 3)))}
    terms["rules"] = rng.choice(RULES) if rng.random() < 0.1 else rng.choice(RULES[:3])
    if rng.random() < 0.3:
        terms["handicap"] = rng.randrange(362)
    return {name: value for name, value in terms.items() if value is not None}


def _entered(box: AttackedBox, terms: dict[str, object]) -> tuple[bool, str]:
    """Enter it; then something harmless, which is heard only where the box goes on."""
    try:
        code, answer = box.act(act="set-up", **terms)
        after, _ = box.act(act="remark", why="all is well")
        status = box.status()
    except OSError as error:
        return False, f"{json.dumps(terms)[:120]}: {error}; {box.said[-150:]}"
    health = box.health()
    well = not box.ended and (health["ok"] or bool(health["faults"])) and status["size"] is not None
    # A number that no program reads alike is refused before the act is read.
    has_held = code in (200, 400, 422) and after == 200 and well
    return has_held, f"{json.dumps(terms)[:120]}: {code} {answer[:100]}, then {after}, {health}"


def settings(ground: Ground) -> Outcome:
    """The same in the settings: refused in a sentence, or the box goes on before a 9x9 board."""
    outcome, folder = Outcome(), ground.folder("settings")
    feed = Feed(folder / "pictures")
    for number in range(ground.many(12)):
        terms = _known_set_up(number) or set_up(ground.rng)
        keys = [key for key in ("rules", "size", "handicap", "komi") if key in terms]
        text = "[game]\n" + "".join(f"{key} = {json.dumps(terms[key], ensure_ascii=False)}\n" for key in keys)
        (at := folder / str(number)).mkdir()
        outcome.case(*_started(seeing(ground, at / "data", feed, settings=text), text))
    return outcome


def _started(box: AttackedBox, text: str) -> tuple[bool, str]:
    """Held: it ends at once with a sentence, or still serves its page once it has seen the board."""
    line = " ".join(text.split())
    try:
        box.begun()
    except OSError:
        box.kill()
        has_held = box.process.returncode == 2 and "shinpan: " in box.said and "Traceback" not in box.said
        return has_held, f"{line}: exit {box.process.returncode}, {box.said[-200:]}"
    try:
        comes(lambda: box.status()["size"] == [9, 9], SETTLES_WITHIN * SLOWNESS, again=0.1)
        has_held = not box.ended and "Traceback" not in box.said
    except OSError:
        has_held = False
    words = box.said[-200:]
    box.kill()
    return has_held, f"{line}: after the board was seen: {words}"
