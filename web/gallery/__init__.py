"""The public view of a hall: its boards after their delay, their records, and results."""
