// The bottom of a player's panel, held by four screws. Printed flat, no support.
include <measures.scad>

base_wide = 184 - 2 * 2.4 - 2 * slack;    // the panel's inside
base_long = 84 - 2 * 2.4 - 2 * slack;

module side_panel_base() {
    difference() {
        rounded(base_wide, base_long, floor_, 4 - slack);
        for (x = [-1, 1], y = [-1, 1]) translate([x * (184 / 2 - 7), y * (84 / 2 - 7), -1]) {
            cylinder(d = m3, h = floor_ + 2);
            cylinder(d = 6.6, h = base_sunk + 1);
        }
        // A tie through these two slots takes the pull off the wires.
        for (x = [-4, 4]) translate([x, 24, -1]) rounded(2.5, 6, floor_ + 2, 1);
    }
}

if (printing) side_panel_base();
else color(cover) side_panel_base();
