// What several parts share, in millimetres. Change it here and draw again: sh hardware/draw.sh
printing = false;         // true: a part lies as it is printed; false: as it is used

$fn = 40;
shell = "#7fa3c7";        // colours of the pictures
cover = "#c9a66b";
wall = 2.4;               // six lines of a 0.4 mm nozzle
floor_ = 3;               // floors, covers and faces
bed = 220;                // no part is longer than the bed of a usual printer
slack = 0.3;              // between parts that fit into each other

m2 = 2.3;                 // holes that a screw passes
m3 = 3.4;
m5 = 5.5;
m8 = 8.6;
m25_pilot = 2.1;          // holes into which a screw cuts its own thread
m3_pilot = 2.7;
m8_nut = 13.2;            // across flats
m8_nut_high = 7;

profile = 20;             // aluminium profile 20 x 20, slot 6
column_long = 1000;
boom_long = 600;

button_large = 30;        // holes for arcade buttons with a nut
button_small = 24;
button_deep = 42;         // behind the face, with plugs and bent wires
lamp = 10.2;              // a 10 mm lamp; its foot is wider
lamp_foot = 11.6;
star = 5.2;               // a 5 mm lamp
star_foot = 6.2;
socket_wide = 25;         // between the screws of a D-sub socket with nine poles

card_wide = 210;          // a card of the mat, an A3 sheet cut into four
card_long = 148.5;

// A box with upright edges rounded, standing on z = 0, its middle at x = y = 0.
module rounded(x, y, z, r = 4) {
    linear_extrude(z) offset(r) square([x - 2 * r, y - 2 * r], center = true);
}

// The hole of a D-sub socket with nine poles in a wall, looking along y, with its two screws.
module socket_hole(deep = 10) {
    rotate([90, 0, 0]) linear_extrude(deep, center = true) {
        hull() for (x = [-1, 1]) {
            translate([x * 8.6, 3.6]) circle(1.6);
            translate([x * 7.6, -3.6]) circle(1.6);
        }
        for (x = [-1, 1]) translate([x * socket_wide / 2, 0]) circle(d = 3.3);
    }
}

// A hole for a lamp in a face whose outer side is z = 0 and whose inner side is z = -floor_.
module lamp_hole(d, foot) {
    translate([0, 0, -floor_ - 1]) cylinder(d = d, h = floor_ + 2);
    translate([0, 0, -floor_ - 1]) cylinder(d = foot, h = 2.2);
}

// Letters cut 0.6 mm into a face whose outer side is z = 0.
module letters(words, size = 6) {
    translate([0, 0, -0.6]) linear_extrude(1)
        text(words, size, halign = "center", valign = "center", font = "DejaVu Sans:style=Bold", $fn = 8);
}

// A profile of that length along z, for the pictures.
module profile_bar(long) {
    color("silver") linear_extrude(long) difference() {
        offset(1) square(profile - 2, center = true);
        for (a = [0 : 90 : 270]) rotate(a) translate([profile / 2, 0]) square([12, 6], center = true);
    }
}
