"""A fuzzed game: its lines, what the slow judge answers to each, and whether `shinpan judge` answers just that."""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from device.__main__ import main
from tests.support import ROOT
from tests.support.oracle.ing import SENDING_TWO, strip
from tests.support.oracle.judge import UNREADABLE, Answer, CannotBe, JudgedSlowGame, SlowJudge
from tests.support.oracle.sets import NAMES, OPTIONS, ORDER, Lines
from tests.support.waiting import PATIENCE_S

# Random games for `judge`, as bytes: starts, turns of every kind and lines that are neither, some of them hostile.

Json = dict[str, Any]
MOST_POINTS_OF_ING = 45
"""The slow referee of Ing's kos takes its time on larger boards."""
JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2.5, 10**30, 10**400, 1e308, float("inf"), float("nan"),
    "", "B", "X", "W", "A1", "ultimate", "positional", "\0", "\ud800", "審判", "é", "\u2028", "A" * 300,
    [], ["B"], [[]], [9], [9, 9], [0, 3], [26, 2], [9.0, 9], ["..."], ["XO", "OX"], ["?"], ["X.R"], [".X.", "X.O"],
    ["...", ".."], {}, {"B": 1}, {"B": {"W": -1}}, {"W": {"B": 2}}, {"B": {"B": 1}}, {"R": {"W": 1}},
    {"ko": "simple"}, {"ko": []}, {"speed": 9},
)  # fmt: skip
KEYS = ("rules", "size", "players", "to_play", "komi", "handicap", "board", "bowls", "ultimate", "options")
TURN_KEYS = ("player", "place", "delay", "pass", "draw", "resign", "ask")
NAMES_OF_NO_POINT = (
    "A0", "I1", "i9", "A26", "Z1", "A99", "AA1", "zz77", "A123456789", "D4x", "4D", "A-1", " A1", "A1 ", "A", "1",
    "pass", "Ａ1", "A１", "A²", "é1", "A1\n", "A1\0", "a1", "b2", "resign", "tt", "",
)  # fmt: skip


def dumped(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=random.Random(repr(value)[:50]).random() < 0.5).encode(errors="surrogatepass")


# Starts


def start(chance: random.Random, name: str) -> Json:
    """The start of a game under this rule set, mostly one that can be."""
    options = chosen_options(chance, name)
    line: Json = {"rules": name} | ({"options": options} if options else {})
    ing = options.get("ko", "ing" if name == "ing" else "") == "ing"
    cols, rows = sides(chance, ing)
    players = ORDER[: chance.choice([2, 2, 2, 3, 3, 4, 5, 6])] if name == "kee" else "BW"
    if players != "BW" or chance.random() < 0.1:
        line["players"] = players
    if ing and chance.random() < 0.7:
        line["board"] = ko_shapes(chance)
    elif chance.random() < 0.35:
        line["board"] = board(chance, cols, rows, players)
    else:
        line["size"] = cols if cols == rows and chance.random() < 0.5 else [cols, rows]
    return line | agreed(chance, name, players)


def chosen_options(chance: random.Random, name: str) -> Json:
    """Pieces exchanged: often none, now and then pieces that contradict each other."""
    delays = name in ("ultimate", "ultimate-original", "fundamental")
    likely = {"ko": 0.35, "suicide": 0.3} | ({} if delays else {"ending": 0.2, "handicap": 0.1, "compensation": 0.05})
    options: Json = {key: chance.choice(OPTIONS[key]) for key, often in likely.items() if chance.random() < often}
    if options.get("ending") == "none" and chance.random() < 0.9:
        options["scoring"] = "none"
        options.setdefault("suicide", chance.choice(["none", "any", "multi"]))
    if chance.random() < 0.02:
        options[chance.choice(list(OPTIONS))] = chance.choice([*OPTIONS["ko"], *JUNK])
    return options


def sides(chance: random.Random, ing: bool) -> tuple[int, int]:
    most = chance.choice([4, 5, 6] if ing else [2, 3, 3, 4, 5, 6, 7, 9, 9, 13, 19, 19, 25])
    least = chance.choice([1, 1, most - 1, most])
    return chance.randint(least, most), chance.randint(least, most)


def board(chance: random.Random, cols: int, rows: int, players: str) -> list[str]:
    """A random position, mostly without chains that have no liberty."""
    empty = chance.choice([0.3, 0.5, 0.8])
    stones = "".join("." if chance.random() < empty else chance.choice(players) for _ in range(cols * rows))
    lines, mended = Lines(cols, rows), chance.random() < 0.95
    stones = "".join("." if mended and s != "." and not lines.chain(stones, p)[1] else s for p, s in enumerate(stones))
    if chance.random() < 0.7:
        stones = stones.replace("B", "X").replace("W", "O")
    return [stones[at : at + cols] for at in range(0, cols * rows, cols)]


def ko_shapes(chance: random.Random) -> list[str]:
    """A board with kos side by side, or one where two are sent to return one."""
    while True:
        rows = SENDING_TWO if chance.random() < 0.2 else strip(chance)
        if len(rows) * len(rows[0]) <= MOST_POINTS_OF_ING:
            return list(rows)


def agreed(chance: random.Random, name: str, players: str) -> Json:
    """Komi, handicap, who begins, what lies in the bowls."""
    line: Json = {}
    if chance.random() < 0.25:
        line["komi"] = chance.choice([0, 0.5, -0.5, 3, -2, 6.5, 7, 1, -1.5, 2, 0.25, 1000])
    if chance.random() < 0.2:
        line["handicap"] = chance.choice([0, 1, 2, 2, 3, 4, 5, 9])
    if chance.random() < 0.2:
        line["to_play"] = chance.choice(players)
    if chance.random() < 0.15 and "ing" not in name.split("-"):
        line["bowls"] = {a: {b: chance.randint(0, 4) for b in players if b != a} for a in players}
        if chance.random() < 0.4:
            line["ultimate"] = chance.choice(players)
    return line


def spoil(chance: random.Random, line: Json) -> Json:
    """A start with something in it that often cannot be."""
    return line | {chance.choice([*KEYS, "handcap"]): chance.choice(JUNK)}


# Lines


class Player:
    """A writer of the lines of a game as it stands in the slow judge. greed: how often she captures if she can."""

    def __init__(self, chance: random.Random, ko: str) -> None:
        self.chance, self.ko = chance, ko
        self.passing = chance.choice([0.02, 0.08, 0.2] if ko == "kee" else [0.002, 0.02, 0.1])
        self.patient = chance.random() < 0.6
        self.greed = chance.choice({"kee": [0.2, 0.6], "ing": [0.2, 0.6, 0.9]}.get(ko, [0.0, 0.2]))
        self.odd, self.asking = chance.choice([0.03, 0.1, 0.3]), chance.choice([0.01, 0.03])

    def line(self, game: JudgedSlowGame) -> bytes:
        """The next line."""
        turn = self.turn(game)
        if self.chance.random() < self.odd:
            return self.chance.choice(ODD)(self.chance, turn)
        if self.chance.random() < self.asking * 30 / (30 + len(game.board)):
            return dumped({"ask": "legal"})
        return dumped(turn)

    def turn(self, game: JudgedSlowGame) -> Json:
        """A turn, mostly of the player to move."""
        chance, player = self.chance, game.to_play
        if chance.random() < 0.04:
            player = chance.choice(game.start.players)
        return {"player": player} | self.act(game)

    def act(self, game: JudgedSlowGame) -> Json:
        chance, dice = self.chance, self.chance.random()
        # A patient player hardly ever does what would end the game, so that it becomes a long one.
        wary = self.patient and chance.random() < 0.98
        passing = 0 if wary and game.past[-1].a_pass else self.passing
        if dice < passing:
            return {"pass": True}
        if dice < passing + (0.09 if game.pieces.delays else 0.005):
            return {"delay": chance.choice(["prisoner", "prisoner", "prisoner", "ultimate"])}
        if dice > 0.999 and not wary:
            return {"resign": True}
        if dice > 0.985 and not (wary and game.may_draw()):
            return {"draw": True}
        if dice > 0.97:
            return {"place": chance.choice(NAMES_OF_NO_POINT)}
        return {"place": game.lines.name(self.point(game))}

    def point(self, game: JudgedSlowGame) -> int:
        """Mostly an empty point; often one that was emptied just now, for there the kos are."""
        chance, board = self.chance, game.board
        empty = [point for point, symbol in enumerate(board) if symbol == "."]
        if not empty or chance.random() < 0.06:
            return chance.randrange(len(board))
        if len(board) <= MOST_POINTS_OF_ING and chance.random() < self.greed:
            empty = [point for point in empty if game.lines.placed(board, game.to_play, point)[1]] or empty
        before = game.past[max(-5, -len(game.past))].board if chance.random() < 0.5 else game.past[-2:][0].board
        emptied = [point for point in empty if before[point] != "."]
        return chance.choice(emptied if emptied and chance.random() < 0.5 else empty)


Odd = Callable[[random.Random, Json], bytes]


def _spoilt_turn(chance: random.Random, turn: Json) -> bytes:
    return dumped(turn | {chance.choice(TURN_KEYS): chance.choice(JUNK)})


def _cut(chance: random.Random, turn: Json) -> bytes:
    line = dumped(turn)
    return line[: chance.randrange(len(line))]


def _changed_byte(chance: random.Random, turn: Json) -> bytes:
    """One byte is another, but for a line feed, which would be two lines."""
    line = bytearray(dumped(turn))
    line[chance.randrange(len(line))] = chance.choice([b for b in range(256) if b != 10])
    return bytes(line)


def _nested(chance: random.Random, turn: Json) -> bytes:
    depth = chance.choice([3, 50, 150, 300, 985, 989, 1000, 5000])
    opening, closing = chance.choice([(b"[", b"]"), (b'{"a":', b"}")])
    value = opening * depth + b"1" + closing * depth
    return b'{"%s":%s,"player":"B"}' % (chance.choice([b"place", b"x", b"pass", b"ask", b"player"]), value)


def _long(chance: random.Random, turn: Json) -> bytes:
    """Some kilobytes; now and then more than a line may have."""
    size = 1 << 20 if chance.random() < 0.01 else chance.choice([1000, 5000, 70_000])
    if chance.random() < 0.3:
        spaces = b" " * size
        return spaces + dumped(turn) if chance.random() < 0.5 else dumped(turn) + spaces
    return dumped(turn | {chance.choice(["x", "place", "player"]): "y" * size})


def _second_start(chance: random.Random, turn: Json) -> bytes:
    return dumped(chance.choice([{}, {"rules": "chinese"}, {"size": 9}, start(chance, chance.choice(NAMES))]))


def _framed(chance: random.Random, turn: Json) -> bytes:
    """A turn as other systems' editors write lines, or as they should not."""
    before = chance.choice(
        [b"", b"\xef\xbb\xbf", b"  ", b"\t", b"\x0b", b"\x0c", b"\xef\xbb\xbf ", b" \xef\xbb\xbf", b"\xa0"]
    )
    after = chance.choice([b"", b"\r", b" \r", b"\t", b"\x0b", b"\0", b"\x1a", b",", b"//", b"\xff", b"}"])
    return before + dumped(turn) + after


def _other_text(chance: random.Random, turn: Json) -> bytes:
    return chance.choice(TEXTS)


def _other_encoding(chance: random.Random, turn: Json) -> bytes:
    text = json.dumps(turn | {"x": "審é"}, ensure_ascii=False)
    return text.encode(chance.choice(["utf-16-le", "gbk", "utf-8"]), errors="replace").replace(b"\n", b"")


def _two_acts(chance: random.Random, turn: Json) -> bytes:
    """Another act besides, or the same key twice: of these JSON's reader takes the last."""
    if chance.random() < 0.5:
        return dumped(turn | {"pass": True, "note": "x"})
    return dumped(turn)[:-1] + b',"player":"W"}'


TEXTS = (
    b"", b" ", b"\r", b"\xef\xbb\xbf", b"null", b"5", b"-0", b"1e999", b"NaN", b"Infinity", b"true", b'"text"', b"[]",
    b"[{}]", b"nonsense", b"{", b"}", b"{}", b"{]", b"(;SZ[9];B[aa])", b"B D4", b"\x1b[2J",
    b"\0", b"\0" * 50, b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"9" * 5000,
    b"{'player':'B','place':'A1'}", b'{"player":"B","place":"A1",}', b'{"player":"B"}', b'{"place":"A1"}',
    b'{"ask":"meaning"}', b'{"ask":["legal"]}', b'{"ask":"legal","player":5}', b'{"player":"B","draw":1}',
    b'{"player":"B","place":' + b"7" * 4000 + b"}", b'{"player":"B","place":' + b"7" * 4500 + b"}",
    b'{"player":"B","pass":"true"}', b'{"player":"BW","pass":true}', b'{"player":"","pass":true}',
    b'{"player":"b","pass":true}',
)  # fmt: skip
ODD: tuple[Odd, ...] = (
    _spoilt_turn, _spoilt_turn, _cut, _changed_byte, _nested, _long, _second_start, _framed, _framed, _other_text,
    _other_text, _other_encoding, _two_acts,
)  # fmt: skip


AFTER_THE_END = 12
IN_VAIN = 120
"""So many lines in a row without an accepted turn end a game."""
LONGEST_SENTENCE = 300


@dataclass
class FuzzCase:
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


def fuzzed(seed: int, longest: int = 5000) -> FuzzCase:
    """The game of that seed."""
    chance = random.Random(seed)
    name = NAMES[seed % len(NAMES)]
    replaced = chance.random() < 0.06
    explained = ("--explain",) if chance.random() < 0.1 else ()
    case = FuzzCase(name, (*(("--rules", name) if replaced else ()), *explained))
    judge, start = SlowJudge(name if replaced else None), first_line(chance, chance.choice(NAMES) if replaced else name)
    ahead = [chance.choice(TEXTS) for _ in range(chance.choice([0] * 30 + [1, 3]))]
    try:
        for raw in [*ahead, *start]:
            handle(case, judge, raw)
        play(case, judge, chance, chance.choice([100, 300, 1000, longest, longest]))
    except CannotBe:
        case.refused = True
    if judge.game is not None:
        pieces = judge.game.pieces
        case.pieces = f"{pieces.ko}/{pieces.suicide}/{pieces.ending}"
    return case


def first_line(chance: random.Random, name: str) -> list[bytes]:
    """The start, now and then a spoilt one or none."""
    if chance.random() < 0.02:
        return []
    line = start(chance, name)
    return [dumped(spoil(chance, line) if chance.random() < 0.06 else line)]


def handle(case: FuzzCase, judge: SlowJudge, raw: bytes) -> Answer | None:
    """One line more in the file, and its answer."""
    case.lines.append(raw)
    plain = raw.removeprefix(b"\xef\xbb\xbf").lstrip()
    if plain and judge.game is None and not case.answers:
        case.sgf = plain.startswith(b"(")
        if case.sgf or not is_text(plain):
            raise CannotBe
    answer = judge.handle(raw)
    if answer is not None:
        case.answers.append((len(case.lines), answer))
    return answer


def is_text(raw: bytes) -> bool:
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in raw


def play(case: FuzzCase, judge: SlowJudge, chance: random.Random, length: int) -> None:
    """Turns and other lines until the game is over and a little longer, or nothing is accepted any more."""
    left, vain = AFTER_THE_END, 0
    player = Player(chance, judge.game.pieces.ko if judge.game else "")
    while len(case.lines) < length and left and vain < IN_VAIN:
        if judge.game is None:
            answer = handle(case, judge, chance.choice([b'{"ask":"legal"}', b'{"player":"B","place":"D4"}']))
        else:
            answer = handle(case, judge, player.line(judge.game))
            left -= judge.game.ended
        vain = 0 if answer and answer.get("legal") else vain + 1


# The real judge


@dataclass
class FuzzReply:
    """The outcome of a run."""

    status: int
    out: str
    err: str


def in_process(case: FuzzCase, folder: Path, by_stream: bool) -> FuzzReply:
    """`shinpan judge`, called in this process, on a file or on standard input."""
    path, out, err = folder / "game.jsonl", io.StringIO(), io.StringIO()
    path.write_bytes(case.data)
    name = "-" if by_stream else str(path)
    stdin = io.TextIOWrapper(io.BytesIO(case.data))
    with redirect_stdout(out), redirect_stderr(err), mock.patch("sys.stdin", stdin):
        status = main(["judge", name, *case.options])
    return FuzzReply(status, out.getvalue(), err.getvalue())


def as_program(case: FuzzCase) -> FuzzReply:
    """`python -m device judge -`, a process of its own."""
    command = [sys.executable, "-m", "device", "judge", "-", *case.options]
    done = subprocess.run(command, input=case.data, capture_output=True, cwd=ROOT, timeout=2 * PATIENCE_S)
    return FuzzReply(done.returncode, done.stdout.decode(), done.stderr.decode())


def difference(case: FuzzCase, output: FuzzReply) -> str | None:
    """Return the first thing that the real judge did otherwise, None if all is the same."""
    if case.sgf:
        return None if output.status == 0 or one_sentence(output.err) else f"SGF: {output}"
    wanted = 2 if case.refused or case.unreadable else 0
    if output.status != wanted:
        return f"exit status {output.status}, not {wanted}: {output.err[-2000:]}"
    complaint = re.sub(r"\Ashinpan: No rules are named, so [^\n]*\n", "", output.err)
    complaint = re.sub(r"^shinpan: Passes ended play after turn [0-9]+; if it went on, [^\n]*\n", "", complaint)
    if case.refused is not bool(complaint) or (case.refused and not one_sentence(complaint)):
        return f"standard error: {output.err[-2000:]!r}"
    out = output.out.splitlines()
    for (line, answer), text in zip(case.answers, out, strict=False):
        reply = json.loads(text)
        reply.pop("notes", None)
        if "--explain" in case.options and "turn" in reply and not reply.pop("text", "").endswith("."):
            return f"line {line}: there is no sentence"
        if not agrees(line, answer, reply):
            return f"line {line} {case.lines[line - 1][:300]!r}\n  wanted {answer}\n  got    {reply}"
    return None if len(out) == len(case.answers) else f"{len(out)} answers to {len(case.answers)} lines"


def one_sentence(text: str) -> bool:
    whole = text.startswith("shinpan: ") and text.endswith("\n") and text.count("\n") == 1
    return whole and len(text) < LONGEST_SENTENCE and "Traceback" not in text


def agrees(line: int, answer: Answer, reply: dict[str, Any]) -> bool:
    """Return True if an answer is the slow judge's."""
    if answer is UNREADABLE:
        return reply.keys() == {"error"} and reply["error"].startswith(f"line {line}: ") and len(reply["error"]) < 300
    if reply.keys() != answer.keys():
        return False
    if "refused" in answer:
        return all(reply[key] == wanted for key, wanted in answer.items() if key != "player" or wanted)
    return reply["repeats"] in answer["repeats"] and all(
        reply[key] == wanted for key, wanted in answer.items() if key != "repeats"
    )


def counted(case: FuzzCase) -> Counter[str]:
    """Return the number of lines of each kind in a game."""
    counts = Counter(lines=len(case.lines), games=1, **{"starts refused": int(case.refused)})
    for _, answer in case.answers:
        if answer is UNREADABLE:
            counts["unreadable"] += 1
        elif "refused" in answer:
            counts["asked"] += 1
        elif answer["legal"]:
            counts["accepted"] += 1
        else:
            counts[answer["reason"]] += 1
    counts["blank or start"] = len(case.lines) - len(case.answers)
    return counts
