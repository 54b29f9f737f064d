"""The hall: one process that follows the boxes of many tables, shows them on one wall, and enters their results."""
