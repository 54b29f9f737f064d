"""Print a screen reader's words at ten moments of games, to be read from the top as they are heard.

    python -m tests.benchmarks.heard
    python -m tests.benchmarks.heard --view wall --seed 7 --lang de

Needs Debian's chromium and chromium-driver.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.parts.screen_reader import read_page
from tests.support.web.browser import DESKTOP, open_browser, resize
from tests.support.web.moments import moments
from tests.support.web.snapshots import Box
from web.app import create_app
from web.language_traits import CODES
from web.page_server import serve_page


def main() -> int:
    """Print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--view", choices=("", "wall", "wall?overlay", "sheet"), default="")
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--lang", choices=CODES, default=CODES[0])
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shinpan-heard-") as scratch, open_browser(Path(scratch)) as browser:
        resize(browser, DESKTOP)
        for moment in moments(args.seed)[:10]:
            with serve_page(create_app(Box(moment.now).backend), port=0) as served:
                browser.get(f"{served.url}{args.view}{'&' if '?' in args.view else '?'}lang={args.lang}")
                print(f"\n## {moment.name}\n", *read_page(browser), sep="\n")
                browser.get("about:blank")
    return 0


if __name__ == "__main__":
    sys.exit(main())
