// Holds the boom at a right angle to the column; two alike, one a side, pinch both tubes. Printed flat, no support.
include <measures.scad>

near = tube / 2 + slack / 2;
far = elbow_arm - 10;
elbow_bolts = [[-bolt_off, bolt_off], [bolt_off, bolt_off], [-bolt_off, -bolt_off], [bolt_off, -bolt_off],
    [-bolt_off, -far], [bolt_off, -far], [far, bolt_off], [far, -bolt_off]];

// The column comes from -y to the origin, the boom from there to x; alike about the diagonal, so that it fits both sides.
module arm_elbow() {
    difference() {
        union() {
            linear_extrude(elbow_thick) outline();
            linear_extrude(elbow_thick + elbow_rib) intersection() { outline(); ribs(); }
        }
        for (b = elbow_bolts) translate([b[0], b[1], -1]) cylinder(d = m5, h = 40);
        // For the tether.
        translate([42, -42, -1]) cylinder(d = 7, h = 40);
    }
}

module outline() {
    back = elbow_back;
    offset(3) offset(-3) polygon([[-back, back], [elbow_arm, back], [elbow_arm, -back], [back, -elbow_arm], [-back, -elbow_arm]]);
}

// Beside the tubes, so that these cannot turn.
module ribs() {
    wide = elbow_back - near;
    for (swap = [0, 1]) mirror([swap, swap]) {
        translate([near, near]) square([200, wide]);
        translate([near, -near - wide]) square([200, wide]);
    }
    translate([-near - wide, near]) square(wide);
}

if (printing) arm_elbow();
else color(shell) arm_elbow();
