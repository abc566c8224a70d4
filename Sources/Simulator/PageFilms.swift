import Instrument
import Replay
import Synchronization

/// The films of the help, each made when it is first asked for, then kept.
enum PageFilms {
    /// The film of gesture `number` of the help.
    static func film(_ number: Int) -> [UInt8] { kept(number, of: films) { HelpFilm.film(of: $0) } }

    /// The last picture of that film.
    static func still(_ number: Int) -> [UInt8] { kept(number, of: stills) { HelpFilm.still(of: $0) } }

    private static let films = Shelf()
    private static let stills = Shelf()

    private final class Shelf: Sendable {
        let pictures = Mutex([Int: [UInt8]]())
    }

    private static func kept(_ number: Int, of shelf: Shelf, make: (Help.Gesture) -> [UInt8]) -> [UInt8] {
        shelf.pictures.withLock { pictures in
            if let picture = pictures[number] { return picture }
            let picture = make(Help.gestures[number])
            pictures[number] = picture
            return picture
        }
    }
}
