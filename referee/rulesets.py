"""The rule sets by name, and the pieces that can be exchanged between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.board import COLOURS
from referee.errors import BadSetup
from referee.ko import KoRule
from referee.ko.kee import CyclicProhibition
from referee.ko.repetition import PositionalSuperko, SimpleKo
from referee.phase import Ending, FreePlacement, NoPasses, PassesOfAll, TwoPasses
from referee.rules import LARGEST_KOMI, EmptyBowls, NoSuicide, RuleSet, Scoring, Suicide
from referee.ultimate import BowlDraws, KomiBowls, PrisonerDelays, ReturnedPrisoners

DEFAULT = "ultimate"

KO_RULES: dict[str, KoRule] = {rule.name: rule for rule in (PositionalSuperko(), SimpleKo(), CyclicProhibition())}
SUICIDES: dict[str, Suicide] = {rule.name: rule for rule in (NoSuicide(),)}
ENDINGS: dict[str, Ending] = {rule.name: rule for rule in (NoPasses(), TwoPasses(), PassesOfAll())}
SCORINGS: dict[str, Scoring] = {scoring.value: scoring for scoring in Scoring}
COMPENSATIONS = ("none", "stones")

_PIECES: dict[str, Mapping[str, Any]] = {
    "ko": KO_RULES,
    "suicide": SUICIDES,
    "ending": ENDINGS,
    "scoring": SCORINGS,
}

_ALL = (
    RuleSet(
        name="ultimate",
        title="Ultimate Go, current rules",
        summary="Place a stone or give a prisoner back; no passes and no counting: who can do neither resigns.",
        ko=KO_RULES["positional"],
        suicide=SUICIDES["none"],
        ending=ENDINGS["none"],
        scoring=Scoring.NONE,
        handicap=ReturnedPrisoners(),
        bowls=KomiBowls(each=1),
        delays=PrisonerDelays(),
        draws=BowlDraws(),
    ),
    RuleSet(
        name="chinese",
        title="Chinese rules",
        summary="Simple ko as it is played at tables, two passes end the game, area is counted.",
        ko=KO_RULES["simple"],
        suicide=SUICIDES["none"],
        ending=ENDINGS["two-passes"],
        scoring=Scoring.AREA,
        handicap=FreePlacement(),
        bowls=EmptyBowls(),
        komi=7.5,
        compensation="stones",
    ),
    RuleSet(
        name="kee",
        title="Kee rules, December 2007",
        summary="For 2 to 6 players: no board and no path of a cycle again, one pass more than players ends the game.",
        ko=KO_RULES["kee"],
        suicide=SUICIDES["none"],
        ending=ENDINGS["n+1-passes"],
        scoring=Scoring.AREA,
        handicap=FreePlacement(),
        bowls=EmptyBowls(),
        most_players=len(COLOURS),
    ),
)

RULESETS: dict[str, RuleSet] = {rules.name: rules for rules in _ALL}


def rule_set(name: str, options: Mapping[str, object] | None = None) -> RuleSet:
    """The rule set of that name with these pieces exchanged; raises BadSetup, listing what there is."""
    if name not in RULESETS:
        raise BadSetup(f"There is no rule set {_short(name)}; there are {', '.join(RULESETS)}.")
    pieces = {piece: _piece(piece, wanted) for piece, wanted in (options or {}).items()}
    return replace(RULESETS[name], **pieces)


def exchanged(rules: RuleSet) -> dict[str, str | float]:
    """The options by which this rule set differs from the one of its name (what `rule_set` was given)."""
    own = RULESETS[rules.name]
    changed = [piece for piece in (*_PIECES, "compensation") if getattr(rules, piece) != getattr(own, piece)]
    return {piece: _option(getattr(rules, piece)) for piece in changed}


def _option(piece: Any) -> str | float:
    return piece if isinstance(piece, str | float | int) else str(piece.name)


def _piece(piece: str, wanted: object) -> Any:
    if piece == "compensation":
        return _compensation(wanted)
    if piece not in _PIECES:
        raise BadSetup(f"There is no option {_short(piece)}; there are {', '.join(_PIECES)} and compensation.")
    pieces = _PIECES[piece]
    if not isinstance(wanted, str) or wanted not in pieces:
        raise BadSetup(f"The option {piece} cannot be {_short(wanted)}; it can be {', '.join(pieces)}.")
    return pieces[wanted]


def _compensation(wanted: object) -> str | float:
    if isinstance(wanted, str) and wanted in COMPENSATIONS:
        return wanted
    if isinstance(wanted, int | float) and not isinstance(wanted, bool) and abs(wanted) <= LARGEST_KOMI:
        return wanted
    named = ", ".join(COMPENSATIONS)
    raise BadSetup(f"The option compensation cannot be {_short(wanted)}; it can be a number of points, {named}.")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
