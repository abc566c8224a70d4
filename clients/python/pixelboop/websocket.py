"""A client of WebSockets (RFC 6455), by the standard library alone."""

from __future__ import annotations

import base64
import hashlib
import os
import select
import socket
import ssl
import struct
import threading
import time
import urllib.parse

from pixelboop.errors import ConnectionLost, DeadlinePassed

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
FINAL, MASKED = 0x80, 0x80
# RFC 6455, 1.3.
ACCEPT_SUFFIX = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
NORMAL_CLOSURE, NO_CODE = 1000, 1005
HEAD_MAX = 16 * 1024
MESSAGE_MAX = 1 << 20


class WebSocket:
    """A connection to `url`, ws:// or wss://, with a subprotocol. Opening and closing take at most `deadline` seconds.

    One thread may read while others send.
    """

    def __init__(self, url: str, subprotocol: str, deadline: float) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("ws", "wss") or not parts.hostname:
            raise ConnectionLost(f"{url}: an address of a WebSocket begins with ws:// or wss:// and a host")
        is_safe = parts.scheme == "wss"
        self._deadline = deadline
        self._buffer = bytearray()
        self._message = bytearray()
        self._sending = threading.Lock()
        try:
            self._socket = socket.create_connection((parts.hostname, parts.port or (443 if is_safe else 80)), deadline)
            if is_safe:
                self._socket = ssl.create_default_context().wrap_socket(self._socket, server_hostname=parts.hostname)
        except OSError as error:
            raise ConnectionLost(f"{parts.hostname}:{parts.port}: {error}") from None
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            self._open(parts, subprotocol, is_safe)
        except BaseException:
            self._socket.close()
            raise

    def _open(self, parts: urllib.parse.SplitResult, subprotocol: str, is_safe: bool) -> None:
        key = base64.b64encode(os.urandom(16))
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        origin = f"{'https' if is_safe else 'http'}://{parts.netloc}"
        lines = [
            f"GET {target} HTTP/1.1", f"Host: {parts.netloc}", "Upgrade: websocket", "Connection: Upgrade", f"Origin: {origin}",
            f"Sec-WebSocket-Key: {key.decode()}", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Protocol: {subprotocol}", "", ""]
        self._send_all("\r\n".join(lines).encode())
        deadline = time.monotonic() + self._deadline
        while (end := self._buffer.find(b"\r\n\r\n")) < 0 and len(self._buffer) < HEAD_MAX:
            if not self._receive(deadline):
                raise DeadlinePassed(f"{parts.netloc}: no answer within {self._deadline:g} s")
        head = bytes(self._buffer[:end]).decode("latin-1").split("\r\n")
        del self._buffer[:end + 4]
        status = head[0].split()
        if len(status) < 2 or status[1] != "101":
            code = int(status[1]) if len(status) > 1 and status[1].isdigit() else None
            raise ConnectionLost(f"{parts.netloc} refuses the WebSocket {parts.path}: {head[0]}: look at token and address", code)
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        accept = base64.b64encode(hashlib.sha1(key + ACCEPT_SUFFIX).digest()).decode()
        if headers.get("sec-websocket-accept") != accept:
            raise ConnectionLost(f"{parts.netloc}{parts.path} is no WebSocket")

    def send(self, message: bytes, kind: int = BINARY) -> None:
        """Sends a message in one frame, masked, as a client must."""
        mask = os.urandom(4)
        if len(message) < 126:
            head = struct.pack("!BB", FINAL | kind, MASKED | len(message))
        elif len(message) < 1 << 16:
            head = struct.pack("!BBH", FINAL | kind, MASKED | 126, len(message))
        else:
            head = struct.pack("!BBQ", FINAL | kind, MASKED | 127, len(message))
        masked = bytes(byte ^ mask[place % 4] for place, byte in enumerate(message))
        with self._sending:
            self._send_all(head + mask + masked)

    def read(self, deadline: float) -> tuple[int, bytes] | None:
        """The next whole message, or a pong, with its kind; None if none arrives until `deadline`, a time of time.monotonic().
        Answers pings. Raises ConnectionLost at the end, with the code of the box's close."""
        while True:
            while (frame := self._take_frame()) is None:
                if not self._receive(deadline):
                    return None
            final, kind, body = frame
            if kind == PING:
                self.send(body, PONG)
            elif kind == PONG:
                return kind, body
            elif kind == CLOSE:
                code = struct.unpack("!H", body[:2])[0] if len(body) >= 2 else NO_CODE
                raise ConnectionLost(f"the box has closed the connection with code {code}", code)
            else:
                self._message += body
                if kind:
                    self._kind = kind
                if final:
                    message, self._message = bytes(self._message), bytearray()
                    return self._kind, message

    def _take_frame(self) -> tuple[bool, int, bytes] | None:
        """The frame at the start of the buffer, once it is whole: whether it ends a message, its kind, its body."""
        if len(self._buffer) < 2:
            return None
        first, length, head = self._buffer[0], self._buffer[1], 2
        if length >= 126:
            head = 4 if length == 126 else 10
            if len(self._buffer) < head:
                return None
            length = int.from_bytes(self._buffer[2:head], "big")
        if length > MESSAGE_MAX:
            raise ConnectionLost(f"a message of {length} bytes: this is no box")
        if len(self._buffer) < head + length:
            return None
        body = bytes(self._buffer[head:head + length])
        del self._buffer[:head + length]
        return bool(first & FINAL), first & 0x0f, body

    def _receive(self, deadline: float) -> bool:
        """Waits for bytes; false at the deadline. Raises ConnectionLost at their end."""
        # A TLS connection may have bytes that its socket no longer shows.
        waits = not (isinstance(self._socket, ssl.SSLSocket) and self._socket.pending())
        try:
            if waits and not select.select([self._socket], [], [], max(0.0, deadline - time.monotonic()))[0]:
                return False
            part = self._socket.recv(1 << 16)
        except OSError as error:
            raise ConnectionLost(f"the connection has ended: {error}") from None
        except ValueError:
            raise ConnectionLost("the connection is closed") from None
        if not part:
            raise ConnectionLost("the connection has ended")
        self._buffer += part
        return True

    def _send_all(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise ConnectionLost(f"the connection has ended: {error}") from None

    def close(self) -> None:
        """Says that this end closes, and closes. Later calls do nothing."""
        try:
            self.send(struct.pack("!H", NORMAL_CLOSURE), CLOSE)
            self._socket.shutdown(socket.SHUT_RDWR)
        except (ConnectionLost, OSError):
            # The other end was faster.
            pass
        self._socket.close()
