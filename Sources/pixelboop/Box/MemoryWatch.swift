import Instrument
import Library

/// Tells what becomes of the library: the user a line, the panel a word.
struct MemoryWatch {
    private var told: LibraryError?

    mutating func report(_ library: Library, _ say: (Event) -> Void) {
        for notice in library.takeNotices() {
            Main.tell(notice)
            say(.notice(.libraryDamaged))
        }
        let failure = library.lastFailure
        guard failure != told else { return }
        told = failure
        if let failure {
            Main.tell("\(failure); it is tried again every two seconds")
            say(.notice(failure.isDiskFull ? .diskFull : .notSaved))
        } else {
            Main.tell("the library is written again")
            say(.notice(.savedAgain))
        }
    }
}
