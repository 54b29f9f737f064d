"""Every act of the director's desk on a phone's window with one thumb: the taps it needs and the pixels scrolled.

    python -m tests.benchmarks.thumb

Needs Debian's chromium and chromium-driver.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.support.web.browser import open_browser
from tests.support.web.thumb import WAYS, walked


def main() -> None:
    """Walk to each act, and print a table."""
    print("| act | taps | pixels scrolled |\n|---|--:|--:|")
    with tempfile.TemporaryDirectory() as scratch, open_browser(Path(scratch) / "profile") as browser:
        found = [walked(browser, Path(scratch) / f"{number}", way) for number, way in enumerate(WAYS)]
    for one in found:
        print(f"| {one.name} | {one.taps} | {one.pixels} |")
    print(f"| all {len(found)} | {sum(one.taps for one in found)} | {sum(one.pixels for one in found)} |")


if __name__ == "__main__":
    main()
