import Devices
import Dispatch
import InputEvents
import Synchronization

/// Looks at the board's temperature, supply and disk every few seconds, on a thread of its own: a failing disk may not
/// answer.
final class BoardWatch {
    private static let interval = DispatchTimeInterval.seconds(5)

    private let timer: any DispatchSourceTimer
    private let found = Found()

    private final class Found: Sendable {
        let problems = Mutex(BoardProblems())
    }

    /// A watch of this board, with the music in the folder `library`. `now` is the clock of the loop.
    init(library: String, now: @escaping @Sendable () -> Instant) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "board", qos: .utility))
        timer.setEventHandler { [found] in
            let health = BoardHealth(library: library)
            found.problems.withLock { $0.update(health, at: now()) }
        }
        timer.schedule(deadline: .now(), repeating: Self.interval)
        timer.resume()
    }

    deinit { timer.cancel() }

    /// The message of each kind of problem that there is, in their order.
    var problems: [String?] { found.problems.withLock(\.messages) }
}

/// The problems of a board. A problem that comes and goes, such as a supply that gives in at each beat, is one problem.
struct BoardProblems: Sendable {
    /// A problem stays for as long after it was seen last.
    private static let hold = Instant.Span.milliseconds(60_000)

    /// Each problem's message, and when it was seen last.
    private var seen: [BoardHealth.Problem: (what: String, at: Instant)] = [:]

    /// The message of each kind of problem, in their order.
    var messages: [String?] { BoardHealth.Problem.allCases.map { seen[$0]?.what } }

    /// Updates the problems by the board's health at `now`.
    mutating func update(_ health: BoardHealth, at now: Instant) {
        for problem in BoardHealth.Problem.allCases {
            if let message = health.message(problem) {
                // The first message stays: a temperature that rises by one is no news.
                seen[problem] = (seen[problem]?.what ?? "\(message.what); \(message.fix)", now)
            } else if let last = seen[problem], now - last.at >= Self.hold {
                seen[problem] = nil
            }
        }
    }
}
