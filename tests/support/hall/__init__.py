"""Trials of halls: lines to boxes that slow down and break, and message servers."""
