"""The page's API against its own description, by schemathesis: no 5xx, no answer that is not described.

    pip install --target out/schemathesis schemathesis
    python -m tests.benchmarks.api --site out/schemathesis

A real box is served and the director is inside; what is sent without cookie, token or origin is sent as well. Event
streams, which do not end, are left out. Exit 1 where a check fails.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.device.directed import Directed
from web.server import serve

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def main() -> int:
    """Run it twice: as the director, and as anybody."""
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--site", type=Path, required=True, metavar="FOLDER", help="where schemathesis is installed")
    parser.add_argument("--examples", type=int, default=30, metavar="N", help="cases an address")
    parser.add_argument("--phases", default="coverage,fuzzing", metavar="NAMES", help="schemathesis's own")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="shinpan-api-") as scratch:
        table = Directed(Path(scratch), "chinese", "10m+3x30s")
        table.act("enter", player="B", turn="place", point="C3", why="played")
        client, headers = table.inside()
        cookie = client.get_cookie("director", path="/director")
        assert cookie is not None
        with serve(table.app, port=0) as served:
            origin = served.url.rstrip("/")
            inside = [f"Origin: {origin}", f"X-Token: {headers['X-Token']}", f"Cookie: director={cookie.value}"]
            failed = _run(args, served.url, inside) | _run(args, served.url, [])
        table.close()
    return failed


def _run(args: argparse.Namespace, url: str, headers: list[str]) -> int:
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{url}openapi.json", "--url", url, "--seed", "1"]
    command += [
        "--checks",
        CHECKS,
        "--max-examples",
        str(args.examples),
        "--exclude-path",
        "/events",
        "--phases",
        args.phases,
    ]
    command += ["--exclude-path", "/director/session"] if headers else []
    for header in headers:
        command += ["-H", header]
    environment = {**os.environ, "PYTHONPATH": str(args.site.resolve())}
    done = subprocess.run(command, env=environment, cwd=tempfile.gettempdir(), check=False)
    return int(done.returncode != 0)


if __name__ == "__main__":
    sys.exit(main())
