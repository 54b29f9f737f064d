"""The training of the shipped nets (needs the `training` extra)."""
