import Formats
import Instrument
import Runtime

/// Plays a touch script: its fingers on a simulated overlay, its keys and settings on a simulated keyboard.
public final class ScriptPlayer: ScriptedInput {
    /// The overlay that its fingers touch.
    public let overlay: SimulatedOverlay
    /// The keyboard that its keys and settings are on.
    public let keyboard: ControlMailbox

    private var lines: [TouchScript.Line]
    private var next = 0

    /// A player of `script` over a panel of `columns` × `rows`.
    public init(_ script: TouchScript, columns: Int, rows: Int) {
        lines = script.lines
        overlay = SimulatedOverlay(columns: columns, rows: rows, onPost: {})
        keyboard = ControlMailbox(onPost: {})
    }

    /// Adds a key to what is played; `time` is no earlier than anything in the script.
    public func append(_ key: Key, at time: Instant) {
        lines.append(TouchScript.Line(at: time, act: .control(.key(key))))
    }

    /// When the next line is due.
    public var nextInput: Instant? { next < lines.count ? lines[next].at : nil }

    /// Plays every line that is due by `now`.
    public func play(until now: Instant) {
        while let line = lines.indices.contains(next) ? lines[next] : nil, line.at <= now {
            next += 1
            switch line.act {
            case .control(let event): keyboard.post(event, at: line.at)
            case .touch(let contact, let phase, let column, let row):
                overlay.post(ContactChange(time: line.at, contact: contact, phase: phase, x: column, y: row))
            }
        }
    }
}
