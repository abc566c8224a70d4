import Documents
import Instrument

/// The scenes' own sounds in a column: a JSON object with an entry for each scene, by its number from 0. The entry has the
/// values of the sound, as in `SoundText`, and the mutes, as in the session: `{"2": {"muted": 4, "sound": {…}}}`. An
/// undo step also has a scene that has no own sound on its side, as null, and under `values` the scene whose own sound
/// the step's values are. Null for none.
enum OwnSoundText {
    private static let values = "values"

    static func value(of sounds: TuneSounds) -> Value {
        text((0..<Scenes.count).compactMap { slot in sounds[own: slot].map { ("\(slot)", json(of: $0)) } })
    }

    static func value(of step: History.Step) -> Value {
        let own = step.own.map { [("\($0.slot)", $0.sound.map(json) ?? .null)] } ?? []
        return text(own + (step.owner.map { [(values, .integer($0))] } ?? []))
    }

    /// Reads the own sounds of the scenes.
    static func read(_ fields: inout Fields, into sounds: inout TuneSounds) throws {
        for (key, value) in try entries(&fields) {
            guard let slot = slot(key), let sound = sound(value) else { throw refused(fields) }
            sounds[own: slot] = sound
        }
    }

    /// Reads what an undo step has.
    static func read(_ fields: inout Fields, into step: inout History.Step) throws {
        for (key, value) in try entries(&fields) {
            if key == values, let slot = slot(value) {
                step.owner = slot
            } else if step.own == nil, let slot = slot(key), value == .null || sound(value) != nil {
                step.own = History.OwnSound(slot: slot, sound: sound(value))
            } else {
                throw refused(fields)
            }
        }
    }

    private static func refused(_ fields: Fields) -> any Error { fields.refused("own", "is no scenes' own sound") }

    private static func text(_ entries: [(String, JSON)]) -> Value {
        entries.isEmpty
            ? .null : .text(JSON.object(Dictionary(uniqueKeysWithValues: entries)).text(pretty: false))
    }

    private static func entries(_ fields: inout Fields) throws -> [String: JSON] {
        guard let text = try fields.orNull({ try $0.text("own") }) else { return [:] }
        guard case .object(let entries)? = try? JSON(parsing: Array(text.utf8)), !entries.isEmpty else {
            throw refused(fields)
        }
        return entries
    }

    private static func slot(_ key: String) -> Int? { (0..<Scenes.count).first { "\($0)" == key } }

    private static func slot(_ value: JSON) -> Int? {
        if case .number(let digits) = value { slot(digits) } else { nil }
    }

    private static func json(of sound: SceneSound) -> JSON {
        .object(["muted": .integer(Int(sound.muted.rawValue)), "sound": SoundText.json(of: sound.settings.entries)])
    }

    /// The sound of an entry; nil if it is none.
    private static func sound(_ value: JSON) -> SceneSound? {
        guard case .object(let parts) = value, parts.count == 2, case .number(let digits)? = parts["muted"],
            let muted = UInt8(digits), muted <= TrackSet(Track.allCases).rawValue,
            let words = parts["sound"].flatMap({ SoundText.words(in: $0) })
        else { return nil }
        let entries = words.compactMap { word, value in value.map { (word: word, value: $0) } }
        guard entries.count == words.count, let settings = SoundSettings(entries: entries) else { return nil }
        return SceneSound(settings, muted: TrackSet(rawValue: muted))
    }
}
