import Instrument
import Synchronization
import Threads

/// The films of the help. Each is made when it is first asked for, on a thread of its own, so that the pages do not
/// wait; then it is kept.
final class PageFilms: Sendable {
    /// A picture of a gesture, by its number in the help.
    enum Picture: Hashable, Sendable {
        /// The film.
        case film(Int)
        /// Its last picture.
        case still(Int)

        fileprivate func make() -> [UInt8] {
            switch self {
            case .film(let number): HelpFilm.film(of: Help.gestures[number])
            case .still(let number): HelpFilm.still(of: Help.gestures[number])
            }
        }
    }

    static let shared = PageFilms()

    private struct State: Sendable {
        var made: [Picture: [UInt8]] = [:]
        /// One is made at a time.
        var isMaking = false
        var thread: OwnThread?
    }

    private let state = Mutex(State())

    /// Returns `picture` if it is made; else begins to make it, unless another one is being made.
    func bytes(of picture: Picture) -> [UInt8]? {
        state.withLock { state in
            if let bytes = state.made[picture] { return bytes }
            guard !state.isMaking else { return nil }
            // It has ended, or is about to.
            state.thread?.join()
            state.thread = OwnThread { [self] in
                let bytes = picture.make()
                self.state.withLock { state in
                    state.made[picture] = bytes
                    state.isMaking = false
                }
            }
            state.isMaking = state.thread != nil
            return nil
        }
    }
}
