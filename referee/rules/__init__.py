"""The rule sets and what they are made of."""
