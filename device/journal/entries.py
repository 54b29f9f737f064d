"""What a match hears and its terms as journal entries, and back: what is replayed is exactly what was heard."""

from __future__ import annotations

import base64
import zlib
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np

from device.journal.store import Entry, Kind
from device.lines import ruling_line
from referee.board import Colour, points_of
from referee.events import (
    Agree,
    AgreeVoid,
    Amend,
    Button,
    Disagree,
    LidSight,
    Named,
    Observed,
    Pressed,
    Propose,
    Word,
)
from referee.record import GameRecord
from referee.rules.sets import exchanged, rule_set
from referee.rules.setup import Setup
from referee.ruling import Reply, Ruling
from referee.snapshot import Said
from referee.table.book import mask_of
from referee.table.referee import Manner
from referee.time.controls import read_control
from referee.time.keeping import step_as_json, step_of_json
from referee.time.steps import Step
from vision.calibration import Box, Calibration, Grid

STEPS = 65535
"""Probabilities are heard and kept in so many steps."""


@dataclass(frozen=True)
class Terms:
    """What was agreed before a match. names: Black's and White's, empty where they are not given."""

    setup: Setup
    manner: Manner
    names: tuple[str, str] = ("", "")

    def record(self) -> GameRecord:
        """The match before its first turn."""
        return self.setup.record()


def as_kept(seen: Observed) -> Observed:
    """The look as a journal can keep it: the referee hears no other, so that a replay hears the same."""
    return observed_of(seen_entry(seen))


def seen_entry(seen: Observed) -> Entry:
    """A look as an entry."""
    chances = np.rint(np.array(seen.points)[:, 1:] * STEPS).clip(0, STEPS).astype("<u2")
    points = base64.b64encode(zlib.compress(chances.tobytes())).decode()
    return Entry(Kind.SEEN, seen.t, {"points": points, "lids": [astuple(lid) for lid in seen.lids]})


def observed_of(entry: Entry) -> Observed:
    """The look in an entry; raises KeyError, TypeError or ValueError for one that holds none."""
    raw = zlib.decompress(base64.b64decode(str(entry.body["points"])))
    stones = np.frombuffer(raw, "<u2").reshape(-1, 2) / STEPS
    points = tuple((max(0.0, 1.0 - black - white), black, white) for black, white in stones.tolist())
    lids = entry.body["lids"]
    assert isinstance(lids, list)
    return Observed(entry.t, points, tuple(LidSight(b, w, tuple(r), tuple(s), sure) for b, w, r, s, sure in lids))


def pressed_entry(press: Pressed) -> Entry:
    """A press as an entry."""
    return Entry(Kind.PRESSED, press.t, {"side": press.side, "button": press.button.value, "held": press.held})


def pressed_of(entry: Entry) -> Pressed:
    """The press in an entry."""
    side = entry.body["side"]
    assert isinstance(side, int)
    return Pressed(entry.t, side, Button(str(entry.body["button"])), bool(entry.body["held"]))


def ruled_entry(ruling: Ruling, record: GameRecord) -> Entry:
    """A ruling as an entry: the line `watch` prints."""
    return Entry(Kind.RULED, ruling.t, ruling_line(ruling, record))


WORDS: dict[str, type[Word]] = {
    "propose": Propose,
    "amend": Amend,
    "agree": Agree,
    "disagree": Disagree,
    "void": AgreeVoid,
}
"""What players and director say, by the name that the journal has for it."""


def said_entry(word: Word) -> Entry:
    """A word about the count or the end as an entry; points are numbered row by row from the top left."""
    name = next(name for name, kind in WORDS.items() if isinstance(word, kind))
    body: dict[str, object] = {"word": name, "player": word.player.value if word.player else None}
    if isinstance(word, Propose | Amend):
        named = word.named
        body |= {"dead": list(points_of(named.dead)), "seki": list(points_of(named.seki))}
        body |= {"one_sided": [list(points_of(points)) for points in named.one_sided], "supplies": named.supplies}
    return Entry(Kind.SAID, word.t, body)


def word_of(entry: Entry) -> Word:
    """The word in an entry."""
    body: dict[str, Any] = entry.body
    kind, player = WORDS[body["word"]], Colour(body["player"]) if body["player"] else None
    if kind is AgreeVoid:
        return AgreeVoid(entry.t, player)
    assert player is not None
    if kind is Agree or kind is Disagree:
        return kind(entry.t, player)
    black, white = map(mask_of, body["one_sided"])
    supplies = tuple(body["supplies"]) if body["supplies"] else None
    named = Named(mask_of(body["dead"]), mask_of(body["seki"]), (black, white), supplies)
    return Propose(entry.t, player, named) if kind is Propose else Amend(entry.t, player, named)


def timed_entry(step: Step) -> Entry:
    """What was done about time, or the result, as an entry."""
    return Entry(Kind.TIMED, step.t, step_as_json(step))


def step_of(entry: Entry) -> Step:
    """The step in an entry."""
    return step_of_json(entry.body)


def answered_entry(answer: Said) -> Entry:
    """An answer to a word or a step as an entry."""
    if isinstance(answer, Reply):
        body: dict[str, object] = {"player": answer.player, "refused": answer.refused}
    else:
        body = {"act": answer.act, "who": answer.who, "refusal": answer.refusal, "result": answer.result}
    return Entry(Kind.ANSWERED, answer.t, {**body, "text": answer.text})


def match_entry(terms: Terms, t: float) -> Entry:
    """The terms of a match as its first entry."""
    setup, manner = terms.setup, terms.manner
    board = setup.record().position.board
    return Entry(
        Kind.MATCH,
        t,
        {
            "rules": setup.rules.name,
            "options": exchanged(setup.rules),
            "size": [board.cols, board.rows],
            "komi": setup.komi,
            "handicap": setup.handicap,
            "refereed": manner.refereed,
            "black_side": manner.black_side,
            "control": str(manner.control) if manner.control is not None else None,
            "procedures": manner.procedures,
            "amendments": manner.amendments,
            "names": list(terms.names),
        },
    )


def terms_of(entry: Entry) -> Terms:
    """The terms in a first entry."""
    body = entry.body
    size, options, side = body["size"], body["options"], body["black_side"]
    assert isinstance(size, list) and isinstance(options, dict) and isinstance(side, int | None)
    komi, handicap = body["komi"], body["handicap"]
    assert isinstance(komi, float | int | None) and isinstance(handicap, int)
    setup = Setup(rule_set(str(body["rules"]), options), komi=komi, handicap=handicap)
    black, white = map(str, body.get("names", ("", "")))  # type: ignore[call-overload]
    return Terms(setup.sized(size[0]), _manner(body, side), (black, white))


def _manner(body: dict[str, Any], side: int | None) -> Manner:
    control = body.get("control")
    return Manner(
        bool(body["refereed"]),
        side,
        control=read_control(control) if control is not None else None,
        procedures=bool(body.get("procedures", True)),
        amendments=bool(body.get("amendments", False)),
    )


def placed_entry(calibration: Calibration, t: float) -> Entry:
    """Where board and lids lie in the picture, as an entry."""
    grid = calibration.grid
    return Entry(
        Kind.PLACED,
        t,
        {
            "size": grid.size,
            "corners": [list(corner) for corner in grid.corners],
            "lens": [grid.curvature, *grid.centre, grid.half_diagonal],
            "lids": [list(astuple(lid)) for lid in calibration.lids],
        },
    )


def placed_of(entry: Entry) -> Calibration:
    """Where board and lids lay."""
    size, corners, lens, lids = (entry.body[key] for key in ("size", "corners", "lens", "lids"))
    assert isinstance(size, int) and isinstance(corners, list) and isinstance(lens, list) and isinstance(lids, list)
    grid = Grid(size, tuple((float(x), float(y)) for x, y in corners))
    curvature, x, y, half = map(float, lens)
    grid = replace(grid, curvature=curvature, centre=(x, y), half_diagonal=half)
    return Calibration(grid, tuple(Box(*map(float, lid)) for lid in lids))
