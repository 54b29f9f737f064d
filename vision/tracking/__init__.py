"""The tracking of a table over its frames, from motion to a steady reading."""
