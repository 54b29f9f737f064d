"""QR codes as drawings."""

from __future__ import annotations

from tests.support.vision.pictures import read
from web.page.qr import qr_svg


def test_a_code_can_be_read():
    assert read(qr_svg("http://shinpan-3.local:8000/")) == ["http://shinpan-3.local:8000/"]


def test_no_text_has_no_code():
    assert qr_svg("") == ""
