"""Tests of an app's connections: each app has its own viewers and reserved addresses."""

from __future__ import annotations

from flask import Flask

from tests.support.web.snapshots import box, superko
from web.app import create_app
from web.connections import paired_addresses_of, reserved_addresses_of, viewers_of
from web.page_config import AccessConfig


def test_the_page_has_the_viewers_and_addresses_of_its_access():
    app = create_app(box(superko()).backend, access=AccessConfig(viewers=3, reserved=["192.0.2.1"]))
    assert viewers_of(app).most == 3
    assert "192.0.2.1" in reserved_addresses_of(app) and "192.0.2.1" not in paired_addresses_of(app)


def test_an_app_keeps_the_same_addresses_and_shares_them_with_none():
    one, other = Flask("one"), Flask("other")
    paired_addresses_of(one).add("192.0.2.7")
    assert "192.0.2.7" in paired_addresses_of(one) and "192.0.2.7" not in paired_addresses_of(other)
    assert viewers_of(one) is viewers_of(one)
