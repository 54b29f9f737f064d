"""The running box: camera, match, journal, panel and page, and the thread that owns them."""
