"""PNG files of 8-bit RGB (W3C PNG specification), by zlib alone."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_TYPE_RGB = 2


def encode(columns: int, rows: int, rgb: bytes, scale: int = 1) -> bytes:
    """Returns a PNG file: `rgb` is three bytes a pixel, row by row; each pixel becomes `scale` × `scale`."""
    lines = b""
    for row in range(rows):
        line = rgb[3 * columns * row:3 * columns * (row + 1)]
        wide = b"".join(line[at:at + 3] * scale for at in range(0, len(line), 3))
        lines += (b"\0" + wide) * scale
    head = struct.pack(">IIBBBBB", columns * scale, rows * scale, 8, COLOUR_TYPE_RGB, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(lines, 9)) + _chunk(b"IEND", b"")


def decode(data: bytes) -> tuple[int, int, bytes]:
    """Returns columns, rows and three bytes a pixel of a PNG file. Raises ValueError unless it is 8-bit RGB without interlace."""
    if not data.startswith(SIGNATURE):
        raise ValueError("no PNG file")
    at, columns, rows, packed = len(SIGNATURE), 0, 0, b""
    while at + 8 <= len(data):
        (length,), kind = struct.unpack(">I", data[at:at + 4]), data[at + 4:at + 8]
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            columns, rows, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            if (depth, colour, interlace) != (8, COLOUR_TYPE_RGB, 0):
                raise ValueError("only PNG files of 8-bit RGB without alpha and interlace can be compared: save it again as such")
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    return columns, rows, _unfilter(zlib.decompress(packed), 3 * columns, rows)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _unfilter(lines: bytes, width: int, rows: int) -> bytes:
    """Undoes the filters of the lines (PNG specification, 9.2), each of which begins with its filter's number."""
    if len(lines) != rows * (width + 1):
        raise ValueError("the PNG file ends too early")
    before, result = bytearray(width), b""
    for row in range(rows):
        kind, line = lines[row * (width + 1)], bytearray(lines[row * (width + 1) + 1:(row + 1) * (width + 1)])
        for at in range(width):
            left, above, corner = (line[at - 3], before[at], before[at - 3]) if at >= 3 else (0, before[at], 0)
            line[at] = (line[at] + _predicted(kind, left, above, corner)) & 0xff
        before, result = line, result + line
    return result


def _predicted(kind: int, left: int, above: int, corner: int) -> int:
    """The prediction of a byte by filter `kind`: none, left, above, mean, Paeth."""
    guess = left + above - corner
    paeth = min((left, above, corner), key=lambda value: abs(guess - value))
    return (0, left, above, (left + above) // 2, paeth)[kind]
