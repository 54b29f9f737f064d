"""How a box is built: parts, wires, mat and what sets a machine up; hardware/ASSEMBLY.md begins. Not in the wheel."""
