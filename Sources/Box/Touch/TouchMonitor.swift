import InputEvents
import Display
import Formats
import Glibc
import Instrument
import Input
import Runtime

/// Prints the contacts' changes, a line each, and draws the contacts on the panel.
package struct TouchMonitor {
    private var input: TouchInput
    private let start: Instant
    private let output: OutputFile
    private var fingers: [FingerReport] = []
    /// Position of each finger that is down.
    private var places = [Touch?](repeating: nil, count: Touch.contactsMax)

    /// A monitor of `sources` over a panel of `columns`, whose lines count from `start`.
    package init(_ sources: [any TouchSource], columns: Int, since start: Instant) throws {
        output = try OutputFile("-")
        input = TouchInput(sources, columns: columns, rows: Instrument.rows)
        self.start = start
    }

    /// Time of the next call that is due without new input.
    package var nextDeadline: Instant? { input.nextDeadline }

    /// Reads the input up to `now`.
    package mutating func read(at now: Instant) {
        fingers.removeAll(keepingCapacity: true)
        input.read(at: now, into: &fingers)
        for finger in fingers {
            let touch = finger.touch
            places[touch.contact] = touch.phase == .down || touch.phase == .move ? touch : nil
            output.append(finger.line(since: start).utf8)
        }
    }

    /// Writes the lines to standard output. Throws if that fails.
    package func flush() throws { try output.finish() }

    /// Draws the fingers: the LED of each, in a colour of its own, and the LEDs around it.
    package func draw(into frame: inout Frame) {
        frame.fill(.black)
        for case let touch? in places {
            let (column, row) = (Int((touch.column + 0.5).rounded(.down)), Int((touch.row + 0.5).rounded(.down)))
            // As many hues as fingers, neighbours far apart.
            let hue = Float(touch.contact * 7 % Touch.contactsMax) * 360 / Float(Touch.contactsMax)
            for (x, y) in [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
            where (0..<frame.columns).contains(x) && (0..<frame.rows).contains(y) {
                frame[x, y] = .hsl(hue, 1, 0.15)
            }
            frame[column, row] = .hsl(hue, 1, 0.6)
        }
    }
}
