// The enclosure: a bezel, a case, a light grid and a back, each in two parts that fit the printer's bed; the LED plate is
// aluminium. Millimetres. x to the right and y up, seen from the front, the origin in the middle of the LEDs; z from the back to
// the front.
//
//     openscad -D 'part="case-left"' -o case-left.stl pixelboop.scad

include <boards.scad>

/* [What to draw] */
part = "assembly"; // assembly, exploded, rear, step-1 to step-9, solid, front-panel, or the name of a part

/* [LEDs] */
columns = 44;
rows = 24;
pitch = 1000 / 144;       // 144 LEDs a metre
led = [6.0, 5.0, 1.6];    // SK9822's package with its pads
capacitor = [1.6, 0.8, 1]; // 0603 between two rows
board = 1.6;              // thickness of a circuit board
tape = 0.25;              // heat-conducting tape behind a tile, an electric insulator: 3M 8810

/* [Overlay] */
touch_area = [309.4, 173.95]; // active area of 14.0 inch at 16:9
glass = [326, 192, 2];        // outline of the overlay, and of the diffuser: measure yours
glass_gap = 0.5;              // on every side
foam = 0.5;                   // pressed foam tape between glass and bezel: it holds diffuser, grid and tiles
cable_width = 30;             // of the notch for the overlay's flat cable, in the wall below the glass
controller = [50, 22, 6];     // the overlay's USB controller board, taped to the bezel's back
controller_tape = 1;

/* [Printer] */
bed = 256;
brim = 4;                 // the most that a print of the whole height leaves room for
wall = 3;
plate = 3;
insert = 4.0;             // hole of an M3 threaded insert (ruthex RX-M3x5.7)
insert_length = 5.7;
screw = 3.4;              // hole that an M3 screw passes: ISO 273, medium
small_screw = 2.9;        // and an M2.5 screw

/* [Stack and depth] */
grid_wall = 0.8;
grid_error = 0.1;         // a half of the grid may be so much longer or shorter than it should: measure it, and scale the print
shrinkage = 0.003;        // of an unscaled print of PETG: what the pegs' slots must take
grid_depth = 6;
diffuser = 3;
room = 47;                // behind the LED plate
peg = [1.8, 2.2];         // diameter of the grid's pegs, and of their holes in the plate
bosses = 6;               // spacers between the back and the boards
adapter_gap = 11;         // standoffs between the Raspberry Pi and the adapter
raspberry_board = 1.4;    // thickness of the Raspberry Pi's board
feet = [20.6, 7.6];       // 3M SJ5023 on the back: width, height

/* [Controls] */
strip_height = 36;        // the part of the bezel below the glass
button = 12;
bush = 7.2;               // M7 of an encoder
status = 3.2;
controls = [              // name, x, diameter, depth behind the bezel with its wires
    ["play", -135, button, 30], ["shift", -105, button, 30], ["tempo", -45, bush, 22], ["volume", 45, bush, 22],
    ["status", 105, status, 15], ["power", 135, button, 30]
];

/* [Back: sockets and fan] */
inlet = [16.2, 8.6, 25];  // XT60E-M: width and height of its cut-out, distance of its screws; measure yours
inlet_flange = 2;
inlet_at = [140, 72];
inlet_depth = 30;         // inside, with the wires
jack = 6.2;               // M6 thread of a 3.5 mm jack
jacks = [["clock in", -120], ["clock out", -100], ["MIDI in", -80], ["MIDI out", -60], ["line out", -40]];
jacks_y = 72;
jack_depth = 24;
usb = [16, 10, 30];       // socket of a USB extension: cut-out and distance of its screws; measure yours
usb_ear = 4;              // thickness of its ears
usb_at = [-60, -72];
usb_depth = 32;
fan = [40, 10, 32];       // width, depth, distance of its holes
fan_at = [85, 61];       // above the power board: what it blows out has passed the modules
vents = [                 // centre y, length, x of the slots
    [-72, 28, [for (x = [40:8:120]) x]], [-72, 28, [for (x = [-130:8:-90]) x]]
];
// Plugs outside, behind the back: an XT60H-F with its solder cups, a straight 3.5 mm plug, a memory stick: width, height, depth.
outside_plugs = [["XT60 plug", [16.2, 8.2, 25]], ["jack plug", [10.5, 10.5, 32]], ["USB stick", [21, 9, 55]]];
foot_at = [[-148, 91], [148, 91], [-148, -126], [148, -126]];

/* [Boards on the back: corner of the board's drawing; turned by half or not] */
power_at = [33, 38];
raspberry_at = [-35, -28];  // turned by half: USB to the left, header at the bottom
// Raspberry Pi 4 Model B mechanical drawing: 85 x 56, holes 3.5 from the edges and 58 x 49 apart, so off the board's middle.
// The Zero 2 W (65 x 30, holes 58 x 23) does not fit these holes.
raspberry_size = [85, 56];
raspberry_holes = [[3.5, 3.5], [3.5, 52.5], [61.5, 3.5], [61.5, 52.5]];
// Sockets, from the same drawing: their middles 11.2, 26, 39.5 and 54 along the lower edge, 9 and 27 from it USB, 45.75 network.
raspberry_bodies = [
    ["USB 3 sockets", 69.6, 40.4, 87.6, 53.6, 16], ["USB 2 sockets", 69.6, 22.4, 87.6, 35.6, 16],
    ["network socket", 65.6, 2.2, 87, 18.3, 13.5], ["USB-C socket", 6.7, 50, 15.7, 57.3, 3.2], ["HDMI 0", 22.4, 49.6, 29.6, 57.6, 3.1],
    ["HDMI 1", 35.9, 49.6, 43.1, 57.6, 3.1], ["sound jack", 50.9, 44, 57.1, 58.5, 6], ["heat sink", 22, 22, 36, 36, 10]
];
raspberry_plugs = [         // plugs and the bend of their cables
    ["USB and network plugs", 88, 1, 126, 55, 16.5], ["USB-C and HDMI plugs", 4, 57.7, 46, 87, 7],
    ["memory card", -18, 20, -0.1, 36, 0]
];
supply_plug_room = [5.5, -32, 22.5, 0, 8.5]; // at the power board's J1, over its edge

/* [Hidden] */
$fn = len([for (i = [0:3]) if (part[len(part) - 4 + i] == "flat"[i]) i]) == 4 ? 128 : 32; // finer where it is cut
margin = 9;               // beside the glass: screws stand here
lit = [columns * pitch, rows * pitch];
inner = [glass.x + 2 * glass_gap, glass.y + 2 * glass_gap];
outer = [inner.x + 2 * margin, inner.y + 2 * margin + strip_height];
centre_y = -strip_height / 2;        // the middle of the outline
strip_y = -inner.y / 2 - wall - (strip_height - wall) / 2; // between the wall below the glass and the screws
stack = plate + tape + board + grid_depth + diffuser + glass.z + foam;
// The plates' joints are beside the case's: each plate holds its halves together.
joint = 0;
bezel_joint = -30;
back_joint = 30;

left = -outer.x / 2;
right = outer.x / 2;
top = centre_y + outer.y / 2;
bottom = centre_y - outer.y / 2;
edge = margin / 2;
screws = concat(
    [for (x = [left + edge, -110, -60, -15, 15, 60, 110, right - edge]) [x, top - edge]],
    [for (x = [left + edge, -75, -15, 15, 75, right - edge]) [x, bottom + edge]],
    [for (y = [40, -40]) for (x = [left + edge, right - edge]) [x, y]]);
// Where the LED plate is screwed to the case's posts.
posts = [for (x = [-150, -75, -15, 15, 75, 150]) for (y = [-inner.y / 2 + 5, inner.y / 2 - 5]) [x, y]];
post = 10;
rib_y = -inner.y / 2 - wall / 2;

// --- Screws: all pass a grip and hold in an insert, a nut or a standoff. Button heads by ISO 7380-1 (M3), pan heads by ISO 7045
// (M2.5); nuts by ISO 4032.

nut = 2.4;                // M3
small_nut = 2;            // M2.5
ring_terminal = 1;        // with its toothed washer
lengths = [5, 6, 8, 10, 12, 16, 20, 25]; // that both standards have
screw_table = [ // name, thread, length, number, grip, what holds it, its length, room for the end beyond that
    ["bezel", 3, 8, len(screws), plate, "insert", insert_length, 5],
    ["back", 3, 8, len(screws), plate, "insert", insert_length, 5],
    ["LED plate", 3, 8, len(posts), plate, "insert", insert_length, 5],
    ["power board", 3, 16, 4, plate + bosses + board, "nut", nut, 5],
    ["Raspberry Pi", 2.5, 16, 4, plate + bosses + raspberry_board, "standoff", adapter_gap, 0],
    ["adapter", 2.5, 6, 4, board, "standoff", adapter_gap, 0],
    ["fan", 3, 16, 4, plate + fan.y, "nut", nut, 5],
    ["inlet", 2.5, 10, 2, inlet_flange + plate, "nut", small_nut, 5],
    ["USB extension", 3, 12, 2, plate + usb_ear, "nut", nut, 5],
    ["ground", 3, 8, 1, plate + ring_terminal, "nut", nut, 5]
];
function pitch_of(thread) = thread == 3 ? 0.5 : 0.45;
function beyond(s) = s[2] - s[4];          // length beyond the grip
function engaged(s) = min(beyond(s), s[6]);
function total(kind, thread) = let (n = [for (s = screw_table) s[5] == kind && s[1] == thread ? s[3] : 0]) n * [for (i = n) 1];
function row(name) = screw_table[search([name], screw_table)[0]];
small_parts = [ // what the parts list must have besides the screws
    ["insert M3", total("insert", 3)], ["nut M3", total("nut", 3)], ["nut M2.5", total("nut", 2.5)],
    [str("spacer M3 x ", bosses), 4], [str("spacer M2.5 x ", bosses), 4], [str("standoff M2.5 x ", adapter_gap), 4],
    ["foot", len(foot_at)]
];

// --- Boards: from a board's drawing (y down) to the box (y up).

// A corner of each tile's drawing, and whether it is turned by half: its chain connectors stand in the panel's middle.
joint_gap = (columns / 2 * pitch - tile_size.x) / 2;
tiles = [for (zone = [0, 1]) for (turned = [false, true]) turned
    ? [[-joint_gap, (zone == 0 ? 0 : -lit.y / 2) + joint_gap], true]
    : [[joint_gap, (zone == 0 ? lit.y / 2 : 0) - joint_gap], false]];
function world(corner, turned, x, y) = turned ? [corner.x - x, corner.y + y] : [corner.x + x, corner.y - y];
// Body [name, left, top, right, bottom, height] of a board as [name, x0, y0, x1, y1, height].
function body(corner, turned, b, lift = 0) =
    let (one = world(corner, turned, b[1], b[2]), two = world(corner, turned, b[3], b[4]))
    [b[0], min(one.x, two.x), min(one.y, two.y), max(one.x, two.x), max(one.y, two.y), b[5] + lift];
function outline_of(name, size) = [name, 0, 0, size.x, size.y, board];
// Bodies on the back, with their height above the back.
raspberry_top = bosses + raspberry_board;
adapter_low = raspberry_top + adapter_gap;
function on_back(name) =
    name == "power" ? [for (b = concat([outline_of("power board", power_size)], power_bodies))
        body(power_at, false, b, b[0] == "power board" ? bosses : bosses + board)]
    : name == "raspberry" ? [for (b = raspberry_bodies) body(raspberry_at, true, b, raspberry_top)]
    : name == "adapter" ? [for (b = concat([outline_of("adapter", adapter_size)], adapter_bodies)) if (b[5] > 0)
        body(raspberry_at, true, b, adapter_low + (b[0] == "adapter" ? 0 : board))]
    : name == "plugs" ? concat([body(power_at, false, concat(["supply plug"], supply_plug_room), bosses + board)],
        [for (b = raspberry_plugs) body(raspberry_at, true, b, raspberry_top)])
    : concat([["inlet", inlet_at.x - inlet.x / 2, inlet_at.y - inlet.y / 2, inlet_at.x + inlet.x / 2, inlet_at.y + inlet.y / 2,
            inlet_depth],
        ["USB socket", usb_at.x - usb.z / 2 - 4, usb_at.y - usb.y / 2, usb_at.x + usb.z / 2 + 4, usb_at.y + usb.y / 2, usb_depth],
        ["fan", fan_at.x - fan.x / 2, fan_at.y - fan.x / 2, fan_at.x + fan.x / 2, fan_at.y + fan.x / 2, fan.y]],
        [for (j = jacks) [j[0], j[1] - 5, jacks_y - 5, j[1] + 5, jacks_y + 5, jack_depth]]);
groups = ["power", "raspberry", "adapter", "plugs", "sockets"];
function low_of(group) = group == "power" || group == "raspberry" ? bosses : group == "adapter" ? adapter_low : 0;
// Bodies behind the LED plate, with their depth behind it.
behind_plate = [for (tile = tiles) for (b = tile_bodies) if (-b[5] - tape > plate)
    let (there = body(tile[0], tile[1], b)) [there[0], there[1], there[2], there[3], there[4], -b[5] - tape - plate]];
pegs = [for (tile = tiles) for (h = tile_holes) world(tile[0], tile[1], h.x, h.y)];
// How much longer each peg's hole is along x.
peg_slots = [for (tile = tiles) for (h = tile_holes) len(h) == 4 ? h[3] : 0];
// Cut-outs of the plate, from the tile's drawing.
cutouts = [for (tile = tiles) for (c = tile_cutouts) body(tile[0], tile[1], ["", c[0], c[1], c[2], c[3], 0])];
power_screws = [for (h = power_holes) world(power_at, false, h.x, h.y)];
raspberry_screws = [for (h = raspberry_holes) world(raspberry_at, true, h.x, h.y)];
fan_screws = [for (x = [-1, 1]) for (y = [-1, 1]) [fan_at.x + x * fan.z / 2, fan_at.y + y * fan.z / 2]];
inlet_screws = [for (x = [-1, 1]) [inlet_at.x + x * inlet.z / 2, inlet_at.y]];
usb_screws = [for (x = [-1, 1]) [usb_at.x + x * usb.z / 2, usb_at.y]];
ground_at = [157.5, 0];

// --- Conditions for the parts to fit.

overhang = (touch_area - lit) / 2;
echo(lit = lit, overhang = overhang, outer = outer, stack = stack, depth = room + stack + 2 * plate);
assert(overhang.x >= 0 && overhang.y >= 0, "the LEDs are larger than what the overlay feels");
assert(led.x + 2 * 0.05 <= pitch - grid_wall && led.y + 2 * 0.2 <= pitch - grid_wall, "an LED does not fit its cell");
round_holes = [for (h = tile_holes) if (len(h) == 3) h];
slots = [for (h = tile_holes) if (len(h) == 4) h];
assert(peg[0] <= tile_holes[0][2] - 0.1 && tile_holes[0][2] <= peg[1], "a peg does not fit its hole");
assert(len(round_holes) == 1 && len(slots) == 1, "a tile has one round hole and one slot");
assert(shrinkage * abs(slots[0].x - round_holes[0].x) + 0.1 <= slots[0][3] / 2 &&
    shrinkage * abs(slots[0].y - round_holes[0].y) + 0.1 <= slots[0].z - peg[0], "a shrunken grid's pegs do not meet the slot");
assert(grid_error / 2 <= (pitch - grid_wall - led.x) / 2, "a grid of another length presses on LEDs");
assert(abs(tile_size.x - columns / 2 * pitch) < 0.5 && abs(tile_size.y - rows / 2 * pitch) < 0.5,
    "the tiles are not a quarter of the panel");
for (i = [0:len(tile_led_x) - 1])
    assert(abs(tile_led_x[i] + joint_gap - (i + 0.5) * pitch) < 0.05, "a tile's LEDs are not in the grid's columns");
for (i = [0:len(tile_led_y) - 1])
    assert(abs(tile_led_y[i] + joint_gap - (i + 0.5) * pitch) < 0.05, "a tile's LEDs are not in the grid's rows");
assert(glass.x >= touch_area.x + 4 && glass.y >= touch_area.y + 4, "the bezel has no glass to lie on");
assert(glass.x >= lit.x + 4 && glass.y >= lit.y + 4, "the diffuser does not cover the grid");
assert(grid_depth > led.z + 2, "LEDs would show as points: the diffuser is too near");
assert(bed >= outer.x / 2 + max(abs(bezel_joint), abs(back_joint)) + 2 * brim && bed >= outer.y + 2 * brim,
    "a part is larger than the bed");
for (s = screws) {
    inside_x = min(right - s.x, s.x - left);
    inside_y = min(top - s.y, s.y - bottom);
    assert(min(inside_x, inside_y) >= insert / 2 + 1.5, str("a screw breaks out at ", s));
    assert(abs(s.x) > inner.x / 2 + insert / 2 || s.y > inner.y / 2 + insert / 2 || s.y < bottom + margin,
        str("a screw is in the glass at ", s));
    for (cut = [joint, bezel_joint, back_joint])
        assert(abs(s.x - cut) >= screw / 2 + 3, str("a screw is in the joint at ", s));
}
for (s = concat(power_screws, raspberry_screws, fan_screws, inlet_screws, usb_screws))
    assert(abs(s.x - back_joint) >= screw / 2 + 3, str("a hole of the back is in its joint at ", s));
for (v = vents) for (x = v[2]) assert(abs(x - back_joint) > 5, "a slot is in the back's joint");
for (s = screw_table) {
    assert(len([for (l = lengths) if (l == s[2]) l]) == 1, str("a screw of ", s[2], " mm does not exist: ", s[0]));
    assert(s[5] == "nut" ? beyond(s) >= s[6] + pitch_of(s[1]) : engaged(s) >= 4, str("a screw is too short: ", s[0]));
    assert(beyond(s) <= s[6] + s[7], str("a screw is too long: ", s[0]));
}
assert(beyond(row("Raspberry Pi")) + beyond(row("adapter")) < adapter_gap, "the screws meet in the standoff: adapter");
for (i = [0:3])
    assert(norm(raspberry_holes[i] - [adapter_holes[i].x, adapter_holes[i].y]) < 0.1,
        "the adapter's holes are not the Raspberry Pi's");
for (c = controls) {
    assert(abs(c[1]) + c[2] / 2 + wall < right - margin, str(c[0], " is in the wall"));
    assert(abs(c[1] - bezel_joint) > c[2] / 2 + 4, str(c[0], " is in the bezel's joint"));
    assert(abs(c[1]) - max(c[2] / 2 + 1.5, 7) > controller.x / 2, str(c[0], " is in the overlay's controller"));
    for (d = controls)
        assert(c == d || abs(c[1] - d[1]) >= 20, str(c[0], " and ", d[0], " are too near for two fingers"));
}
assert(controller.x / 2 < abs(bezel_joint) && controller.y < strip_height - wall - margin,
    "the overlay's controller has no place in the strip");
for (group = groups) for (b = on_back(group)) {
    assert(b[5] + 2 <= room, str(b[0], " is too deep"));
    assert(max(abs(b[1]), abs(b[3])) <= outer.x / 2 - wall - 2 && max(abs(b[2]), abs(b[4])) <= inner.y / 2 - post,
        str(b[0], " is in the wall or a post"));
    for (c = behind_plate)
        assert(b[3] < c[1] || c[3] < b[1] || b[4] < c[2] || c[4] < b[2] || b[5] + c[5] + 2 <= room,
            str(b[0], " meets ", c[0], " of a tile"));
    for (other = groups) if (other != group) for (c = on_back(other))
        assert(b[3] <= c[1] || c[3] <= b[1] || b[4] <= c[2] || c[4] <= b[2] || b[5] <= low_of(other) || c[5] <= low_of(group),
            str(b[0], " and ", c[0], " overlap"));
}

// --- Outlines.

module block(size, y = 0) { translate([0, y]) square(size, center = true); }
// No offset(): solids.py makes true arcs of squares and circles only.
module rounded(size, r) {
    square(size - [2 * r, 0], center = true);
    square(size - [0, 2 * r], center = true);
    for (x = [-1, 1]) for (y = [-1, 1]) translate([x * (size.x / 2 - r), y * (size.y / 2 - r)]) circle(r);
}
module outline(inset = 0) { translate([0, centre_y]) rounded(outer - 2 * [inset, inset], max(4 - inset, 0.5)); }
// Along x: a square and two circles.
module slot(diameter, longer) {
    for (x = [-1, 1]) translate([x * longer / 2, 0]) circle(d = diameter);
    if (longer > 0) square([longer, diameter], center = true);
}
module holes(places, diameter) { for (p = places) translate(p) circle(d = diameter); }
module half(side, cut) {
    // side is -1 for the left, 1 for the right
    intersection() {
        children();
        translate([cut + side * 500, 0]) square([1000, 1000], center = true);
    }
}

module bezel() {
    difference() {
        outline();
        block(touch_area);
        holes(screws, screw);
        for (c = controls) translate([c[1], strip_y]) circle(d = c[2]);
    }
}

// Behind the LED plate: the wall, the bosses and the posts.
module case_low() {
    difference() {
        union() {
            difference() {
                outline();
                outline(wall);
            }
            intersection() {
                outline();
                holes(screws, margin);
            }
            // Posts reach to the wall above, or to the rib below, which supports the wall between glass and controls.
            intersection() {
                outline();
                for (p = posts) {
                    reach = p.y > 0 ? top - wall : rib_y;
                    translate([p.x, (p.y + reach) / 2]) square([post, abs(reach - p.y) + post], center = true);
                }
            }
            translate([0, rib_y]) square([outer.x - wall, wall], center = true);
        }
        holes(screws, insert);
        holes(posts, insert);
        // Wires to the controls.
        for (x = [-112, 0, 112]) translate([x, rib_y]) square([20, 2 * wall], center = true);
    }
}

// Around the LEDs and the glass.
module case_high() {
    difference() {
        outline();
        block(inner);
        block([outer.x - 2 * margin, strip_height - wall], strip_y);
        holes(screws, insert);
    }
}

module led_plate() {
    difference() {
        block(inner - [1, 1]);
        holes(posts, screw);
        for (i = [0:len(pegs) - 1]) translate(pegs[i]) slot(peg[1], peg_slots[i]);
        // Earth: a ring terminal.
        translate(ground_at) circle(d = screw);
        for (c = cutouts) translate([(c[1] + c[3]) / 2, (c[2] + c[4]) / 2]) rounded([c[3] - c[1], c[4] - c[2]], 1);
    }
}

module light_grid(first, count) {
    cell = pitch - grid_wall;
    difference() {
        translate([(first - columns / 2) * pitch, -lit.y / 2]) square([count * pitch, lit.y]);
        for (column = [first:first + count - 1]) for (row = [0:rows - 1])
            translate([(column + 0.5 - columns / 2) * pitch, (row + 0.5 - rows / 2) * pitch]) square(cell, center = true);
    }
}

// The foot of the grid: below a wall between rows 0 and 1, 2 and 3 and so on stand the capacitors.
module grid_foot(first, count) {
    difference() {
        light_grid(first, count);
        for (column = [first:first + count - 1]) for (row = [0:2:rows - 2])
            translate([(column + 0.5 - columns / 2) * pitch, (row + 1 - rows / 2) * pitch])
                square([pitch - grid_wall, grid_wall + 0.2], center = true);
    }
}

module back() {
    difference() {
        outline();
        holes(screws, screw);
        holes(raspberry_screws, small_screw);
        holes(power_screws, screw);
        for (v = vents) for (x = v[2]) translate([x, v[0]]) rounded([3, v[1]], 1);
        // The fan's grille: slots within its ring.
        for (x = [-12:6:12]) translate([fan_at.x + x, fan_at.y]) rounded([4, 2 * sqrt(pow(fan.x / 2 - 2, 2) - x * x) - 4], 1.5);
        holes(fan_screws, screw);
        translate(inlet_at) square([inlet.x, inlet.y], center = true);
        holes(inlet_screws, small_screw);
        for (j = jacks) translate([j[1], jacks_y]) circle(d = jack);
        translate(usb_at) square([usb.x, usb.y], center = true);
        holes(usb_screws, screw);
        // Keyholes to hang it by.
        for (x = [-120, 120]) translate([x, 92]) { circle(d = 8); translate([0, 4]) square([4, 8], center = true); }
    }
}

// --- Parts, in printing orientation: the flat face on the bed.

module bezel_half(side) { linear_extrude(plate) half(side, bezel_joint) bezel(); }
module case_half(side) {
    linear_extrude(room) half(side, joint) case_low();
    // The wall widens to the margin in steps of 1 mm, each as wide as it is high, so that nothing overhangs.
    growth = margin - wall;
    for (step = [1:growth - 1])
        translate([0, 0, room - growth + step]) linear_extrude(growth - step) half(side, joint) difference() {
            outline();
            outline(wall + step);
            holes(screws, insert);
        }
    // The overlay's flat cable passes from the glass to the controls, above the diffuser's lower face.
    cable_from = plate + tape + board + grid_depth;
    translate([0, 0, room]) linear_extrude(cable_from) half(side, joint) case_high();
    translate([0, 0, room + cable_from]) linear_extrude(stack - cable_from) half(side, joint) difference() {
        case_high();
        translate([0, -inner.y / 2 - wall / 2]) square([cable_width, wall + 2], center = true);
    }
}
module back_half(side) { linear_extrude(plate) half(side, back_joint) back(); }
// Upside down: the face to the diffuser on the bed, the pegs on top.
module grid_half(side) {
    first = side < 0 ? 0 : columns / 2;
    own = [for (p = pegs) if (p.x * side > 0) [p.x, -p.y]];
    foot = capacitor.z + 0.3;
    // Layers that only touch: see solids.py.
    linear_extrude(grid_depth - foot) mirror([0, 1]) light_grid(first, columns / 2);
    translate([0, 0, grid_depth - foot]) linear_extrude(foot) {
        mirror([0, 1]) grid_foot(first, columns / 2);
        holes(own, peg[0]);
    }
    translate([0, 0, grid_depth]) linear_extrude(board + tape + plate - 0.5) holes(own, peg[0]);
}
module grid_in_place(side) { translate([0, 0, grid_depth]) mirror([0, 1, 0]) mirror([0, 0, 1]) grid_half(side); }

// --- The box.

// Bodies [name, x0, y0, x1, y1, height] from the height `low`.
module bodies(list, low = 0) {
    for (b = list) translate([b[1], b[2], low]) cube([b[3] - b[1], b[4] - b[2], b[5] - low]);
}
module circuit(corner, turned, size, holes, thickness) {
    b = body(corner, turned, ["", 0, 0, size.x, size.y, 0]);
    linear_extrude(thickness) difference() {
        translate([b[1], b[2]]) square([b[3] - b[1], b[4] - b[2]]);
        for (h = holes) translate(world(corner, turned, h.x, h.y)) slot(h.z, len(h) == 4 ? h[3] : 0);
    }
}
// Bodies on a board, whose first is the board itself.
module parts_on(name, low) {
    for (b = on_back(name)) if (b[5] > low) translate([b[1], b[2], low]) cube([b[3] - b[1], b[4] - b[2], b[5] - low]);
}
module power_board() {
    translate([0, 0, bosses]) circuit(power_at, false, power_size, power_holes, board);
    parts_on("power", bosses + board);
}
module raspberry() {
    translate([0, 0, bosses])
        circuit(raspberry_at, true, raspberry_size, [for (h = raspberry_holes) [h.x, h.y, 2.7]], raspberry_board);
    parts_on("raspberry", raspberry_top);
}
module adapter() {
    translate([0, 0, adapter_low]) circuit(raspberry_at, true, adapter_size, adapter_holes, board);
    parts_on("adapter", adapter_low + board);
    for (b = adapter_bodies) if (b[5] < 0) {
        c = body(raspberry_at, true, b, adapter_low);
        translate([c[1], c[2], c[5]]) cube([c[3] - c[1], c[4] - c[2], -b[5]]);
    }
}
module plugs() {
    for (b = on_back("plugs")) {
        low = b[0] == "supply plug" ? bosses + board : b[0] == "memory card" ? 2 : bosses - 3;
        translate([b[1], b[2], low]) cube([b[3] - b[1], b[4] - b[2], b[5] - low]);
    }
}
function outside(name) = outside_plugs[search([name], outside_plugs)[0]][1];
// A plug's box behind the back, from `start` on; 0.1 mm apart, as solids.py may not see what meets at a common face.
module plug_outside(name, place, start) {
    size = outside(name);
    translate([place.x - size.x / 2, place.y - size.y / 2, -plate - start - 0.1 - size.z]) cube(size);
}
module plugs_outside() {
    plug_outside("XT60 plug", inlet_at, inlet_flange);
    for (j = jacks) plug_outside("jack plug", [j[1], jacks_y], 2);
    plug_outside("USB stick", usb_at, 0);
}
module tile_boards() {
    for (t = tiles) circuit(t[0], t[1], tile_size, tile_holes, board);
    for (c = behind_plate) translate([c[1], c[2], -c[5] - plate - tape]) cube([c[3] - c[1], c[4] - c[2], c[5] + plate + tape]);
}
module tile_parts(side) {
    for (t = tiles) if (t[1] == (side < 0)) {
        for (x = tile_led_x) for (y = tile_led_y)
            translate(world(t[0], t[1], x, y)) linear_extrude(led.z) square([led.x, led.y], center = true);
        for (x = tile_capacitor_x) for (y = tile_capacitor_y)
            translate(world(t[0], t[1], x, y)) linear_extrude(capacitor.z) square([capacitor.x, capacitor.y], center = true);
    }
}
module sockets() {
    translate([inlet_at.x - inlet.x / 2, inlet_at.y - inlet.y / 2, -plate]) cube([inlet.x, inlet.y, inlet_depth + plate]);
    translate([inlet_at.x, inlet_at.y, -plate - inlet_flange]) linear_extrude(inlet_flange) difference() {
        square([inlet.z + 8, inlet.y + 2], center = true);
        for (x = [-1, 1]) translate([x * inlet.z / 2, 0]) circle(d = small_screw);
    }
    for (j = jacks) translate([j[1], jacks_y, 0]) {
        cylinder(d = 10, h = jack_depth);
        translate([0, 0, -plate - 2]) cylinder(d = jack - 0.2, h = plate + 3);
    }
    translate([usb_at.x - usb.x / 2 + 0.1, usb_at.y - usb.y / 2 + 0.1, -plate]) cube([usb.x - 0.2, usb.y - 0.2, usb_depth + plate]);
    translate(usb_at) linear_extrude(usb_ear) difference() {
        square([usb.z + 8, usb.y], center = true);
        for (x = [-1, 1]) translate([x * usb.z / 2, 0]) circle(d = screw);
    }
}
module fan_body() {
    translate(fan_at) linear_extrude(fan.y) difference() {
        square([fan.x, fan.x], center = true);
        circle(d = fan.x - 3);
        for (x = [-1, 1]) for (y = [-1, 1]) translate([x, y] * fan.z / 2) circle(d = screw);
    }
    translate(fan_at) linear_extrude(fan.y) circle(d = 22);
}
module feet_below() {
    for (f = foot_at) translate([f.x, f.y, -feet.y]) linear_extrude(feet.y) square([feet.x, feet.x], center = true);
}
module control_parts() {
    for (c = controls) translate([c[1], strip_y, -c[3]]) {
        cylinder(d = max(c[2], c[2] == bush ? 14 : c[2] + 3), h = c[3]);
        cylinder(d = c[2] - 0.1, h = c[3] + plate + (c[2] == bush ? 14 : 4));
    }
}
module controller_board() {
    translate([-controller.x / 2, strip_y - controller.y / 2, -controller_tape - controller.z]) cube(controller);
}
// A screw's head stands at height 0, its end points to the positive z, or to the negative z.
module screw_body(s, direction) {
    thread = s[1];
    mirror([0, 0, direction > 0 ? 0 : 1]) {
        translate([0, 0, -0.7 * thread]) cylinder(d = 1.9 * thread, h = 0.7 * thread);
        cylinder(d = thread, h = s[2]);
    }
}
module screws_at(name, places, z, direction) {
    for (p = places) translate([p.x, p.y, z]) screw_body(row(name), direction);
}
module ring(outside, inside, height) {
    linear_extrude(height) difference() { circle(d = outside); circle(d = inside); }
}
module rings_at(places, z, outside, inside, height) {
    for (p = places) translate([p.x, p.y, z]) ring(outside, inside, height);
}

// Heights of the layers above the outer face of the back.
z_case = plate;
z_plate = z_case + room;
z_tiles = z_plate + plate + tape;
z_grid = z_tiles + board;
z_diffuser = z_grid + grid_depth;
z_glass = z_diffuser + diffuser;
z_bezel = z_case + room + stack;

board_places = concat(
    [["power", power_at.x, power_at.y, z_case + bosses, false, "power"],
        ["adapter", raspberry_at.x, raspberry_at.y, z_case + adapter_low, true, "adapter"]],
    [for (t = tiles) ["tile", t[0].x, t[0].y, z_tiles, t[1], "tiles"]]);
function holes_of(name) = name == "power" ? power_holes : name == "adapter" ? adapter_holes : tile_holes;

module solid(name) {
    if (name == "feet") feet_below();
    else if (name == "back-left") back_half(-1);
    else if (name == "back-right") back_half(1);
    else if (name == "sockets") translate([0, 0, z_case]) sockets();
    else if (name == "fan") translate([0, 0, z_case]) fan_body();
    else if (name == "power") translate([0, 0, z_case]) power_board();
    else if (name == "raspberry") translate([0, 0, z_case]) raspberry();
    else if (name == "adapter") translate([0, 0, z_case]) adapter();
    else if (name == "plugs") translate([0, 0, z_case]) { plugs(); plugs_outside(); }
    else if (name == "case-left") translate([0, 0, z_case]) case_half(-1);
    else if (name == "case-right") translate([0, 0, z_case]) case_half(1);
    else if (name == "plate") translate([0, 0, z_plate]) linear_extrude(plate) led_plate();
    else if (name == "tiles") translate([0, 0, z_tiles]) tile_boards();
    else if (name == "leds-left") translate([0, 0, z_grid]) tile_parts(-1);
    else if (name == "leds-right") translate([0, 0, z_grid]) tile_parts(1);
    else if (name == "grid-left") translate([0, 0, z_grid]) grid_in_place(-1);
    else if (name == "grid-right") translate([0, 0, z_grid]) grid_in_place(1);
    else if (name == "diffuser") translate([0, 0, z_diffuser]) linear_extrude(diffuser) block([glass.x, glass.y]);
    else if (name == "glass") translate([0, 0, z_glass]) linear_extrude(glass.z) block([glass.x, glass.y]);
    else if (name == "controller") translate([0, 0, z_bezel]) controller_board();
    else if (name == "controls") translate([0, 0, z_bezel]) control_parts();
    else if (name == "bezel-left") translate([0, 0, z_bezel]) bezel_half(-1);
    else if (name == "bezel-right") translate([0, 0, z_bezel]) bezel_half(1);
    else if (name == "nuts-power") rings_at(power_screws, z_case + bosses + board, 6.4, 3.1, nut);
    else if (name == "spacers") rings_at(power_screws, z_case, 6, 3.2, bosses);
    else if (name == "standoffs") {
        rings_at(raspberry_screws, z_case, 5, 2.7, bosses);
        rings_at(raspberry_screws, z_case + raspberry_top, 5, 2.6, adapter_gap);
    } else if (name == "nuts") {
        // ISO 4032: 5.5 and 5 across flats, drawn round across the corners.
        rings_at(fan_screws, z_case + fan.y, 6.4, 3.1, nut);
        rings_at(usb_screws, z_case + usb_ear, 6.4, 3.1, nut);
        rings_at(inlet_screws, z_case, 5.8, 2.6, small_nut);
    } else if (name == "screws-back") {
        screws_at("back", screws, 0, 1);
        screws_at("power board", power_screws, 0, 1);
        screws_at("Raspberry Pi", raspberry_screws, 0, 1);
        screws_at("fan", fan_screws, 0, 1);
        screws_at("inlet", inlet_screws, -inlet_flange, 1);
        screws_at("USB extension", usb_screws, 0, 1);
    } else if (name == "screws-adapter") screws_at("adapter", raspberry_screws, z_case + adapter_low + board, -1);
    else if (name == "screws-plate") {
        screws_at("LED plate", posts, z_plate + plate, -1);
        screws_at("ground", [ground_at], z_plate + plate, -1);
        rings_at([ground_at], z_plate - ring_terminal - nut, 6.4, 3.1, ring_terminal + nut);
    } else if (name == "screws-bezel") screws_at("bezel", screws, z_bezel + plate, -1);
    else assert(false, str("there is no solid ", name));
}
name = "back-left"; // of part "solid"

layers = [ // solid, place in the exploded view, colour
    ["feet", -1.6, "dimgray"], ["screws-back", -0.9, "gold"], ["back-left", 0, "slategray"], ["back-right", 0, "lightslategray"],
    ["sockets", 0, "black"], ["fan", 0.4, "sienna"], ["spacers", 0.5, "gold"], ["power", 1, "seagreen"], ["nuts", 0.9, "gold"], ["nuts-power", 1.7, "gold"],
    ["standoffs", 1, "gold"], ["raspberry", 1, "yellowgreen"], ["adapter", 1.9, "mediumpurple"], ["screws-adapter", 2.6, "gold"],
    ["case-left", 4.1, "lightsteelblue"], ["case-right", 4.1, "lightblue"], ["plate", 5.2, "silver"],
    ["screws-plate", 5.8, "gold"], ["tiles", 6.3, "darkgreen"], ["leds-left", 6.3, "white"], ["leds-right", 6.3, "white"], ["grid-left", 7.1, "khaki"],
    ["grid-right", 7.1, "beige"], ["diffuser", 7.9, "mistyrose"], ["glass", 8.5, "skyblue"], ["controls", 9.3, "black"],
    ["controller", 9.1, "teal"], ["bezel-left", 9.4, "orange"], ["bezel-right", 9.4, "darkorange"], ["screws-bezel", 10.1, "gold"]
];
// Solids that may not meet: all, and the room of plugs.
everything = [for (l = layers) l[0]];
checked = concat(everything, ["plugs"]);
backs = ["back-left", "back-right", "sockets", "fan", "nuts"];
supply = concat(backs, ["spacers", "power", "nuts-power"]);
computer = concat(supply, ["standoffs", "raspberry"]);
electronics = concat(computer, ["adapter", "screws-adapter"]);
panel = ["plate", "screws-plate", "tiles", "leds-left", "leds-right"];
closed = concat(electronics, ["screws-back", "case-left", "case-right"]);
steps = [ // what a step of the assembly shows
    backs, supply, computer, electronics,
    ["plate", "tiles", "leds-left", "leds-right"],
    closed, concat(closed, panel),
    concat(closed, panel, ["grid-left", "grid-right", "diffuser", "glass"]),
    ["bezel-left", "bezel-right", "controls", "controller"]
];
module box(names, gap) {
    for (l = layers) if (len([for (n = names) if (n == l[0]) n]) > 0)
        color(l[2], l[0] == "glass" && gap > 0 ? 0.4 : 1) translate([0, 0, l[1] * gap]) solid(l[0]);
}

if (part == "assembly") box(everything, 0);
else if (part == "exploded") box(everything, 45);
else if (part[0] == "s" && part[4] == "-") box(steps[ord(part[5]) - ord("1")], 0);
else if (part == "rear") box(everything, 0);
else if (part == "solid") solid(name);
else if (part == "bezel-left") bezel_half(-1);
else if (part == "bezel-right") bezel_half(1);
else if (part == "case-left") case_half(-1);
else if (part == "case-right") case_half(1);
else if (part == "grid-left") grid_half(-1);
else if (part == "grid-right") grid_half(1);
else if (part == "back-left") back_half(-1);
else if (part == "back-right") back_half(1);
else if (part == "bezel-flat") bezel();
else if (part == "plate-flat") led_plate();
else if (part == "back-flat") back();
else if (part == "diffuser-flat") block([glass.x, glass.y]);
else if (part == "front-panel")
    for (line = concat([["touch_area", touch_area.x, touch_area.y], ["lit", lit.x, lit.y], ["outer", outer.x, outer.y],
        ["centre_y", centre_y], ["strip_y", strip_y], ["screw", screw], ["bezel_joint", bezel_joint], ["posts", len(posts)],
        ["solids", checked], ["steps", len(steps)], ["jacks", [for (j = jacks) j[0]]]],
        [for (s = screw_table) ["screws", s[0], str("M", s[1], " x ", s[2]), s[3], s[4], s[5], engaged(s)]],
        [for (p = small_parts) ["small", p[0], p[1]]],
        // Where the boards' STEP files belong: name, corner, height, turned, the solid that stands for it; and their holes.
        [for (b = board_places) concat(["board"], b)],
        [for (i = [0:len(board_places) - 1]) let (b = board_places[i]) for (h = holes_of(b[0])) if (len(h) == 3)
            let (w = world([b[1], b[2]], b[4], h.x, h.y)) ["board_hole", str(b[0], ".step-", i), w.x, w.y, h.z]],
        [for (s = screws) ["screw_at", s.x, s.y]], [for (c = controls) ["control", c[0], c[1], c[2]]])) echo(front = line);
else assert(false, str("there is no part ", part));
