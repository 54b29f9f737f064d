// The arm put together, for the pictures. Column and boom are drawn shorter than they are.
include <measures.scad>
use <arm_parts.scad>

high = 300;               // the boom's axis over the table
long = 330;
axis = clamp_back + tube / 2;

color("#b8a690") translate([0, -100, -25]) cube([260, 200, 25]);
clamp_set(25);
translate([-axis, 0, 0]) {
    foot = (clamp_high + jaw) / 2;
    translate([0, 0, -foot]) tube_bar(high + foot + elbow_back);
    translate([0, 0, high + elbow_back]) cap();
    translate([tube / 2, 0, high]) rotate([0, 90, 0]) tube_bar(long);
    translate([tube / 2 + long, 0, high]) rotate([0, 90, 0]) cap();
    translate([0, 0, high]) joint();
    translate([0, 0, high - elbow_arm - 9]) color("#777777") difference() { cylinder(d = 46, h = 9); translate([0, 0, -1]) cylinder(d = 43, h = 11); }
    translate([tube / 2 + long - 60, 0, high]) head_set();
}

// An end cap in a tube's end.
module cap() { color("#222222") translate([-tube / 2, -tube / 2, 0]) cube([tube, tube, 4]); }
