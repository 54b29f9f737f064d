// Holds the boom at a right angle to the column; two make a joint, one a side. Printed flat, no support.
include <measures.scad>

arm = 90;
thick = 6;
rib = 4;

module arm_elbow() {
    difference() {
        union() {
            linear_extrude(thick) outline();
            // A rim at the inner edge keeps both profiles from turning.
            translate([profile, profile, 0]) linear_extrude(thick + rib) difference() {
                polygon([[0, 0], [arm - profile, 0], [0, arm - profile]]);
                polygon([[8, 8], [arm - profile - 18, 8], [8, arm - profile - 18]]);
            }
        }
        for (d = [profile / 2 + 22, arm - 12]) {
            translate([d, profile / 2, -1]) cylinder(d = m5, h = thick + 2);
            translate([profile / 2, d, -1]) cylinder(d = m5, h = thick + 2);
        }
        translate([profile / 2, profile / 2, -1]) cylinder(d = m5, h = thick + 2);
    }
}

module outline() {
    offset(2) offset(-2) polygon([[0, 0], [arm, 0], [arm, profile], [profile, arm], [0, arm]]);
}

if (printing) arm_elbow();
else color(shell) arm_elbow();
