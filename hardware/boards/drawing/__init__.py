"""Boards drawn by program: parts and nets become a KiCad 9 schematic, places and tracks become a board."""

from .circuit import REVISION, Circuit, Part
from .layout import Board
from .router import Router

__all__ = ["REVISION", "Board", "Circuit", "Part", "Router"]
