"""The hall's pages: the wall for a television, and what a director's phone shows of it."""
