"""The library of the programs in Tests/System, and of the checks in deploy/image.

Tests/run and the Makefile put its folder on PYTHONPATH, and that of the client, clients/python. A module
needs no more of Debian than it imports: `browser` needs python3-websocket.
"""

import os
import pathlib

# The checkout.
ROOT = pathlib.Path(__file__).resolve().parents[4]
FIXTURES = ROOT / "Tests/Fixtures"


def count(few, whole):
    """How many to check: `whole` in `make check-all`, which sets PIXELBOOP_WHOLE; else `few`."""
    return whole if os.environ.get("PIXELBOOP_WHOLE") else few
