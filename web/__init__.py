"""The status page: a Flask app over a backend that is passed in."""
