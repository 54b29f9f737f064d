"""The referee's time for a press and for a look.

    python -m tests.benchmarks.presses [--turns 120] [--rules chinese]

A match on 19 lines with a clock: every turn is looked at while it lies there, pressed, and looked at again. Medians in
milliseconds, of the processor's time.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import defaultdict

from device.journal.entries import as_journaled
from referee.game.board import Colour
from referee.game.observation import Observation
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.events import Button, Pressed
from referee.table.table import Table, TableConfig
from referee.time.controls import read_control
from tests.support.panel.tables import Hands


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=120)
    parser.add_argument("--rules", default="chinese")
    args = parser.parse_args()
    for name, took in times(args.rules, args.turns).items():
        print(f"{name:24} {1000 * statistics.median(took):8.3f} ms of {len(took)}")


def times(rules: str, turns: int) -> dict[str, list[float]]:
    """Return the seconds that each kind of event took."""
    record = Setup(rule_set(rules), size=(19, 19)).record()
    table = Table(record, TableConfig(True, 1, control=read_control("2h")))
    hands, took = Hands(table.record, table.receive), defaultdict[str, list[float]](list)

    def timed(name: str, event: Observation | Pressed) -> None:
        began = time.process_time()
        table.receive(event)
        took[name].append(time.process_time() - began)

    def looks(name: str) -> None:
        timed(name, as_journaled(hands.observe()))

    def presses(name: str, side: int, button: Button) -> None:
        hands.wait(1)
        timed(name, Pressed(hands.t, side, button))

    hands.look()
    hands.press(2)
    board = table.record.position.board
    points = [point for point in range(board.points) if sum(divmod(point, board.cols)) % 2 == 0]
    random.Random(1).shuffle(points)
    for number, point in enumerate(points[:turns]):
        colour, side = (Colour.BLACK, 1) if number % 2 == 0 else (Colour.WHITE, 2)
        hands.put(colour, board.name(point))
        looks("look at an open turn")
        looks("look without news")
        if number % 10 == 5:
            presses("call of the other", 3 - side, Button.CALL)
            hands.look()
        presses("done", side, Button.DONE)
        looks("look that judges it")
    assert table.record.number == turns
    return took


if __name__ == "__main__":
    main()
