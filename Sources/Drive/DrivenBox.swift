import Display
import Documents
import InputEvents
import Instrument
import Panel
import Replay
import Runtime

/// A virtual box in the hands of a program.
final class DrivenBox {
    let recipe: BoxRecipe
    let box: VirtualBox
    let library: (any BenchLibrary)?
    /// Channels of its sound.
    let channels: Int
    /// All that was sent to it, with its times.
    private(set) var lines: [(at: Instant, line: JSON)] = []
    /// What it did since this was emptied.
    var happenings: [Happening] = []
    /// The kinds of happenings that are kept.
    var wanted = Happening.Kind.usual
    /// Takes its MIDI messages, with the times at which they are heard.
    var onMIDI: ((Instant, [UInt8]) -> Void)?
    /// Takes the pulses of its clock jack.
    var onPulse: ((Instant) -> Void)?
    var sound: KeptSound
    private(set) var wires: [KeptWire]
    private var words = PanelWords()
    private var step: Instrument.Transport.Playhead?
    private var isOff = false

    private let files: any BenchFiles

    /// The box of `recipe`, at time 0. Throws if a file cannot be read or the panel is impossible.
    init(_ recipe: BoxRecipe, _ files: any BenchFiles) throws {
        self.recipe = recipe
        self.files = files
        let (plan, library) = try recipe.prepare(files)
        self.library = library
        channels = plan.channels
        sound = KeptSound(channels: channels, framesMax: Int(recipe.keptSeconds * Double(plan.rate)))
        let span = Instant.Span(microseconds: Int64(recipe.keptSeconds * 1_000_000))
        wires = plan.panel.chains.map { _ in KeptWire(span: span) }
        let relay = Relay()
        box = try VirtualBox(plan, relay.observers(keepsOutput: recipe.keptSeconds > 0))
        // The relay comes first: a box begins with its observers.
        relay.box = self
        box.loop.onPass = { [unowned self] now in look(at: now) }
    }

    /// Passes what the box's parts do to the box.
    private final class Relay {
        weak var box: DrivenBox?
        private var now: Instant { box?.box.clock.now ?? .zero }

        func observers(keepsOutput: Bool) -> Replay.Observers {
            var observers = Replay.Observers()
            observers.note = { [self] in box?.add($0) }
            observers.midi = { [self] in box?.add($0) }
            observers.pulse = { [self] in box?.addPulse(at: $0) }
            observers.job = { [self] job in box?.add(Happening(job, at: now), .job) }
            observers.wire = { [self] in box?.wires[$1].append($0, at: $2) }
            guard keepsOutput else { return observers }
            observers.frame = { [self] _, time in box?.add(Happening(.picture, at: time), .picture) }
            observers.sound = { [self] in box?.sound.append($0) }
            return observers
        }
    }

    // MARK: What it does

    private func add(_ happening: @autoclosure () -> Happening, _ kind: Happening.Kind) {
        if wanted.contains(kind) { happenings.append(happening()) }
    }

    private func add(_ note: NoteEvent) {
        let frame = UInt64((note.milliseconds * Double(box.rate) / 1000).rounded())
        add(Happening(note, at: box.time(of: frame), rate: box.rate), .note)
    }

    private func add(_ message: MIDISender.Message) {
        let time = box.time(of: message.frame)
        onMIDI?(time, message.bytes)
        let happening = Happening(message, at: time)
        add(happening, happening.kind)
    }

    private func addPulse(at time: Instant) {
        onPulse?(time)
        add(Happening(.pulse, at: time), .pulse)
    }

    /// Looks for what has changed after a pass of the loop.
    private func look(at now: Instant) {
        let playhead = box.loop.instrument.state.transport.playhead
        if playhead != step {
            step = playhead
            if let playhead { add(Happening(playhead), .step) }
        }
        let words = box.loop.instrument.words
        guard words != self.words else { return }
        self.words = words
        add(Happening(words, at: now), .word)
    }

    // MARK: What is done to it

    /// Sends `line`, which is read from `json`. It is not before the present time.
    func send(_ line: TouchScript.Line, _ json: [String: JSON]) {
        box.send(line)
        var json = json
        json["at"] = .number(line.at)
        json["after"] = nil
        lines.append((line.at, .object(json)))
    }

    /// Lets time pass until just before `time`.
    func run(before time: Instant) {
        guard !isOff else { return }
        box.loop.run(until: time - .microsecond)
        let now = box.clock.now
        for notice in library?.takeNotices() ?? [] {
            add(Happening(.log, at: now, ["line": .string(notice)]), .log)
        }
        if box.loop.isSwitchedOff {
            isOff = true
            add(Happening(.powerOff, at: now), .powerOff)
        }
    }

    /// A box made as this one was, to which the same was sent, just before `time`.
    func copy(before time: Instant) throws -> DrivenBox {
        let copy = try DrivenBox(recipe, files)
        try copy.repeat(lines.map { $0.line })
        copy.catchUp(to: time)
        return copy
    }

    /// Lets time pass until just before `time`, without a trace.
    func catchUp(to time: Instant) {
        guard time > .zero else { return }
        run(before: time)
        happenings = []
        _ = sound.take()
        for chain in wires.indices { _ = wires[chain].take(at: time) }
    }

    /// Sends `lines` of a recording again.
    func `repeat`(_ lines: [JSON]) throws(FormatError) {
        var last = Instant.zero
        for (index, line) in lines.enumerated() {
            let field = JSONField(line, path: "lines[\(index)]")
            let line = try ScriptLine(field, after: &last, columns: columns)
            send(line.line, line.keys)
        }
    }

    // MARK: Its output

    /// Throws if it has none of `what`, because it keeps nothing.
    func checkKeeps(_ what: String) throws(FormatError) {
        guard recipe.keptSeconds > 0 else { throw FormatError("box", "has no \(what): it was made with keep 0") }
    }

    /// The messages to the chains since the last call.
    func takeWires(at now: Instant) -> [JSON] { wires.indices.map { wires[$0].take(at: now) } }
}

extension Instant.Span {
    /// The smallest.
    static let microsecond = Instant.Span(microseconds: 1)
}
