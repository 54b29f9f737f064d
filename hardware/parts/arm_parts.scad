// The arm's parts put together, or so far apart, for the pictures.
include <measures.scad>
use <arm_clamp.scad>
use <clamp_pad.scad>
use <arm_elbow.scad>
use <camera_head.scad>
use <camera_plate.scad>

axis = clamp_back + tube / 2;      // from the table's edge to the column's axis

// A screw M5 x 50 along y with its nut, its middle at the origin.
module m5_50(apart = 0) {
    color("#444444") translate([0, 22 + apart, 0]) rotate([90, 0, 0]) { cylinder(d = 5, h = 50); translate([0, 0, -5]) cylinder(d = 8.5, h = 5); }
    color("#777777") translate([0, -20 - apart / 3, 0]) rotate([90, 0, 0]) cylinder(d = 8.8, h = 5, $fn = 6);
}

// x = 0 is the table's edge, z = 0 the table's top; the column stands at -axis.
module clamp_set(table_thick, apart = 0) {
    translate([0, 0, -jaw / 2]) {
        color(shell) translate([0, apart, 0]) arm_clamp();
        color(shell) translate([0, -apart, 0]) rotate([180, 0, 0]) arm_clamp();
        for (b = [[-54, 20], [-54, 60], [-clamp_back / 2, 44], [jaw_deep - 7, 44]], up = [-1, 1]) translate([b[0], 0, up * b[1]])
            rotate([0, 0, up > 0 ? 180 : 0]) m5_50(apart * 2.2);
    }
    translate([40, 0, -table_thick - pad_high - apart / 2]) {
        color(cover) translate([0, 0, pad_high]) mirror([0, 0, 1]) clamp_pad();
    }
    translate([40, 0, -table_thick - pad_floor - m8_long - apart * 1.5]) color("#777777") {
        cylinder(d = 8, h = m8_long);
        translate([0, 0, -14]) cylinder(d = 32, h = 14);
    }
}

// The origin is where the axes of column and boom cross.
module joint(apart = 0) {
    for (y = [0, 1]) mirror([0, y, 0]) translate([0, tube / 2 + elbow_thick + apart, 0]) rotate([90, 0, 0])
        color(shell) arm_elbow();
    far = elbow_arm - 10;
    for (b = [[-bolt_off, bolt_off], [bolt_off, bolt_off], [-bolt_off, -bolt_off], [bolt_off, -bolt_off],
        [-bolt_off, -far], [bolt_off, -far], [far, bolt_off], [far, -bolt_off]]) translate([b[0], 0, b[1]]) m5_50(apart * 2);
}

// The origin is on the boom's axis, above the lens.
module head_set(apart = 0, camera = true) {
    color(shell) translate([0, 0, -apart]) camera_head();
    for (x = [-1, 1], z = [-1, 1]) translate([x * (head_long / 2 - 9), 0, z * bolt_off - apart]) m5_50(apart);
    translate([0, 0, -head_drop - head_thick - apart * 2]) color(cover) camera_plate();
    color("#777777") translate([0, 0, -head_drop - apart * 1.2]) cylinder(d = 12.8, h = inch_nut_high, $fn = 6);
    color("#444444") translate([0, 0, -head_drop - head_thick - plate_thick - apart * 2.6]) { cylinder(d = 6.35, h = 22); cylinder(d = 12.8, h = 4.4, $fn = 6); }
    if (camera) translate([0, 0, -head_drop - head_thick - plate_thick - apart * 3.4]) circuit_board();
}

// A camera's board of 38 mm on its spacers, looking down.
module circuit_board() {
    color("white") for (x = [-17, 17], y = [-17, 17]) translate([x, y, -spacer]) cylinder(d = 4, h = spacer);
    color("#2e8b57") translate([0, 0, -spacer - circuit / 2]) cube([38, 38, circuit], center = true);
    color("#222222") translate([0, 0, -spacer - circuit - 5]) { cylinder(d = 14, h = 5); }
    color("#334455") translate([0, 0, -spacer - circuit - 6]) cylinder(d = 9, h = 3);
}
