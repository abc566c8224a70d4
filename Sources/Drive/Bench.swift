import Documents
import InputEvents
import Instrument
import Replay

/// Boxes on one virtual clock, in the hands of a program: requests in, answers out (docs/drive.md).
package final class Bench {
    /// Version of the requests and answers.
    package static let version = 1
    /// Times of a bench, in milliseconds.
    static let times = 0...86_400_000.0
    /// The clock's steps while boxes are connected, or something is awaited.
    static let quantum = Instant.Span.milliseconds(1)
    /// Deadline of what is awaited, in milliseconds.
    static let patience = 60_000.0

    private let softwareVersion: String
    private(set) var boxes: [(name: String, box: DrivenBox)] = []
    private var cables: [Cable] = []
    private(set) var now = Instant.zero

    let files: any BenchFiles

    /// An empty bench of boxes with this software version.
    package init(version: String, _ files: any BenchFiles) {
        softwareVersion = version
        self.files = files
    }

    /// The first line for a program.
    package var greeting: String { Self.greeting(softwareVersion, isLive: false) }

    static func greeting(_ version: String, isLive: Bool) -> String {
        JSON.object([
            "pixelboop": .string(version), "protocol": .integer(Self.version), "live": .bool(isLive),
        ]).text(pretty: false)
    }

    /// Carries out the request in `line` and returns the answer's line. What cannot be carried out changes nothing.
    package func answer(to line: [UInt8]) -> String { Self.answer(to: line, at: { self.now }, perform) }

    /// The answer's line to the request in `line`, which `perform` carries out, with the time after that.
    static func answer(
        to line: [UInt8], at now: () -> Instant, _ perform: (JSONField) throws -> [String: JSON]
    ) -> String {
        var answer: [String: JSON] = [:]
        do {
            let request = JSONField(try JSON(parsing: line))
            if let id = try request.part("id") {
                answer["id"] = id.value
                if id.value.double == nil { _ = try id.string() }
            }
            let result = try perform(request)
            answer.merge(result) { own, _ in own }
            answer["at"] = .number(now())
        } catch let error as FormatError {
            answer["error"] = .object(["place": .string(error.place), "problem": .string(error.problem)])
        } catch {
            answer["error"] = .object(["place": .string(""), "problem": .string("\(error)")])
        }
        return JSON.object(answer).text(pretty: false)
    }

    private enum Verb: String, CaseIterable {
        case new, copy, close, send, advance, frame, words, place, find, wire, current, sound, pattern, state, library
        case record, connect, disconnect, shrink
    }

    /// The words of requests.
    static let verbs = Verb.allCases.map(\.rawValue)

    private func perform(_ request: JSONField) throws -> [String: JSON] {
        let verb: Verb = try request.needed("do").choice()
        return switch verb {
        case .new: try make(request)
        case .copy: try copy(request)
        case .close: try close(request)
        case .send: try send(request)
        case .advance: try advance(request)
        case .frame: try frame(request)
        case .words: try words(request)
        case .place: try place(request)
        case .find: try find(request)
        case .wire: try wire(request)
        case .current: try current(request)
        case .sound: try sound(request)
        case .pattern: try pattern(request)
        case .state: try state(request)
        case .library: try library(request)
        case .record: try record(request)
        case .connect: try connect(request)
        case .disconnect: try disconnect(request)
        case .shrink: try shrink(request)
        }
    }

    // MARK: Boxes

    /// Keys that every request may have.
    private static let common = ["id", "do", "box"]

    /// The box that `request` names, or the only one, once it is known that it has no other keys than `keys`.
    func box(_ request: JSONField, _ keys: [String] = []) throws(FormatError) -> DrivenBox {
        try request.only(Self.common + keys)
        return boxes[try index(request.part("box"))].box
    }

    private func index(_ part: JSONField?) throws(FormatError) -> Int {
        guard let part else {
            guard boxes.count == 1 else {
                let advice = boxes.isEmpty ? ": there is none yet; make one with new" : ""
                throw FormatError("box", "is missing\(advice)")
            }
            return 0
        }
        let name = try part.string()
        guard let index = boxes.firstIndex(where: { $0.name == name }) else {
            let names = boxes.map { JSON.string($0.name).text(pretty: false) }.joined(separator: ", ")
            throw part.refused("is \(part.shown), should be the name of a box: \(names.isEmpty ? "none" : names)")
        }
        return index
    }

    /// The name in `part`, which no box has yet.
    private func newName(_ part: JSONField?, usual: String) throws(FormatError) -> String {
        let name = try part?.string() ?? usual
        if boxes.contains(where: { $0.name == name }) {
            let shown = JSON.string(name).text(pretty: false)
            throw FormatError(part?.path ?? "box", "is \(shown), which there is already")
        }
        return name
    }

    private func make(_ request: JSONField) throws -> [String: JSON] {
        let recipe = try BoxRecipe(request, Self.common, version: softwareVersion)
        let name = try newName(request.part("box"), usual: "box")
        let box = try DrivenBox(recipe, files)
        box.catchUp(to: now)
        return add(box, name)
    }

    private func copy(_ request: JSONField) throws -> [String: JSON] {
        let original = try box(request, ["to"])
        let name = try newName(request.needed("to"), usual: "")
        return add(try original.copy(before: now), name)
    }

    private func add(_ box: DrivenBox, _ name: String) -> [String: JSON] {
        boxes.append((name, box))
        return [
            "columns": .integer(box.columns), "rows": .integer(Instrument.rows), "rate": .integer(box.box.rate),
        ]
    }

    private func close(_ request: JSONField) throws -> [String: JSON] {
        try request.only(Self.common)
        let name = boxes.remove(at: try index(request.part("box"))).name
        for cable in cables where cable.from == name || cable.to == name { remove(cable) }
        return [:]
    }

    // MARK: Input

    private func send(_ request: JSONField) throws -> [String: JSON] {
        let box = try box(request, ["lines"])
        var last = now
        var lines: [ScriptLine] = []
        for field in try request.needed("lines").list() {
            lines.append(try ScriptLine(field, after: &last, columns: box.columns))
        }
        for line in lines { box.send(line) }
        return [:]
    }

    // MARK: Time

    private func advance(_ request: JSONField) throws -> [String: JSON] {
        try request.only(Self.common + Self.ways + ["until", "only"])
        if let box = try request.part("box") { _ = try index(box) }
        let wanted = try Happening.kinds(request)
        var answer: [String: JSON] = [:]
        if let part = try request.part("until") {
            let awaited = try Awaited(part)
            if let box = try part.part("box") { _ = try index(box) }
            for way in ["frames", "steps"] where try request.part(way) != nil {
                throw FormatError(way, "cannot stand beside until; ms is the longest time")
            }
            let limit = try time(after: request.part("ms")?.number(in: Self.times) ?? Self.patience)
            for (_, box) in boxes { box.wanted = wanted.union([awaited.kind]) }
            answer["met"] = .bool(advance(to: limit) { awaited.isMet(by: $1, of: $0) })
        } else {
            let end = try end(request)
            for (_, box) in boxes { box.wanted = wanted }
            advance(to: end)
        }
        answer["events"] = .array(happenings(wanted))
        return answer
    }

    /// Ways to say how far the clock goes.
    private static let ways = ["ms", "frames", "steps"]

    private func end(_ request: JSONField) throws(FormatError) -> Instant {
        var given: [JSONField] = []
        for way in Self.ways { if let part = try request.part(way) { given.append(part) } }
        guard given.count == 1 else { throw FormatError("ms", "needs one of ms, frames, steps and until") }
        if let part = try request.part("ms") { return try time(after: part.number(in: Self.times)) }
        let box = boxes[try index(request.part("box"))].box.box
        if let part = try request.part("frames") {
            // Whole frames, however often: the time of a frame is rounded up to the microsecond.
            let rate = Int64(box.rate)
            let frame = now.microseconds * rate / 1_000_000 + (try part.integer(in: 0...1 << 33))
            return try time(at: Double((frame * 1_000_000 + rate - 1) / rate))
        }
        let steps = try given[0].integer(in: 0...1 << 30)
        return try time(after: Double(steps) * 15_000 / box.loop.instrument.state.heardTempo)
    }

    private func time(after milliseconds: Double) throws(FormatError) -> Instant {
        try time(at: Double(now.microseconds) + milliseconds * 1000)
    }

    private func time(at microseconds: Double) throws(FormatError) -> Instant {
        let day = Self.times.upperBound * 1000
        guard microseconds <= day else { throw FormatError("", "a bench lasts a day of its clock; make a new one") }
        return Instant(microseconds: Int64(microseconds.rounded(.up)))
    }

    /// Lets all boxes play until `end`, or until `isMet` says so of something that happened, if it is given. Returns
    /// whether it did.
    @discardableResult
    private func advance(to end: Instant, until isMet: ((String, Happening) -> Bool)? = nil) -> Bool {
        let isTogether = isMet != nil || !cables.isEmpty
        while now < end {
            now = isTogether ? min(end, now + Self.quantum) : end
            let seen = boxes.map { $0.box.happenings.count }
            for (_, box) in boxes { box.run(before: now) }
            for cable in cables { cable.carry(by: now) }
            guard let isMet else { continue }
            for ((name, box), seen) in zip(boxes, seen) {
                if box.happenings.dropFirst(seen).contains(where: { isMet(name, $0) }) { return true }
            }
        }
        return false
    }

    /// What all boxes did, by time; it is told once.
    private func happenings(_ wanted: Set<Happening.Kind>) -> [JSON] {
        let all = boxes.enumerated().flatMap { number, entry in
            entry.box.happenings.enumerated().map { (number: number, place: $0, name: entry.name, happening: $1) }
        }
        for (_, box) in boxes { box.happenings = [] }
        let sorted = all.filter { wanted.contains($0.happening.kind) }.sorted {
            ($0.happening.at, $0.number, $0.place) < ($1.happening.at, $1.number, $1.place)
        }
        return sorted.map { $0.happening.json(of: $0.name) }
    }

    // MARK: Connections

    private func connect(_ request: JSONField) throws -> [String: JSON] {
        try request.only(["id", "do", "from", "to"] + Cable.keys)
        let (from, to) = (try request.needed("from"), try request.needed("to"))
        let (source, target) = (boxes[try index(from)], boxes[try index(to)])
        guard source.name != target.name else { throw to.refused("is the same box") }
        let cable = try Cable(request, from: source, to: target)
        guard !cables.contains(where: { $0.isLike(cable) }) else {
            throw to.refused("has this cable already; disconnect it first")
        }
        cables.append(cable)
        connectCables()
        return [:]
    }

    private func disconnect(_ request: JSONField) throws -> [String: JSON] {
        try request.only(["id", "do", "from", "to", "cable"])
        let (from, to) = (try request.needed("from").string(), try request.needed("to").string())
        let kind: Cable.Kind = try request.needed("cable").choice()
        guard let cable = cables.first(where: { ($0.from, $0.to, $0.kind) == (from, to, kind) }) else {
            throw FormatError("cable", "is not there")
        }
        remove(cable)
        return [:]
    }

    private func remove(_ cable: Cable) {
        cable.unplug(at: now)
        cables.removeAll { $0 === cable }
        connectCables()
    }

    /// Gives each box the cables that leave it.
    private func connectCables() {
        for (name, box) in boxes {
            let leaving = cables.filter { $0.from == name }
            let (midi, pulse) = (leaving.filter { $0.kind == .midi }, leaving.filter { $0.kind == .pulse })
            box.onMIDI = midi.isEmpty ? nil : { time, bytes in for cable in midi { cable.take(bytes, at: time) } }
            box.onPulse = pulse.isEmpty ? nil : { time in for cable in pulse { cable.take([], at: time) } }
        }
    }

    // MARK: Smaller

    private func shrink(_ request: JSONField) throws -> [String: JSON] {
        try request.only(["id", "do", "new", "lines", "until", "ms", "tries"])
        let part = try request.needed("new")
        let recipe = try BoxRecipe(part, [], version: softwareVersion)
        let awaited = try Awaited(try request.needed("until"))
        let rest = try request.part("ms")?.number(in: Self.times) ?? 2000
        var shrinker = Shrinker(
            recipe: recipe, files: files, awaited: awaited,
            rest: Instant.Span(milliseconds: rest),
            tries: try request.part("tries")?.integer(in: 1...1_000_000) ?? 1000)
        let lines = try shrinker.shrink(try request.needed("lines").list().map { $0.value })
        return ["lines": .array(lines), "tried": .integer(shrinker.tried)]
    }
}
