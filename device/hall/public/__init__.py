"""What leaves the hall: kept back until it is due, then shown by the gallery and sent to other galleries."""
