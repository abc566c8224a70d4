import Dispatch
import Instrument
import Library

/// Does what takes its time, one thing after the other, beside the music.
final class Errands: Sendable {
    private let librarian: Librarian
    private let sticks: StickExchange
    private let say: @Sendable (Event) -> Void
    private let queue = DispatchQueue(label: "errands", qos: .utility)

    /// Errands for `librarian` and `sticks`; what comes of them is told by `say`.
    init(_ librarian: Librarian, _ sticks: StickExchange, say: @escaping @Sendable (Event) -> Void) {
        self.librarian = librarian
        self.sticks = sticks
        self.say = say
    }

    /// Does `errand`, soon.
    func run(_ errand: Errand) {
        queue.async { [self] in
            switch errand {
            case .importPatterns, .exportPatterns: say(.notice(sticks.exchange(errand)))
            default:
                do {
                    for event in try librarian.run(errand) { say(event) }
                } catch {
                    Main.tell("\(error)")
                    say(.notice(.libraryFailed))
                }
            }
        }
    }
}
