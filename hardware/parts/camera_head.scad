// Hangs on the boom and lets the camera's plate turn below it. Printed as it stands, no support.
include <measures.scad>

inner = tube + slack;
head_bolts = [for (x = [-1, 1], z = [-1, 1]) [x * (head_long / 2 - 9), z * bolt_off]];

// The boom's axis is the x-axis; the camera's axis goes down from the origin.
module camera_head() {
    difference() {
        translate([0, 0, -head_drop - head_thick]) union() {
            linear_extrude(head_thick) soft(inner + 2 * head_thick);
            for (y = [-1, 1]) translate([0, y * (inner + head_thick) / 2, (head_drop + head_thick + elbow_back) / 2])
                cube([head_long, head_thick, head_drop + head_thick + elbow_back], center = true);
        }
        for (b = head_bolts) translate([b[0], 0, b[1]]) rotate([90, 0, 0]) cylinder(d = m5, h = 100, center = true);
        translate([0, 0, -head_drop - head_thick - 1]) cylinder(d = inch, h = 20);
        // For the tether.
        for (x = [-1, 1]) translate([x * 20, 0, -head_drop - head_thick - 1]) cylinder(d = 7, h = 20);
    }
}

module soft(wide) { square([head_long, wide], center = true); }

if (printing) translate([0, 0, head_drop + head_thick]) camera_head();
else color(shell) camera_head();
