import InputEvents
import Instrument
import Replay
import Synchronization

/// The mailbox between the box and the service thread: the newest frame, figures and sound. The lock is held for one
/// copy.
final class PageMailbox: Sendable {
    struct State: Sendable {
        /// The newest frame; the buffer is reused.
        var pixels: [UInt8]
        /// Number of frames so far.
        var frame: UInt32 = 0
        /// The newest figures, and their number so far.
        var report = PanelReport()
        var reportNumber = 0
        /// The panel's newest words in UTF-8, whether it asks for a name, and the number of changes so far.
        var words: [UInt8] = []
        var isNaming = false
        var wordsNumber = 0
        /// The answer about a visitor's file.
        var answer: PageAnswer?
        var sound: SoundQueue
        /// Number of connections that watch, and number of connections that listen, updated by the service thread.
        var viewers = 0
        var listeners = 0
        fileprivate let waker: PageWaker
        /// Whether a wake-up is pending; another one is unnecessary.
        var isWakePending = false

        /// Wakes the service thread to read the mailbox.
        mutating func wake() {
            if !isWakePending { isWakePending = waker.wake() }
        }
    }

    let state: Mutex<State>
    /// Wakes and ends the service thread.
    let waker = PageWaker()

    init(pixelBytes: Int, soundRate: Int) {
        state = Mutex(
            State(pixels: Array(repeating: 0, count: pixelBytes), sound: SoundQueue(rate: soundRate), waker: waker))
    }

    func show(_ pixels: [UInt8]) {
        state.withLock { state in
            precondition(pixels.count == state.pixels.count)
            // Copied in place: sharing the caller's array would make the caller allocate its next frame.
            state.pixels.withUnsafeMutableBytes { target in
                pixels.withUnsafeBytes { target.copyMemory(from: $0) }
            }
            state.frame &+= 1
            if state.frame == 0 { state.frame = 1 }
            if state.viewers > 0 { state.wake() }
        }
    }

    func report(_ report: PanelReport) {
        state.withLock { state in
            state.report = report
            state.reportNumber += 1
            if state.viewers > 0 { state.wake() }
        }
    }

    func tell(_ words: PanelWords) {
        state.withLock { state in
            state.words = BoxMessage.text(of: words)
            state.isNaming = words.isNaming
            state.wordsNumber += 1
            if state.viewers > 0 { state.wake() }
        }
    }

    func play(_ samples: UnsafeBufferPointer<Int16>, at time: Instant) {
        state.withLock { state in
            guard state.listeners > 0 else { return }
            state.sound.write(samples, at: time)
            state.wake()
        }
    }
}
