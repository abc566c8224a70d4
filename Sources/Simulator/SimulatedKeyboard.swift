import Instrument
import Runtime
import Synchronization

/// A keyboard without hardware: keys go in from a page, a terminal or a script, and come out as presses.
public final class SimulatedKeyboard: ControlSource, Sendable {
    /// Presses kept for a reader that is late; later ones are lost, since nobody types that far ahead.
    public static let pressesMax = 256

    private let unread: Mutex<[KeyPress]>
    private let onPost: @Sendable () -> Void

    /// A keyboard. `onPost` is called, from the thread that posts, whenever there is something new to read.
    public init(onPost: @escaping @Sendable () -> Void) {
        var presses: [KeyPress] = []
        presses.reserveCapacity(Self.pressesMax)
        unread = Mutex(presses)
        self.onPost = onPost
    }

    /// Takes in a press of `key`. From any thread.
    public func post(_ key: Key, at time: Instant) {
        let isTaken = unread.withLock { presses in
            guard presses.count < Self.pressesMax else { return false }
            presses.append(KeyPress(time: time, key: key))
            return true
        }
        if isTaken { onPost() }
    }

    /// Appends the presses since the last call. From any thread.
    public func read(into presses: inout [KeyPress]) {
        unread.withLock { unread in
            presses.append(contentsOf: unread)
            unread.removeAll(keepingCapacity: true)
        }
    }
}
