"""Board detection in a picture."""
