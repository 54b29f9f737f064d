"""The hall's pages: the wall for a television, and its view on a director's phone."""
