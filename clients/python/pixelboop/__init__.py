"""PixelBoop boxes in the hands of tests.

`Bench` starts `pixelboop drive`, boxes on a virtual clock; `connect` is a box that runs, in real time, through its page.
docs/bench-kit.md is the guide.
"""

from pixelboop.bench import Bench
from pixelboop.box import Box, Chain, Disk, Entry, Overlay, Place, Purpose, Session, State, Words
from pixelboop.errors import BenchError, ConnectionLost, DeadlinePassed, ProgramEnded, ProgramMissing, Refused
from pixelboop.events import Clock, Event, Events, Job, Log, Midi, Note, Picture, PowerOff, Pulse, Step, Word
from pixelboop.frame import Colour, Frame, Led
from pixelboop.live import LiveBox, Page, connect, run
from pixelboop.palette import CHROMATIC, CLEAR_SIGHT, HARMONIC, Palette
from pixelboop.sound import Sound

__all__ = [
    "Bench", "BenchError", "Box", "CHROMATIC", "CLEAR_SIGHT", "Chain", "Clock", "Colour", "ConnectionLost",
    "DeadlinePassed", "Disk", "Entry", "Event", "Events", "Frame", "HARMONIC", "Job", "Led", "LiveBox", "Log", "Midi", "Note",
    "Overlay", "Page", "Palette", "Picture", "Place", "PowerOff", "ProgramEnded", "ProgramMissing", "Pulse", "Purpose",
    "Refused", "Session", "Sound", "State", "Step", "Word", "Words", "connect", "run",
]
