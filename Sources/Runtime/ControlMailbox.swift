import InputEvents
import Instrument
import Synchronization

/// Events for the loop from other threads: keys and knobs of a page, a terminal or a script, and messages of the box
/// itself.
public final class ControlMailbox: ControlSource, Sendable {
    /// Maximum number of unread events from strangers.
    public static let eventsMax = 256

    private let unread: Mutex<[ControlEvent]>
    private let most: Int
    private let onPost: @Sendable () -> Void

    /// An empty mailbox of at most `most` events: later ones are lost. `onPost` is called on the posting thread
    /// whenever there is a new event to read.
    public init(most: Int = eventsMax, onPost: @escaping @Sendable () -> Void) {
        var events: [ControlEvent] = []
        events.reserveCapacity(min(most, Self.eventsMax))
        unread = Mutex(events)
        (self.most, self.onPost) = (most, onPost)
    }

    /// Posts a press of `key`. Thread-safe.
    public func post(_ key: Key, at time: Instant) { post(.key(key), at: time) }

    /// Posts `stroke`. Thread-safe.
    public func post(_ stroke: KeyStroke, at time: Instant) { post(Instrument.Event(stroke), at: time) }

    /// Posts `event`. Thread-safe.
    public func post(_ event: Instrument.Event, at time: Instant) {
        let isTaken = unread.withLock { events in
            guard events.count < most else { return false }
            events.append(ControlEvent(time: time, event: event))
            return true
        }
        if isTaken { onPost() }
    }

    /// Appends the events since the last call. Thread-safe.
    public func read(into events: inout [ControlEvent]) {
        unread.withLock { unread in
            events.append(contentsOf: unread)
            unread.removeAll(keepingCapacity: true)
        }
    }
}
