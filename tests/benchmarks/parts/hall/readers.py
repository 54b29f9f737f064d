"""Reads a hall's wall as static/hall.js does: hears that it has changed, and fetches the tiles that differ.

    python -m tests.benchmarks.parts.hall.readers URL VIEWERS

writes a line when the wall is there, and with the next line on standard input when each snapshot of each table was
first seen on it, by any of the viewers: table and number to the time of day.
"""

from __future__ import annotations

import gzip
import http.client
import json
import re
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from tests.support.waiting import PATIENCE_S

NUMBER = re.compile(r"Ben #(\d+)\.")


@dataclass
class Reader:
    """One screen. seen: table to (number, time of day) of what it showed, in order; sizes: bytes an answer."""

    url: str
    seen: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    urgencies: dict[str, str] = field(default_factory=dict)
    sizes: list[int] = field(default_factory=list)
    number: int = -1

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        self._where = parts.hostname or "", parts.port or 80
        self._asks = http.client.HTTPConnection(*self._where, timeout=PATIENCE_S)
        self._run = re.findall(r'data-run="(\w+)"', self._get("/"))[0]

    def _get(self, path: str) -> str:
        self._asks.request("GET", path, headers={"Accept-Encoding": "gzip", "Accept-Language": "en"})
        answer = self._asks.getresponse()
        data = answer.read()
        self.sizes.append(len(data))
        return (gzip.decompress(data) if answer.headers.get("Content-Encoding") == "gzip" else data).decode()

    def refresh(self) -> Mapping[str, Any]:
        """Fetch what differs."""
        answer: Mapping[str, Any] = json.loads(self._get(f"/tiles?since={self.number}&run={self._run}"))
        now, self.number = time.time(), answer["number"]
        for table, text in answer["tiles"].items():
            for number in NUMBER.findall(text):
                self.seen.setdefault(table, []).append((int(number), now))
        self.urgencies = {table: urgency for table, urgency, _ in answer["order"]}
        return answer

    def follow(self) -> None:
        """Until the stream ends."""
        hears = http.client.HTTPConnection(*self._where, timeout=PATIENCE_S)
        hears.request("GET", "/events")
        stream = hears.getresponse()
        while line := stream.readline():
            if line.startswith(b"data: ") and int(line[6:]) > self.number:
                self.refresh()


def main(url: str, viewers: str) -> None:
    """Be the viewers."""
    readers = [Reader(url) for _ in range(int(viewers))]
    for one in readers:
        threading.Thread(target=one.follow, daemon=True).start()
    print("here", flush=True)
    sys.stdin.readline()
    sizes = [size for one in readers for size in one.sizes]
    print(json.dumps({"seen": [one.seen for one in readers], "sizes": sizes}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
