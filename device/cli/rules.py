"""`shinpan rules`: the list of rule sets, or one of them piece by piece."""

from __future__ import annotations

import json

import click

from device.cli.options import TEXT, Exit, declare_command, json_option
from referee.game.record import RuleSet
from referee.rules.sets import RULESETS, rule_set
from web.language import ENGLISH


@declare_command(
    "rules",
    "List the rule sets, or describe one.",
    ("rules", "all of them, a line each"),
    ("rules ing", "one of them, piece by piece"),
    ("rules aga --json", "the same for another program"),
)
@click.argument("name", required=False, type=TEXT)
@json_option
def rules_command(name: str | None, as_json: bool) -> int:
    """Print the list, or the description of one; raise BadSetup for an unknown name."""
    chosen = [rule_set(name)] if name else list(RULESETS.values())
    if as_json:
        described = [describe_rules(rules) for rules in chosen]
        print(json.dumps(described[0] if name else described))
    elif name:
        print(_render_rules(chosen[0]))
    else:
        print(
            "\n".join(
                f"{rules.name:18}{_translate_name(rules, 'title')}. {_translate_name(rules, 'summary')}"
                for rules in chosen
            )
        )
    return Exit.DONE


def describe_rules(rules: RuleSet) -> dict[str, str | float | None]:
    """Return a rule set's components by their option names."""
    return {
        "name": rules.name,
        "title": _translate_name(rules, "title"),
        "summary": _translate_name(rules, "summary"),
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


def _translate_name(rules: RuleSet, what: str) -> str:
    return ENGLISH(f"{what}.{rules.name}")


def _render_rules(rules: RuleSet) -> str:
    pieces = describe_rules(rules)
    head = f"{pieces.pop('title')} ({pieces.pop('name')})\n{pieces.pop('summary')}\n"
    return head + "\n".join(f"  {piece:13} {'none' if value is None else value}" for piece, value in pieces.items())
