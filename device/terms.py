"""The terms of a match, as the settings say them or the director asks for them, and what there is to choose from."""

from __future__ import annotations

from dataclasses import replace

from device.fields import Fields
from device.journal.entries import Terms
from device.presets import with_preset
from device.settings import BadSettings, Settings
from referee.errors import RefereeError
from referee.rules.sets import RULESETS, rule_set
from referee.rules.setup import LARGEST_KOMI, Setup
from referee.table.referee import Manner
from referee.time.controls import read_control
from web.language import Tongue, english

LONGEST_NAME = 60
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
    return Terms(setup, manner)


def check_terms(settings: Settings) -> None:
    """Raises BadSetup or BadSettings where the match that the settings name cannot be played, or one of the presets."""
    terms_of(settings)
    for name in settings.presets:
        try:
            terms_of(with_preset(settings, name))
        except RefereeError as error:
            raise BadSettings(f"[presets.{name}]: {english(error)}") from error


def terms_asked(fields: Fields, manner: Manner) -> Terms:
    """The terms in these fields, at a table that is played in this manner; raises BadSetup or BadAct."""
    names = tuple(fields.optional_text(key, LONGEST_NAME) or "" for key in ("black", "white"))
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
