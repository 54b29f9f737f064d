"""A fuzzed game: its lines, what the slow judge answers to each, and whether `shinpan judge` answers just that."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from device.__main__ import main
from tests.support import ROOT
from tests.support.device import odd_lines
from tests.support.oracle.judge import UNREADABLE, Answer, CannotBe, SlowJudge
from tests.support.oracle.sets import NAMES
from tests.support.waiting import PATIENCE_S

AFTER_THE_END = 12
IN_VAIN = 120
"""So many lines in a row without an accepted turn end a game."""
LONGEST_SENTENCE = 300


@dataclass
class Fuzzed:
    """A file for `judge`, and what has to come out.

    refused: it ends with a start that cannot be, or is no game. sgf: it begins as SGF does; then no answer is known.
    """

    rules: str
    options: tuple[str, ...]
    lines: list[bytes] = field(default_factory=list)
    answers: list[tuple[int, Answer]] = field(default_factory=list)
    refused: bool = False
    sgf: bool = False
    pieces: str = ""

    @property
    def data(self) -> bytes:
        return b"\n".join(self.lines) + b"\n"

    @property
    def unreadable(self) -> bool:
        return any(answer is UNREADABLE for _, answer in self.answers)


def fuzzed(seed: int, longest: int = 5000) -> Fuzzed:
    """The game of that seed."""
    chance = random.Random(seed)
    name = NAMES[seed % len(NAMES)]
    replaced = chance.random() < 0.06
    explained = ("--explain",) if chance.random() < 0.1 else ()
    made = Fuzzed(name, (*(("--rules", name) if replaced else ()), *explained))
    judge, start = SlowJudge(name if replaced else None), first_line(chance, chance.choice(NAMES) if replaced else name)
    ahead = [chance.choice(odd_lines.TEXTS) for _ in range(chance.choice([0] * 30 + [1, 3]))]
    try:
        for raw in [*ahead, *start]:
            handle(made, judge, raw)
        play(made, judge, chance, chance.choice([100, 300, 1000, longest, longest]))
    except CannotBe:
        made.refused = True
    if judge.game is not None:
        pieces = judge.game.pieces
        made.pieces = f"{pieces.ko}/{pieces.suicide}/{pieces.ending}"
    return made


def first_line(chance: random.Random, name: str) -> list[bytes]:
    """The start, now and then a spoilt one or none."""
    if chance.random() < 0.02:
        return []
    start = odd_lines.start(chance, name)
    return [odd_lines.dumped(odd_lines.spoilt(chance, start) if chance.random() < 0.06 else start)]


def handle(made: Fuzzed, judge: SlowJudge, raw: bytes) -> Answer | None:
    """One line more in the file, and its answer."""
    made.lines.append(raw)
    plain = raw.removeprefix(b"\xef\xbb\xbf").lstrip()
    if plain and judge.game is None and not made.answers:
        made.sgf = plain.startswith(b"(")
        if made.sgf or not is_text(plain):
            raise CannotBe
    answer = judge.handle(raw)
    if answer is not None:
        made.answers.append((len(made.lines), answer))
    return answer


def is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in raw


def play(made: Fuzzed, judge: SlowJudge, chance: random.Random, length: int) -> None:
    """Turns and other lines until the game is over and a little longer, or nothing is accepted any more."""
    left, vain = AFTER_THE_END, 0
    player = odd_lines.Player(chance, judge.game.pieces.ko if judge.game else "")
    while len(made.lines) < length and left and vain < IN_VAIN:
        if judge.game is None:
            answer = handle(made, judge, chance.choice([b'{"ask":"legal"}', b'{"player":"B","place":"D4"}']))
        else:
            answer = handle(made, judge, player.line(judge.game))
            left -= judge.game.ended
        vain = 0 if answer and answer.get("legal") else vain + 1


# The real judge


@dataclass
class Said:
    """The outcome of a run."""

    status: int
    out: str
    err: str


def in_process(made: Fuzzed, folder: Path, by_stream: bool) -> Said:
    """`shinpan judge`, called in this process, on a file or on standard input."""
    path, out, err = folder / "game.jsonl", io.StringIO(), io.StringIO()
    path.write_bytes(made.data)
    name = "-" if by_stream else str(path)
    stdin = io.TextIOWrapper(io.BytesIO(made.data))
    with redirect_stdout(out), redirect_stderr(err), mock.patch("sys.stdin", stdin):
        status = main(["judge", name, *made.options])
    return Said(status, out.getvalue(), err.getvalue())


def as_program(made: Fuzzed) -> Said:
    """`python -m device judge -`, a process of its own."""
    command = [sys.executable, "-m", "device", "judge", "-", *made.options]
    done = subprocess.run(command, input=made.data, capture_output=True, cwd=ROOT, timeout=2 * PATIENCE_S)
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


def difference(made: Fuzzed, said: Said) -> str | None:
    """Return the first thing that the real judge did otherwise, None if all is the same."""
    if made.sgf:
        return None if said.status == 0 or one_sentence(said.err) else f"SGF: {said}"
    wanted = 2 if made.refused or made.unreadable else 0
    if said.status != wanted:
        return f"exit status {said.status}, not {wanted}: {said.err[-2000:]}"
    complaint = re.sub(r"\Ashinpan: No rules are named, so [^\n]*\n", "", said.err)
    complaint = re.sub(r"^shinpan: Passes ended play after turn [0-9]+; if it went on, [^\n]*\n", "", complaint)
    if made.refused is not bool(complaint) or (made.refused and not one_sentence(complaint)):
        return f"standard error: {said.err[-2000:]!r}"
    out = said.out.splitlines()
    for (line, answer), text in zip(made.answers, out, strict=False):
        told = json.loads(text)
        told.pop("notes", None)
        if "--explain" in made.options and "turn" in told and not told.pop("text", "").endswith("."):
            return f"line {line}: there is no sentence"
        if not agrees(line, answer, told):
            return f"line {line} {made.lines[line - 1][:300]!r}\n  wanted {answer}\n  got    {told}"
    return None if len(out) == len(made.answers) else f"{len(out)} answers to {len(made.answers)} lines"


def one_sentence(said: str) -> bool:
    whole = said.startswith("shinpan: ") and said.endswith("\n") and said.count("\n") == 1
    return whole and len(said) < LONGEST_SENTENCE and "Traceback" not in said


def agrees(line: int, answer: Answer, told: dict[str, Any]) -> bool:
    """Return True if an answer is the slow judge's."""
    if answer is UNREADABLE:
        return told.keys() == {"error"} and told["error"].startswith(f"line {line}: ") and len(told["error"]) < 300
    if told.keys() != answer.keys():
        return False
    if "refused" in answer:
        return all(told[key] == wanted for key, wanted in answer.items() if key != "player" or wanted)
    return told["repeats"] in answer["repeats"] and all(
        told[key] == wanted for key, wanted in answer.items() if key != "repeats"
    )


def counted(made: Fuzzed) -> Counter[str]:
    """Return the number of lines of each kind in a game."""
    found = Counter(lines=len(made.lines), games=1, **{"starts refused": int(made.refused)})
    for _, answer in made.answers:
        if answer is UNREADABLE:
            found["unreadable"] += 1
        elif "refused" in answer:
            found["asked"] += 1
        elif answer["legal"]:
            found["accepted"] += 1
        else:
            found[answer["reason"]] += 1
    found["blank or start"] = len(made.lines) - len(made.answers)
    return found
