import Instrument

// The sound in a document: an object that nests the words of `SoundControl.path`, and holds only what was turned.

extension SoundSettings {
    /// The controls that do not stand at their standards.
    public var turned: [SoundControl] { SoundControl.allCases.filter { self[$0] != $0.defaultValue } }

    /// The settings in `field`, the standard where it names none; what it names beside them is passed over. Throws
    /// `FormatError` with the path of the first that is out of range or of the wrong type.
    init(_ field: JSONField) throws(FormatError) {
        self.init()
        for control in SoundControl.allCases {
            if let value = try field.part(at: control.path) { self[control] = try value.integer(in: control.range) }
        }
    }

    /// `others` with every setting that is not the standard; nil if nothing stands there then.
    func written(beside others: JSON?) -> JSON? {
        turned.reduce(others) { JSON.setting($0, $1.path[...], to: .integer(self[$1])) }
    }

    /// What of `parts` is no setting of ours; nil if that is nothing.
    static func others(in parts: JSON?) -> JSON? {
        SoundControl.allCases.reduce(parts) { JSON.setting($0, $1.path[...], to: nil) }
    }
}

extension JSONField {
    /// The part at `path`, from the outside in, if it is there.
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
    /// `object` with `value` at `path`; if that is nil, without what is there and without the objects that this empties.
    fileprivate static func setting(_ object: JSON?, _ path: ArraySlice<String>, to value: JSON?) -> JSON? {
        guard let name = path.first else { return value }
        var parts: [String: JSON] = [:]
        if case .object(let found)? = object { parts = found }
        parts[name] = setting(parts[name], path.dropFirst(), to: value)
        return parts.isEmpty ? nil : .object(parts)
    }
}
