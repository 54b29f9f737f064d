"""`python -m tests.benchmarks.rim`: what the lights of the rim point at beside the page's marks, and their current.

Moments are seeded (2,000 at seeds 0 to 49); each is read from its frames twice, by colour and by rhythm and brightness
alone. The current is that of each frame that is sent, as the product calculates it, before its limit and with it.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

from device.panel.rim import COUNTED, DARK, OWNERS, Frame, plan_animation
from device.panel.rim_driver import Chain, current_ma, limit_current
from device.settings import Settings
from referee.game.board import Colour
from tests.benchmarks.parts.rim import frames, meant, read, rim_moments


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0, metavar="SEED")
    parser.add_argument("--seeds", type=int, default=50)
    args = parser.parse_args()
    count, kinds, alike, currents, used, longest = 0, Counter[str](), Counter[str](), [0.0], [0.0], 0
    rim, lights = Settings().rim, Chain().length
    for seed in range(args.first, args.first + args.seeds):
        for moment in rim_moments(seed):
            page, board = meant(moment.now), moment.now.game.position.board
            steps = frames(moment.now, random.Random(count).uniform(0, 1e5))
            count, longest = count + 1, max(longest, len(plan_animation(moment.now)))
            kinds[" and ".join(sorted(page)) or "nothing"] += 1
            alike["by colour"] += read(steps, board) == page
            alike["by rhythm"] += read(steps, board, blind=True) == page
            sent_frames = [limit_current(frame, lights, rim.brightness, rim.milliamps) for frame in steps]
            currents.append(max(current_ma(frame, lights) for frame in steps))
            used.append(max(current_ma(frame, lights) for frame in sent_frames))
    print(f"{count} moments, {dict(kinds)}; at most {longest} steps")
    print(f"the same points as the page marks: {dict(alike)}")
    white, dark = (Frame((rgb,) * 19, (rgb,) * 19) for rgb in ((255, 255, 255), DARK))
    whites = Frame((OWNERS[Colour.WHITE].colour,) * 19, (COUNTED.colour,) * 19)
    for name, frame in (("every line in full white", white), ("a board that is all White's", whites), ("dark", dark)):
        as_used, bright = (
            current_ma(limit_current(frame, lights, share, rim.milliamps), lights) for share in (rim.brightness, 1)
        )
        print(
            f"{name}: {current_ma(frame, lights):.0f} mA in full; {as_used:.0f} as used, {bright:.0f} at brightness 1"
        )
    print(f"the hungriest moment: {max(currents):.0f} mA in full, {max(used):.0f} as used; limit {rim.milliamps}")


if __name__ == "__main__":
    main()
