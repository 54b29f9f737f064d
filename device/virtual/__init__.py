"""A table played from a script: the physical world. Frames go out, button edges too; the box gets nothing else."""
