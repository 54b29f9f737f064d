"""The prisoner lids: their detection, and the count of their stones."""
