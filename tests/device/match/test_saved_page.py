"""The text of a web page as browsers save it and mail programs send it."""

import pytest

from device.match.saved_page import text_of_page

CODE = "SHINPAN-GAME abc"


@pytest.mark.parametrize(
    "data",
    [
        CODE.encode(),
        CODE.encode("utf-16"),
        f"<html><body><p>{CODE}</p></body></html>".encode(),
        f"MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>{CODE}</p>".encode(),
        b"MIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        b"<p>SHINPAN=2DGAME abc</p>",
    ],
    ids=["text", "utf-16", "html", "mhtml", "quoted-printable"],
)
def test_the_text_is_found_however_the_page_was_saved(data):
    assert text_of_page(data).strip() == CODE


def test_bytes_that_are_no_text_are_no_error():
    assert "abc" in text_of_page(b"\xff abc")
