"""The construction of a box: parts, wiring, mat and machine setup; hardware/ASSEMBLY.md begins. Not in the wheel."""
