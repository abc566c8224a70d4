import InputEvents
import Documents
import Input
import Instrument
import Runtime

/// Plays a touch script: its touches on a simulated overlay, all else through a control mailbox.
public final class ScriptPlayer: ScriptedInput {
    /// The overlay of the script's touches.
    public let overlay: SimulatedOverlay
    /// The mailbox of the script's keys and settings.
    public let keyboard: ControlMailbox
    /// Called with what happens to the other devices.
    var onDevice: ((DeviceAct) -> Void)?

    private var lines: [TouchScript.Line]
    private var next = 0
    /// The MIDI ports' numbers by their names, their cables by number, and the one whose clock is followed, as in the
    /// box.
    private var ports: [String: Int] = [:]
    private var cables: [MIDICable] = []
    private var clock = ClockPort()

    /// A player of `script` over a panel of `columns` × `rows`.
    public init(_ script: TouchScript, columns: Int, rows: Int) {
        lines = script.lines
        overlay = SimulatedOverlay(columns: columns, rows: rows, onPost: {})
        keyboard = ControlMailbox(most: .max, onPost: {})
    }

    /// Adds `line` behind all that are not later; it is not earlier than those that were played.
    func add(_ line: TouchScript.Line) {
        let place = lines[next...].lastIndex { $0.at <= line.at }.map { $0 + 1 } ?? next
        lines.insert(line, at: place)
    }

    /// Time of the next line, or at which a MIDI cable has been silent for too long; nil at the end.
    public var nextInput: Instant? { (cables.compactMap { $0.silence } + [nextLine?.at].compactMap { $0 }).min() }

    private var nextLine: TouchScript.Line? { lines.indices.contains(next) ? lines[next] : nil }

    /// Plays all lines that are due by `now`.
    public func play(until now: Instant) {
        while let due = nextInput, due <= now {
            guard let line = nextLine, line.at == due else {
                for number in cables.indices { post(cables[number].advance(to: due), from: number, at: due) }
                continue
            }
            next += 1
            switch line.act {
            case .control(let event): keyboard.post(event, at: line.at)
            case .midi(let bytes, let port):
                let number = number(ofPort: port ?? "")
                for byte in bytes { post(cables[number].receive(byte, at: line.at), from: number, at: line.at) }
            case .device(.overlay(let act)): overlay.perform(act, at: line.at)
            case .device(.unplug(let port)):
                let number = number(ofPort: port)
                clock.unplug(number)
                post(cables[number].release(), from: number, at: line.at)
            case .device(let act): onDevice?(act)
            case .result, .sceneTaken: break
            case .touch(let contact, let phase, let column, let row, let delay):
                overlay.post(
                    ContactChange(time: line.at, contact: contact, phase: phase, x: column, y: row, delay: delay))
            }
        }
    }

    private func post(_ messages: [MIDIMessage], from port: Int, at now: Instant) {
        for message in messages where clock.accepts(message, from: port, at: now) {
            keyboard.post(.midi(message), at: now)
        }
    }

    private func number(ofPort name: String) -> Int {
        if let number = ports[name] { return number }
        ports[name] = cables.count
        cables.append(MIDICable())
        return cables.count - 1
    }
}
