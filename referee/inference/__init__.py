"""Inference: which legal turns explain an observation of board and lids, and how sure that is."""
