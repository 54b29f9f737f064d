"""The content of every intersection."""
