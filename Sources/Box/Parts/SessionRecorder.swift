import Dispatch
import Documents
import Glibc
import InputEvents
import Instrument
import Library
import Runtime
import Synchronization

/// Writes a session to a file, with every update of the loop, so that `replay` renders the same sound. A copy of the
/// library as it was lies beside it.
final class SessionRecorder: Sendable {
    private let path: String
    private let queue = DispatchQueue(label: "session recorder")
    private let state: Mutex<State>

    private struct State: @unchecked Sendable {
        // Used on the queue only, once begun.
        let file: OutputFile
        var begin: Instant?
        var lates = 0
    }

    /// Path of the library's copy beside the recording at `path`.
    static func library(of path: String) -> String {
        let name = path.hasSuffix(".jsonl") ? String(path.dropLast(6)) : path
        return "\(name).sqlite"
    }

    /// Begins a recording at `path` with the box's `start` and a copy of `library`. Replaces an earlier recording, but
    /// no other library.
    init(_ path: String, _ start: RecordedStart, _ library: Library) throws {
        self.path = path
        let copy = Self.library(of: path)
        func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
        // A library that is open has a log beside it; a copy has none.
        guard !exists(copy) || exists(path) && !exists(copy + "-wal") else {
            throw CommandError(
                .cannotCreate,
                "\(copy): is there already, and is not the copy beside an earlier recording; record to another name")
        }
        let file = try OutputFile(path)
        library.flush()
        try library.backup(to: copy)
        file.append(Array("\(start.text)\n".utf8))
        state = Mutex(State(file: file))
    }

    /// Records an update.
    func record(_ update: LoopUpdate) {
        queue.async { [self] in
            state.withLock { state in
                let begin = state.begin ?? update.time
                state.begin = begin
                if update.isLate { state.lates += 1 }
                let line = TouchScript.Line(
                    at: Instant(microseconds: (update.time - begin).microseconds), act: .init(update.act),
                    frame: update.frame, place: update.place)
                let wasWhole = state.file.problem == nil
                if let text = line.text { state.file.append(Array("\(text)\n".utf8)) }
                if wasWhole, let problem = state.file.problem { Log.post("the recording ends here: \(problem)") }
            }
        }
    }

    /// Completes the file. Throws if it could not be written to the end; then it has the lines before.
    func finish() throws {
        try queue.sync {
            try state.withLock { state in
                try state.file.finish(keepsLines: true)
                Log.post("recorded \(path); to repeat it: pixelboop replay \(path) --library \(Self.library(of: path))")
                if state.lates > 0 {
                    Log.post("\(state.lates) changes came after their frame: the sound of the replay may differ there")
                }
            }
        }
    }
}

extension TouchScript.Act {
    fileprivate init(_ act: LoopUpdate.Act) {
        switch act {
        case .sceneTaken: self = .sceneTaken
        case .event(let event) where event.isResult: self = .result
        case .event(let event): self = .control(event)
        }
    }
}
