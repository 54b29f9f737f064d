"""The referee: the rules of Go without I/O. Turns and observations go in, rulings come out; time is passed in.

This is its public interface: everything that the packages above may import, and all that most programs need. Three
turns judged:

>>> from referee import Colour, Placement, Setup, judge, rule_set
>>> record = Setup(rule_set("chinese"), size=(5, 5)).record()
>>> point = record.position.board.point
>>> for player, place in ((Colour.BLACK, "C3"), (Colour.WHITE, "D3"), (Colour.BLACK, "D3")):
...     verdict = judge(record, Placement(player, point(place)))
...     record = verdict.after or record
...     print(place, "legal" if verdict.legal else verdict.prohibition.reason.value)
C3 legal
D3 legal
D3 occupied

A position scored, with White's only stone dead:

>>> from referee import count
>>> from referee.score.methods import Agreed
>>> counted = count(record, Agreed(dead=1 << point("D3")))
>>> counted.method, str(counted.result)
('area', 'B+17.5')
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.analysis.figures import PhaseOfPlay
    from referee.analysis.review import Review
    from referee.codec import message_from_json, message_to_json, ruling_to_json
    from referee.game.actor import Actor, By
    from referee.game.board import (
        COLOURS,
        COLUMN_LETTERS,
        Board,
        Colour,
        Mask,
        Point,
        Position,
        board_of,
        mask_of,
        name_key,
        opponent_of,
        points_of,
    )
    from referee.game.coordinates import Coordinates, PointNames, chinese_numeral
    from referee.game.count_result import Count, CountStep, Layout, result_read, result_text
    from referee.game.diagram import describe_point, position_of, rows_of
    from referee.game.differences import common_length
    from referee.game.errors import RefereeError, quote_value
    from referee.game.game_info import GameInfo
    from referee.game.messages import (
        Duration,
        Listing,
        Message,
        Points,
        Stones,
        Value,
        error_message,
        for_players,
        message,
        name_points,
    )
    from referee.game.observation import LidSight, Observation, OffGridStone
    from referee.game.prisoners import Bowls
    from referee.game.record import GameRecord, RuleSet
    from referee.game.ruling import Prohibition, Reason, Ruling, Status
    from referee.game.turns import Delay, Draw, Pass, Placement, Resign, Turn
    from referee.rules.legality import Verdict, judge, legal_placements
    from referee.rules.sets import RULESETS, rule_set
    from referee.rules.setup import Setup
    from referee.score.methods import count
    from referee.table.corrections import corrections_in, instruction_for, reason_for, without_order
    from referee.table.display_state import DisplayState, Final, Paused, Phase, Sight, State, TableSnapshot, Task
    from referee.table.events import Button, Pressed
    from referee.table.history import REPETITIONS, ForbiddenPoint, GameHistory, HistoryEntry
    from referee.table.lamps import LAMPS, OFF, Light, Tone, banner_tone, table_lamp
    from referee.table.marks import Marks, marks_of
    from referee.table.proposed_count import ProposedCount
    from referee.table.snapshot import AnyAnswer, Clocks, Counting, Snapshot, Stage
    from referee.time.clock import ClockReading
    from referee.time.clock_events import COUNTED
    from referee.time.controls import as_on_a_clock, read_control
    from referee.time.steps import Act, Answer, Step

FACE = {
    ".analysis.figures": ("PhaseOfPlay",),
    ".analysis.review": ("Review",),
    ".codec": ("message_from_json", "message_to_json", "ruling_to_json"),
    ".game.actor": (
        "Actor",
        "By",
    ),
    ".game.board": (
        "Board",
        "COLOURS",
        "COLUMN_LETTERS",
        "Colour",
        "Mask",
        "Point",
        "Position",
        "board_of",
        "mask_of",
        "name_key",
        "opponent_of",
        "points_of",
    ),
    ".game.coordinates": (
        "Coordinates",
        "PointNames",
        "chinese_numeral",
    ),
    ".game.count_result": (
        "Count",
        "CountStep",
        "Layout",
        "result_read",
        "result_text",
    ),
    ".game.diagram": (
        "describe_point",
        "position_of",
        "rows_of",
    ),
    ".game.differences": ("common_length",),
    ".game.errors": (
        "RefereeError",
        "quote_value",
    ),
    ".game.game_info": ("GameInfo",),
    ".game.messages": (
        "Duration",
        "Listing",
        "Message",
        "Points",
        "Stones",
        "Value",
        "error_message",
        "for_players",
        "message",
        "name_points",
    ),
    ".game.observation": (
        "LidSight",
        "Observation",
        "OffGridStone",
    ),
    ".game.prisoners": ("Bowls",),
    ".game.record": (
        "GameRecord",
        "RuleSet",
    ),
    ".game.ruling": (
        "Prohibition",
        "Reason",
        "Ruling",
        "Status",
    ),
    ".game.turns": (
        "Delay",
        "Draw",
        "Pass",
        "Placement",
        "Resign",
        "Turn",
    ),
    ".rules.legality": (
        "Verdict",
        "judge",
        "legal_placements",
    ),
    ".rules.sets": (
        "RULESETS",
        "rule_set",
    ),
    ".rules.setup": ("Setup",),
    ".score.methods": ("count",),
    ".time.clock": ("ClockReading",),
    ".time.clock_events": ("COUNTED",),
    ".time.controls": ("as_on_a_clock", "read_control"),
    ".time.steps": (
        "Act",
        "Answer",
        "Step",
    ),
    ".table.corrections": (
        "corrections_in",
        "instruction_for",
        "reason_for",
        "without_order",
    ),
    ".table.events": (
        "Button",
        "Pressed",
    ),
    ".table.history": (
        "ForbiddenPoint",
        "GameHistory",
        "HistoryEntry",
        "REPETITIONS",
    ),
    ".table.lamps": (
        "LAMPS",
        "Light",
        "OFF",
        "Tone",
        "banner_tone",
        "table_lamp",
    ),
    ".table.marks": (
        "Marks",
        "marks_of",
    ),
    ".table.proposed_count": ("ProposedCount",),
    ".table.snapshot": (
        "AnyAnswer",
        "Clocks",
        "Counting",
        "Snapshot",
        "Stage",
    ),
    ".table.display_state": (
        "DisplayState",
        "Final",
        "Paused",
        "Phase",
        "Sight",
        "State",
        "TableSnapshot",
        "Task",
    ),
}
"""The module of each public name. It is imported on first use: a program that reads pictures loads no clocks."""
__all__ = sorted(name for names in FACE.values() for name in names)


def __dir__() -> list[str]:
    return [*globals(), *__all__]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Import a public name from its module."""
        home = next((module for module, names in FACE.items() if name in names), None)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(home, __name__), name)
        return value
