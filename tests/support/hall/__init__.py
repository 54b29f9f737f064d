"""Means to try a hall: boxes that publish recorded games, readers of its wall, and what disturbs them."""
