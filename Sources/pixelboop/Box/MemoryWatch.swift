import Instrument
import Library

/// Reports the library's state: a line to standard error, a word on the panel.
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
            Main.tell("\(failure); it is retried every two seconds")
            say(.notice(failure.isDiskFull ? .diskFull : .notSaved))
        } else {
            Main.tell("the library is written again")
            say(.notice(.savedAgain))
        }
    }
}
