"""A simulated table that plays a script: it sends frames and button edges, and the box gets nothing else."""
