"""Phones at the table: one as the camera, others as clock and buttons, by the box's own page."""
