/// Rendered sound that the page has not played: interleaved stereo.
final class HeldSound {
    private let samples: UnsafeMutablePointer<Float>
    private let capacity: Int
    /// Frames that wait, and the frames before them that were handed out last.
    private(set) var frames = 0
    private var handedOut = 0

    /// Room for `capacity` frames.
    init(capacity: Int) {
        self.capacity = capacity
        samples = .allocate(capacity: 2 * capacity)
        samples.initialize(repeating: 0, count: 2 * capacity)
    }

    deinit { samples.deallocate() }

    /// Adds interleaved stereo.
    func append(_ new: UnsafeMutableBufferPointer<Float>) {
        precondition(handedOut == 0 && new.count <= 2 * (capacity - frames))
        for index in 0..<new.count { samples[2 * frames + index] = new[index] }
        frames += new.count / 2
    }

    /// Removes the frames that were handed out.
    func removeHandedOut() {
        for index in 0..<2 * frames { samples[index] = samples[2 * handedOut + index] }
        handedOut = 0
    }

    /// The next `count` frames, which are valid until they are removed.
    func handOut(_ count: Int) -> UnsafeMutablePointer<Float> {
        precondition(count <= frames)
        frames -= count
        handedOut = count
        return samples
    }
}
