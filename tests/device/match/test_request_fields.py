"""Validation of an action's fields from the network: each is checked, and unknown ones are refused."""

from __future__ import annotations

import pytest

from device.match.request_fields import Fields
from device.settings import Settings
from device.table.match_config import terms_from_request
from device.table.match_config import terms_of as terms_set
from web.errors import BadAct


def test_an_act_that_names_nothing_known_is_refused():
    with pytest.raises(BadAct):
        terms_from_request(Fields({"rules": "chinese", "prisoners": "flogged"}), terms_set(Settings()).config)
