// Carries the camera and turns about its axis, below the head or on a stand. Printed with its upper side down, no support.
include <measures.scad>

modules = [[21, 12.5], [28, 28], [34, 34]];   // hole patterns: Camera Module 2 and 3; camera boards of 32 and of 38 mm

// z = 0 is its upper side, the camera looks down from under it.
module camera_plate() {
    difference() {
        translate([0, 0, -plate_thick]) rounded(plate_wide, plate_long, plate_thick, 5);
        translate([0, 0, -50]) cylinder(d = inch, h = 100);
        translate([0, 0, -plate_thick - 1]) cylinder(d = inch_nut / cos(30), h = inch_nut_high + 1, $fn = 6);
        for (m = modules, x = [-1, 1], y = [-1, 1]) translate([x * m[0] / 2, y * m[1] / 2, 0]) {
            translate([0, 0, -50]) cylinder(d = m2, h = 100);
            translate([0, 0, -plate_sunk]) cylinder(d = 4.4, h = 10);
        }
        // Ties for a webcam go through these slots, beside the head.
        for (x = [-1, 1], y = [-1, 1]) translate([x * (plate_wide / 2 - 4.5), y * 18, -50]) rounded(5.5, 3, 100, 1.2);
    }
}

if (printing) rotate([180, 0, 0]) camera_plate();
else color(cover) camera_plate();
