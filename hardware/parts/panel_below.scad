// A player's panel from below with all that is fitted, and its base, for the pictures.
include <measures.scad>
use <fittings.scad>
use <side_panel.scad>
use <side_panel_base.scad>

rotate([180, 0, 0]) {
    color(shell) side_panel();
    translate([0, 0, 50]) {
        translate([-22, 0]) button(button_large, "limegreen");
        translate([28, 0]) button(button_small, "gold");
        translate([68, 0]) button(button_small, "white");
        translate([-70, 16]) lamp_(10, "white");
        translate([-70, -16]) lamp_(5, "white");
    }
    translate([0, 42, 18]) dsub();
}
translate([0, 110, -47]) color(cover) side_panel_base();
