"""Game records as SGF: reading, writing, annotations."""
