import Documents
import Input
import InputEvents
import Instrument
import Panel
import Replay
import Runtime

/// The whole box in a browser: the loop, the engine, a simulated panel and overlay, and the library. Its time is the
/// number of frames of its sound: the page renders them one after the other.
///
/// It talks with the page by the messages of the box's own page, `PageMessage` and `BoxMessage`.
package final class BrowserBox {
    /// Frames rendered in one pass of the loop.
    private static let block = 128
    /// Maximum frames of one call.
    package static let framesMax = 8192
    /// Time between two reports: the page takes a box as lost after three seconds without a message.
    private static let reportInterval = Instant.Span.milliseconds(1000)

    private let loop: Loop
    private let clock = VirtualClock(inputs: [])
    private let audio: VirtualAudio
    private let sound: HeldSound
    private let panel: DirectPanel
    private let light: SimulatedPanel
    private let overlay: SimulatedOverlay
    private let controls = ControlMailbox(onPost: {})
    private let library: BrowserLibrary
    private let samples: BrowserSamples
    private let takes: TakeDownload
    private let output: OutputHandler
    private let columns: Int
    private let rate: Int

    private var rendered: UInt64 = 0
    private var isGreeted = false
    private var shownFrames = 0
    private var picture: UInt32 = 0
    private var inFlight = FramesInFlight()
    private var words = PanelWords()
    private var cables: [MIDICable] = []
    private var clockPort = ClockPort()
    private var lastReport: (time: Instant, frames: Int, bytes: Int)?
    private var facts = Facts()
    private let message: UnsafeMutableRawBufferPointer

    /// A box that plays at `rate`, with what `library` and `samples` have. Nil for a rate that the engine does not have.
    /// `version` is the software's version. Its outputs go to `output`.
    package init?(
        rate: Int, version: String, _ library: BrowserLibrary, _ samples: BrowserSamples,
        output: @escaping OutputHandler
    ) {
        let configuration = PanelConfiguration()
        guard let engine = Engine(rate: rate), let light = try? SimulatedPanel(configuration),
            let driver = try? PanelDriver(configuration)
        else { return nil }
        (self.rate, self.library, self.samples, self.light, self.output) = (rate, library, samples, light, output)
        takes = TakeDownload(engine, output: output)
        // Without memory for it there are no takes: no bar is heard.
        _ = engine.remember(inRealTime: true)
        columns = configuration.columns
        // The engine's latency is rendered once, before the first frame.
        let sound = HeldSound(capacity: Self.framesMax + 2 * Self.block + engine.latency)
        self.sound = sound
        audio = VirtualAudio(engine, block: Self.block) { sound.append($0) }
        panel = DirectPanel(driver, bus: light)
        overlay = SimulatedOverlay(columns: columns, rows: Instrument.rows, onPost: {})
        message = .allocate(
            byteCount: BoxMessage.headLengthMax + max(3 * columns * Instrument.rows, BoxMessage.wordsLengthMax),
            alignment: 16)
        var instrument = Instrument(columns: columns)
        instrument.load(library.session)
        loop = Loop(
            instrument: instrument, engine: engine, audio: audio, panel: panel, clock: clock, touch: [overlay],
            controls: [controls], store: library, heat: configuration.heat)
        facts.version = version
        facts.address = "IN A BROWSER"
        controls.post(.facts(facts), at: .zero)
        loop.onJob = { [controls, clock, library, samples, takes] job in
            if case .keepTake(let span) = job { return takes.add(span) }
            let events = samples.run(job, engine) ?? library.run(job, at: clock.now)
            for event in events { controls.post(event, at: clock.now) }
        }
    }

    deinit { message.deallocate() }

    /// The time of the box.
    private var now: Instant { clock.now }

    // MARK: Rendering

    /// Renders `frames` frames, at most `framesMax`, as the touches and keys until now have it. Returns them as
    /// interleaved stereo, which is valid until the next call.
    package func render(_ frames: Int) -> UnsafeMutablePointer<Float> {
        let frames = min(max(frames, 0), Self.framesMax)
        sound.removeHandedOut()
        while sound.frames < frames { pass() }
        return sound.handOut(frames)
    }

    private func pass() {
        rendered += UInt64(Self.block)
        loop.run(until: audio.time(of: rendered))
        for port in cables.indices { post(cables[port].advance(to: now)) }
        library.write(at: now, keep)
        if let notice = takes.advance() { controls.post(.notice(notice), at: now) }
        tell()
    }

    // MARK: From the page

    /// Takes a message of the page, `PageMessage`; ignores invalid ones.
    package func receive(_ bytes: UnsafeRawBufferPointer) {
        guard let message = PageMessage(bytes, columns: columns, rows: Instrument.rows) else { return }
        switch message {
        case .contact(let phase, let contact, let x, let y, let heard):
            let delay = heard?.delay(at: now) ?? .milliseconds(0)
            overlay.post(ContactChange(time: now, contact: contact, phase: phase, x: x, y: y, delay: delay))
        case .key(let stroke): controls.post(stroke, at: now)
        case .acknowledge(let number): _ = inFlight.acknowledge(number)
        // The page itself plays what is rendered.
        case .sound: break
        }
    }

    /// Maximum MIDI ports of a browser.
    private static let portsMax = 64

    /// Takes bytes that arrived on the MIDI port `port`; without bytes, the port was unplugged.
    package func receiveMIDI(_ bytes: UnsafeRawBufferPointer, port: Int) {
        guard (0..<Self.portsMax).contains(port) else { return }
        while cables.count <= port { cables.append(MIDICable()) }
        if bytes.isEmpty {
            clockPort.unplug(port)
            post(cables[port].release())
        }
        for byte in bytes {
            post(cables[port].receive(byte, at: now).filter { clockPort.accepts($0, from: port, at: now) })
        }
    }

    private func post(_ messages: [MIDIMessage]) {
        for message in messages { controls.post(.midi(message), at: now) }
    }

    /// Takes a file called `name` that was dropped on the page, at `column` and `row` of the panel. Sounds are WAV files
    /// of 16-bit integers. Gives a line about it.
    package func take(_ bytes: [UInt8], name: String, column: Float, row: Float) {
        do throws(FormatError) {
            if let (kit, line) = try samples.importFile(bytes, name: name) {
                controls.post(.samples(samples.names), at: now)
                controls.post(.dropped(kit, column: column, row: row), at: now)
                return give(line, as: .line, to: output)
            }
            let (line, events) = try library.importFile(bytes, name: name, at: now)
            for event in events { controls.post(event, at: now) }
            give(line, as: .line, to: output)
        } catch {
            give("\(name): \(error.description)", as: .line, to: output)
        }
    }

    /// Opens the music of a link: a document in the exchange format. It is a new tune of the library. Gives the tune's
    /// name as music; a line for a document that is none.
    package func open(_ bytes: [UInt8]) {
        do throws(FormatError) {
            let session = try library.add(bytes, at: now)
            controls.post(.opened(session), at: now)
            give(library.document(of: session).name ?? "", as: .music, to: output)
        } catch {
            give("the link has no tune: \(error.description)", as: .line, to: output)
        }
    }

    /// Gives the playing tune as a document in the exchange format.
    package func giveMusic() {
        give(library.document(of: loop.instrument.state.session).text(), as: .music, to: output)
    }

    /// Gives the playing tune as a Standard MIDI File: its song, or else its pattern once.
    package func giveMIDI() {
        let document = library.document(of: loop.instrument.state.session)
        MIDIFile.tuneBytes(document).withUnsafeBytes { output(.music, $0) }
    }

    /// Writes what was not written, because the page may end.
    package func flush() { library.flush(keep) }

    private func keep(_ name: String, _ bytes: [UInt8]) { giveDocument(name, bytes, to: output) }

    /// Says whether the browser keeps what it is given.
    package func setKeeps(_ keeps: Bool) {
        facts.problem = keeps ? nil : "THIS BROWSER KEEPS NOTHING: EXPORT YOUR TUNES"
        facts.faults = keeps ? [] : .library
        controls.post(.facts(facts), at: now)
    }

    // MARK: To the page

    private func tell() {
        if !isGreeted {
            isGreeted = true
            send(BoxMessage.hello(columns: columns, rows: Instrument.rows, rate: rate, into: message))
            send(words: loop.instrument.words)
        }
        if panel.counters.frames != shownFrames, inFlight.hasRoom {
            shownFrames = panel.counters.frames
            picture = picture == .max ? 1 : picture + 1
            inFlight.send(picture)
            let head = BoxMessage.frame(picture, into: message)
            let pixels = light.pixels
            UnsafeMutableRawBufferPointer(rebasing: message[head...]).copyBytes(from: pixels)
            send(head + pixels.count)
        }
        let words = loop.instrument.words
        if words != self.words { send(words: words) }
        report()
    }

    private func send(words: PanelWords) {
        self.words = words
        let text = BoxMessage.text(of: words)
        let head = BoxMessage.words(isNaming: words.isNaming, into: message)
        UnsafeMutableRawBufferPointer(rebasing: message[head...]).copyBytes(from: text)
        send(head + text.count)
    }

    /// Reports the panel's figures once a second.
    private func report() {
        let counters = panel.counters
        guard let last = lastReport else {
            lastReport = (now, counters.frames, counters.bytes)
            return
        }
        guard now - last.time >= Self.reportInterval else { return }
        lastReport = (now, counters.frames, counters.bytes)
        let seconds = Double((now - last.time).microseconds) / 1_000_000
        let report = PanelReport(
            amps: counters.amps, framesPerSecond: Double(counters.frames - last.frames) / seconds,
            wireBytesPerSecond: Double(counters.bytes - last.bytes) / seconds)
        send(BoxMessage.report(report, into: message))
    }

    private func send(_ length: Int) { output(.message, UnsafeRawBufferPointer(rebasing: message[..<length])) }
}
