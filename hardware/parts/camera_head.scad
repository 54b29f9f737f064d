// Holds the camera under the boom's end and tilts about one M5 screw in the boom's side slot. Printed on its back, no support.
include <measures.scad>

plate = 50;
thick = 4;
drop = 26;                // from the boom's middle to the plate
modules = [[21, 12.5], [28, 28], [34, 34]];   // hole patterns: Camera Module 3; camera boards of 32 and of 38 mm

module camera_head() {
    difference() {
        union() {
            translate([0, 0, thick / 2]) cube([plate, plate, thick], center = true);
            translate([-plate / 2, -plate / 2, 0]) cube([plate, 6, drop + 14]);
            for (x = [-1, 1]) translate([x * (plate / 2 - 2), -plate / 2 + 6, thick]) rotate([90, 0, 90])
                linear_extrude(4, center = true) polygon([[0, 0], [14, 0], [0, 14]]);
        }
        translate([0, 0, -1]) lens();
        for (m = modules, x = [-1, 1], y = [-1, 1])
            translate([x * m[0] / 2, y * m[1] / 2, -1]) cylinder(d = m2, h = thick + 2);
        translate([0, -plate / 2 - 1, drop]) rotate([-90, 0, 0]) cylinder(d = m5, h = 20);
        // A second screw in this curve sets the tilt.
        for (a = [-15 : 1.5 : 15]) rotate_about(a) cylinder(d = m5, h = 20);
        // The flat cable comes through here.
        translate([0, plate / 2 - 4, -1]) rounded(18, 2.5, thick + 2, 1);
    }
}

module lens() { cylinder(d = 16, h = thick + 2); }

module rotate_about(a) {
    translate([0, -plate / 2 - 1, drop]) rotate([0, a, 0]) translate([17, 0, 0]) rotate([-90, 0, 0]) children();
}

if (printing) translate([0, 0, plate / 2]) rotate([90, 0, 0]) camera_head();
else color(shell) camera_head();
