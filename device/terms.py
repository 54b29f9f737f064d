"""The terms of a match, as the settings say them or the director asks for them, and what there is to choose from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from device.fields import Fields
from device.journal.entries import Terms
from device.presets import with_preset
from device.settings import LONGEST_PERSON, BadSettings, Game, Settings
from referee.errors import RefereeError
from referee.rules.sets import RULESETS, rule_set
from referee.rules.setup import LARGEST_KOMI, Setup
from referee.table.referee import Manner
from referee.time.controls import read_control
from vision.board.window import SIZES
from web.language import Tongue, english

EXAMPLES = ("45m", "30m+5x30s", "30m+20/5m", "3m+15s", "ing 60m 3x10m")


def terms_of(settings: Settings) -> Terms:
    """What the settings say of a match; raises BadSetup."""
    game = settings.game
    size = (game.size, game.size) if game.size is not None else None
    setup = Setup(rule_set(game.rules, game.options), size=size, komi=game.komi, handicap=game.handicap)
    setup.record()
    control = settings.time.control
    manner = Manner(
        settings.table.turns == "done",
        game.black_side,
        control=read_control(control) if control is not None else None,
        procedures=settings.time.procedures,
        amendments=game.amendments,
    )
    return Terms(setup, manner, _names(game))


def _names(game: Game) -> tuple[str, str]:
    if not all(name.isprintable() for name in game.names):
        raise BadSettings("The players' names cannot be kept: they must be texts in one line.")
    black, white = (name.strip() for name in game.names or ("", ""))
    return black, white


def check_terms(settings: Settings) -> None:
    """Raises BadSetup or BadSettings where the match that the settings name cannot be played, or one of the presets."""
    _each_match(settings, terms_of)


def check_sizes(settings: Settings) -> None:
    """Raises BadSettings where the camera cannot find the board of a match."""
    if settings.camera.calibration is None:
        _each_match(settings, _check_size)


def _check_size(settings: Settings) -> None:
    size = settings.game.size
    if size not in (None, *SIZES):
        raise BadSettings(
            f"size cannot be {size}: the camera finds boards of {', '.join(map(str, SIZES))} lines; another needs a"
            " calibration (docs/calibrating.md)."
        )


def _each_match(settings: Settings, check: Callable[[Settings], object]) -> None:
    """The usual match and every preset; what is wrong with a preset is said with its name."""
    check(settings)
    for name in settings.presets:
        try:
            check(with_preset(settings, name))
        except RefereeError as error:
            raise BadSettings(f"[presets.{name}]: {english(error)}") from error


def terms_asked(fields: Fields, manner: Manner) -> Terms:
    """The terms in these fields, at a table that is played in this manner; raises BadSetup or BadAct."""
    names = tuple(fields.optional_text(key, LONGEST_PERSON) or "" for key in ("black", "white"))
    rules = rule_set(fields.text("rules", 40))
    size = fields.whole("size", 0, 25, 0)
    setup = Setup(rules, komi=fields.number("komi", LARGEST_KOMI), handicap=fields.whole("handicap", 0, 361, 0))
    setup = setup.sized(size) if size else setup
    setup.record()
    control = fields.optional_text("control", 40)
    manner = replace(
        manner,
        black_side=fields.whole("black_side", 0, 2, 0) or None,
        control=read_control(control) if control is not None else None,
        procedures=fields.flag("procedures", True),
    )
    return Terms(setup, manner, (names[0], names[1]))


def choices(say: Tongue) -> dict[str, object]:
    """The rule sets and time controls with what they mean."""
    return {
        "rules": [
            {
                "name": rules.name,
                "title": say(f"title.{rules.name}"),
                "summary": say(f"summary.{rules.name}"),
                "komi": rules.komi,
            }
            for rules in RULESETS.values()
        ],
        "controls": [{"control": text, "meaning": say.sentence(read_control(text).words())} for text in EXAMPLES],
    }
