"""The page's process and its HTTP server."""
