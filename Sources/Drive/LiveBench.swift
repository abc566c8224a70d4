import Display
import Documents
import InputEvents
import Instrument

/// A box that runs, for a program.
package protocol LiveBox: AnyObject {
    /// The present time.
    var now: Instant { get }
    /// Whether the program is still connected, and the box goes on.
    var isThere: Bool { get }
    /// The instrument and its picture after the next pass of the loop; nil if the box ends.
    func look() -> (instrument: Instrument, picture: Frame)?
    /// Gives the box what a line says.
    func perform(_ act: TouchScript.Act)
    /// Waits until `time`, or until something happens. Returns what has happened since the last call.
    func wait(until time: Instant) -> [Happening]
}

/// A running box in the hands of a program, in real time: the requests and answers of a bench, without those that need
/// virtual time (docs/drive.md, "A running box").
package final class LiveBench {
    private let softwareVersion: String
    private let box: any LiveBox
    /// Time 0 of the answers.
    private let begin: Instant

    /// The running `box` for a program that connects now.
    package init(version: String, _ box: any LiveBox) {
        (softwareVersion, self.box) = (version, box)
        begin = box.now
        // What happened before is not the program's.
        _ = box.wait(until: begin)
    }

    /// The first line for a program.
    package var greeting: String { Bench.greeting(softwareVersion, isLive: true) }

    /// Carries out the request in `line` and returns the answer's line.
    package func answer(to line: [UInt8]) -> String {
        Bench.answer(to: line, at: { .zero + (self.box.now - self.begin) }, perform)
    }

    private enum Verb: String, CaseIterable {
        case send, advance, frame, words, place, find, pattern, state
    }

    /// Keys that every request may have.
    private static let common = ["id", "do", "box"]

    private func perform(_ request: JSONField) throws -> [String: JSON] {
        let verb: Verb = try request.needed("do").choice()
        if let part = try request.part("box") { _ = try part.choice([("box", true)]) }
        switch verb {
        case .send: return try send(request)
        case .advance: return try advance(request)
        case .frame:
            try request.only(Self.common + ["as"])
            return try look().picture.answer(to: request)
        case .place:
            try request.only(Self.common + Instrument.placeKeys)
            return try look().instrument.place(request)
        case .find:
            try request.only(Self.common + PanelPlace.keys)
            return try look().instrument.find(request)
        case .words, .pattern, .state:
            try request.only(Self.common)
            let instrument = try look().instrument
            if verb == .words { return instrument.words.keys }
            if verb == .state { return instrument.stateKeys }
            var document = PatternDocument(pattern: Pattern())
            document.replaceMusic(by: instrument.state.session)
            return ["pattern": document.json]
        }
    }

    private func look() throws(FormatError) -> (instrument: Instrument, picture: Frame) {
        guard let view = box.look() else { throw FormatError("", "the box ends") }
        return view
    }

    private func send(_ request: JSONField) throws -> [String: JSON] {
        try request.only(Self.common + ["lines"])
        let columns = try look().instrument.columns
        var last = Instant.zero + (box.now - begin)
        var lines: [TouchScript.Line] = []
        for field in try request.needed("lines").list() {
            let line = try ScriptLine(field, after: &last, columns: columns).line
            guard let line, line.act.isForRunningBox else { throw field.refused("is a line for virtual boxes only") }
            lines.append(line)
        }
        for line in lines {
            let due = begin + (line.at - .zero)
            // What happens meanwhile is kept for `advance`.
            while box.now < due, box.isThere { missed += box.wait(until: due) }
            guard box.isThere else { break }
            box.perform(line.act)
        }
        return [:]
    }

    /// What happened while lines were sent.
    private var missed: [Happening] = []

    private func advance(_ request: JSONField) throws -> [String: JSON] {
        try request.only(Self.common + ["ms", "until", "only"])
        let wanted = try Happening.kinds(request)
        let awaited = try request.part("until").map { field throws(FormatError) in try Awaited(field) }
        let usual = awaited == nil ? nil : Bench.patience
        guard let milliseconds = try request.part("ms")?.number(in: Bench.times) ?? usual else {
            throw FormatError("ms", "is missing: needs one of ms and until")
        }
        let end = box.now + Instant.Span(milliseconds: milliseconds)
        var happened = missed
        missed = []
        var seen = 0
        func isMet() -> Bool {
            defer { seen = happened.count }
            return awaited.map { awaited in happened.dropFirst(seen).contains { awaited.isMet(by: $0, of: "box") } }
                ?? false
        }
        var hasMet = isMet()
        while !hasMet, box.now < end, box.isThere {
            happened += box.wait(until: end)
            hasMet = isMet()
        }
        let told = happened.filter { wanted.contains($0.kind) }.map {
            Happening($0.kind, at: .zero + ($0.at - begin), $0.keys).json(of: "box")
        }
        var answer: [String: JSON] = ["events": .array(told)]
        if awaited != nil { answer["met"] = .bool(hasMet) }
        return answer
    }
}

extension TouchScript.Act {
    /// Whether a running box takes it: what its own devices say it has from them.
    fileprivate var isForRunningBox: Bool {
        switch self {
        case .touch, .midi: true
        case .device, .result, .sceneTaken: false
        case .control(let event):
            switch event {
            case .heat, .fault, .link, .edge, .stick: false
            default: true
            }
        }
    }
}
