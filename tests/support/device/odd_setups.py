"""Matches as people set them up, most of them odd: on the director's form, and in settings."""

from __future__ import annotations

import random

from referee.rules.sets import RULESETS

SIZES = (*range(2, 26),)
KOMI: tuple[object, ...] = (None, 0, 6.5, -7, 0.3, 3, 361, 1000, -1000, 1e308, float("inf"), float("nan"), "6.5", [])
HANDICAPS: tuple[object, ...] = (0, 1, 2, 4, 5, 9, 10, 81, 82, 168, 169, 170, 360, 361, 362, -1, 1.5, True, "9", 10**40)
CONTROLS: tuple[object, ...] = (
    None,
    "",
    "45m",
    "30m+5x30s",
    "0s",
    "0.001s",
    "1000h",
    "99999h",
    "1m+999x0.001s",
    "1m+99999x1s",
    "30m+20/5m",
    "1m+999999/1s",
    "3m+15s",
    "ing 60m 3x10m",
    "ing 0s 0x0s",
    "soon",
    "٣m",
    "9" * 39 + "h",
    7,
)
NAMES: tuple[object, ...] = (
    None,
    "",
    "Ōta",
    "李昌鎬",
    "]\\;(:",
    "x" * 60,
    "x" * 10**5,
    "two\nlines",
    "\x00",
    "\x1b[31m",
    "\u202e",
    "\ud800",
    "{name}",
    "<b>",
    5,
)
OPTIONS: tuple[object, ...] = (
    {},
    {"ko": "positional"},
    {"ko": 3},
    {"handicap": "traditional"},
    {"handicap": "passed"},
    {"handicap": "free"},
    {"compensation": 1e308},
    {"compensation": "stones"},
    {"ending": "none"},
    {"ending": "none", "scoring": "none"},
    {"scoring": "fill-in", "handicap": "traditional"},
    {"suicide": "any", "ko": "simple"},
    {"x" * 1000: 1},
)


def on_the_form(rng: random.Random) -> dict[str, object]:
    """The fields of the act `set-up`, some of them left out."""
    fields = {
        "rules": rng.choice((*RULESETS, "chess", "x" * 10**5)),
        "size": rng.choice((None, None, 0, *SIZES, 1, 26, -9, "9", 10**40)),
        "komi": rng.choice(KOMI),
        "handicap": rng.choice(HANDICAPS),
        "control": rng.choice(CONTROLS),
        "black": rng.choice(NAMES),
        "white": rng.choice(NAMES),
        "black_side": rng.choice((0, 1, 2, 2, 3)),
        "procedures": rng.choice((True, False, "yes")),
    }
    return _mostly_right(rng, fields, {"rules": "chinese", "size": None})


def in_settings(rng: random.Random) -> dict[str, object]:
    """The tables of a settings file: a match, and the same kind of match as a preset."""
    return {"game": _game(rng), "time": {"control": rng.choice(CONTROLS[2:16])}, "presets": {"odd": _game(rng)}}


def _game(rng: random.Random) -> dict[str, object]:
    game = {
        "rules": rng.choice((*RULESETS, "chess")),
        "size": rng.choice((None, None, *SIZES, 1, 26)),
        "komi": rng.choice(KOMI),
        "handicap": rng.choice(HANDICAPS),
        "options": rng.choice(OPTIONS),
        "black_side": rng.choice((1, 2)),
    }
    return {key: value for key, value in _mostly_right(rng, game, {}).items() if value is not None}


def _mostly_right(rng: random.Random, fields: dict[str, object], usual: dict[str, object]) -> dict[str, object]:
    """One or two of the fields as they are, and the others left out, so that many can be played."""
    odd = rng.sample(list(fields), rng.choice((1, 2, 2, 3)))
    return usual | {key: value for key, value in fields.items() if key in odd}
