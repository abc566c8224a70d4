import Instrument

/// A sound as a file: a JSON object with its name and its values, as in the object of a track in a pattern's sound.
public struct SoundDocument: Hashable, Sendable {
    /// The sound.
    public var preset: SoundPreset

    /// The file of `preset`.
    public init(_ preset: SoundPreset) { self.preset = preset }

    /// Reads a file, completely or not at all; unknown keys are ignored. Throws `FormatError` with the path of the
    /// first value that is missing, out of range or of the wrong type.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let root = JSONField(try JSON(parsing: bytes))
        let name = try root.needed("name").soundName()
        preset = try SoundPreset(root.needed("sound"), named: name)
    }

    /// The file as text: pretty-printed, with sorted keys and a final line feed.
    public func text() -> String {
        JSON.object(["name": .string(preset.name.text), "sound": preset.values]).text(pretty: true) + "\n"
    }
}

extension SoundPreset {
    /// The sound in `field`, under `name`. One with a kit is for rhythm, one without for the other tracks. Missing
    /// values are the defaults of rhythm, or of melody.
    init(_ field: JSONField, named name: SoundName) throws(FormatError) {
        let kit = try field.part("kit")
        if let kit, try field.part("model") != nil {
            throw kit.refused("cannot be beside a model: a kit is for rhythm, a model for the other tracks")
        }
        let kind = kit == nil ? Kind.melodic : .kit
        var settings = SoundSettings()
        try settings.read(field, of: kind.track)
        self.init(settings, of: kind.track, named: name)
    }

    /// The sound that `text`, a JSON object, describes.
    public init(text: String, named name: SoundName) throws(FormatError) {
        try self.init(JSONField(try JSON(parsing: Array(text.utf8))), named: name)
    }

    /// The values as in the object of a track, with the model or kit always among them.
    public var values: JSON {
        var settings = SoundSettings()
        settings.choose(self, for: kind.track)
        settings[nameOf: kind.track] = nil
        let model = SoundControl.track(kind.track, .model)
        var values = Dictionary(pairs: settings.written(of: kind.track).map { ($0.key, $0.value) })
        values[kind == .kit ? "kit" : "model"] = settings.value(of: model)
        return .object(values)
    }
}
