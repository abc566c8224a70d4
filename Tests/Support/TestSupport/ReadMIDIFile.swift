/// A Standard MIDI File, taken apart by a reader independent of the writer.
public struct ReadMIDIFile {
    /// A message or a meta event.
    public struct Message: Equatable, Sendable {
        /// Ticks since the file's start.
        public var tick: Int
        /// All bytes, of a meta event from 0xff on.
        public var bytes: [UInt8]

        /// The message at `tick`.
        public init(tick: Int, bytes: [UInt8]) {
            self.tick = tick
            self.bytes = bytes
        }

        /// Whether it is a message of a channel.
        public var isOfChannel: Bool { bytes[0] < 0xf0 }
    }

    /// The file's type and ticks per quarter note.
    public let type, division: Int
    /// The number of tracks that the header announces.
    public let trackCount: Int
    /// The tracks.
    public let tracks: [[Message]]

    /// Takes `file` apart; nil if it does not begin as a file, or a track as a track.
    public init?(_ file: [UInt8]) {
        func big(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
        guard Array(file.prefix(4)) == Array("MThd".utf8), big(file[4..<8]) == 6 else { return nil }
        var tracks: [[Message]] = []
        var at = 14
        while at < file.count {
            guard Array(file[at..<at + 4]) == Array("MTrk".utf8) else { return nil }
            let end = at + 8 + big(file[at + 4..<at + 8])
            at += 8
            var messages: [Message] = []
            var tick = 0
            func number() -> Int {
                var value = 0
                while true {
                    let byte = file[at]
                    at += 1
                    value = value << 7 | Int(byte & 0x7f)
                    if byte < 0x80 { return value }
                }
            }
            while at < end {
                tick += number()
                let start = at
                if file[at] == 0xff {
                    at += 2
                    let count = number()
                    at += count
                } else {
                    at += 3
                }
                messages.append(Message(tick: tick, bytes: Array(file[start..<at])))
            }
            tracks.append(messages)
        }
        (type, division, trackCount) = (big(file[8..<10]), big(file[12..<14]), big(file[10..<12]))
        self.tracks = tracks
    }
}
