"""The journal of a match: its store, what a replay makes of it, and the pictures and copies kept beside it."""
