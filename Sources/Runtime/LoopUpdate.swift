import InputEvents
import Instrument

/// One update of the instrument by a loop, with all that came from outside: its time, and the places in the sound. A
/// loop that repeats all updates of another one renders the same sound.
public struct LoopUpdate: Hashable, Sendable {
    /// Time of the update.
    public var time: Instant
    /// The update.
    public var act: Act
    /// The engine's frame for its commands.
    public var frame: UInt64
    /// The place in the engine's frames that was audible then; nil if it had no effect.
    public var place: Double?
    /// Whether the frame may have been rendered already when its commands arrived.
    public var isLate: Bool

    /// A kind of update.
    public enum Act: Hashable, Sendable {
        /// An event of the instrument.
        case event(Instrument.Event)
        /// The engine's report that a scene, a tune or parts have begun was taken.
        case sceneTaken
    }

    /// An update at `time`.
    public init(time: Instant, act: Act, frame: UInt64, place: Double? = nil, isLate: Bool = false) {
        self.time = time
        self.act = act
        self.frame = frame
        self.place = place
        self.isLate = isLate
    }
}
