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
    private(set) var box: VirtualBox
    private(set) var library: (any BenchLibrary)?
    /// Channels of its sound.
    let channels: Int
    /// All that was sent to it, in the order in which it acts: by time, and of the same time as it was sent.
    private(set) var lines: [ScriptLine] = []
    /// Number of lines that were for it before its last power cut, and of the power cuts to come.
    private var (begun, cuts) = (0, 0)
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
    private var relay: Relay
    /// The problem of the library that the box knows.
    private var problem: String?
    private var nextReport = Instant.zero
    /// Time between two reports of the library, as of a box.
    private static let reportInterval = Instant.Span.milliseconds(1000)

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
        relay = Relay()
        box = try VirtualBox(plan, relay.observers(keepsOutput: recipe.keptSeconds > 0))
        attach()
    }

    /// Observes the box. Its relay comes first: a box begins with its observers.
    private func attach() {
        relay.box = self
        box.loop.onPass = { [unowned self] now in look(at: now) }
    }

    /// Passes what the box's parts do to the box.
    private final class Relay {
        weak var box: DrivenBox?
        /// Samples that were rendered without it.
        private(set) var unheard = 0
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
            observers.sound = { [self] samples in
                if let box { box.sound.append(samples) } else { unheard += samples.count }
            }
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
        report(at: now)
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

    /// Writes to the library what is due, and tells the box what is new about it, as its reporter does.
    private func report(at now: Instant) {
        guard let library else { return }
        library.pass(at: now)
        guard now >= nextReport else { return }
        nextReport = now + Self.reportInterval
        var (lines, events) = library.report()
        if library.problem != problem {
            problem = library.problem
            events.append(.facts(recipe.facts(problem)))
        }
        for line in lines { add(Happening(.log, at: now, ["line": .string(line)]), .log) }
        for event in events { box.send(TouchScript.Line(at: now, act: .control(event))) }
    }

    // MARK: What is done to it

    /// Sends `line`. It is not before the present time.
    func send(_ line: ScriptLine) {
        let place = lines.lastIndex { $0.at <= line.at }.map { $0 + 1 } ?? 0
        lines.insert(line, at: place)
        guard let act = line.line else { return cuts += 1 }
        // What comes after a power cut is for the box that begins then.
        if nextCut.map({ $0 > place }) ?? true { box.send(act) }
    }

    /// The place of the next power cut in the lines; nil if none is to come.
    private var nextCut: Int? { cuts > 0 ? lines[begun...].firstIndex { $0.line == nil } : nil }

    /// Lets time pass until just before `time`.
    func run(before time: Instant) {
        while let cut = nextCut, lines[cut].at < time {
            runThrough(until: lines[cut].at)
            begin(after: cut)
        }
        runThrough(until: time - .microsecond)
    }

    private func runThrough(until time: Instant) {
        guard !isOff else { return }
        box.loop.run(until: time)
        if box.loop.isSwitchedOff {
            isOff = true
            add(Happening(.powerOff, at: box.clock.now), .powerOff)
        }
    }

    /// The power was cut by the line at `cut`, and is there again: the box begins anew, with what is on its disk.
    private func begin(after cut: Int) {
        let time = lines[cut].at
        (begun, cuts) = (cut + 1, cuts - 1)
        relay.box = nil
        relay = Relay()
        (isOff, problem, step, words) = (false, nil, nil, PanelWords())
        do {
            let (plan, left) = try recipe.prepare(files, after: library)
            box = try VirtualBox(plan, relay.observers(keepsOutput: recipe.keptSeconds > 0))
            library = left
        } catch {
            isOff = true
            return add(Happening(.log, at: time, ["line": .string("the box does not begin again: \(error)")]), .log)
        }
        // Its clock goes on from the cut: nobody saw it before.
        box.loop.run(until: time)
        nextReport = time
        // A box that was switched off was silent.
        sound.fill(to: relay.unheard / channels)
        attach()
        for line in lines[begun..<(nextCut ?? lines.endIndex)] { if let act = line.line { box.send(act) } }
    }

    /// A box made as this one was, to which the same was sent, just before `time`.
    func copy(before time: Instant) throws -> DrivenBox {
        let copy = try DrivenBox(recipe, files)
        try copy.repeat(lines.map(\.json))
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
            send(try ScriptLine(field, after: &last, columns: columns))
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
