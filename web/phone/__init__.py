"""The pages of phones at the table: the camera, and the clock with its buttons."""
