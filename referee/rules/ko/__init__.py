"""The rules of repetition: each ko rule is a frozen strategy (`referee.record.KoRule`)."""
