"""The box: where everything is put together."""
