import InputEvents

/// The newest sound, for several readers with their own positions. Memory is fixed: a reader that falls behind by more
/// than the queue's length loses the oldest sound.
struct SoundQueue {
    /// Length in milliseconds.
    static let lengthMilliseconds = 200
    /// Length of a block that is read, in milliseconds.
    static let blockMilliseconds = 10
    /// Where a reader that fell behind continues: this far behind the newest sound, in milliseconds.
    static let resumeMilliseconds = 50
    /// Interleaved stereo.
    static let channels = 2

    /// Frames in a block.
    let blockFrames: Int
    /// Frames written so far.
    private(set) var written = 0
    /// Time at which the box plays the frame after the newest.
    private var end = Instant.zero

    private let rate: Int
    private let capacityFrames: Int
    private let resumeFrames: Int
    private var samples: [Int16]

    /// A queue for sound of `rate` frames per second; 0 for no sound.
    init(rate: Int) {
        self.rate = rate
        blockFrames = rate * Self.blockMilliseconds / 1000
        capacityFrames = rate * Self.lengthMilliseconds / 1000
        resumeFrames = rate * Self.resumeMilliseconds / 1000
        samples = Array(repeating: 0, count: capacityFrames * Self.channels)
    }

    /// Appends interleaved stereo, whose first frame the box plays at `time`; half a frame at the end is dropped.
    mutating func write(_ new: UnsafeBufferPointer<Int16>, at time: Instant) {
        guard capacityFrames > 0 else { return }
        let frames = new.count / Self.channels
        end = time + duration(of: frames)
        for frame in max(0, frames - capacityFrames)..<frames {
            let place = (written + frame) % capacityFrames * Self.channels
            samples[place] = new[frame * Self.channels]
            samples[place + 1] = new[frame * Self.channels + 1]
        }
        written += frames
    }

    /// Whether a reader at `position` has a block to read.
    func hasBlock(at position: Int) -> Bool {
        blockFrames > 0 && written - position >= blockFrames
    }

    private func duration(of frames: Int) -> Instant.Span {
        Instant.Span(microseconds: Int64(frames) * 1_000_000 / Int64(rate))
    }

    /// Moves one block to `bytes` as little-endian samples and `position` past it; returns its length in bytes, and the
    /// time at which the box plays its first frame.
    func readBlock(at position: inout Int, into bytes: UnsafeMutableRawBufferPointer) -> (length: Int, time: Instant) {
        if written - position > capacityFrames { position = written - resumeFrames }
        let count = blockFrames * Self.channels
        let start = position % capacityFrames * Self.channels
        let time = end - duration(of: written - position)
        for index in 0..<count {
            let sample = samples[(start + index) % samples.count]
            bytes.storeBytes(of: sample.littleEndian, toByteOffset: index * 2, as: Int16.self)
        }
        position += blockFrames
        return (count * 2, time)
    }
}
