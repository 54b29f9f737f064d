"""Repetition: each ko rule a frozen strategy (`referee.record.KoRule`)."""
