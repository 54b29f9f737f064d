"""The calibration: positions in the picture, and colours."""
