"""One match as a pure state machine, and games as other programs write them."""
