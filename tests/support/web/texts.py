"""The text that people read or hear of a page."""

from __future__ import annotations

import re


def words_of(page: str) -> str:
    """Its text, and what a screen reader says besides."""
    text = re.sub(r"(?s)<(script|style).*?</\1>", "", page)
    spoken = re.findall(r'(?:aria-label|alt|title)="([^"]*)"', text)
    return " ".join([re.sub(r"<[^>]*>", " ", text), *spoken])
