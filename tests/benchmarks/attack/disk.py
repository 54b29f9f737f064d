"""Attack a running box with a disk that fills, fails or is taken away.

    python -m tests.benchmarks.attack.disk
    python -m tests.benchmarks.attack.disk --tree ../before full

The disk full, EIO and ENOLCK in mid-game, the folder or the stick taken away, and how often the disk is written to.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.attack import attack, journals
from tests.benchmarks.attack.camera import AGAIN_WITHIN, CASUAL, Feed, seeing
from tests.support.attack.boxes import Attack, AttackedBox, Ground, Outcome, Status, play
from tests.support.faulty_disk import NO_COMPILER, NO_MOUNT, FaultyDisk, can_fail, fill, small_disk
from tests.support.waiting import SLOWNESS, comes

TOLD_WITHIN = 3.0
SYNCS_FOR = 20.0
A_SYNC_EVERY = 5.0
"""Seconds: while only a clock runs, the disk is written to at most once in so many."""
NEAR = 1.0
"""Seconds by which a clock may be off after a restart."""
_TURNS = re.compile(r"(\d+) turns")


def full(ground: Ground) -> Outcome:
    """A full disk: is it told, by /health too, is nothing shown that is lost untold, and does it end when it ends?"""
    outcome = Outcome()
    for number in range(ground.many(4)):
        try:
            with small_disk(ground.folder(f"full {number}") / "disk") as disk:
                _filled(ground, outcome, disk / "data")
        except OSError as error:
            if str(error) != NO_MOUNT:
                raise
            return Outcome(skipped=NO_MOUNT)
    return outcome


def _filled(ground: Ground, outcome: Outcome, data: Path) -> None:
    feed = Feed(data.parent.parent / "pictures")
    with seeing(ground, data, feed) as box:
        assert comes(lambda: bool(box.health()["ok"])), f"it is not well before: {box.health()}"
        play(box, ground.rng.randrange(2, 9), ground.rng)
        filler = fill(data.parent)
        outcome.case(
            _says(ground, box, False),
            "the disk is full, and /health says ok",
        )
        for _ in range(3):
            box.act(act="enter", player=box.status()["to_play"], turn="pass", why="full")
        is_told = bool(_about_disk(box.status()))
        before = box.status()
        outcome.case(is_told or len(before["moves"]) == 0, "turns that cannot be kept are shown, and nothing is said")
        filler.unlink()
        outcome.case(
            _says(ground, box, True),
            f"there is room, and /health says {box.health()}",
        )
        box.act(act="remark", why="room again")
        before = box.status()
    with seeing(ground, data, feed, pin=box.pin) as box:
        after = box.status()
        outcome.case(
            after["moves"] == before["moves"], f"{len(after['moves'])} of {len(before['moves'])} turns are left"
        )


def _about_disk(status: Status) -> list[str]:
    return [fault for fault in status["faults"] if "camera" not in fault.lower()]


def _unkept(status: Status) -> list[str]:
    """List what the page says of the match's own files; a picture's fault stands until there is another picture."""
    return [fault for fault in _about_disk(status) if "picture" not in fault.lower()]


def _says(ground: Ground, box: AttackedBox, ok: bool) -> bool:
    """Return whether /health comes to say that all is well, or that it is not."""
    return comes(lambda: box.health()["ok"] is ok, TOLD_WITHIN * ground.patience)


ANSWERED_WITHIN = 2.0
"""Seconds in which an act is answered while the disk fails."""


def failing(ground: Ground) -> Outcome:
    """Each write is EIO, or each lock ENOLCK, in mid-game: are acts answered, is it told, and is nothing lost?"""
    if not can_fail():
        return Outcome(skipped=NO_COMPILER)
    outcome = Outcome()
    for number, fault in enumerate(("EIO", "ENOLCK") * ground.many(1)):
        data = ground.folder(f"failing {number}") / "data"
        disk = FaultyDisk(ground.folder(f"failing-{number}-shim"), data)
        with seeing(ground, data, Feed(data.parent / "pictures"), environment=disk.environment) as box:
            assert comes(lambda box=box: bool(box.health()["ok"])), f"it is not well: {box.health()}"
            play(box, ground.rng.randrange(2, 9), ground.rng)
            with disk.failing(fault):
                spent = [_entered(box, row) for row in (1, 5, 9)]
                outcome.case(_says(ground, box, False), f"{fault}, and /health says ok")
                is_told = comes(lambda box=box: bool(_about_disk(box.status())), TOLD_WITHIN * ground.patience)
                outcome.case(is_told, f"{fault}, and the page says {box.status()['faults']}")
            outcome.case(max(spent) < ANSWERED_WITHIN * ground.patience, f"{fault}: an act took {max(spent):.1f} s")
            outcome.case(
                comes(lambda box=box: not _unkept(box.status()), AGAIN_WITHIN * ground.patience),
                f"{fault} is over, and the page says {_unkept(box.status())}",
            )
            status = box.status()
        saved_turns = _count_saved_turns(ground, data.parent)
        outcome.case(
            saved_turns == status["turn"], f"{fault}: {status['turn']} turns are shown, {saved_turns} are kept"
        )
    return outcome


def _entered(box: AttackedBox, row: int) -> float:
    """Enter a turn, in this row where a point is free; the seconds of the slowest answer."""
    slowest = 0.0
    for column in "ABCDEFGHJ":
        begun, player = time.monotonic(), box.status()["to_play"]
        code, _ = box.act(act="enter", player=player, turn="place", point=f"{column}{row}", why="misread")
        slowest = max(slowest, time.monotonic() - begun)
        if code == 200:
            break
    return slowest


def taken_away(ground: Ground) -> Outcome:
    """The data folder renamed, deleted or exchanged under a running box: is that told, and a turn that is lost too?"""
    outcome, names = Outcome(), list(WAYS)
    for number in range(ground.many(6)):
        name = names[number % len(names)]
        folder = ground.folder(f"away {number}")
        feed = Feed(folder / "pictures")
        with seeing(ground, folder / "data", feed, CASUAL) as box:
            feed.give(1)
            assert comes(lambda: box.status()["turn"] == 1), "the first stone is not seen"
            WAYS[name](folder / "data")
            outcome.case(
                _says(ground, box, False),
                f"the folder was {name}, and /health says ok",
            )
            feed.give(2)
            comes(lambda: box.status()["turn"] == 2, AGAIN_WITHIN * ground.patience)
            status = box.status()
        is_told, saved_turns = bool(_about_disk(status)), _count_saved_turns(ground, folder)
        description = (
            f"the folder was {name}, {status['turn']} turns are shown, {saved_turns} are kept, told: {is_told}"
        )
        outcome.case(is_told or saved_turns == status["turn"], description)
    return outcome


def _count_saved_turns(ground: Ground, folder: Path) -> int:
    """Turns in the newest journal, wherever it is now."""
    matches = [_TURNS.search(output) for _, output in ground.verified(sorted(folder.glob("*/*.journal"))[-1:])]
    return int(matches[0][1]) if matches and matches[0] else 0


def _renamed(data: Path) -> None:
    data.rename(data.with_name("elsewhere"))


def _exchanged(data: Path) -> None:
    _renamed(data)
    data.mkdir()


def _deleted(data: Path) -> None:
    while data.exists():  # The box renames its drafts meanwhile, so that one may be gone before it is deleted.
        shutil.rmtree(data, ignore_errors=True)


WAYS: dict[str, Callable[[Path], None]] = {"renamed": _renamed, "deleted": _deleted, "exchanged": _exchanged}


def stick_gone(ground: Ground) -> Outcome:
    """The stick to which games are copied is there, pulled out or full as a result becomes final: said in the log?"""
    outcome = Outcome()
    try:
        for number in range(ground.many(3)):
            with small_disk(ground.folder(f"stick {number}") / "stick", "1m") as stick:
                outcome.case(*_copied(ground, stick, ("there", "pulled out", "full")[number % 3]))
    except OSError as error:
        if str(error) != NO_MOUNT:
            raise
        return Outcome(skipped=NO_MOUNT)
    return outcome


def _copied(ground: Ground, stick: Path, how: str) -> tuple[bool, str]:
    data, to = stick.with_name("data"), stick / "games"
    to.mkdir()
    with AttackedBox(ground, data, settings=f'[data]\ncopies = "{to}"\n') as box:
        play(box, 4, ground.rng)
        if how == "pulled out":
            to.rmdir()
        if how == "full":
            fill(stick)
        box.act(act="enter", player="B", turn="resign", why="resigned")
        box.act(act="verify")
        status = box.status()
        log = data / "shinpan.log"
        comes(lambda: str(to) in log.read_text(), AGAIN_WITHIN * ground.patience)
        output, ended = log.read_text(), box.ended
    copies = [code for code, _ in ground.verified(sorted(to.glob("*.journal")))] if how == "there" else [0]
    saved_turns = [
        match[1] for _, text in ground.verified(sorted(data.glob("*.journal"))) if (match := _TURNS.search(text))
    ]
    has_held = str(to) in output and not ended and 0 in copies and str(status["turn"]) in saved_turns
    return has_held, f"the stick is {how}: {output[-200:]}, copies {copies}, turns kept {saved_turns}"


def syncs(ground: Ground) -> Outcome:
    """Count how often the disk is written to while only a clock runs, and check the clock after a kill."""
    if shutil.which("strace") is None or os.geteuid() != 0:
        return Outcome(skipped="no strace is here to count with")
    outcome, folder = Outcome(), ground.folder("syncs")
    trace = folder / "trace"
    watching = ("strace", "-D", "-f", "--seccomp-bpf", "-e", "trace=fsync,fdatasync", "-o", str(trace))
    feed = Feed(folder / "pictures")
    with seeing(ground, folder / "data", feed, before=watching) as box:
        play(box, 0, ground.rng, control="20m", procedures=False)
        box.act(act="time", step="start")
        box.act(act="enter", player="B", turn="place", point="E5", why="begun")
        assert _settles(trace), "it is written to without end"
        before, begun, lasts = _count_syncs(trace), time.monotonic(), max(2 * A_SYNC_EVERY, SYNCS_FOR * ground.share)
        time.sleep(lasts)
        many, seconds = _count_syncs(trace) - before, time.monotonic() - begun
        clocks, ran = box.status()["clocks"], box.health()["seconds"]
    spent = sum(_spent(clocks, ran).values())
    outcome.case(clocks["begun"] and _runs(clocks), f"the clock does not run: {clocks}")
    allowed = seconds / A_SYNC_EVERY + 1
    outcome.case(many <= allowed, f"{many} fsyncs in {seconds:.0f} s in which only the clock ran")
    with seeing(ground, folder / "data", feed, pin=box.pin) as box:
        spent_after = sum(_spent(box.status()["clocks"], box.health()["seconds"]).values())
        is_near = abs(spent_after - spent) <= NEAR * SLOWNESS
    outcome.case(is_near, f"after a kill {spent_after:.1f} s are spent and not {spent:.1f} s")
    return outcome


def _settles(trace: Path) -> bool:
    """Return True as soon as nothing was written for a second: the acts before have come to the disk."""
    counts = [-1]

    def is_quiet() -> bool:
        counts.append(_count_syncs(trace))
        return counts[-1] == counts[-2]

    return comes(is_quiet, again=1.0)


def _count_syncs(trace: Path) -> int:
    return trace.read_text().count("sync(")


def _runs(clocks: Status) -> bool:
    return any(face["running"] for face in clocks["players"].values())


def _spent(clocks: Status, seconds: float) -> dict[str, float]:
    """Seconds that each player has spent at this time on the box's clock."""
    faces = clocks["players"].items()
    return {
        player: face["spent"] / 1000 + (seconds - clocks["t"] if face["running"] else 0.0) for player, face in faces
    }


ATTACKS: dict[str, Attack] = {
    "full": full,
    "failing": failing,
    "taken-away": taken_away,
    "stick-gone": stick_gone,
    "syncs": syncs,
    "read-only": journals.read_only,
}
"""Each by its name."""

if __name__ == "__main__":
    sys.exit(attack(ATTACKS, __doc__))
