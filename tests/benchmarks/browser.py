"""How long a ruling takes from the box into a real browser's page."""

from __future__ import annotations

import time

from selenium import webdriver

from tests.support.web.showings import Box, begun, box, showing
from web.app import create_app
from web.server import serve

FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
WITNESS = """
window.arrived = {};
new MutationObserver(() => {
  const version = document.querySelector("main").dataset.version.split("-")[1];
  if (!(version in window.arrived)) window.arrived[version] = Date.now();
}).observe(document.querySelector("main"), {attributes: true, attributeFilter: ["data-version"]});
"""


def ruling_to_browser(changes: int) -> list[float]:
    """Milliseconds from the publishing of a Showing to the page that shows it, one a change."""
    table = begun().play("B E5", "W G3")
    shown: Box = box(table)
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in FLAGS:
        options.add_argument(flag)
    with serve(create_app(shown.desk), port=0) as served:
        chromium = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
        try:
            chromium.get(served.url)
            time.sleep(1.0)
            chromium.execute_script(WITNESS)
            published = _publish(shown, changes)
            time.sleep(1.0)
            arrived = chromium.execute_script("return window.arrived")
        finally:
            chromium.quit()
    return [arrived[str(number)] - at for number, at in published.items() if str(number) in arrived]


def _publish(shown: Box, changes: int) -> dict[int, float]:
    """Turn after turn, five a second: number to wall time in milliseconds."""
    table, published = begun(), {}
    points = [f"{column}{row}" for row in range(1, 7) for column in "ABCDEFGHJ"]
    for number in range(100, 100 + min(changes, 2 * len(points) // 2)):
        table.play(f"{'BW'[(number - 100) % 2]} {points[number - 100]}")
        published[number] = time.time() * 1000
        shown.show(showing(table, number))
        time.sleep(0.2)
    return published
