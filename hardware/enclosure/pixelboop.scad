// The enclosure: a bezel, a case, a light grid, an LED plate and a back, each in two parts that fit the printer's bed; the
// plates may be cut from sheet instead. Millimetres. x to the right and y up, seen from the front, the origin in the middle of
// the LEDs; z from the back to the front.
//
//     openscad -D 'part="case-left"' -o case-left.stl pixelboop.scad

/* [What to draw] */
part = "assembly"; // assembly, exploded, or the name of a part

/* [LEDs] */
columns = 44;
rows = 24;
pitch = 1000 / 144;       // 144 LEDs a metre, and rows as far apart
led = [5.4, 5.0, 1.6];    // SK9822's package
strip_width = 6.5;        // the widest board of a row

/* [Overlay] */
touch_area = [309.4, 173.95]; // active area of 14.0 inch at 16:9
glass = [326, 192, 2];        // outline: measure yours
glass_gap = 0.5;              // on every side

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
strip_depth = 2;          // strip with its tape
room = 45;                // behind the LED plate

/* [Controls] */
strip_height = 36;        // the part of the bezel below the glass
button = 12;
bush = 7.2;               // M7 of an encoder
status = 3.2;
controls = [              // name, x, diameter
    ["play", -135, button], ["shift", -105, button], ["tempo", -45, bush], ["volume", 45, bush],
    ["status", 105, status], ["power", 135, button]
];

/* [Inlet in the back: width and height of its cut-out, distance of its screws; measure yours] */
inlet = [16.2, 8.6, 25];

/* [Behind the plate: name, x, y, width, height, depth with its plugs] */
parts_inside = [
    ["board", -95, 20, 85, 56, 32], ["fuses", 60, 45, 70, 40, 35], ["switches", 60, -10, 60, 40, 20],
    ["shifter", -20, 20, 40, 30, 18], ["dac", -100, -55, 45, 30, 18]
];

/* [Hidden] */
$fn = 32;
margin = 9;               // beside the glass: screws stand here
lit = [columns * pitch, rows * pitch];
inner = [glass.x + 2 * glass_gap, glass.y + 2 * glass_gap];
outer = [inner.x + 2 * margin, inner.y + 2 * margin + strip_height];
centre_y = -strip_height / 2;        // the middle of the outline
strip_y = -inner.y / 2 - wall - (strip_height - wall) / 2; // between the wall below the glass and the screws
stack = plate + strip_depth + grid_depth + diffuser + glass.z;
// The plates' joints are beside the case's: each plate holds its halves together.
joint = 0;
bezel_joint = -30;
back_joint = 30;
plate_joint = 30;

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

// --- Conditions for the parts to fit.

overhang = (touch_area - lit) / 2;
echo(lit = lit, overhang = overhang, outer = outer, stack = stack, depth = room + stack + 2 * plate);
assert(overhang.x >= 0 && overhang.y >= 0, "the LEDs are larger than what the overlay feels");
assert(strip_width < pitch, "rows of LEDs overlap");
assert(led.x + 2 * 0.2 <= pitch - grid_wall && led.y + 2 * 0.2 <= pitch - grid_wall, "an LED does not fit its cell");
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
for (p = parts_inside) {
    assert(p[5] + 4 <= room, str(p[0], " is too deep"));
    assert(abs(p[1]) + p[3] / 2 <= outer.x / 2 - wall - 5 && abs(p[2]) + p[4] / 2 <= inner.y / 2 - post,
        str(p[0], " is in the wall or a post"));
    for (q = parts_inside)
        assert(p == q || abs(p[1] - q[1]) >= (p[3] + q[3]) / 2 + 5 || abs(p[2] - q[2]) >= (p[4] + q[4]) / 2 + 5,
            str(p[0], " and ", q[0], " overlap"));
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
        // The rows' wires and the bus bars pass through at both ends.
        for (side = [-1, 1]) for (row = [0:3:rows - 1])
            translate([side * (lit.x / 2 + 5), (row + 1.5 - rows / 2) * pitch]) square([4, 2 * pitch], center = true);
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

module back() {
    difference() {
        outline();
        holes(screws, screw);
        // Board: 58 × 49 mm, M2.5, and above it slots for air.
        for (dx = [-29, 29]) for (dy = [-24.5, 24.5]) translate([-95 + dx, 20 + dy]) circle(d = 2.7);
        for (x = [-130:8:-60]) translate([x, 68]) square([3, 26], center = true);
        for (x = [40:8:110]) translate([x, -60]) square([3, 30], center = true);
        // Inlet: XT60E-M, and its two screws.
        translate([130, 60]) {
            square([inlet.x, inlet.y], center = true);
            for (side = [-1, 1]) translate([side * inlet.z / 2, 0]) circle(d = 2.7);
        }
        // Line out, and the socket of a USB extension, for a stick or a keyboard.
        translate([-100, -75]) circle(d = 10);
        translate([-30, 70]) square([16, 10], center = true);
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
    translate([0, 0, room]) linear_extrude(stack) half(side, joint) case_high();
}
module plate_half(side) { linear_extrude(plate) half(side, plate_joint) led_plate(); }
module back_half(side) { linear_extrude(plate) half(side, back_joint) back(); }
module grid_half(side) { linear_extrude(grid_depth) light_grid(side < 0 ? 0 : columns / 2, columns / 2); }

module sandwich(gap) {
    color("dimgray") back_half(-1);
    color("gray") back_half(1);
    translate([0, 0, plate + gap]) { color("steelblue") case_half(-1); color("lightsteelblue") case_half(1); }
    for (p = parts_inside) color("seagreen")
        translate([p[1] - p[3] / 2, p[2] - p[4] / 2, plate + 3 + gap]) cube([p[3], p[4], p[5]]);
    translate([0, 0, plate + room + 2 * gap]) { color("silver") plate_half(-1); color("gainsboro") plate_half(1); }
    translate([0, 0, 2 * plate + room + strip_depth + 3 * gap]) { color("white") grid_half(-1); color("whitesmoke") grid_half(1); }
    translate([0, 0, 2 * plate + room + strip_depth + grid_depth + 3.5 * gap])
        color("white", 0.5) linear_extrude(diffuser) block([312, 173]);
    translate([0, 0, plate + room + stack - glass.z + 4 * gap])
        color("skyblue", 0.35) linear_extrude(glass.z) block([glass.x, glass.y]);
    translate([0, 0, plate + room + stack + 5 * gap]) { color("orange") bezel_half(-1); color("gold") bezel_half(1); }
}

if (part == "assembly") sandwich(0);
else if (part == "exploded") sandwich(45);
else if (part == "bezel-left") bezel_half(-1);
else if (part == "bezel-right") bezel_half(1);
else if (part == "case-left") case_half(-1);
else if (part == "case-right") case_half(1);
else if (part == "plate-left") plate_half(-1);
else if (part == "plate-right") plate_half(1);
else if (part == "grid-left") grid_half(-1);
else if (part == "grid-right") grid_half(1);
else if (part == "back-left") back_half(-1);
else if (part == "back-right") back_half(1);
else if (part == "bezel-flat") bezel();
else if (part == "plate-flat") led_plate();
else if (part == "back-flat") back();
else if (part == "front-panel")
    for (line = concat([["touch_area", touch_area.x, touch_area.y], ["lit", lit.x, lit.y], ["outer", outer.x, outer.y],
        ["centre_y", centre_y], ["strip_y", strip_y], ["screw", screw], ["bezel_joint", bezel_joint], ["posts", len(posts)]],
        [for (s = screws) ["screw_at", s.x, s.y]], [for (c = controls) ["control", c[0], c[1], c[2]]])) echo(front = line);
else assert(false, str("there is no part ", part));
