"""The rule sets by name, and the components that can be exchanged between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.game.board import COLOURS
from referee.game.errors import BadSetup
from referee.game.record import Ending, HandicapRule, KoRule, RuleSet, Scoring, Suicide
from referee.rules.ing import Adjourning, PassedTurns
from referee.rules.ko.ing import IngKo
from referee.rules.ko.kee import CyclicProhibition
from referee.rules.ko.repetition import (
    NaturalSituationalSuperko,
    PositionalSuperko,
    SimpleKo,
    SituationalSpightSuperko,
    SituationalSuperko,
    SpightSuperko,
)
from referee.rules.names import NamedRules, find_closest_name, find_rules
from referee.rules.opening_and_end import (
    FreePlacement,
    NoPasses,
    PassesOfAll,
    PassStones,
    RepeatedPass,
    TraditionalPoints,
    TwoPasses,
)
from referee.rules.setup import LARGEST_KOMI, EmptyBowls, NoSuicide, SelfCapture
from referee.rules.ultimate import (
    BowlDraws,
    KomiBowls,
    PrisonerDelays,
    ReturnedPrisoners,
    ReturningDelays,
    UltimateDelayDraws,
    UltimatePrisonerDelays,
)

DEFAULT = "ultimate"
"""The rule set of a game for which nobody names rules."""

_KO_RULES: tuple[KoRule, ...] = (
    SimpleKo(),
    PositionalSuperko(),
    SituationalSuperko(),
    NaturalSituationalSuperko(),
    SpightSuperko(),
    SituationalSpightSuperko(),
    CyclicProhibition(),
    IngKo(),
)
_SUICIDES: tuple[Suicide, ...] = (
    NoSuicide(),
    SelfCapture("multi", least=2),
    SelfCapture("any", least=1),
    SelfCapture("single-is-pass", least=1, is_single_a_pass=True),
)
_ENDINGS: tuple[Ending, ...] = (NoPasses(), TwoPasses(), PassesOfAll(), PassStones(), RepeatedPass(), Adjourning())
_HANDICAPS: tuple[HandicapRule, ...] = (FreePlacement(), TraditionalPoints(), PassedTurns())

KO_RULES = {rule.name: rule for rule in _KO_RULES}
SUICIDES = {rule.name: rule for rule in _SUICIDES}
ENDINGS = {rule.name: rule for rule in _ENDINGS}
SCORINGS = {scoring.value: scoring for scoring in Scoring}
HANDICAPS = {rule.name: rule for rule in _HANDICAPS}
COMPENSATIONS = ("none", "stones", "stones-less-one")

_PIECES: dict[str, Mapping[str, Any]] = {
    "ko": KO_RULES,
    "suicide": SUICIDES,
    "ending": ENDINGS,
    "scoring": SCORINGS,
    "handicap": HANDICAPS,
}
EXCHANGEABLE = (*_PIECES, "compensation")
"""The exchangeable components of a rule set."""

_ULTIMATE = RuleSet(
    name="ultimate",
    ko=KO_RULES["positional"],
    suicide=SUICIDES["none"],
    ending=ENDINGS["none"],
    scoring=Scoring.NONE,
    handicap=ReturnedPrisoners(),
    bowls=KomiBowls(each=1),
    delays=PrisonerDelays(),
    draws=BowlDraws(),
)

_BARE = RuleSet(
    name="simple",
    ko=KO_RULES["simple"],
    suicide=SUICIDES["none"],
    ending=ENDINGS["two-passes"],
    scoring=Scoring.AREA,
    handicap=HANDICAPS["free"],
    bowls=EmptyBowls(),
)

_ING = RuleSet(
    name="ing",
    ko=KO_RULES["ing"],
    suicide=SUICIDES["single-is-pass"],
    ending=ENDINGS["adjourn"],
    scoring=Scoring.FILL_IN,
    handicap=HANDICAPS["passed"],
    bowls=EmptyBowls(are_prisoners_kept=False),
    komi=8,
)

_ALL = (
    _ULTIMATE,
    replace(
        _ULTIMATE,
        name="ultimate-original",
        bowls=KomiBowls(each=0, beside=True),
        delays=UltimatePrisonerDelays(),
        draws=UltimateDelayDraws(),
    ),
    replace(_ULTIMATE, name="fundamental", bowls=KomiBowls(each=0, halves=False), delays=ReturningDelays(), draws=None),
    replace(_BARE, name="japanese", scoring=Scoring.TERRITORY, komi=6.5),
    replace(_BARE, name="chinese", komi=7.5, compensation="stones"),
    replace(
        _BARE,
        name="aga",
        ko=KO_RULES["situational"],
        ending=ENDINGS["pass-stones"],
        komi=7.5,
        handicap_komi=0.5,
        compensation="stones-less-one",
    ),
    replace(_BARE, name="new-zealand", ko=KO_RULES["situational"], suicide=SUICIDES["any"], komi=7),
    _BARE,
    replace(_BARE, name="positional", ko=KO_RULES["positional"]),
    replace(_BARE, name="situational", ko=KO_RULES["situational"]),
    replace(_BARE, name="spight", ko=KO_RULES["spight"], ending=ENDINGS["repeated-pass"]),
    replace(_BARE, name="kee", ko=KO_RULES["kee"], ending=ENDINGS["n+1-passes"], most_players=len(COLOURS)),
    _ING,
    replace(_ING, name="ing-simplified", ko=KO_RULES["positional"]),
)

RULESETS: dict[str, RuleSet] = {rules.name: rules for rules in _ALL}
MESSAGE_KEYS = tuple(f"{what}.{name}" for what in ("rules", "title", "summary") for name in RULESETS)


def rule_set(name: str | None, options: Mapping[str, object] | None = None) -> RuleSet:
    """Return the rule set with this name and these components exchanged; None: nobody named one.

    The name may also be one that other programs have for it (`names`).

    Raise BadSetup, listing the choices, for an unknown name, or for components that contradict each other.
    """
    named_rules = NamedRules(DEFAULT) if name is None else resolve_rules(name)
    pieces = {piece: _find_piece(piece, value) for piece, value in {**named_rules.options, **(options or {})}.items()}
    rules = replace(RULESETS[named_rules.name], named=name is not None, **pieces)
    _check_fit(rules)
    return rules


def resolve_rules(name: str) -> NamedRules:
    """Return the rule set that goes by this name. Raise BadSetup, naming the nearest, if there is none."""
    if name in RULESETS:
        return NamedRules(name)
    named_rules = find_rules(name, RULESETS)
    if named_rules is None:
        near = find_closest_name(name, RULESETS)
        suggestion = f"{near} may be meant, and " if near else ""
        raise BadSetup(
            f"There is no rule set {_shorten_value(name)}; {suggestion}shinpan rules lists all (--rules NAME)."
        )
    return named_rules


def _check_fit(rules: RuleSet) -> None:
    """Raise BadSetup if components contradict each other."""
    ending, scoring = rules.ending.name, rules.scoring.value
    if rules.delays is not None:
        _check_delays(rules)
    elif (ending == "none") is not (scoring == "none"):
        raise BadSetup(f"The ending {ending} contradicts the scoring {scoring}: both must be none, or neither.")
    if rules.suicide.is_single_a_pass and ending == "none":
        raise BadSetup("The suicide single-is-pass needs passes; exchange the ending none too.")
    if rules.handicap.name == "passed" and ending == "none":
        raise BadSetup("The handicap passed needs passes; exchange the ending none too.")


def _check_delays(rules: RuleSet) -> None:
    """Raise BadSetup if a rule set with delays has a component exchanged that delays and bowls replace.

    Its delays take the place of passes, and its bowls that of komi and the count.
    """
    own = RULESETS[rules.name]
    for piece in ("ending", "scoring", "handicap", "compensation"):
        if getattr(rules, piece) != getattr(own, piece):
            option = _describe_option(getattr(own, piece))
            raise BadSetup(
                f"The {piece} of {rules.name} is {option} and cannot be exchanged: it has delays, not passes."
            )


def non_default_options(rules: RuleSet) -> dict[str, str | float]:
    """Return the options by which this rule set differs from the one of its name (the input of `rule_set`)."""
    own = RULESETS[rules.name]
    pieces = [piece for piece in EXCHANGEABLE if getattr(rules, piece) != getattr(own, piece)]
    return {piece: _describe_option(getattr(rules, piece)) for piece in pieces}


def _describe_option(piece: Any) -> str | float:
    return piece if isinstance(piece, str | float | int) else str(piece.name)


def _find_piece(piece: str, value: object) -> Any:
    if piece == "compensation":
        return _check_compensation(value)
    if piece not in _PIECES:
        raise BadSetup(f"There is no option {_shorten_value(piece)}; there are {', '.join(_PIECES)} and compensation.")
    pieces = _PIECES[piece]
    if not isinstance(value, str) or value not in pieces:
        raise BadSetup(f"The option {piece} cannot be {_shorten_value(value)}; it can be {', '.join(pieces)}.")
    return pieces[value]


def _check_compensation(value: object) -> str | float:
    if isinstance(value, str) and value in COMPENSATIONS:
        return value
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST_KOMI:
        return value
    choices = ", ".join(COMPENSATIONS)
    raise BadSetup(
        f"The option compensation cannot be {_shorten_value(value)}; it can be a number of points, {choices}."
    )


def _shorten_value(value: object) -> str:
    try:
        text = repr(value)
    except RecursionError:
        return "what is nested too deep"
    return text if len(text) <= 40 else text[:37] + "..."
