import Instrument
import Library

/// Reports the library's state: a line to standard error, a word on the panel.
struct MemoryWatch {
    private var reported: LibraryError?

    mutating func report(_ library: Library, _ post: (Instrument.Event) -> Void) {
        for notice in library.drainNotices() {
            Log.post(notice)
            post(.notice(.libraryDamaged))
        }
        let failure = library.lastFailure
        guard failure != reported else { return }
        reported = failure
        if let failure {
            Log.post("\(failure); it is retried every two seconds")
            post(.notice(failure.isDiskFull ? .diskFull : .notSaved))
        } else {
            Log.post("the library is written again")
            post(.notice(.savedAgain))
        }
    }
}
