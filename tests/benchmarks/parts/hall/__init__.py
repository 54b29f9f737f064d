"""A hall let run with many tables or in a storm: boxes that publish recorded games, readers of its wall, players."""
