// Carries a strip of lights along the board's edge, 21 lights of 144 a metre; the cable lies below. Printed as it stands, no
// support.
include <measures.scad>
include <rim_measures.scad>

module rim_channel() {
    difference() {
        translate([-rim_long / 2, -rim_wide / 2, 0]) cube([rim_long, rim_wide, rim_high + rim_lip]);
        translate([-rim_long, -rim_wide / 2 + rim_wall, -1]) cube([2 * rim_long, rim_wide - 2 * rim_wall, rim_high - rim_deck + 1]);
        translate([-rim_long, -rim_wide / 2 + rim_wall, rim_high]) cube([2 * rim_long, rim_wide - 2 * rim_wall, rim_lip + 1]);
    }
}

if (printing) rim_channel();
else color(shell) rim_channel();
