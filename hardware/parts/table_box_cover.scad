// The cover of the table's box with the table lamp, pause and the buzzer. Printed face down, no support.
include <measures.scad>
include <table_box_measures.scad>

lip = 2;
tongue_low = socket_up + 5.2 + slack;                      // above the socket's shell

module table_box_cover() {
    difference() {
        union() {
            translate([0, 0, -floor_]) rounded(box_wide, box_long, floor_, 5);
            // A lip at the two long sides centres the cover.
            for (y = [-1, 1]) translate([10 * -y, y * (inside_long / 2 - slack - 0.8), -floor_ - lip / 2])
                cube([70, 1.6, lip + 0.02], center = true);
        }
        translate(concat(pause_at, -20)) cylinder(d = button_small, h = 40);
        translate(table_lamp_at) lamp_hole(lamp, lamp_foot);
        for (a = [0 : 60 : 300]) translate(buzzer_at) rotate(a) translate([4, 0, -20]) cylinder(d = 2, h = 40);
        translate(concat(buzzer_at, -20)) cylinder(d = 2, h = 40);
        for (p = cover_screws) translate([p[0], p[1], -20]) cylinder(d = m3, h = 40);
        for (x = [12 : 8 : 68]) translate([x, -28, -20]) rounded(3, 36, 40, 1.4);
        translate([pause_at[0], -44, 0]) letters("PAUSE");
        translate([table_lamp_at[0], 46, 0]) letters("TABLE", 4.5);
        translate([44, 24, 0]) letters("shinpan", 9);
    }
    // Tongues close the notches above the sockets.
    for (x = sockets_at) translate([x, (box_long - wall) / 2, (tongue_low - box_high) / 2 - floor_ + 0.5])
        cube([notch_wide - 2 * slack, wall - 2 * slack, box_high - tongue_low + 1], center = true);
    // A ring into which the buzzer is pressed.
    translate([buzzer_at[0], buzzer_at[1], -floor_ - 4]) difference() {
        cylinder(d = 12.4 + 3.2, h = 4.01);
        translate([0, 0, -1]) cylinder(d = 12.4, h = 6);
    }
}

if (printing) rotate([180, 0, 0]) table_box_cover();
else color(cover) table_box_cover();
