"""`shinpan rules`: the rule sets there are, or one of them piece by piece."""

from __future__ import annotations

import argparse
import json

from referee.record import RuleSet
from referee.rules.sets import RULESETS, rule_set
from web.language import ENGLISH


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `rules` and its options."""
    parser = commands.add_parser("rules", help="list the rule sets, or describe one", description=__doc__)
    parser.add_argument("name", nargs="?", metavar="NAME", help="the rule set to describe")
    parser.add_argument("--json", action="store_true", help="answer in JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the list, or the description of one; raises BadSetup for a name there is not."""
    chosen = [rule_set(args.name)] if args.name else list(RULESETS.values())
    if args.json:
        described = [description(rules) for rules in chosen]
        print(json.dumps(described[0] if args.name else described))
    elif args.name:
        print(_page(chosen[0]))
    else:
        print("\n".join(f"{rules.name:18}{_said(rules, 'title')}. {_said(rules, 'summary')}" for rules in chosen))
    return 0


def description(rules: RuleSet) -> dict[str, str | float | None]:
    """A rule set's pieces by the names that options exchange."""
    return {
        "name": rules.name,
        "title": _said(rules, "title"),
        "summary": _said(rules, "summary"),
        "ko": rules.ko.name,
        "suicide": rules.suicide.name,
        "ending": rules.ending.name,
        "scoring": rules.scoring.value,
        "compensation": rules.compensation,
        "komi": rules.komi,
        "handicap": rules.handicap.name,
        "delays": rules.delays.name if rules.delays else None,
        "draws": rules.draws.name if rules.draws else None,
    }


def _said(rules: RuleSet, what: str) -> str:
    return ENGLISH(f"{what}.{rules.name}")


def _page(rules: RuleSet) -> str:
    pieces = description(rules)
    head = f"{pieces.pop('title')} ({pieces.pop('name')})\n{pieces.pop('summary')}\n"
    return head + "\n".join(f"  {piece:13} {'none' if value is None else value}" for piece, value in pieces.items())
