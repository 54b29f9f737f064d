// What is bought and fitted, roughly, for the pictures.

// An arcade button in a face whose outer side is z = 0.
module button(d, paint) {
    color("#222222") cylinder(d = d + 4, h = 3);
    color(paint) cylinder(d = d - 6, h = 8);
    color("#333333") translate([0, 0, -28]) cylinder(d = d - 1, h = 28);
    color("#222222") translate([0, 0, -12]) cylinder(d = d + 7, h = 6);
    color("goldenrod") for (x = [-4, 4]) translate([x, 0, -35]) cube([0.8, 4, 14], center = true);
}

// A lamp in such a face.
module lamp_(d, paint) {
    color(paint) { translate([0, 0, -1]) cylinder(d = d, h = 2); translate([0, 0, 1]) sphere(d = d); }
    color("silver") for (x = [-2, 2]) translate([x, 0, -12]) cylinder(d = 0.8, h = 11, $fn = 8);
}

// A D-sub connector with nine poles in a wall, looking along y; the cups lie at -y.
module dsub() {
    color("silver") cube([31, 1.6, 12.5], center = true);
    color("#222222") translate([0, -6, 0]) cube([19, 10, 9], center = true);
    color("goldenrod") for (x = [-5.5 : 2.75 : 5.5]) translate([x, -13, 1.4]) rotate([90, 0, 0]) cylinder(d = 1.6, h = 4, center = true, $fn = 10);
    color("silver") translate([0, 4, 0]) cube([17, 7, 8.5], center = true);
}

// A Raspberry Pi, its corner at the power plug at the origin, on posts.
module pi_board() {
    color("#2e8b57") cube([85, 56, 1.6]);
    color("silver") { for (y = [9, 29]) translate([70, y - 7.5, 1.6]) cube([18, 15, 16]); translate([66, 38, 1.6]) cube([21, 16, 14]); }
    color("silver") translate([6.8, -1.2, 1.6]) cube([9, 7.5, 3.2]);
    color("#222222") translate([7.5, 50, 1.6]) cube([51, 5, 8.5]);
    color("#999999") translate([20, 18, 1.6]) cube([30, 28, 10]);
}

// The board on the Pi's pins, its upper left corner at the origin; sizes and places as in kicad/board.kicad_pcb.
module driver_board() {
    color("#2f6f4f") translate([0, -71.6, 0]) cube([98, 71.6, 1.6]);
    color("#222222") translate([40.1, -70.1, -8.5]) cube([50.8, 5.1, 8.5]);
    for (x = [31.448, 73.358]) translate([x, 0, 7.85]) dsub_on_board();
    for (x = [24.13, 57.15]) translate([x - 1.3, -35.6, 1.6]) {
        color("#222222") cube([22.9, 7.6, 4.5]);
        color("#444444") translate([0, 0.6, 4.5]) cube([22.9, 6.4, 3.5]);
    }
    for (n = [0 : 6]) translate([21.59 + 8.89 * n, -47, 3]) {
        for (x = [0, 3.05]) color("tan") translate([x, 0, 0]) rotate([90, 0, 0]) cylinder(d = 2.3, h = 6.3, center = true, $fn = 12);
        color("orange") translate([5.1, -4, 0]) cube([2.5, 5, 5]);
    }
    for (x = [24.13, 63.5], n = [0 : 3]) color("tan") translate([x + 3.81 * n, -20.3, 3]) rotate([90, 0, 0]) cylinder(d = 2.3, h = 6.3, center = true, $fn = 12);
    color("#444466") { translate([50.8, -29.2, 1.6]) cylinder(d = 6.3, h = 11); translate([31.7, -57.2, 1.6]) cylinder(d = 10, h = 16); }
    color("orange") translate([47, -24.4, 2.5]) cube([7.5, 3.1, 9]);
    color("white") translate([90.1, -42, 1.6]) cube([5.8, 22.4, 7]);
}

// A D-sub connector with nine poles that lies on a board, looking along y, its flange at y = 0.
module dsub_on_board() {
    color("silver") { translate([0, 0.2, 0]) cube([30.8, 0.8, 12.5], center = true); translate([0, 3.5, 0]) cube([17, 6, 8.5], center = true); }
    color("#222222") translate([0, -6.3, 0]) cube([30.8, 12.6, 12.4], center = true);
}
