import Glibc

/// A TCP connection with hand-written HTTP and WebSocket, so that tests can send what no browser would. Every read has
/// a deadline.
public final class RawClient {
    /// The reason that a wait ended.
    public enum Failure: Error {
        case noConnection(Int32)
        case nothingCame
        case closed
    }

    /// A WebSocket message or control frame.
    public struct Message: Equatable {
        /// The kind of frame (RFC 6455, 5.2).
        public let opcode: UInt8
        /// The bytes of the frame, unmasked.
        public let payload: [UInt8]

        /// Creates a message.
        public init(opcode: UInt8, payload: [UInt8]) {
            self.opcode = opcode
            self.payload = payload
        }

        /// The status of a close frame (RFC 6455, 5.5.1).
        public var closeStatus: Int? {
            opcode == 8 && payload.count >= 2 ? Int(payload[0]) << 8 | Int(payload[1]) : nil
        }
    }

    private let descriptor: Int32
    private var unread: [UInt8] = []

    /// Connects to `port` at `address`, from the address `source`.
    public init(port: Int, address: String = "127.0.0.1", source: String = "0.0.0.0") throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let isConnected =
            Self.call(bind, descriptor, source, port: 0) == 0
            && Self.call(connect, descriptor, address, port: port) == 0
        guard isConnected else {
            let reason = errno
            close(descriptor)
            throw Failure.noConnection(reason)
        }
    }

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32, _ descriptor: Int32, _ address: String,
        port: Int
    ) -> Int32 {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(port).bigEndian
        inet_pton(AF_INET, address, &place.sin_addr)
        return withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    /// Sends bytes unchanged; false if the connection is closed.
    @discardableResult
    public func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends a request and returns the response's head and body; empty if the connection was closed.
    public func get(_ path: String, method: String = "GET", host: String) throws -> (head: String, body: String) {
        try answer(to: "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n")
    }

    /// Sends `head`, and `body` in parts, and returns the response's head and body; empty if the connection was closed.
    public func answer(to head: String, body: [UInt8]...) throws -> (head: String, body: String) {
        send(Array(head.utf8))
        for part in body { send(part) }
        let text = String(decoding: try everything(), as: UTF8.self)
        guard let gap = text.range(of: "\r\n\r\n") else { return (text, "") }
        return (String(text[..<gap.lowerBound]), String(text[gap.upperBound...]))
    }

    /// Requests a WebSocket; returns whether it opened.
    public func upgrade(
        path: String = "/panel", host: String, origin: String?, subprotocol: String? = "pixelboop"
    ) throws -> Bool {
        var lines = [
            "GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13",
        ]
        if let origin { lines.append("Origin: \(origin)") }
        if let subprotocol { lines.append("Sec-WebSocket-Protocol: \(subprotocol)") }
        send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        while true {
            if let end = unread.indices.first(where: { unread[$0...].starts(with: Array("\r\n\r\n".utf8)) }) {
                let head = String(decoding: unread[..<end], as: UTF8.self)
                unread.removeFirst(end + 4)
                return head.hasPrefix("HTTP/1.1 101")
            }
            do { try receive(milliseconds: 5000) } catch Failure.closed { return false }
        }
    }

    /// Reads until the server closes; throws after `milliseconds` of silence.
    public func everything(milliseconds: Int32 = 5000) throws -> [UInt8] {
        do { while true { try receive(milliseconds: milliseconds) } } catch Failure.closed {}
        return unread
    }

    /// Sends one frame.
    public func sendFrame(_ payload: [UInt8], opcode: UInt8 = 2, isFinal: Bool = true) {
        send(Self.frame(payload, opcode: opcode, isFinal: isFinal))
    }

    /// One frame, masked as required of clients; opcode 2 is binary, 1 text, 0 a continuation.
    public static func frame(_ payload: [UInt8], opcode: UInt8 = 2, isFinal: Bool = true) -> [UInt8] {
        let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        let final: UInt8 = isFinal ? 0x80 : 0
        var frame = [final | opcode]
        if payload.count < 126 {
            frame.append(0x80 | UInt8(payload.count))
        } else {
            frame += [0xfe, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        }
        return frame + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    /// The next message or control frame.
    public func message(milliseconds: Int32 = 5000) throws -> Message {
        while true {
            if let message = nextMessage() { return message }
            try receive(milliseconds: milliseconds)
        }
    }

    /// The server's close status, after any other messages.
    public func closeStatus() throws -> Int? {
        while true {
            let message = try message()
            if message.opcode == 8 { return message.closeStatus }
        }
    }

    private func nextMessage() -> Message? {
        guard unread.count >= 2 else { return nil }
        var (start, length) = (2, Int(unread[1] & 0x7f))
        if length == 126 {
            guard unread.count >= 4 else { return nil }
            (start, length) = (4, Int(unread[2]) << 8 | Int(unread[3]))
        }
        guard unread.count >= start + length else { return nil }
        let message = Message(opcode: unread[0] & 0x0f, payload: Array(unread[start..<start + length]))
        unread.removeFirst(start + length)
        return message
    }

    private func receive(milliseconds: Int32) throws {
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, milliseconds) > 0 else { throw Failure.nothingCame }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { throw Failure.closed }
        unread += bytes.prefix(count)
    }
}

extension String {
    fileprivate func range(of part: String) -> Range<Index>? {
        indices.lazy.map { $0 }.first { self[$0...].hasPrefix(part) }
            .map { $0..<index($0, offsetBy: part.count) }
    }
}
