"""Lamps, buttons and buzzer: by gpiozero, or in a terminal with the same methods."""
