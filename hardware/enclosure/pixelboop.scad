// The enclosure: a bezel, a case, a light grid and a back, each in two parts that fit the printer's bed; the LED plate is
// aluminium. Millimetres. x to the right and y up, seen from the front, the origin in the middle of the LEDs; z from the back to
// the front.
//
//     openscad -D 'part="case-left"' -o case-left.stl pixelboop.scad

include <boards.scad>

/* [What to draw] */
part = "assembly"; // assembly, exploded, step-1 to step-8, clash, or the name of a part

/* [LEDs] */
columns = 44;
rows = 24;
pitch = 1000 / 144;       // 144 LEDs a metre
led = [6.0, 5.0, 1.6];    // SK9822's package with its pads
capacitor = 0.9;          // height of a capacitor between two rows
board = 1.6;              // thickness of a circuit board
tape = 0.2;               // heat-conducting tape behind a tile

/* [Overlay] */
touch_area = [309.4, 173.95]; // active area of 14.0 inch at 16:9
glass = [326, 192, 2];        // outline: measure yours
glass_gap = 0.5;              // on every side
foam = 0.5;                   // pressed foam tape between glass and bezel: it holds diffuser, grid and tiles
cable_notch = [30, 6];        // the overlay's flat cable passes below the glass: width, height

/* [Printer] */
bed = 256;
wall = 3;
plate = 3;
insert = 4.0;             // hole of an M3 threaded insert
screw = 3.4;              // hole that an M3 screw passes

/* [Stack and depth] */
grid_wall = 0.8;
grid_depth = 6;
diffuser = 3;
room = 47;                // behind the LED plate
peg = [1.8, 2.2];         // diameter of the grid's pegs, and of their holes in the plate
bosses = 6;               // spacers under the boards
adapter_gap = 11;         // spacers between the Raspberry Pi and the adapter

/* [Controls] */
strip_height = 36;        // the part of the bezel below the glass
button = 12;
bush = 7.2;               // M7 of an encoder
status = 3.2;
controls = [              // name, x, diameter, depth behind the bezel with its wires
    ["play", -135, button, 30], ["shift", -105, button, 30], ["tempo", -45, bush, 22], ["volume", 45, bush, 22],
    ["status", 105, status, 15], ["power", 135, button, 30]
];

/* [Back: sockets with name, x, y, cut-out, depth inside with the wires] */
inlet = [16.2, 8.6, 25];  // XT60E-M: width and height of its cut-out, distance of its screws; measure yours
inlet_at = [100, 72];
jack = 6.2;               // M6 thread of a 3.5 mm jack
jacks = [["clock in", -120], ["clock out", -100], ["MIDI in", -80], ["MIDI out", -60], ["line out", -40]];
jacks_y = 72;
jack_depth = 24;
usb = [16, 10];           // socket of a USB extension
usb_at = [-60, -72];
usb_depth = 32;

/* [Boards on the back: corner of the board's drawing; turned by half or not] */
power_at = [27, 40];
raspberry_at = [-35, -28];  // turned by half: USB to the left, header at the bottom
raspberry_size = [85, 56];
raspberry_holes = [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]]; // Raspberry Pi 4 mechanical drawing
raspberry_bodies = [["USB and network", 64, 1, 88, 55, 16.5]];
usb_plugs = [88, 1, 126, 55, 16.5]; // plugs and the bend of their cables

/* [Hidden] */
$fn = 32;
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
function on_back(name) =
    name == "power" ? [for (b = concat([outline_of("power board", power_size)], power_bodies))
        body(power_at, false, b, b[0] == "power board" ? bosses : bosses + board)]
    : name == "raspberry" ? [for (b = concat([outline_of("Raspberry Pi", raspberry_size)], raspberry_bodies,
        [concat(["USB plugs"], usb_plugs)])) body(raspberry_at, true, b, b[0] == "Raspberry Pi" ? bosses : bosses + board)]
    : [for (b = concat([outline_of("adapter", adapter_size)], adapter_bodies)) if (b[5] > 0)
        body(raspberry_at, true, b, bosses + board + adapter_gap + (b[0] == "adapter" ? 0 : board))];
// Bodies behind the LED plate, with their depth behind it.
behind_plate = [for (tile = tiles) for (b = tile_bodies) if (-b[5] - tape > plate)
    let (there = body(tile[0], tile[1], b)) [there[0], there[1], there[2], there[3], there[4], -b[5] - tape - plate]];
// Plugs that leave the power board over its edge: the supply's.
supply_plug = body(power_at, false, ["supply plug", 5.5, -32, 22.5, 0, 8.5], bosses + board);
pegs = [for (tile = tiles) for (h = tile_holes) world(tile[0], tile[1], h.x, h.y)];
// Cut-outs of the plate, from the tile's drawing.
cutouts = [for (tile = tiles) for (c = tile_cutouts) body(tile[0], tile[1], ["", c[0], c[1], c[2], c[3], 0])];

// --- Conditions for the parts to fit.

overhang = (touch_area - lit) / 2;
echo(lit = lit, overhang = overhang, outer = outer, stack = stack, depth = room + stack + 2 * plate);
assert(overhang.x >= 0 && overhang.y >= 0, "the LEDs are larger than what the overlay feels");
assert(led.x + 2 * 0.05 <= pitch - grid_wall && led.y + 2 * 0.2 <= pitch - grid_wall, "an LED does not fit its cell");
assert(peg[0] < tile_holes[0][2] && tile_holes[0][2] < peg[1] + 1, "a peg does not fit its hole");
assert(abs(tile_size.x - columns / 2 * pitch) < 0.5 && abs(tile_size.y - rows / 2 * pitch) < 0.5,
    "the tiles are not a quarter of the panel");
assert(glass.x >= touch_area.x + 4 && glass.y >= touch_area.y + 4, "the bezel has no glass to lie on");
assert(grid_depth > led.z + 2, "LEDs would show as points: the diffuser is too near");
assert(bed >= outer.x / 2 + max(abs(bezel_joint), abs(back_joint)) && bed >= outer.y, "a part is larger than the bed");
for (s = screws) {
    inside_x = min(right - s.x, s.x - left);
    inside_y = min(top - s.y, s.y - bottom);
    assert(min(inside_x, inside_y) >= insert / 2 + 1.5, str("a screw breaks out at ", s));
    assert(abs(s.x) > inner.x / 2 + insert / 2 || s.y > inner.y / 2 + insert / 2 || s.y < bottom + margin,
        str("a screw is in the glass at ", s));
    for (cut = [joint, bezel_joint, back_joint])
        assert(abs(s.x - cut) >= screw / 2 + 3, str("a screw is in the joint at ", s));
}
for (c = controls) {
    assert(abs(c[1]) + c[2] / 2 + wall < right, str(c[0], " is in the wall"));
    assert(abs(c[1] - bezel_joint) > c[2] / 2 + 4, str(c[0], " is in the bezel's joint"));
    for (d = controls)
        assert(c == d || abs(c[1] - d[1]) >= 20, str(c[0], " and ", d[0], " are too near for two fingers"));
}
for (b = concat(on_back("power"), on_back("raspberry"), on_back("adapter"))) {
    assert(b[5] + 2 <= room, str(b[0], " is too deep"));
    assert(max(abs(b[1]), abs(b[3])) <= outer.x / 2 - wall - 2 && max(abs(b[2]), abs(b[4])) <= inner.y / 2 - post,
        str(b[0], " is in the wall or a post"));
    for (c = behind_plate)
        assert(b[3] < c[1] || c[3] < b[1] || b[4] < c[2] || c[4] < b[2] || b[5] + c[5] + 2 <= room,
            str(b[0], " meets ", c[0], " of a tile"));
}

// --- Outlines.

module block(size, y = 0) { translate([0, y]) square(size, center = true); }
module outline() { translate([0, centre_y]) offset(4) square(outer - [8, 8], center = true); }
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
                offset(-wall) outline();
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
        block([outer.x - 2 * wall - 2 * margin, strip_height - wall], strip_y);
        holes(screws, insert);
    }
}

module led_plate() {
    difference() {
        block(inner - [1, 1]);
        holes(posts, screw);
        holes(pegs, peg[1]);
        // Earth: a ring terminal.
        translate([160, 0]) circle(d = screw);
        for (c = cutouts) translate([(c[1] + c[3]) / 2, (c[2] + c[4]) / 2]) offset(1) square([c[3] - c[1] - 2, c[4] - c[2] - 2], center = true);
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
        for (h = raspberry_holes) translate(world(raspberry_at, true, h.x, h.y)) circle(d = 2.7);
        for (h = power_holes) translate(world(power_at, false, h.x, h.y)) circle(d = screw);
        // Slots for air below and above the boards.
        for (x = [40:8:120]) { translate([x, -72]) square([3, 28], center = true); }
        for (x = [-130:8:-82]) translate([x, -72]) square([3, 28], center = true);
        translate(inlet_at) {
            square([inlet.x, inlet.y], center = true);
            for (side = [-1, 1]) translate([side * inlet.z / 2, 0]) circle(d = 2.7);
        }
        for (j = jacks) translate([j[1], jacks_y]) circle(d = jack);
        translate(usb_at) square(usb, center = true);
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
            offset(-wall - step) outline();
            holes(screws, insert);
        }
    // The overlay's flat cable passes from the glass to the controls, above the diffuser's lower face.
    cable_from = plate + tape + board + grid_depth;
    translate([0, 0, room]) linear_extrude(cable_from) half(side, joint) case_high();
    translate([0, 0, room + cable_from]) linear_extrude(stack - cable_from) half(side, joint) difference() {
        case_high();
        translate([0, -inner.y / 2 - wall / 2]) square([cable_notch.x, wall + 2], center = true);
    }
}
module back_half(side) { linear_extrude(plate) half(side, back_joint) back(); }
// Upside down: the face to the diffuser on the bed, the pegs on top.
module grid_half(side) {
    first = side < 0 ? 0 : columns / 2;
    linear_extrude(grid_depth - capacitor - 0.3) mirror([0, 1]) light_grid(first, columns / 2);
    translate([0, 0, grid_depth - capacitor - 0.3]) linear_extrude(capacitor + 0.3) mirror([0, 1]) grid_foot(first, columns / 2);
    for (p = pegs) if (p.x * side > 0)
        translate([p.x, -p.y, grid_depth - 2]) cylinder(d = peg[0], h = 2 + board + tape + plate - 0.5, $fn = 16);
}
module grid_in_place(side) { translate([0, 0, grid_depth]) mirror([0, 1, 0]) mirror([0, 0, 1]) grid_half(side); }

// --- The box.

// Bodies [name, x0, y0, x1, y1, height] from the height `low`.
module bodies(list, low = 0) {
    for (b = list) translate([b[1], b[2], low]) cube([b[3] - b[1], b[4] - b[2], b[5] - low]);
}
module power_board() { bodies([supply_plug], bosses + board); bodies(on_back("power"), bosses); }
module raspberry() { bodies(on_back("raspberry"), bosses); }
module adapter() { bodies(on_back("adapter"), bosses + board + adapter_gap); }
module tile_boards() {
    for (t = tiles) {
        b = body(t[0], t[1], ["", 0, 0, tile_size.x, tile_size.y, board]);
        difference() {
            bodies([b]);
            for (h = tile_holes) translate(world(t[0], t[1], h.x, h.y)) translate([0, 0, -1]) cylinder(d = h.z, h = board + 2);
        }
    }
    for (c = behind_plate) translate([c[1], c[2], -c[5] - plate - tape]) cube([c[3] - c[1], c[4] - c[2], c[5] + plate + tape]);
}
module led_bodies() {
    for (column = [0:columns - 1]) for (row = [0:rows - 1])
        translate([(column + 0.5 - columns / 2) * pitch - led.x / 2, (row + 0.5 - rows / 2) * pitch - led.y / 2, 0]) cube(led);
}
module sockets() {
    translate([inlet_at.x - inlet.x / 2, inlet_at.y - inlet.y / 2, -plate]) cube([inlet.x, inlet.y, 30 + plate]);
    for (j = jacks) translate([j[1], jacks_y, 0]) { cylinder(d = 10, h = jack_depth); translate([0, 0, -plate]) cylinder(d = jack - 0.2, h = plate + 1); }
    translate([usb_at.x - usb.x / 2, usb_at.y - usb.y / 2, -plate]) cube([usb.x, usb.y, usb_depth + plate]);
}
module control_parts() {
    for (c = controls) translate([c[1], strip_y, -c[3]]) {
        cylinder(d = max(c[2], c[2] == bush ? 14 : c[2] + 3), h = c[3]);
        cylinder(d = c[2] - 0.1, h = c[3] + plate + (c[2] == bush ? 14 : 4));
    }
}

// Heights of the layers above the outer face of the back.
z_case = plate;
z_plate = z_case + room;
z_tiles = z_plate + plate + tape;
z_grid = z_tiles + board;
z_diffuser = z_grid + grid_depth;
z_glass = z_diffuser + diffuser;
z_bezel = z_case + room + stack;

module solid(name) {
    if (name == "back") { back_half(-1); back_half(1); }
    else if (name == "sockets") translate([0, 0, z_case]) sockets();
    else if (name == "power") translate([0, 0, z_case]) power_board();
    else if (name == "raspberry") translate([0, 0, z_case]) raspberry();
    else if (name == "adapter") translate([0, 0, z_case]) adapter();
    else if (name == "case") translate([0, 0, z_case]) { case_half(-1); case_half(1); }
    else if (name == "plate") translate([0, 0, z_plate]) linear_extrude(plate) led_plate();
    else if (name == "tiles") translate([0, 0, z_tiles]) tile_boards();
    else if (name == "grid") translate([0, 0, z_grid]) { grid_in_place(-1); grid_in_place(1); }
    else if (name == "diffuser") translate([0, 0, z_diffuser]) linear_extrude(diffuser) block([glass.x, glass.y]);
    else if (name == "glass") translate([0, 0, z_glass]) linear_extrude(glass.z) block([glass.x, glass.y]);
    else if (name == "bezel") translate([0, 0, z_bezel]) { bezel_half(-1); bezel_half(1); }
    else if (name == "controls") translate([0, 0, z_bezel]) control_parts();
    else assert(false, str("there is no solid ", name));
}
// What may not meet, each with all others; `clash` renders the common volume of two of them, without what only touches.
touching = 0.01;
clash = ["back", "case"];
module common(one, two) {
    intersection() {
        solid(one);
        translate([0, 0, touching]) solid(two);
        translate([0, 0, -touching]) solid(two);
    }
}

layers = [ // solid, place in the exploded view, colour
    ["back", 0, "dimgray"], ["sockets", 0, "black"], ["power", 1, "seagreen"], ["raspberry", 1, "green"],
    ["adapter", 1.6, "mediumseagreen"], ["case", 2.6, "lightsteelblue"], ["plate", 3.4, "silver"], ["tiles", 4.2, "darkgreen"],
    ["grid", 5, "whitesmoke"], ["diffuser", 5.8, "white"], ["glass", 6.4, "skyblue"], ["controls", 7, "black"],
    ["bezel", 7.2, "orange"]
];
steps = [ // what a step of the assembly shows
    ["back", "sockets"], ["back", "sockets", "power"], ["back", "sockets", "power", "raspberry"],
    ["back", "sockets", "power", "raspberry", "adapter"], ["plate", "tiles"],
    ["back", "sockets", "power", "raspberry", "adapter", "case"],
    ["back", "sockets", "power", "raspberry", "adapter", "case", "plate", "tiles"],
    ["back", "sockets", "power", "raspberry", "adapter", "case", "plate", "tiles", "grid", "diffuser", "glass"]
];
module box(names, gap) {
    for (l = layers) if (len(search([l[0]], names)) > 0 && search([l[0]], names)[0] != [])
        color(l[2], l[0] == "glass" || l[0] == "diffuser" ? 0.4 : 1) translate([0, 0, l[1] * gap]) solid(l[0]);
}
everything = [for (l = layers) l[0]];

if (part == "assembly") box(everything, 0);
else if (part == "exploded") box(everything, 45);
else if (part[0] == "s" && part[4] == "-") box(steps[ord(part[5]) - ord("1")], 0);
else if (part == "clash") common(clash[0], clash[1]);
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
        ["solids", everything]],
        [for (s = screws) ["screw_at", s.x, s.y]], [for (c = controls) ["control", c[0], c[1], c[2]]])) echo(front = line);
else assert(false, str("there is no part ", part));
