// The table's box with its cover lifted, for the pictures.
include <measures.scad>
include <table_box_measures.scad>
use <fittings.scad>
use <table_box.scad>
use <table_box_cover.scad>

color(shell) table_box();
translate([pi_at[0], pi_at[1], floor_ + pi_post]) pi_board();
translate([driver_corner[0], driver_corner[1], driver_low]) driver_board();

// The cover stands behind the box, its inner side in sight.
translate([0, box_long / 2 + 34, box_high + 26]) rotate([-104, 0, 0]) {
    color(cover) table_box_cover();
    translate(pause_at) button(button_small, "royalblue");
    translate(table_lamp_at) lamp_(10, "white");
    color("#222222") translate([buzzer_at[0], buzzer_at[1], -floor_ - 9]) cylinder(d = 12, h = 9);
}
