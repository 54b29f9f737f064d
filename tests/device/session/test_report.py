"""The report of an evening: one HTML file with each game's board, and the doubts with times and pictures."""

import xml.etree.ElementTree as Tree

from device.session.doubts import Doubt
from device.session.report import report_of


def test_an_evening_without_games_lists_its_doubts_in_the_order_of_time():
    doubts = [Doubt(None, 90.0, "Second <b>."), Doubt(7, 60.0, "First.", until=65.0)]
    page = report_of("a & b.mp4", 120.0, [], doubts, {7: b"jpeg"}.get, over=False)
    assert "a &amp; b.mp4: 0 games" in page and "0:02:00 watched so far." in page
    assert page.index("First.") < page.index("Second &lt;b&gt;.") and "0:01:00 to 0:01:05" in page
    assert page.count("data:image/jpeg;base64,") == 1


def test_a_picture_that_is_gone_leaves_no_empty_frame():
    page = report_of("a.mp4", 1.0, [], [Doubt(7, 0.0, "It is so.")], lambda look: None, over=True)
    assert "<img" not in page and "watched." in page
    table = page[page.index("<table>") : page.index("</table>") + 8]
    assert len(Tree.fromstring(table)) == 2
