import Instrument
import Synchronization

/// Events for the loop from other threads: the keys and knobs of a page, a terminal or a script, and what the box itself has
/// to say.
public final class ControlMailbox: ControlSource, Sendable {
    /// Events kept for a reader that is late; later ones are lost.
    public static let eventsMax = 256

    private let unread: Mutex<[ControlEvent]>
    private let onPost: @Sendable () -> Void

    /// An empty one. `onPost` is called, from the thread that posts, whenever there is something new to read.
    public init(onPost: @escaping @Sendable () -> Void) {
        var events: [ControlEvent] = []
        events.reserveCapacity(Self.eventsMax)
        unread = Mutex(events)
        self.onPost = onPost
    }

    /// Takes in a press of `key`. From any thread.
    public func post(_ key: Key, at time: Instant) { post(.key(key), at: time) }

    /// Takes in `event`. From any thread.
    public func post(_ event: Event, at time: Instant) {
        let isTaken = unread.withLock { events in
            guard events.count < Self.eventsMax else { return false }
            events.append(ControlEvent(time: time, event: event))
            return true
        }
        if isTaken { onPost() }
    }

    /// Appends the events since the last call. From any thread.
    public func read(into events: inout [ControlEvent]) {
        unread.withLock { unread in
            events.append(contentsOf: unread)
            unread.removeAll(keepingCapacity: true)
        }
    }
}
