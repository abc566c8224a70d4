import Instrument

// The sound in a document: a nested object by the words of `SoundControl.path`, with only the values that differ from the
// defaults.

extension SoundSettings {
    /// The controls that differ from their defaults.
    public var turned: [SoundControl] { SoundControl.allCases.filter { self[$0] != $0.defaultValue } }

    /// Reads the settings in `field`; missing ones have their defaults, and unknown ones are ignored. Throws `FormatError`
    /// with the path of the first value that is out of range or of the wrong type.
    init(_ field: JSONField) throws(FormatError) {
        self.init()
        for control in SoundControl.allCases {
            if let value = try field.part(at: control.path) { self[control] = try value.integer(in: control.range) }
        }
    }

    /// `others` with all settings that differ from their defaults; nil if the result is empty.
    func written(beside others: JSON?) -> JSON? {
        turned.reduce(others) { JSON.setting($0, $1.path[...], to: .integer(self[$1])) }
    }

    /// The parts that are not known settings; nil if there are none.
    static func others(in parts: JSON?) -> JSON? {
        SoundControl.allCases.reduce(parts) { JSON.setting($0, $1.path[...], to: nil) }
    }
}

extension JSONField {
    /// The part at `path`, from the outside in; nil if it does not exist.
    fileprivate func part(at path: [String]) throws(FormatError) -> JSONField? {
        var field = self
        for name in path {
            guard let part = try field.part(name) else { return nil }
            field = part
        }
        return field
    }
}

extension JSON {
    /// `object` with `value` at `path`; a nil `value` removes the part, and objects that become empty.
    fileprivate static func setting(_ object: JSON?, _ path: ArraySlice<String>, to value: JSON?) -> JSON? {
        guard let name = path.first else { return value }
        var parts: [String: JSON] = [:]
        if case .object(let found)? = object { parts = found }
        parts[name] = setting(parts[name], path.dropFirst(), to: value)
        return parts.isEmpty ? nil : .object(parts)
    }
}
