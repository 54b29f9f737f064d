"""The status page: a Flask app that is handed what it shows."""
