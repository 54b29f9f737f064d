"""Helpers of tests and benchmarks; nothing here is collected, and nothing here imports a test or a benchmark."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The repository."""
