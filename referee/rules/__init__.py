"""The rule sets and their components."""
