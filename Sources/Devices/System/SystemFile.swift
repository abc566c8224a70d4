import Glibc

extension String {
    /// The content of a file in /proc or /sys, which report no size; nil if it cannot be read. Calls `open` and `read`.
    init?(systemFile path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 14)
        var count = 0
        repeat {
            count = read(descriptor, &part, part.count)
            guard count >= 0 else { return nil }
            bytes += part[..<count]
        } while count > 0
        self.init(decoding: bytes, as: UTF8.self)
    }
}
