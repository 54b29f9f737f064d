// What several parts share, in millimetres. Change it here and draw again: make drawings
printing = false;         // true: a part lies as it is printed; false: as it is used

$fn = 40;
shell = "#7fa3c7";        // colours of the pictures
cover = "#c9a66b";
wall = 2.4;               // six lines of a 0.4 mm nozzle
floor_ = 3;               // floors, covers and faces
bed = 210;                // no part is longer than this, so that it fits the bed of any usual printer
slack = 0.3;              // between parts that fit into each other

m2 = 2.3;                 // holes that a screw passes
m3 = 3.4;
m5 = 5.5;
m8 = 8.6;
inch = 6.6;               // the quarter-inch bolt of tripods
m25_pilot = 2.1;          // holes into which a screw cuts its own thread
m25_deep = 7.2;            // how deep such a hole is
m3_pilot = 2.7;
m3_deep = 14;
base_sunk = 1.4;          // the heads of the screws in a panel's bottom
pi_post = 5;
m2_nut_high = 1.6;
m5_nut = 8.2;             // across flats, with room; a lock nut
m5_nut_high = 5;
m5_washer = 1;
m8_nut = 13.2;
m8_nut_high = 7;
inch_nut = 11.4;
inch_nut_high = 5.6;

tube = 30;                // aluminium square tube, column and boom sawn from 2 m
tube_wall = 2;
column_long = 1250;
boom_long = 740;
boom_longer = 1000;       // for wide tables
pinch = 0.4;              // so much narrower than the tube is what is bolted round it

jaw = 62;                 // the clamp: its opening,
jaw_thick = 22;           // its jaws,
jaw_deep = 62;            // how far they reach onto the table,
clamp_wide = 48;          // along the table's edge,
clamp_high = 140;         // so much of the column it holds,
clamp_back = 14;          // between the table's edge and the column,
clamp_shell = 20;         // and outside the column, where the bolts are
pad_high = 9;             // between bolt and table
pad_floor = 4;            // of this the bolt does not enter
m8_long = 80;

elbow_thick = 6;          // a plate of the joint of column and boom,
elbow_arm = 112;          // from the axes to the plate's end,
elbow_back = 28;          // and beyond them
elbow_rib = 5;            // ribs beside the tubes
bolt_off = 20;            // from a tube's axis to the bolts beside it

head_long = 56;           // the head: along the boom,
head_thick = 6;           // its cheeks and its floor,
head_drop = 40;           // from the boom's axis to that floor
plate_thick = 10;         // the plate that turns below it,
plate_wide = 76;
plate_long = 60;
plate_sunk = 4;           // the heads of the camera's screws in it,
spacer = 6;               // under it, so that the flat cable's plug has room
circuit = 1.6;            // a circuit board
lens_below = 12;          // from the plate to the lens's front, with a bare camera board

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

// The hole of a D-sub socket with nine poles in a wall, looking along y, with its two screws. Outside the wall is thinner
// there: a plug's hood would otherwise keep its pins 2.4 mm short of the socket, and jack posts would not reach.
module socket_hole(deep = 10) {
    rotate([90, 0, 0]) linear_extrude(2 * (wall - 1), center = true)
        polygon([[-17, -7.5], [-10, -14.5], [10, -14.5], [17, -7.5], [17, 7.5], [10, 14.5], [-10, 14.5], [-17, 7.5]]);
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

// A tube of that length along z, for the pictures.
module tube_bar(long) {
    color("silver") linear_extrude(long) difference() {
        offset(1) square(tube - 2, center = true);
        square(tube - 2 * tube_wall, center = true);
    }
}
