// The joint of column and boom apart, for the pictures.
include <measures.scad>
use <arm_parts.scad>

joint(apart = 46);
translate([0, 0, -200]) tube_bar(200 + elbow_back);
translate([tube / 2, 0, 0]) rotate([0, 90, 0]) tube_bar(220);
