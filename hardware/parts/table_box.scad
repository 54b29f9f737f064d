// The box for the computer and its board. Printed as it stands, no support: windows are narrow or have sloping tops.
include <measures.scad>
include <table_box_measures.scad>

module table_box() {
    difference() {
        rounded(box_wide, box_long, box_high, 5);
        translate([0, 0, floor_]) rounded(inside_wide, inside_long, box_high, 3);
        for (x = sockets_at) translate([x, box_long / 2, socket_up]) {
            socket_hole();
            translate([0, 0, box_high / 2]) cube([notch_wide, 10, box_high], center = true);
        }
        windows();
        // The camera's flat cable goes over the wall, under the cover.
        translate([-62, box_long / 2, box_high - 1]) cube([18, 20, 4], center = true);
        for (x = [-60 : 8 : -20], y = [-30 : 20 : 30]) translate([x, y, -1]) rounded(3, 14, floor_ + 2, 1.4);
        pi_holes();
    }
    difference() { pi_posts(); pi_holes(); }
    board_posts();
    cover_posts();
}

// Power and the ports of the computer.
module windows() {
    translate([pi_at[0] + 11.2, -box_long / 2, pi_top + 1.6]) cube([15, 20, 10], center = true);
    translate([box_wide / 2, pi_at[1] + 28, pi_top - 1]) rotate([90, 0, 90]) linear_extrude(20, center = true)
        polygon([[-27, 0], [27, 0], [27, 17], [13, 31], [-13, 31], [-27, 17]]);
}

module pi_posts() { pi_holes_at() cylinder(d = 6.5, h = pi_post + 0.01); }

// They go on into the floor, for the posts alone are too short for the screws.
module pi_holes() { pi_holes_at() translate([0, 0, pi_post - m25_deep]) cylinder(d = m25_pilot, h = m25_deep + 1); }

module pi_holes_at() {
    for (x = [3.5, 61.5], y = [3.5, 52.5]) translate([pi_at[0] + x, pi_at[1] + y, floor_ - 0.01]) children();
}

// Where the board is screwed down near the wall, so that a cable that is plugged in does not lift it off the Pi.
module board_posts() {
    for (p = driver_posts) translate([driver_corner[0] + p[0], driver_corner[1] - p[1], 0]) post(driver_low);
}

// A post into which a screw M2.5 cuts its thread.
module post(high) {
    difference() {
        translate([0, 0, floor_ - 0.01]) cylinder(d = 6.5, h = high - floor_ + 0.01);
        translate([0, 0, high - m25_deep]) cylinder(d = m25_pilot, h = m25_deep + 1);
    }
}

module cover_posts() {
    for (p = cover_screws) translate([p[0], p[1], floor_ - 0.01]) difference() {
        cylinder(d = 9, h = box_high - 2 * floor_);
        translate([0, 0, box_high - 2 * floor_ - m3_deep]) cylinder(d = m3_pilot, h = m3_deep + 1);
    }
}

if (printing) table_box();
else color(shell) table_box();
