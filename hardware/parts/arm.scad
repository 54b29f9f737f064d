// The arm with its parts a little apart, for the pictures. Column and boom are drawn shorter than they are.
include <measures.scad>
use <arm_clamp.scad>
use <clamp_pad.scad>
use <arm_elbow.scad>
use <camera_head.scad>

high = 330;               // the boom's middle over the table
long = 240;

color(shell) translate([0, 0, -71]) arm_clamp();
color(cover) translate([44, 0, -50 + 16]) clamp_pad();
color("silver") translate([44, 0, -105]) { cylinder(d = 8, h = 75); cylinder(d = 30, h = 12); }
color("#b8a690") translate([8, -70, -25]) cube([190, 140, 25]);
translate([-29, 0, 0]) {
    translate([0, 0, 30]) profile_bar(high - 10);
    translate([profile / 2 + 8, 0, high]) rotate([0, 90, 0]) profile_bar(long);
    for (y = [-1, 1]) translate([-10, y * (16 + 26), high + 10]) rotate([90, 90, 0]) mirror([0, 0, y < 0 ? 1 : 0])
        color(shell) arm_elbow();
    for (y = [-1, 1], p = [[0, -22], [0, -68], [22, 0], [68, 0]])
        translate([p[0], y * 66, high + p[1]]) rotate([90 * y, 0, 0])
            color("#444444") { cylinder(d = 5, h = 10); translate([0, 0, -5]) cylinder(d = 8.5, h = 5); }
}
translate([long - 40, 34, high - 26]) color(shell) rotate(180) camera_head();
