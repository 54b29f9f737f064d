// The camera's head apart, for the pictures.
include <measures.scad>
use <arm_parts.scad>

head_set(apart = 26);
translate([-70, 0, 34]) rotate([0, 90, 0]) tube_bar(150);
