import Display
import Documents
import InputEvents
import Instrument
import Panel
import Replay

/// A replay as the command `replay` runs it, whose outputs go to the page: the same bytes on every machine.
package enum ScriptRun {
    /// Runs the touch script in `bytes` until two seconds after its last line; at `until`, if given, in milliseconds.
    /// Then plays the pattern `loops` times. Gives the sound, the events, the bytes on the wire, the last picture and
    /// the music. Returns the problem of a script that cannot run.
    package static func run(
        _ bytes: [UInt8], version: String, until: Int?, loops: Int, output: @escaping OutputHandler
    ) -> String? {
        do throws(FormatError) {
            var plan = try replay(of: bytes, version: version)
            plan.until = until.map { Instant(milliseconds: Int64($0)) }
            plan.loops = loops
            var observers = Replay.Observers()
            observers.sound = { output(.sound, UnsafeRawBufferPointer($0)) }
            observers.note = { give($0.line, as: .event, to: output) }
            observers.wire = { message, _, _ in message.withUnsafeBytes { output(.wire, $0) } }
            guard let outcome = try? Replay.run(plan, observers) else { return "the panel cannot be simulated" }
            var pixels: [UInt8] = []
            for pixel in outcome.frame.pixels { pixels += [pixel.red, pixel.green, pixel.blue] }
            pixels.withUnsafeBytes { output(.picture, $0) }
            give(outcome.document.text(), as: .music, to: output)
            return nil
        } catch {
            return error.description
        }
    }

    /// Runs the touch script in `bytes` until two seconds after its last line. Gives the sound, and each frame that
    /// differs from the one before. Returns the problem of a script that cannot run.
    package static func film(_ bytes: [UInt8], version: String, output: @escaping OutputHandler) -> String? {
        do throws(FormatError) {
            let plan = try replay(of: bytes, version: version)
            var observers = Replay.Observers()
            observers.sound = { output(.sound, UnsafeRawBufferPointer($0)) }
            var shown: Frame?
            var message: [UInt8] = []
            observers.frame = { frame, time in
                guard frame != shown else { return }
                shown = frame
                message.removeAll(keepingCapacity: true)
                let bits = (Double(time.microseconds) / 1000).bitPattern
                for place in 0..<8 { message.append(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(place)))) }
                for pixel in frame.pixels { message += [pixel.red, pixel.green, pixel.blue] }
                message.withUnsafeBytes { output(.frame, $0) }
            }
            return (try? Replay.run(plan, observers)) == nil ? "the panel cannot be simulated" : nil
        } catch {
            return error.description
        }
    }

    /// The replay of the touch script in `bytes`, on a box of this `version`.
    private static func replay(of bytes: [UInt8], version: String) throws(FormatError) -> Replay.Plan {
        var plan = Replay.Plan(try TouchScript(parsing: bytes))
        plan.initialEvents = [.facts(Facts(version: version))]
        return plan
    }
}
