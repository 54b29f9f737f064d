"""The rules of repetition: each ko rule is a frozen strategy (`referee.game.record.KoRule`)."""
