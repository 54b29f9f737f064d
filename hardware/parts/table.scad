// The whole table, for the pictures only: nothing of this is printed.
include <measures.scad>
include <table_box_measures.scad>
include <rim_measures.scad>
use <fittings.scad>
use <side_panel.scad>
use <table_box.scad>
use <table_box_cover.scad>
use <arm_parts.scad>
use <lid_tray.scad>
use <rim_channel.scad>

board_wide = 424;         // a board of 19 lines, from left to right for the players
board_long = 454;         // from player to player
board_high = 30;
camera_high = 650;        // over the board: Camera Module 3 with the mat, as hardware/ASSEMBLY.md tells
table_wide = 1200;
table_long = 760;
across = 66;              // what Camera Module 3 sees, in degrees
down = 41;
table_thick = 25;
boom_at = board_high + camera_high + head_drop + head_thick + plate_thick + lens_below;   // its axis

table_();
board();
for (side = [0, 1]) rotate(180 * side) player();
translate([-356, -190, 0]) { table_box(); translate([0, 0, box_high + floor_]) table_box_cover(); box_fittings(); }
arm();
sight();

module table_() { color("#b8a690") translate([0, 0, -table_thick]) rounded(table_wide, table_long, table_thick, 10); }

module board() {
    color("#e0b060") translate([-board_wide / 2, -board_long / 2, 0.6]) cube([board_wide, board_long, board_high]);
    color("black") for (n = [-9 : 9]) {
        translate([n * 22, 0, board_high + 0.7]) cube([0.9, 426, 0.4], center = true);
        translate([0, n * 23.7, board_high + 0.7]) cube([396, 0.9, 0.4], center = true);
    }
    for (x = [-1, 1], y = [-1, 1]) card(x, y);
    rim();
}

// The lights along the far and the right edge, the first of each beside the first line.
module rim() {
    off = 8.5;
    for (n = [0 : 2]) {
        translate([-9 * 22 - rim_light / 2 + (n + 0.5) * rim_long, board_long / 2 + off, 0.6]) { rim_channel(); lights(); }
        translate([board_wide / 2 + off, 9 * 23.7 + rim_light / 2 - (n + 0.5) * rim_long, 0.6]) rotate(90) { rim_channel(); lights(); }
    }
}

module lights() {
    for (n = [0 : rim_lights - 1]) color("white") translate([(n + 0.5 - rim_lights / 2) * rim_light, 0, rim_high + 0.6]) cube([5, 5, 1.2], center = true);
}

// A corner card of the mat, a quarter of a sheet of A4: 75 mm of it look out, with the marker.
module card(x, y) {
    color("white") translate([x * (board_wide / 2 + 75 - 148.5 / 2), y * (board_long / 2 + 12 - 105 / 2), 0.3])
        cube([148.5, 105, 0.6], center = true);
    color("black") translate([x * (board_wide / 2 + 50), y * (board_long / 2 - 20), 0.7]) cube([30, 30, 0.4], center = true);
}

module player() {
    translate([board_wide / 2 + 80, 0, 0]) rotate(90) {
        lid_tray();
        color("white") translate([0, 0, 2.2]) cube([card_wide, card_long, 0.4], center = true);
        color("black") for (x = [-82.5, 82.5]) translate([x, 0, 2.6]) cube([30, 30, 0.4], center = true);
        color("#6b4020") translate([0, 0, 2.4]) difference() { cylinder(d = 112, h = 16); translate([0, 0, 4]) cylinder(d = 104, h = 16); }
        for (p = [[-20, 5], [12, -18], [14, 20]]) translate([p[0], p[1], 10]) scale([1, 1, 0.4]) color("white") sphere(11);
    }
    translate([board_wide / 2 + 172, -212, 0]) { side_panel(); fittings(); }
}

module fittings() {
    translate([0, 0, 50]) {
        translate([-22, 0]) button(button_large, "limegreen");
        translate([28, 0]) button(button_small, "gold");
        translate([68, 0]) button(button_small, "white");
        translate([-70, 16]) lamp_(10, "lime");
        translate([-70, -16]) lamp_(5, "white");
    }
}

module box_fittings() {
    translate([0, 0, box_high + floor_]) {
        translate(pause_at) button(button_small, "royalblue");
        translate(table_lamp_at) lamp_(10, "lime");
    }
}

module arm() {
    axis = clamp_back + tube / 2;
    foot = (clamp_high + jaw) / 2;
    translate([-table_wide / 2, 0, 0]) clamp_set(table_thick);
    translate([-table_wide / 2 - axis, 0, 0]) {
        translate([0, 0, -foot]) tube_bar(column_long);
        translate([tube / 2, 0, boom_at]) rotate([0, 90, 0]) tube_bar(boom_long);
        translate([0, 0, boom_at]) joint();
    }
    translate([0, 0, boom_at]) head_set();
}

module sight() {
    apex = board_high + camera_high;
    x = camera_high * tan(across / 2);
    y = camera_high * tan(down / 2);
    color([1, 0.9, 0.2, 0.12]) polyhedron(
        points = [[0, 0, apex], [-x, -y, board_high], [x, -y, board_high], [x, y, board_high], [-x, y, board_high]],
        faces = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1], [1, 4, 3, 2]]);
}
