"""The terms of a match, from the settings or the director's request, and the choices for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from device.journal.entries import Terms
from device.match.request_fields import Fields
from device.settings import LONGEST_PERSON, BadSettings, Game, MatchSettings, Settings, expand_home, read_settings
from device.table.presets import with_preset
from referee.game.board import COLOURS, name_key
from referee.game.errors import BadSetup, RefereeError
from referee.game.game_info import NO_GAME_INFO, GameInfo
from referee.game.messages import message
from referee.game.seating import list_sides
from referee.inference.missing_prisoners import FREE, MissingPrisonerPenalty, check_follows, parse_consequence
from referee.rules.sets import DEFAULT, RULESETS, rule_set
from referee.rules.setup import LARGEST_KOMI, Setup
from referee.table.table import TableConfig
from referee.time.controls import IngPurchase, TimeControl, read_control
from vision.board.calibration_fit import fitting_calibration
from vision.board.window import SIZES
from vision.errors import VisionError
from vision.tracking.colour_enrolment import enrolment_points
from web.language import Translator, find_translator, to_english

EXAMPLES = ("45m", "30m+5x30s", "30m+20/5m", "3m+15s", "ing 60m 3x10m")


def terms_of(settings: Settings, preset: str | None = None) -> Terms:
    """Return the terms of a match in the settings, or in a preset; raise BadSettings naming the section and key."""
    settings = with_preset(settings, preset)
    game_section, time_section = _section_names(preset)
    setup, control = _build_setup(settings.game, game_section), None
    with _name_section(f"{time_section} control"):
        control = read_control(settings.time.control) if settings.time.control is not None else None
        _check_control(control, len(setup.players))
    config = TableConfig(
        settings.table.turns == "done",
        _check_black_side(settings.game, game_section),
        control=control,
        procedures=settings.time.procedures,
        amendments=settings.game.amendments,
        prisoners=parse_consequence(settings.game.prisoners),
    )
    with _explain_unnamed_rules(settings.game), _name_section(f"{game_section} prisoners"):
        _check_prisoners(setup, config, settings)
    with _name_section(f"{game_section} names"):
        names = _read_names(settings.game)
    if (enrolling_players := players_who_enrol(settings)) is not None:
        with _explain_unnamed_rules(settings.game):
            _check_enrolment(setup, enrolling_players, game_section)
    return Terms(setup, config, names, _read_game_info(settings.match))


def _check_control(control: TimeControl | None, players: int) -> None:
    """Raise BadSetup if time is bought with points to the opponent, and there are several opponents."""
    if players > 2 and isinstance(control, IngPurchase):
        raise BadSetup(message("control.two-players"))


def _check_prisoners(setup: Setup, config: TableConfig, settings: Settings) -> None:
    """Raise BadSetup if captured stones cannot be tracked."""
    if config.prisoners is not None:
        check_follows(setup.rules, len(setup.players), config.refereed)
        if players_who_enrol(settings) is not None:
            raise BadSetup(message("prisoners.no-lids"))


def _check_enrolment(setup: Setup, players: int, section: str) -> None:
    """Raise BadSettings if that many players cannot play this game with shown stones."""
    if setup.rules.delays is not None:
        raise BadSettings(
            f"{section} rules cannot be {setup.rules.name} with stones that are shown: their prisoners count, and"
            " prisoners of other colours than black and white cannot be counted in a lid."
        )
    try:
        enrolment_points(setup.size[0] if setup.size is not None else min(SIZES), players)
    except ValueError as error:
        raise BadSettings(f"{section} size cannot be that: {error}.") from error


def _check_black_side(game: Game, section: str) -> int | None:
    if game.black_side is not None and game.black_side > len(game.players):
        allowed = " or ".join(str(side) for side in list_sides(len(game.players)))
        raise BadSettings(f"{section} black_side cannot be {game.black_side}; it must be {allowed}.")
    return game.black_side


def _section_names(preset: str | None) -> tuple[str, str]:
    """Return the names of a match's [game] and [time] sections."""
    return ("[game]", "[time]") if preset is None else 2 * (f"[presets.{preset}]",)


def players_who_enrol(settings: Settings) -> int | None:
    """Return the number of players who show their stones before a match; None if the stones are black and white."""
    players = len(settings.game.players)
    return players if players > 2 or settings.table.stones == "shown" else None


def most_players(settings: Settings) -> int:
    """Return the largest number of players in the settings and their presets."""
    return max(len(game.players) for game in (settings.game, *(one.game for one in settings.presets.values())))


def most_enrolling_players(settings: Settings) -> int | None:
    """Return the most players who show their stones, in the settings and their presets; None if none do."""
    counts = (players_who_enrol(with_preset(settings, preset)) for preset in (None, *settings.presets))
    return max((players for players in counts if players is not None), default=None)


def _read_names(game: Game) -> tuple[str, ...]:
    if not all(name.isprintable() for name in game.names):
        raise BadSettings("The players' names cannot be kept: they must be texts in one line.")
    players = len(game.players)
    if game.names and len(game.names) != players:
        raise BadSettings(f"There must be as many names as players: {players} and not {len(game.names)}.")
    return tuple(name.strip() for name in game.names or players * [""])


def _read_game_info(match: MatchSettings) -> GameInfo:
    texts = {key: text.strip() for key, text in asdict(match).items()}
    for key, text in texts.items():
        if not text.isprintable():
            raise BadSettings(f"[match] {key} cannot be kept: it must be a text in one line.")
    return GameInfo(**texts)


def _build_setup(game: Game, section: str) -> Setup:
    with _name_section(f"{section} rules"):
        setup = Setup(rule_set(game.rules))
    with _explain_unnamed_rules(game), _name_section(f"{section} options"):
        setup = Setup(rule_set(game.rules, game.options))
    with _explain_unnamed_rules(game), _name_section(f"{section} players"):
        setup = replace(setup, players=game.players)
        setup.record()
    terms: dict[str, Any] = {
        "size": (game.size, game.size) if game.size is not None else None,
        "komi": game.komi,
        "handicap": game.handicap,
    }
    for key, value in terms.items():
        with _name_section(f"{section} {key}"):
            setup = replace(setup, **{key: value})
            setup.record()
    return setup


@contextmanager
def _explain_unnamed_rules(game: Game) -> Iterator[None]:
    """If nobody named the rules, add that to errors about settings that do not fit them."""
    try:
        yield
    except BadSettings as error:
        if game.rules is not None:
            raise
        explanation = f"No rules are named there, so {DEFAULT} was taken; name others with rules."
        raise BadSettings(f"{error} {explanation}") from error


@contextmanager
def _name_section(where: str) -> Iterator[None]:
    """Prefix errors with the place in the settings."""
    try:
        yield
    except (RefereeError, VisionError) as error:
        raise BadSettings(f"{where}: {to_english(error)}") from error


def check_terms(settings: Settings) -> None:
    """Raise BadSettings if the match in the settings, or one of the presets, cannot be played."""
    for preset in (None, *settings.presets):
        terms_of(settings, preset)


def check_sizes(settings: Settings) -> None:
    """Raise BadSettings if the camera cannot find the board of a match."""
    if settings.camera.calibration is not None:
        return
    for preset in (None, *settings.presets):
        size = with_preset(settings, preset).game.size
        if size not in (None, *SIZES):
            raise BadSettings(
                f"{_section_names(preset)[0]} size cannot be {size}: the camera finds boards of"
                f" {', '.join(map(str, SIZES))} lines; another needs a calibration (docs/calibrating.md)."
            )


def read_checked_settings(path: Path) -> Settings:
    """Read the settings in a file and check all that can be checked without the hardware; raise BadSettings."""
    settings = read_settings(path)
    with _name_section(f"{path}"):
        check_terms(settings)
        check_sizes(settings)
        with _name_section("[data] folder"):
            expand_home(settings.data.folder)
        with _name_section("[data] copies"):
            expand_home(settings.data.copies or "")
        with _name_section("[camera] calibration"):
            calibration = settings.camera.calibration
            fitting_calibration(Path(calibration) if calibration else None, settings.game.size)
    return settings


def terms_from_request(
    fields: Fields, config: TableConfig, game_info: GameInfo = NO_GAME_INFO, players: int = 2
) -> Terms:
    """Build the terms from these fields, with the table's present terms as defaults. Raises BadSetup or BadAct.

    fields: the director's request.
    config: the table's options.
    game_info: the present event, round, table and place.
    players: the number of players.
    """
    rules = rule_set(fields.take_text("rules", 40))
    size = fields.take_integer("size", 0, 25, 0)
    colours = COLOURS[: min(players, rules.most_players)]
    names = [fields.take_optional_text(name_key(player), LONGEST_PERSON) or "" for player in colours]
    setup = Setup(
        rules,
        players="".join(colours),
        komi=fields.take_number("komi", LARGEST_KOMI),
        handicap=fields.take_integer("handicap", 0, 361, 0),
    )
    setup = setup.with_size(size) if size else setup
    setup.record()
    control_text = fields.take_optional_text("control", 40)
    control = read_control(control_text) if control_text is not None else None
    _check_control(control, len(colours))
    config = replace(
        config,
        taken_up=None,
        black_side=fields.take_integer("black_side", 0, players, 0) or None,
        control=control,
        procedures=fields.take_flag("procedures", True),
        prisoners=_read_prisoners(fields, config),
    )
    info_texts = {key: fields.take_line(key, LONGEST_PERSON, usual) for key, usual in game_info.to_json().items()}
    return Terms(setup, config, tuple(names), GameInfo(**info_texts))


def _read_prisoners(fields: Fields, usual: TableConfig) -> MissingPrisonerPenalty | None:
    """Return the consequence of missing captured stones; the usual one if none is named."""
    allowed = [FREE, *(one.value for one in MissingPrisonerPenalty)]
    word = fields.take_one_of("prisoners", allowed, FREE if usual.prisoners is None else usual.prisoners.value)
    return parse_consequence(word)


def _describe_control(text: str, say: Translator) -> dict[str, str]:
    """Return a time control as it is typed, in short, and its meaning."""
    control = read_control(text)
    return {
        "control": text,
        "brief": say.sentence(control.describe_briefly()),
        "meaning": say.sentence(control.describe_fully()),
    }


def describe_choices(code: str) -> dict[str, object]:
    """Return the rule sets and time controls with their meanings, in the language of this code."""
    say = find_translator(code)
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
        "controls": [_describe_control(text, say) for text in EXAMPLES],
    }
