"""The umpire of one table: turns looks and button presses into turns, and judges the turns."""
