"""The training of the net that reads lids: its data, its batches, its fits."""
