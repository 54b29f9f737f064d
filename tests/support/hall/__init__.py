"""What a hall is tried with: boxes that publish recorded games, readers of its wall, and what disturbs them."""
