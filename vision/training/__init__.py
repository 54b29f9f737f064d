"""How the nets were made (needs the `training` extra)."""
