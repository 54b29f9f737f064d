// Half of the clamp that holds the column at the table's edge. Two alike, bolted face to face, pinch the column between
// them: the second lies upside down. Printed on its outer side, no support: layers run along the pull.
include <measures.scad>

half_high = jaw / 2 + jaw_thick;
column_at = -clamp_back - tube / 2;
outside = column_at - tube / 2 - clamp_shell;
grip_at = 40;             // where the table is gripped, from its edge
// Along x, and up or down: the upper hole of each pair has the nut's pocket.
clamp_bolts = [[outside + 9, 20], [outside + 9, 60], [-clamp_back / 2, 44], [jaw_deep - 7, 44]];

// x = 0 is the table's edge, z = 0 the jaw's middle, y = 0 the face where the halves meet; this one lies at y > 0.
module arm_clamp() {
    difference() {
        translate([0, clamp_wide / 2, 0]) rotate([90, 0, 0]) linear_extrude((clamp_wide - pinch) / 2, convexity = 8) outline();
        translate([column_at, 0, 0]) cube([tube + slack, tube, clamp_high + 2], center = true);
        for (b = clamp_bolts, up = [-1, 1]) translate([b[0], 0, up * b[1]]) rotate([-90, 0, 0]) {
            cylinder(d = m5, h = clamp_wide);
            if (up > 0) translate([0, 0, clamp_wide / 2 - m5_nut_high]) cylinder(d = m5_nut / cos(30), h = 20, $fn = 6);
        }
        // The bolt from below, its nut in a pocket that opens to the jaw; above they take no harm.
        for (up = [0, 1]) mirror([0, 0, up]) translate([grip_at, 0, jaw / 2]) {
            cylinder(d = m8, h = 100);
            translate([0, 0, -1]) rotate(30) cylinder(d = m8_nut / cos(30), h = m8_nut_high + 1, $fn = 6);
        }
    }
}

module outline() {
    difference() {
        union() {
            translate([-clamp_back, -half_high]) soft([jaw_deep + clamp_back, 2 * half_high]);
            translate([outside, -clamp_high / 2]) soft([-outside, clamp_high]);
        }
        translate([0, -jaw / 2]) square([200, jaw]);
    }
}

module soft(size) { offset(3) offset(-3) square(size); }

if (printing) translate([0, 0, clamp_wide / 2]) rotate([-90, 0, 0]) arm_clamp();
else color(shell) arm_clamp();
