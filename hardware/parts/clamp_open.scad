// The clamp apart, for the pictures.
include <measures.scad>
use <arm_parts.scad>

clamp_set(25, apart = 34);
translate([-clamp_back - tube / 2, 0, -101]) tube_bar(300);
