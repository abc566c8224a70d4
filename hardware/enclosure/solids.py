#!/usr/bin/python3
"""True solids of the case and the boards: interference check and STEP files.

    solids.py [--solids NAME,NAME] [--step FOLDER] [-D NAME=VALUE]

Prints each pair of solids with a common volume and exits with 1 if there is any. --solids checks only those; --step writes STEP
files of the printed and cut parts, and assembly.step.

OpenSCAD evaluates pixelboop.scad to a tree of squares, circles, cubes, cylinders, extrusions and boolean operations (.csg). This
script translates the tree for Open CASCADE's DRAW (Debian's occt-draw, 70 kB on the libraries that KiCad needs anyway), so
circles stay circles. FreeCAD reads such trees too, but Debian 12's cannot be installed beside KiCad 9 from backports.
"""

import argparse
import collections
import glob
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BOARDS = HERE.parent / "boards"
SCAD = HERE / "pixelboop.scad"
RESOURCES = "/usr/share/opencascade/resources"
# Common volumes in mm³ from here on count: touching faces leave rounding errors far below.
VOLUME_MIN = 0.001
# Printed and cut parts: each gets a STEP file of its own.
PARTS = ("bezel-left", "bezel-right", "case-left", "case-right", "grid-left", "grid-right", "back-left", "back-right", "plate",
         "diffuser")

Node = collections.namedtuple("Node", "name values children")


# --- The tree.

def parse(text):
    """Nodes of a .csg file."""
    words = re.findall(r'[A-Za-z_$][\w$]*|"[^"]*"|[-+]?[\d.]+(?:e[-+]?\d+)?|\S', text)
    place = 0

    def arguments():
        nonlocal place
        depth, start = 1, place
        while depth:
            depth += {"(": 1, ")": -1}.get(words[place], 0)
            place += 1
        return words[start:place - 1]

    def nodes():
        nonlocal place
        found = []
        while place < len(words) and words[place] != "}":
            name = words[place]
            place += 2
            values = arguments()
            children = []
            if words[place] == "{":
                place += 1
                children = nodes()
            place += 1
            found.append(Node(name, values, children))
        return found

    return nodes()


def value(node, name):
    """A named argument of a node, from its words: `name = value`."""
    start = node.values.index(name) + 2
    end, depth = start, 0
    while end < len(node.values) and (depth or node.values[end] != ","):
        depth += {"[": 1, "]": -1}.get(node.values[end], 0)
        end += 1
    return json.loads("".join(node.values[start:end]))


class Script:
    """A script for DRAW that builds solids. A frame is (signs, offset): the primitives are made in place."""

    def __init__(self):
        self.lines = [TCL]
        self.count = 0

    def add(self, line):
        self.lines.append(line)

    def new(self):
        self.count += 1
        return f"s{self.count}"

    def boolean(self, operation, objects, tools):
        result = self.new()
        self.add(f"boolean {result} {operation} {{{' '.join(objects)}}} {{{' '.join(tools)}}}")
        return result

    def fuse(self, shapes):
        """One shape of many, or None."""
        if len(shapes) < 2:
            return shapes[0] if shapes else None
        result = self.boolean(1, shapes[:1], shapes[1:])
        self.add(f"unifysamedom {result} {result}")
        return result

    def all(self, nodes, frame, height):
        return [shape for node in nodes for shape in self.parts(node, frame, height)]

    def parts(self, node, frame, height=None):
        """Shapes whose union is the node; a height means that the node is flat, and at that z."""
        signs, offset = frame
        if node.name in ("group", "union", "color", "render"):
            return self.all(node.children, frame, height)
        if node.name == "multmatrix":
            rows = json.loads("".join(node.values))
            linear = [[rows[i][j] for j in range(3)] for i in range(3)]
            assert all(linear[i][j] == 0 if i != j else abs(linear[i][j]) == 1 for i in range(3) for j in range(3)), node.values
            inner = ([signs[i] * linear[i][i] for i in range(3)], [offset[i] + signs[i] * rows[i][3] for i in range(3)])
            return self.all(node.children, inner, height)
        if node.name == "difference":
            first, *rest = node.children
            shape = self.fuse(self.parts(first, frame, height))
            tools = self.all(rest, frame, height)
            if shape is None:
                return []
            return [self.boolean(2, [shape], tools)] if tools else [shape]
        if node.name == "intersection":
            shapes = [self.fuse(self.parts(child, frame, height)) for child in node.children]
            if None in shapes:
                return []
            result = shapes[0]
            for shape in shapes[1:]:
                result = self.boolean(0, [result], [shape])
            return [result]
        if node.name == "linear_extrude":
            low = self.fuse(self.all(node.children, frame, offset[2]))
            if low is None:
                return []
            result = self.new()
            self.add(f"prism {result} {low} 0 0 {signs[2] * value(node, 'height')}")
            return [result]
        return [self.primitive(node, frame, height)]

    def primitive(self, node, frame, height):
        signs, offset = frame
        result = self.new()
        if node.name in ("square", "cube"):
            size = value(node, "size")
            centred = value(node, "center")
            corners = [sorted(offset[i] + signs[i] * (end - (size[i] / 2 if centred else 0)) for end in (0, size[i]))
                       for i in range(len(size))]
            if node.name == "square":
                (left, right), (low, high) = corners
                self.add(f"plane flat 0 0 {height} 0 0 1 1 0 0")
                self.add(f"mkface {result} flat {left} {right} {low} {high}")
            else:
                self.add(f"box {result} {' '.join(str(c[0]) for c in corners)} {' '.join(str(c[1] - c[0]) for c in corners)}")
        elif node.name == "circle":
            self.add(f"disc {result} {offset[0]} {offset[1]} {height} {value(node, 'r')}")
        elif node.name == "cylinder":
            assert value(node, "r1") == value(node, "r2") and not value(node, "center")
            self.add(f"plane flat {offset[0]} {offset[1]} {offset[2]} 0 0 {signs[2]} 1 0 0")
            self.add(f"pcylinder {result} flat {value(node, 'r1')} {value(node, 'h')}")
        else:
            raise ValueError(f"solids.py does not know {node.name}")
        return result


# DRAW's shapes are global variables of Tcl, so procedures work at the global level.
TCL = r"""
pload MODELING OCAFKERNEL XDE
proc do {words} { uplevel #0 $words }
proc boolean {result operation objects tools} {
    do "bclearobjects; bcleartools; baddobjects $objects; baddtools $tools; bfillds; bbop $result $operation"
}
proc disc {result x y z r} {
    do "circle ring $x $y $z 0 0 1 1 0 0 $r; mkedge ring ring; wire ring ring; mkplane $result ring"
}
proc volume {shape} {
    if {[regexp {Mass :\s+(\S+)} [do "vprops $shape 1e-3"] all mass]} { return $mass }
    return 0
}
proc box_of {shape} { do "bounding $shape" }
proc known_box {shape} {
    global boxes
    if {![info exists boxes($shape)]} { set boxes($shape) [box_of $shape] }
    return $boxes($shape)
}
proc apart {one two} {
    lassign [known_box $one] ax ay az bx by bz
    lassign [known_box $two] cx cy cz dx dy dz
    set gap 0.0001
    expr {$bx <= $cx + $gap || $dx <= $ax + $gap || $by <= $cy + $gap || $dy <= $ay + $gap || $bz <= $cz + $gap || $dz <= $az + $gap}
}
# Each solid of one with each of the other: of a compound whose own solids overlap DRAW finds too small a common volume.
proc meet {one_name ones two_name twos} {
    set near 0
    set sum 0.0
    foreach one $ones {
        foreach two $twos {
            if {[apart $one $two]} continue
            set near 1
            boolean common 0 $one $two
            set sum [expr {$sum + [volume common]}]
        }
    }
    if {$near} { puts "MEET $one_name $two_name $sum" }
}
# Loads a board's STEP file and moves its corner to the given place, turned by half or not.
proc board {result file x y z turned} {
    do "stepread $file read *; tcopy read_1 $result"
    if {$turned} { do "trotate $result 0 0 0 0 0 1 180" }
    lassign [box_of $result] ax ay az bx by bz
    if {$turned} { set move "[expr {$x - $bx}] [expr {$y - $ay}] [expr {$z - $az}]"
    } else { set move "[expr {$x - $ax}] [expr {$y - $by}] [expr {$z - $az}]" }
    do "ttranslate $result $move"
}
# A hole is there if a slightly thinner cylinder passes and a slightly thicker one does not.
proc hole {name shape x y d} {
    set z [expr {[lindex [box_of $shape] 2] - 5}]
    foreach {word size} [list inside [expr {$d - 0.05}] outside [expr {$d + 0.05}]] {
        do "plane flat $x $y $z 0 0 1 1 0 0; pcylinder drill flat [expr {$size / 2.0}] 20"
        boolean common 0 $shape drill
        puts "HOLE $name $word [volume common]"
    }
}
"""


# --- Tools.

def openscad(folder, output, part, definitions):
    """Runs OpenSCAD and returns its output file's text; a refusal's words become the exception's."""
    words = [word for definition in (f'part="{part}"', *definitions) for word in ("-D", definition)]
    path = pathlib.Path(folder) / output
    done = subprocess.run(["openscad", *words, "-o", path, SCAD], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return path.read_text(encoding="utf-8")


def drawing_program(folder):
    """DRAW's program: Debian's, or one compiled in the folder where the package lacks it."""
    found = shutil.which("occt-draw")
    if found is None:
        found = str(pathlib.Path(folder) / "occt-draw")
        subprocess.run(["g++", "-I/usr/include/opencascade", HERE / "draw.cpp", "-o", found, "-lTKDraw", "-lTKTopTest", "-lTKBRep",
                        "-lTKernel"], check=True)
    return found


def draw(folder, script):
    """Runs a script in DRAW. Its plug-ins have names without a version, which Debian has in the development packages only."""
    libraries = pathlib.Path(folder) / "libraries"
    libraries.mkdir(exist_ok=True)
    for path in glob.glob("/usr/lib/*/libTK*.so.7*"):
        link = libraries / (pathlib.Path(path).name.partition(".so")[0] + ".so")
        if not link.exists():
            link.symlink_to(path)
    path = pathlib.Path(folder) / "script.tcl"
    lines = ["if {[catch {", *script.lines, "puts DONE", "} fault]} { puts $errorInfo }", "exit"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    environment = os.environ | {
        "LD_LIBRARY_PATH": str(libraries), "DRAWHOME": f"{RESOURCES}/DrawResources", "CSF_OCCTResourcePath": RESOURCES,
        "DRAWDEFAULT": f"{RESOURCES}/DrawResources/DrawDefault", "CSF_DrawPluginDefaults": f"{RESOURCES}/DrawResources",
        "CSF_SHMessage": f"{RESOURCES}/SHMessage", "CSF_XSMessage": f"{RESOURCES}/XSMessage",
        "CSF_STEPDefaults": f"{RESOURCES}/XSTEPResource", "CSF_XCAFDefaults": f"{RESOURCES}/StdResource"}
    done = subprocess.run([drawing_program(folder), "-b", "-f", path], env=environment, cwd=folder, capture_output=True, text=True,
                          check=False)
    if "DONE\n" not in done.stdout:
        raise SystemExit("occt-draw failed: " + done.stdout[-2000:] + done.stderr[-2000:])
    return done.stdout


def values(folder, definitions):
    """Lists `front = [name, ...]` that pixelboop.scad echoes, by name."""
    text = openscad(folder, "front.echo", "front-panel", definitions)
    found = collections.defaultdict(list)
    for line in re.findall(r"ECHO: front = (.*)", text):
        name, *rest = json.loads(line)
        found[name].append(rest)
    return found


def export_board(folder, name):
    """A board's STEP file by KiCad: outline, thickness and drilled holes; bodies only where their 3D models are installed."""
    environment = os.environ | {"KICAD_CONFIG_HOME": str(pathlib.Path(folder) / "kicad")}
    subprocess.run(["kicad-cli", "pcb", "export", "step", "--force", "--no-dnp", "--subst-models",
                    "-o", pathlib.Path(folder) / f"{name}.step", BOARDS / name / f"{name}.kicad_pcb"],
                   env=environment, capture_output=True, check=True)


def build(script, folder, names, definitions):
    """Builds the named solids in place; returns them by name, and the solids of each of which none overlap."""
    shapes, members = {}, {}
    for name in names:
        text = openscad(folder, "solid.csg", "solid", (f'name="{name}"', *definitions))
        found = script.all(parse(text), ([1, 1, 1], [0, 0, 0]), None)
        assert found, name
        # A part is one solid, but the grids: their layers touch along 528 cells, and fusing them takes two minutes. The other
        # things need no fusing: only the common volume with their neighbours matters.
        if len(found) == 1 or (name in PARTS and not name.startswith("grid")):
            shapes[name] = script.fuse(found)
        else:
            shapes[name] = script.new()
            script.add(f"compound {' '.join(found)} {shapes[name]}")
        is_whole = name in PARTS or name.startswith("leds")
        members[name] = [shapes[name]] if is_whole else found
    return shapes, members


def build_boards(script, folder, places):
    """Places the boards' STEP files; returns them by name, with the solid that stands for them in pixelboop.scad."""
    shapes = {}
    for name in sorted({place[0] for place in places}):
        export_board(folder, name)
    for number, (name, x, y, z, turned, solid) in enumerate(places):
        shape = script.new()
        script.add(f"board {shape} {name}.step {x} {y} {z} {int(turned)}")
        shapes[f"{name}.step-{number}"] = (shape, solid)
    return shapes


# --- Commands.

def check(names, definitions, target):
    """What DRAW prints on pairs of solids (common volume in mm³), the boards' holes and the parts; `names` may be empty: all."""
    with tempfile.TemporaryDirectory() as folder:
        echoed = values(folder, definitions)
        script = Script()
        shapes, members = build(script, folder, names or echoed["solids"][0][0], definitions)
        boards = {name: shape for name, shape in build_boards(script, folder, echoed["board"]).items() if shape[1] in shapes}
        order = list(shapes)
        for number, one in enumerate(order):
            for two in order[number + 1:]:
                script.add(f"meet {one} {{{' '.join(members[one])}}} {two} {{{' '.join(members[two])}}}")
        for board, (shape, own) in boards.items():
            for name in order:
                if name != own:
                    script.add(f"meet {board} {shape} {name} {{{' '.join(members[name])}}}")
            script.add(f'puts "BOX {board} [box_of {shape}]"')
            for kind, x, y, diameter in echoed["board_hole"]:
                if kind == board:
                    script.add(f"hole {board} {shape} {x} {y} {diameter}")
        for name in PARTS:
            if name in shapes:
                valid = f"[string match {{*seems to be valid*}} [checkshape {shapes[name]}]]"
                script.add(f'puts "PART {name} [volume {shapes[name]}] {valid}"')
        if target:
            write_step(script, pathlib.Path(target).resolve(), shapes, boards)
        return draw(folder, script)


def write_step(script, target, shapes, boards):
    """One STEP file for each part, and one of all in place with the boards' own; without LEDs: they make it several times larger."""
    script.add("param write.surfacecurve.mode 0")  # half the size; readers calculate these curves
    for name in PARTS:
        script.add(f"newmodel; stepwrite 0 {shapes[name]} {target / name}.step")
    script.add("newmodel; XNewDoc D")
    for name, shape in [*shapes.items(), *((name, shape) for name, (shape, _) in boards.items())]:
        if name not in ("plugs", "leds-left", "leds-right"):
            script.add(f"SetName D [XAddShape D {shape} 0] {name}")
    script.add(f"newmodel; WriteStep D {target}/assembly.step")


def faults(out):
    """Sentences on what is wrong."""
    for one, two, volume in re.findall(r"^MEET (\S+) (\S+) (\S+)", out, re.M):
        if float(volume) > VOLUME_MIN:
            yield f"{one} and {two} have {float(volume):.3f} mm³ in common"
    for board, word, volume in re.findall(r"^HOLE (\S+) (\S+) (\S+)", out, re.M):
        if (float(volume) > VOLUME_MIN) == (word == "inside"):
            yield f"{board}: a hole is not where boards.scad says, or has another diameter"
    for name, volume, valid in re.findall(r"^PART (\S+) (\S+) (\S+)", out, re.M):
        if valid != "1" or float(volume) <= 0:
            yield f"{name} is no valid solid"


def main():
    parser = argparse.ArgumentParser(description="Interference check and STEP files of the case.")
    parser.add_argument("--solids", default="")
    parser.add_argument("--step")
    parser.add_argument("-D", action="append", default=[], dest="definitions")
    words = parser.parse_args()
    out = check([name for name in words.solids.split(",") if name], words.definitions, words.step)
    found = list(faults(out))
    print("\n".join(re.findall(r"^(?:PART|BOX) .*", out, re.M) + found))
    pairs, holes = (len(re.findall(f"^{word}", out, re.M)) for word in ("MEET", "HOLE"))
    print(f"{pairs} pairs of neighbours, {holes // 2} holes, {len(found)} faults")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
