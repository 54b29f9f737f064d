"""A game of Ultimate Go on a simulated table, filmed or served to a box.

python -m device.simulator OUT             films it: writes OUT.avi, OUT.presses.jsonl and OUT.script
python -m device.simulator serve SOCKET    plays it for whoever connects there
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from device.simulator.games import ultimate_game
from device.simulator.script import SIZES, write_script
from device.simulator.serve import main as serve
from device.simulator.stage import film_script


def main(argv: Sequence[str]) -> int:
    """Film one seeded game, or serve one."""
    if argv[:1] == ["serve"]:
        return serve(argv[1:])
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}", description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT", help="where to write, without an ending")
    parser.add_argument("--size", type=int, choices=SIZES, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--refereed", action="store_true", help="every turn is closed with done")
    args = parser.parse_args(argv)
    script = ultimate_game(args.size, args.seed, args.refereed).script
    Path(f"{args.out}.script").write_text(write_script(script))
    film_script(script, args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
