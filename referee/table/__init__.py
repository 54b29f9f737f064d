"""One game at one table: presses, pauses, clocks and looks become turns, rulings and what lamps and page show."""
