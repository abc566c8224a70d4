"""The scenarios: what is done to the box from outside, and what has to come of it."""

import collections

import box
import spec
from waiting import check, until

Part = collections.namedtuple("Part", "title run needs_modules")
CLEAR = (41, 0)


def first_touch(bench):
    """Also leaves the library that the others begin with."""
    bench.plug_all()
    library = bench.folder / "first.sqlite"
    bench.start(library)
    bench.overlay.down(("finger", spec.column(9), 14))
    if bench.panel:
        bench.panel.wait_for({(spec.column(9), 14): spec.PREVIEW}, "the LED under the finger is lit")
    bench.overlay.up("finger")
    if bench.panel:
        note = spec.blend(spec.NOTE_COLOURS[11], 0xBB / 255)
        bench.panel.wait_for({(spec.column(9), 14): note}, "the LED shows the note")
    until(lambda: box.session(library), "the library has the notes")
    check(bench.box.stop() == 0, f"the box ended with {bench.box.process.returncode}")
    notes = {(spec.BASS, note, step): value for (note, step), value
             in spec.cells(spec.BASS, (9, 11), (9, 11), False).items()}
    check(box.session(library) == notes, f"the library has {box.session(library)} instead of {notes}")
    box.forget_hints(library)
    bench.start(library)
    bench.overlay.tap(*CLEAR, seconds=1.2)
    until(lambda: not box.session(library), "Clear empties the library's pattern")
    check(bench.box.stop() == 0, f"the box ended with {bench.box.process.returncode}")
    library.rename(bench.used)


TABLE = {
    "first-touch": Part("a touch lights its LED, a lift makes its note", first_touch, False),
}
