"""The pages of one table for spectators and players."""
