// A player's panel: done, call and score, the lamp and the lamp of the ultimate stone. Printed face down, no support.
include <measures.scad>

panel_wide = 184;
panel_long = 84;
panel_high = button_deep + 8;
done_at = [-22, 0];
call_at = [28, 0];
score_at = [68, 0];
lamp_at = [-70, 16];
star_at = [-70, -16];
posts = [for (x = [-1, 1], y = [-1, 1]) [x * (panel_wide / 2 - 7), y * (panel_long / 2 - 7)]];

module side_panel() {
    difference() {
        rounded(panel_wide, panel_long, panel_high, 6);
        translate([0, 0, -1]) rounded(panel_wide - 2 * wall, panel_long - 2 * wall, panel_high - floor_ + 1, 4);
        translate([0, 0, panel_high]) face();
        translate([0, panel_long / 2, 18]) socket_hole();
    }
    for (p = posts) translate([p[0], p[1], floor_ + slack]) difference() {
        cylinder(d = 9, h = panel_high - floor_ - slack - 1);
        translate([0, 0, -1]) cylinder(d = m3_pilot, h = m3_deep + 1);
    }
}

// All that is cut into the face; its outer side is z = 0.
module face() {
    translate(concat(done_at, -20)) cylinder(d = button_large, h = 40);
    for (p = [call_at, score_at]) translate(concat(p, -20)) cylinder(d = button_small, h = 40);
    translate(lamp_at) lamp_hole(lamp, lamp_foot);
    translate(star_at) lamp_hole(star, star_foot);
    for (n = [["DONE", done_at], ["CALL", call_at], ["SCORE", score_at]])
        translate([n[1][0], -30, 0]) letters(n[0]);
    translate([star_at[0], -30, 0]) letters("STONE", 4.5);
    translate([lamp_at[0], 31, 0]) letters("TURN", 4.5);
}

if (printing) translate([0, 0, panel_high]) rotate([180, 0, 0]) side_panel();
else color(shell) side_panel();
