"""From pixels to observations: numpy and OpenCV."""
