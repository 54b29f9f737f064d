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

// The driver board, its middle at the origin.
module driver_board() {
    color("#e7f0e4") translate([0, 0, 0.8]) cube([81.3, 50.8, 1.6], center = true);
    color("#222222") for (x = [-24, 1.4]) translate([x, 0, 4]) cube([22.9, 6.5, 5], center = true);
    color("tan") for (n = [0 : 6]) translate([16.6 + n * 2.54, 0, 3]) rotate([90, 0, 0]) cylinder(d = 2, h = 7, center = true, $fn = 12);
    color("tan") for (n = [0 : 6]) translate([16.6 + n * 2.54, 20, 5]) cylinder(d = 2, h = 7, center = true, $fn = 12);
    color("orange") translate([36.8, -12, 5]) cube([3, 7, 8], center = true);
    color("#444466") translate([26, -22, 6]) cylinder(d = 6.3, h = 11, center = true);
}
