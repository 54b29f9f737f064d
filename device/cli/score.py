"""`shinpan score`: count a game, step by step."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

import click

from device.cli.console import OPTION, Assumptions
from device.cli.dead_stones import DeadStones, propose_dead_stones
from device.cli.options import TEXT, Exit, declare_command, json_option, print_note, rules_option
from device.match.game_files import (
    RESUME,
    NumberedLines,
    explain_assumed_rules,
    is_setup,
    object_of,
    opened_game,
    read_act,
    read_setup,
    resume_play,
)
from referee.analysis.proposal import FateGround
from referee.codec import count_to_json
from referee.game.board import COLOURS, Board, Colour, Mask
from referee.game.count_result import Count, Result, result_text
from referee.game.errors import BadCount, BadPoint, BadRecord, RefereeError
from referee.game.messages import Message, message, name_points
from referee.game.record import GameRecord
from referee.game.turns import Settlement, Turn
from referee.rules.agreements import apply_action
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.score.area import result_message
from referee.score.methods import METHODS, Agreed, count, may_agree, may_propose
from referee.sgf.dialects import WAYS_TO_END
from referee.sgf.reader import ReadGame, read_game
from web.language import ENGLISH, to_english

PATIENCE = 3.0
"""Seconds of processor time to find out whether an expedited count is exact."""
HOW = {"expedited": "the expedited procedure"}
"""A method in a sentence, where its name is no noun."""
CHOICE = "--dead names others, --dead none counts the board as it lies."
"""The way to count with other dead stones than the proposed ones."""
NO_STONES = "none"
"""The word for no dead stones, beside an empty text."""
COUNT_OF = {"--seki": "territory", "--one-sided": "expedited", "--supply": "fill-in"}
"""The one method that asks for what an option names."""


@declare_command(
    "score",
    "Count a game, step by step. FILE: as for judge.",
    ("score game.sgf --dead D4,E5", "count it with these stones dead"),
    ("score game.sgf --dead none", "count it as it lies"),
    ("score game.sgf --method area", "by another method than the rule set's"),
    ("score game.jsonl --json", "for another program"),
)
@click.argument("file", type=TEXT, metavar="FILE")
@click.option(
    "--dead",
    metavar="D4,...",
    help="The dead stones (default: as the record marks them, else as proposed; none for none).",
)
@click.option("--method", type=click.Choice(METHODS), help="How to count (default: as the rule set does).")
@rules_option
@click.option("--seki", metavar="D4,...", default="", help="Stones in seki, whose points are nobody's.")
@click.option("--one-sided", metavar="B:D4,...", default="", help="Dame that only one player can fill.")
@click.option("--supply", metavar="B:12,W:14", default="", help="Stones left beside the board, for fill-in.")
@json_option
def score_command(
    file: str,
    dead: str | None,
    method: str | None,
    rules: str | None,
    seki: str,
    one_sided: str,
    supply: str,
    as_json: bool,
) -> int:
    """Play the game through, count it and print the count; raise RefereeError, in one sentence, if that fails."""
    if rules is not None:
        rule_set(rules)
    with opened_game(file, print_note) as game:
        played_out = _play_sgf(game, rules) if isinstance(game, bytes) else _play_lines(game, rules)
    record = played_out.record
    if _is_settled(played_out):
        played_out.tell_assumptions()
        raise BadCount(_describe_ending(played_out))
    board = record.position.board
    in_seki = _parse_points(_split_words(seki), board)
    dead_stones = _choose_dead_stones(played_out, dead, in_seki)
    agreed = Agreed(dead_stones.dead, in_seki, _parse_one_sided(one_sided, board), _parse_supplies(supply))
    counted = count(record, agreed, method)
    notes = played_out.tell_assumptions()
    for option, value in {"--seki": seki, "--one-sided": one_sided, "--supply": supply}.items():
        if value and counted.method != COUNT_OF[option]:
            print_note(
                f"{option} belongs to a count by {COUNT_OF[option]}; it changes nothing in one by {counted.method}."
            )
    if dead_stones.ground is FateGround.AGREED and dead_stones.dead:
        names = ", ".join(board.names(dead_stones.dead))
        print_note(f"the record marks {names} as dead (TB, TW); --dead names others, --dead none none.")
    for sentence in dead_stones.sentences(record.position):
        notes.append(f"{sentence} {CHOICE}" if sentence.startswith("assumed") else sentence)
        print_note(notes[-1])
    if _has_other_result(played_out, counted.result):
        result = ENGLISH.in_sentence(result_text(counted.result))
        print_note(
            f"the record has another result, RE[{played_out.recorded[:20]}]; this count comes to {result}. "
            "Name dead stones (--dead) and stones in seki (--seki), if there are any."
        )
    elif other := _find_other_territory(played_out, counted):
        print_note(f"the record marks {', '.join(board.names(other)[:10])} otherwise (TB, TW) than this count.")
    if method is None and (both := _compare_other_count(record, counted, agreed)) is not None:
        notes.append(ENGLISH.sentence(both))
        print_note(notes[-1])
    if as_json:
        by = {"dead_by": dead_stones.by_point(board, counted.dead)}
        print(json.dumps(answer_count(counted, board) | by | ({"notes": notes} if notes else {})))
    else:
        print(_format_page(counted, record, _describe_exactness(counted, record, agreed)))
    return Exit.DONE


def answer_count(counted: Count, board: Board) -> dict[str, object]:
    """Return a count as its JSON object."""
    whole = count_to_json(counted, board, ENGLISH.sentence)
    return {key: whole[key] for key in ("method", "result", "steps", "counts", "dead", "order_matters")}


def compare_result(record: GameRecord, game: ReadGame) -> str | None:
    """Return the sentence about a record whose result is another than a count with the stones that seem dead.

    None where the game did not end by passes, or has no counted result, or the same.
    """
    played_out = _build_played_out(record, game)
    if not record.ended or record.result is not None or not may_propose(record) or _is_settled(played_out):
        return None
    if not isinstance(result_lead(played_out.result or ""), float):
        return None
    dead_stones = _choose_dead_stones(played_out, None, 0)
    counted = count(record, Agreed(dead_stones.dead))
    if not _has_other_result(played_out, counted.result):
        return None
    result = ENGLISH.in_sentence(result_text(counted.result))
    differing = f"the record has another result, RE[{played_out.recorded[:20]}]; a count comes to {result}."
    return " ".join(
        [differing, *map(_capitalise_first, dead_stones.sentences(record.position)), "`shinpan score` counts it."]
    )


def _capitalise_first(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _choose_dead_stones(game: PlayedOut, dead: str | None, seki: Mask) -> DeadStones:
    """Return the dead stones as they were named, as the record marks them, or as proposed."""
    record = game.record
    if dead is not None:
        names = [] if dead.strip().lower() == NO_STONES else _split_words(dead)
        return DeadStones(_parse_points(names, record.position.board))
    if any(game.territory):
        return DeadStones(game.marked_dead, FateGround.AGREED)
    if record.result is not None or not may_propose(record) or not record.position.occupied:
        return DeadStones()
    return propose_dead_stones(record.position, seki)


# The game


@dataclass(frozen=True)
class PlayedOut:
    """A game played to the end of its file.

    Attributes:
        record: the game.
        assumed: the assumptions made in reading it; they are told before the first refusal, or with the count.
        recorded: the result in the file, as it is written.
        result: the same as shinpan writes it, None if it is not known.
        marked_dead: the stones that lie on points marked as the opponent's.
        territory: the points marked as Black's and White's.
    """

    record: GameRecord
    assumed: Assumptions | None = None
    recorded: str = ""
    result: str | None = None
    marked_dead: Mask = 0
    territory: tuple[Mask, Mask] = (0, 0)

    def tell_assumptions(self) -> list[str]:
        """Print the assumptions, unless a refusal came after them already; return them."""
        if self.assumed is None:
            return []
        self.assumed.tell()
        return list(self.assumed.sentences)


def _play_sgf(data: bytes, rules: str | None) -> PlayedOut:
    game = read_game(data, rules)
    record, assumed = game.setup.record(), Assumptions(game.setup.rules, notes=game.notes)
    for turn in game.acts:
        record = play_act(record, turn, assumed)
    return _build_played_out(record, game, assumed)


def _build_played_out(record: GameRecord, game: ReadGame, assumed: Assumptions | None = None) -> PlayedOut:
    """Return a game as its file says that it ended."""
    black, white = record.position.stones_of(Colour.BLACK), record.position.stones_of(Colour.WHITE)
    dead = (game.territory[0] & white) | (game.territory[1] & black) if may_agree(record) else 0
    return PlayedOut(record, assumed, game.written_result, game.result, dead, game.territory)


def _play_lines(lines: NumberedLines, rules: str | None) -> PlayedOut:
    """Return the final record as `judge` would have it; raise BadRecord for an unreadable line."""
    record: GameRecord | None = None
    assumed: Assumptions | None = None
    for number, raw in lines:
        if not raw:
            continue
        try:
            line = object_of(raw)
            starts = record is None and is_setup(line)
            if record is None:
                record = (read_setup(line, rules) if starts else Setup(rule_set(rules))).record()
                assumed = Assumptions(record.rules, notes=explain_assumed_rules(line if starts else {}, rules))
            if starts:
                continue
            if RESUME in line:
                record = resume_play(record, line)
            elif "ask" not in line:
                record = play_act(record, read_act(line, record.position.board, record.players), assumed)
        except RefereeError as error:
            raise BadRecord(f"line {number}: {to_english(error)}") from error
    assert record is not None
    return PlayedOut(record, assumed)


def _is_settled(game: PlayedOut) -> bool:
    """Return True if a game's record says that it ended without a count, which its turns do not."""
    return game.record.result is None and (game.result or "")[2:] in WAYS_TO_END


def _describe_ending(game: PlayedOut) -> str:
    """Return the sentence about a game that ended by resignation, time or forfeit."""
    result = game.result or ""
    how = f"{result}, by {WAYS_TO_END[result[2:]]} (RE[{game.recorded[:20]}])"
    return f"The record says that the game ended {how}. There is nothing to count."


def play_act(record: GameRecord, act: Turn | Settlement, assumed: Assumptions | None = None) -> GameRecord:
    """Return the record with this turn or agreement; a refused one is left out, as in `judge`, and reported.

    assumed: the assumptions about the game, which are told before the first refusal.
    """
    verdict = apply_action(record, act)
    if verdict.after is not None:
        return verdict.after
    reason = verdict.prohibition.reason.value if verdict.prohibition else ""
    if isinstance(act, Settlement):
        what = f"what was agreed after turn {record.number}"
    else:
        what = f"turn {record.number + 1} of {act.player}"
    if assumed is not None:
        assumed.tell()
    print_note(f"{what} is refused ({reason}) and left out.")
    return record


def _compare_other_count(record: GameRecord, counted: Count, agreed: Agreed) -> Message | None:
    """Return both results of a game whose record names no rules, if they differ by more than who moved last.

    Japanese and Chinese counts of the same game differ by a point at most, unless somebody passed early or played in
    territory.
    """
    other = _OTHER_COUNTING.get(record.rules.name)
    if record.rules.because is None or other is None:
        return None
    other_record = record.under_rules(rule_set(other))
    result = count(other_record, Agreed(agreed.dead, agreed.seki)).result
    one, two = result_lead(str(counted.result)), result_lead(str(result))
    if not isinstance(one, float) or not isinstance(two, float) or abs(one - two) <= 1:
        return None
    return message(
        "unnamed.both",
        rules=message(f"rules.{record.rules.name}"),
        result=result_text(counted.result),
        other=message(f"rules.{other}"),
        other_result=result_text(result),
        how=OPTION,
    )


_OTHER_COUNTING = {"japanese": "chinese", "chinese": "japanese"}


def _has_other_result(game: PlayedOut, counted: Result) -> bool:
    """Return True if a record names a result that differs from the count's."""
    if game.recorded in ("", "?"):
        return False
    if game.result is None or game.result == "Void":
        return game.recorded != str(counted)
    if game.result.endswith("+"):
        return not str(counted).startswith(game.result)
    return result_lead(game.result) != result_lead(str(counted))


def _find_other_territory(game: PlayedOut, counted: Count) -> Mask:
    """Return the empty points, and those of dead stones, that a record marks as other territory than the count does."""
    layout = counted.steps[-1].layout if counted.steps else None
    if not any(game.territory) or layout is None or len(layout.owned) != 2:
        return 0
    free = game.record.position.empty | layout.dead
    differing = (marked ^ owned for marked, owned in zip(game.territory, layout.owned, strict=True))
    return (next(differing) | next(differing)) & free


def result_lead(result: str) -> float | str:
    """Return a result by points as Black's lead; others as they are written."""
    match = re.fullmatch(r"([BW])\+([0-9]+(?:\.[0-9]+)?)", result)
    if match is None:
        return 0.0 if result == "0" else result
    by = float(match[2])
    return result if not by else by if match[1] == Colour.BLACK else -by


# Agreements


def _split_words(text: str) -> list[str]:
    return re.split(r"[\s,]+", text.strip(" ,\t")) if text.strip(" ,\t") else []


def _parse_points(names: Iterable[str], board: Board) -> Mask:
    try:
        return board.mask(names)
    except BadPoint as error:
        raise BadCount(str(error)) from error


def _parse_one_sided(text: str, board: Board) -> tuple[Mask, Mask]:
    owned = [_parse_owned(word, "--one-sided", "B:D4,W:E5") for word in _split_words(text)]
    black, white = (_parse_points((name for who, name in owned if who is player), board) for player in COLOURS[:2])
    return black, white


def _parse_supplies(text: str) -> tuple[int, int] | None:
    counts = dict(_parse_owned(word, "--supply", "B:12,W:14") for word in _split_words(text))
    if not counts:
        return None
    numbers = [counts.get(player, "") for player in COLOURS[:2]]
    if not all(re.fullmatch("[0-9]{1,4}", number) for number in numbers):
        raise BadCount("--supply needs the stones of both players, as in B:12,W:14.")
    return int(numbers[0]), int(numbers[1])


def _parse_owned(word: str, option: str, example: str) -> tuple[Colour, str]:
    owner, _, rest = word.partition(":")
    if owner not in COLOURS[:2] or not rest:
        raise BadCount(f"{option} cannot be {word!r:.30}; write it like {example}.")
    return Colour(owner), rest


# Text output


def _describe_exactness(counted: Count, record: GameRecord, agreed: Agreed) -> list[str]:
    """Return whether play would lead to the same result, in words, if that is found out soon."""
    if counted.method != "expedited":
        return []
    # Few counts ask for it, and it brings the journals and OpenCV, for which `judge` has no room (device/__main__.py).
    from device.table.exactness import check_exactness

    sentence = check_exactness(record, agreed, PATIENCE)
    return [ENGLISH.sentence(sentence)] if sentence is not None else []


def _format_page(counted: Count, record: GameRecord, exactness: list[str]) -> str:
    board = record.position.board
    title, method = ENGLISH(f"title.{record.rules.name}"), HOW.get(counted.method, counted.method)
    head = [f"{title}, after turn {record.number}, counted by {method}."]
    if record.rules.delays is None and not record.ended:
        head.append("The game has not ended; it is counted as it stands.")
    if counted.dead:
        head.append(f"Dead stones: {ENGLISH.value(name_points(board, counted.dead))}.")
    steps = [f"{number:4}. {ENGLISH.sentence(step.message)}" for number, step in enumerate(counted.steps, 1)]
    return "\n".join(
        [
            *head,
            "",
            *steps,
            "",
            f"Result: {_format_result(counted.result)}",
            *map(ENGLISH.sentence, counted.remarks),
            *exactness,
        ]
    )


def _format_result(result: Result) -> str:
    if isinstance(result, str):
        outcome = ENGLISH.outcome(result)
        suffix = f" ({result})" if outcome != result else ""
        return f"{outcome}{suffix}. {ENGLISH.sentence(result_message(result))}"
    return ", ".join(
        f"{letter} {points}" for letter, points in sorted(result.items(), key=lambda item: (-item[1], item[0]))
    )
