"""Committed files that programs make are as they would be made now."""

from __future__ import annotations

import pytest

from tests.support.generated import GENERATED
from tests.support.tiers import LONG


@LONG
@pytest.mark.parametrize("generated", GENERATED, ids=lambda one: one.name)
def test_generated_files_are_fresh(generated):
    assert list(generated.stale()) == [], "make generated"
