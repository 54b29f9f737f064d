"""Spoken announcements of a game: the choice of sentences, their pronunciation, and their audio clips."""
