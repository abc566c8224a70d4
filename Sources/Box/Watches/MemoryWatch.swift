import Instrument
import Library

/// Reports the library's state: a line to the log, a word on the panel.
package struct MemoryWatch {
    private var reported: LibraryError?

    /// A watch that has reported nothing.
    package init() {}

    /// Reports what has changed of `library`.
    package mutating func report(
        _ library: Library, log: (String) -> Void = { Log.post($0) }, _ post: (Instrument.Event) -> Void
    ) {
        for notice in library.drainNotices() {
            log(notice)
            post(.notice(.libraryDamaged))
        }
        let failure = library.lastFailure
        guard failure != reported else { return }
        reported = failure
        if let failure {
            log("\(failure); it is retried every two seconds")
            post(.notice(failure.isDiskFull ? .diskFull : .notSaved))
        } else {
            log("the library is written again")
            post(.notice(.savedAgain))
        }
    }
}
