"""The box at the table: camera, buttons, lamps, journal and page, and the commands; here everything is put together.

A table turns looks and presses into what lamps and page show. Here it is handed drawn looks in place of a
camera's. Black plays C3 and presses; then White takes a stone out of the wrong bowl and presses:

>>> from device.panel.signals import signal_of
>>> from referee import Button, Observation, Pressed, Setup, Sight, rule_set
>>> from referee.table.display_state import BoxStatus
>>> from referee.table.table import Table, TableConfig
>>> table = Table(Setup(rule_set("chinese"), size=(5, 5)).record(), TableConfig(refereed=True, black_side=1))
>>> def handle(event):
...     heard = table.receive(event)
...     lamps = signal_of(table.build_snapshot(BoxStatus(0, event.t, Sight.SEEN))).sides
...     print(*(ruling.status for ruling in heard.rulings), f"side 1 {lamps[0]}, side 2 {lamps[1]}")
>>> def look(t, *black):
...     return Observation(t, tuple((0.0, 1.0, 0.0) if point in black else (1.0, 0.0, 0.0) for point in range(25)))
>>> handle(look(1.0))
side 1 green, side 2 off
>>> handle(Pressed(2.0, 1, Button.DONE))
side 1 white pulsing, side 2 off
>>> handle(look(3.0, 12))
legal side 1 off, side 2 green
>>> handle(Pressed(4.0, 2, Button.DONE))
side 1 off, side 2 white pulsing
>>> handle(look(5.0, 12, 13))
unexplained side 1 amber pulsing, side 2 amber pulsing
"""

import vision
