import Box
import Devices
import Formats
import Instrument

// Doctor's checks of MIDI.

extension Doctor {
    /// The MIDI ports of this machine, and what they are connected to.
    static func midi(_ setup: DoctorSetup) -> [Finding] {
        let settings = setup.configuration.midi
        guard settings.isEnabled else { return [.ok("off by configuration")] }
        return midiPorts(setup, settings) + (settings.uart.map { sockets($0, setup) } ?? [])
            + Track.allCases.map { .ok(sent(by: $0, settings)) }
    }

    /// The channel and the controllers that `track` sends.
    private static func sent(by track: Track, _ settings: Configuration.MIDISettings) -> String {
        guard let channel = settings.channels.sent(track) else { return "\(track.name): not sent" }
        let controllers = TrackControllers.controls.compactMap { control -> String? in
            guard SoundSettings().isAvailable(.track(track, control)) else { return nil }
            return settings.controllers[track, control].map { "\(control.key) \($0)" }
        }
        let members = settings.channels.notes(of: track)
        let zone = members.count > 1 ? " and \(members[0] + 1) to \(members[members.count - 1] + 1) by MPE" : ""
        return "\(track.name): out on channel \(channel + 1)\(zone)"
            + (controllers.isEmpty ? "" : ", controllers \(controllers.joined(separator: ", "))")
    }

    /// Whether the serial line at `path` opens, and is that of the sockets alone.
    private static func sockets(_ path: String, _ setup: DoctorSetup) -> [Finding] {
        let remarks = setup.board.remarks(onSockets: path).map(Finding.init)
        guard let failure = MIDISockets.failure(of: path) else {
            return remarks.isEmpty ? [.ok("sockets at \(path)")] : remarks
        }
        if failure.isInUse, setup.player != nil {
            return [.ok("sockets at \(path), in use by the running box")] + remarks
        }
        return remarks.isEmpty ? [.missing(isNamed: true, failure)] : remarks
    }

    private static func midiPorts(_ setup: DoctorSetup, _ settings: Configuration.MIDISettings) -> [Finding] {
        let ports: [MIDISurvey.Port]
        do throws(DeviceFailure) {
            ports = try MIDISurvey.ports(chosenBy: MIDIPorts.Options(settings))
        } catch {
            let isNamed = setup.names("midi", "ports") || setup.names("midi", "clock")
            return [isNamed ? .missing(isNamed: true, error) : .ok("\(error)")]
        }
        let missing = (settings.ports ?? []).filter { name in !ports.contains { $0.isCalled(name) } }
        if ports.isEmpty, missing.isEmpty { return [.ok("no MIDI device; one may be plugged in at any time")] }
        return ports.map { .ok($0.description) }
            + missing.map {
                .missing(isNamed: false, "no MIDI port is called \($0)", fix: "plug it in, or correct midi.ports")
            }
    }
}
