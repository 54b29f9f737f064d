"""What all tests share: generated cases are the same ones in every run, and a slow machine fails none of them."""

from __future__ import annotations

from hypothesis import settings

from tests.support.wanting import pytest_terminal_summary

__all__ = ["pytest_terminal_summary"]

settings.register_profile("shinpan", derandomize=True, deadline=None)
settings.load_profile("shinpan")
