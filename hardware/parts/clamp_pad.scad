// Lies between the clamp's bolt and the table and keeps the table unmarked. Printed as it stands, no support.
include <measures.scad>

module clamp_pad() {
    difference() {
        cylinder(d1 = 26, d2 = 20, h = pad_high);
        translate([0, 0, pad_floor]) cylinder(d = m8, h = pad_high);
    }
}

if (printing) clamp_pad();
else color(cover) clamp_pad();
