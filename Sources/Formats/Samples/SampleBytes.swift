/// The bytes of a sound file, at any place of it.
final class SampleBytes {
    /// Number of bytes.
    let size: Int
    /// The place at which libsndfile reads next.
    var place = 0
    private let read: (UnsafeMutableRawBufferPointer, Int) -> Int

    /// A file of `size` bytes; `read` fills a buffer with the bytes from a place on and returns how many there are, or
    /// a negative number if it fails.
    init(size: Int, read: @escaping (UnsafeMutableRawBufferPointer, Int) -> Int) {
        self.size = size
        self.read = read
    }

    /// A file of `bytes`.
    convenience init(_ bytes: [UInt8]) {
        self.init(size: bytes.count) { buffer, place in
            let part = bytes[min(place, bytes.count)...].prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        }
    }

    /// The `parts` of `file`, one behind the other as if they were a file.
    convenience init(_ parts: [Range<Int>], of file: SampleBytes) {
        var ends: [Int] = []
        for part in parts { ends.append((ends.last ?? 0) + part.count) }
        self.init(size: ends.last ?? 0) { buffer, place in
            var (index, above) = (0, ends.count)
            while index < above {
                let middle = (index + above) / 2
                if ends[middle] <= place { index = middle + 1 } else { above = middle }
            }
            var count = 0
            while count < buffer.count, index < parts.count {
                let left = ends[index] - place - count
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...].prefix(left))
                let read = file.fill(rest, at: parts[index].upperBound - left)
                count += read
                guard read == rest.count else { break }
                index += 1
            }
            return count
        }
    }

    /// `file` with other `bytes` from `begin` on.
    convenience init(_ file: SampleBytes, with bytes: [UInt8], at begin: Int) {
        self.init(size: file.size) { buffer, place in
            let count = file.fill(buffer, at: place)
            for changed in (begin..<begin + bytes.count).clamped(to: place..<place + count) {
                buffer[changed - place] = bytes[changed - begin]
            }
            return count
        }
    }

    /// Fills `buffer` with the bytes from `place` on; returns how many there are.
    func fill(_ buffer: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
        guard (0..<size).contains(place) else { return 0 }
        let count = min(buffer.count, size - place)
        return min(count, max(0, read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), place)))
    }

    /// The `count` bytes from `place` on, or fewer at the end.
    func bytes(at place: Int, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { fill($0, at: place) }
        return Array(bytes.prefix(read))
    }
}
