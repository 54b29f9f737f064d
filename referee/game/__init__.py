"""The game: board, turns, positions, prisoners, record and rulings, as immutable values."""
