"""The hall's publication: news is held back until it is due, then shown by the gallery and sent to other galleries."""
