import InputEvents
import Instrument

/// The messages of Open Sound Control by which programs play the box, and by which it tells of itself (docs/osc.md).
public struct RemoteWords: Sendable {
    /// What was told last; nil before the first time.
    private var told: Told?

    private struct Told: Sendable {
        var transport: [OSCMessage]
        var step: Int
        var sound: SoundSettings
    }

    private static let root = "/pixelboop/"

    /// Nothing is told yet.
    public init() {}

    // MARK: To the box

    /// The event that `message` asks for; nil for none, or one that makes no sense. Tracks have the channels
    /// `channels`.
    public static func event(_ message: OSCMessage, _ channels: TrackChannels) -> Instrument.Event? {
        guard message.address.hasPrefix(root) else { return nil }
        let word = message.address.dropFirst(root.count)
        let values = message.arguments
        switch (word, values.count) {
        case ("play", 0...1): return isOff(values.first) ? nil : .remote(.play)
        case ("stop", 0...1): return isOff(values.first) ? nil : .remote(.stop)
        case ("tempo", 1):
            guard let bpm = values[0].number, bpm.magnitude < 1000 else { return nil }
            let tempo = Tempo(nearest: bpm)
            return Tempo.range.contains(tempo) ? .remote(.tempo(tempo)) : nil
        case ("scene", 1):
            guard let number = values[0].integer, (1...Scenes.count).contains(number) else { return nil }
            return .remote(.scene(number - 1))
        case ("part", 2):
            guard let track = track(values[0]), let number = values[1].integer, (1...Scenes.count).contains(number)
            else {
                return nil
            }
            return .remote(.part(track, number - 1))
        case ("mute", 2), ("solo", 2):
            guard let track = track(values[0]), let number = values[1].integer else { return nil }
            return .remote(word == "mute" ? .mute(track, number != 0) : .solo(track, number != 0))
        case ("record", 1): return values[0].integer.map { .record($0 != 0) }
        case ("note", 3):
            guard let channel = track(values[0]).flatMap({ channels[$0] }), let key = values[1].integer,
                let velocity = values[2].integer, (0...127).contains(key), (0...127).contains(velocity)
            else { return nil }
            return .midi(
                velocity == 0
                    ? .noteOff(channel: channel, key: key)
                    : .noteOn(channel: channel, key: key, velocity: velocity))
        default: return sound(word, values)
        }
    }

    /// Whether a button of a program was released: it sends 1 and then 0.
    private static func isOff(_ value: OSCMessage.Argument?) -> Bool { value?.integer == 0 }

    private static func track(_ value: OSCMessage.Argument) -> Track? {
        value.text.flatMap { name in Track.allCases.first { $0.name == name } }
    }

    /// `sound/bass/cutoff 64`.
    private static func sound(_ word: Substring, _ values: [OSCMessage.Argument]) -> Instrument.Event? {
        let path = word.split(separator: "/", omittingEmptySubsequences: false)
        guard path.first == "sound", values.count == 1, let number = values[0].number,
            let control = SoundControl(word: path.dropFirst().joined(separator: ".")), number.magnitude < 1e9
        else { return nil }
        let value = Int(number.rounded())
        return control.range.contains(value) ? .sound(control, value) : nil
    }

    // MARK: From the box

    /// The messages about what has changed in `state` since the last call.
    public mutating func changes(_ state: Instrument.State) -> [OSCMessage] {
        let now = Told(
            transport: Self.transport(state), step: (state.transport.playhead?.step ?? -1) + 1,
            sound: state.session.sound)
        defer { told = now }
        guard let told else { return [] }
        var messages = zip(now.transport, told.transport).filter { $0 != $1 }.map { $0.0 }
        if now.step != told.step { messages.append(OSCMessage(Self.root + "step", .int(Int32(now.step)))) }
        guard now.sound != told.sound else { return messages }
        for control in SoundControl.allCases where now.sound[control] != told.sound[control] {
            let address = Self.root + "sound/" + control.path.joined(separator: "/")
            messages.append(OSCMessage(address, .int(Int32(clamping: now.sound[control]))))
        }
        return messages
    }

    /// The messages for a program that has just come.
    public static func welcome(_ state: Instrument.State) -> [OSCMessage] { transport(state) }

    private static func transport(_ state: Instrument.State) -> [OSCMessage] {
        func bit(_ isOn: Bool) -> OSCMessage.Argument { .int(isOn ? 1 : 0) }
        var messages = [
            OSCMessage(root + "playing", bit(state.isPlaying)),
            OSCMessage(root + "recording", bit(state.recording.isOn)),
            OSCMessage(root + "tempo", .float(Float(state.heardTempo))),
            OSCMessage(root + "scene", .int(Int32((state.scene ?? -1) + 1))),
        ]
        for track in Track.allCases {
            let scene = state.session.composition.scene(of: track) ?? -1
            messages.append(OSCMessage(root + "part", .string(track.name), .int(Int32(scene + 1))))
            messages.append(
                OSCMessage(root + "mute", .string(track.name), bit(state.session.muted.contains(track))))
            messages.append(OSCMessage(root + "solo", .string(track.name), bit(state.session.soloed == track)))
        }
        return messages
    }
}
