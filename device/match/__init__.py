"""A match as files: its game record, its adjournment code, and games as other programs write them."""
