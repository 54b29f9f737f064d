"""Draws a Go table with exact truth beside each picture."""
