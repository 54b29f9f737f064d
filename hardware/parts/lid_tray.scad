// The place for one player's lid: the mat's card lies in it, between its markers the lid. Printed flat, no support.
include <measures.scad>

rim = 2;
tray_wide = min(card_wide + 1 + 2 * rim, bed - 2);   // a long card looks out at both ends, where a rim has no room
tray_long = card_long + 1 + 2 * rim;

module lid_tray() {
    difference() {
        rounded(tray_wide, tray_long, 2 + 1.2, 3);
        translate([0, 0, 2]) rounded(max(card_wide, tray_wide) + 1, card_long + 1, 3, 1);
        // Thumb holes to lift the card out.
        for (y = [-1, 1]) translate([0, y * tray_long / 2, -1]) cylinder(d = 22, h = 10);
        // Less to print: what lies under the lid may be open.
        translate([0, 0, -1]) for (a = [0 : 60 : 300]) rotate(a) translate([30, 0, 0]) cylinder(d = 24, h = 10);
    }
}

if (printing) lid_tray();
else color(cover) lid_tray();
