"""The rules of the game, pure: events in, rulings out; no I/O, no threads, no clock reads."""
