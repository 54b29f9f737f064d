// Holds the column upright at the table's edge. Printed lying on its side, no support: layers run along the pull.
include <measures.scad>

jaw = 55;                 // thickest table
deep = 60;                // how far it reaches onto the table
thick = 16;
wide = 40;
socket_high = 100;        // so much of the column is held
height = jaw + 2 * thick;

module arm_clamp() {
    difference() {
        union() {
            body();
            translate([-29, 0, height - socket_high]) sleeve();
        }
        // The bolt from below, its nut in a pocket that opens to the jaw.
        translate([deep - 16, 0, -1]) cylinder(d = m8, h = thick + 2);
        translate([deep - 16, 0, thick - m8_nut_high]) cylinder(d = m8_nut / cos(30), h = m8_nut_high + 1, $fn = 6);
    }
}

module body() {
    rotate([90, 0, 0]) linear_extrude(wide, center = true) difference() {
        translate([-10, 0]) offset(2) offset(-2) square([deep + 10, height]);
        translate([thick - 10, thick]) offset(2) offset(-2) square([deep + 10, jaw]);
    }
}

// A square tube for the column, with holes for two M5 screws into its slots on two sides.
module sleeve() {
    outer = profile + 4 * wall;
    difference() {
        translate([0, 0, socket_high / 2]) cube([outer + 12, wide, socket_high], center = true);
        translate([0, 0, 6]) linear_extrude(socket_high) square(profile + slack, center = true);
        for (z = [26, socket_high - 20]) translate([0, 0, z]) {
            rotate([90, 0, 0]) cylinder(d = m5, h = wide + 2, center = true);
            for (y = [-1, 1]) translate([0, y * (wide / 2 + 6), 0]) rotate([90, 0, 0]) cylinder(d = 11, h = 20, center = true);
            translate([-outer, 0, 0]) rotate([0, 90, 0]) cylinder(d = m5, h = outer * 2, center = true);
        }
    }
}

if (printing) translate([0, 0, wide / 2]) rotate([90, 0, 0]) arm_clamp();
else color(shell) arm_clamp();
