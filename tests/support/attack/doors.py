"""Attacks on the page's doors: PINs guessed, names that are not the box's, tokens that are no text, the PIN told."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from contextlib import suppress

from tests.support.attack.boxes import DIRECTOR, NO_TABLE, AttackedBox, Ground, Outcome

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
            said = f"{GUESSES} wrong PINs from {GUESSER}, then the right one from {address}: {code}"
            outcome.case(code == wanted, said)
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
                asked = name.format(port=box.port)
                code, _ = box.ask("GET", path, headers={"Host": asked})
                outcome.case(400 <= code < 500 and code != 404, f"{path} as {asked}: {code}")
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
        kept = box.said + (data / "shinpan.log").read_text()
        outcome.case(re.search(r"PIN\D{0,20}\d{6}", kept) is None, "the PIN is in the system's log")
    return outcome


def owned_pin(ground: Ground) -> Outcome:
    """`sudo shinpan pin` on the folder of a box that runs as a user of its own: can that user read it?"""
    if os.geteuid() != 0:
        return Outcome(skipped="only an administrator can make a PIN in another's folder")
    outcome, folder = Outcome(), ground.folder("owned")
    user = 1000
    os.chown(folder, user, user)
    code, said = ground.run("pin", "--data", folder)
    assert code == 0, said
    ground.scratch.chmod(0o755)
    read = subprocess.run(["cat", folder / "pin"], user=user, group=user, capture_output=True)
    outcome.case(read.returncode == 0, f"the box's user cannot read the PIN: {read.stderr.decode()}")
    return outcome
