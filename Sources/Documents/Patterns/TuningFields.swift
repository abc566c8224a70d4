import Instrument

// The keys of a tuning in a pattern's document (docs/formats.md).

extension Tuning {
    static let keys = ["tuning", "a4", "tuningName"]

    /// The keys that differ from equal temperament at 440 Hz.
    var written: [String: JSON] {
        var parts: [String: JSON] = [:]
        if !isEqual { parts["tuning"] = .thousandths(cents) }
        if a4 != Tuning().a4 { parts["a4"] = .thousandths(a4) }
        parts["tuningName"] = name.map { .string($0.text) }
        return parts
    }

    /// The tuning in the object `field`. Missing keys mean equal temperament at 440 Hz.
    init(_ field: JSONField) throws(FormatError) {
        self.init(
            cents: try field.part("tuning")?.cents() ?? Tuning().cents, name: try field.part("tuningName")?.soundName(),
            a4: try field.part("a4")?.thousandths(in: Tuning.references) ?? Tuning().a4)
    }
}

extension OwnTuning {
    /// The keys of its notes and of A4, as in a pattern.
    public var values: JSON {
        var parts = ["tuning": JSON.thousandths(cents)]
        parts["a4"] = a4.map { .thousandths($0) }
        return .object(parts)
    }

    /// The same with its name.
    public var namedValues: JSON {
        guard case .object(var parts) = values else { return values }
        parts["name"] = .string(name.text)
        return .object(parts)
    }

    /// The tuning that `text`, a JSON object, describes.
    public init(text: String, named name: SoundName) throws(FormatError) {
        let field = JSONField(try JSON(parsing: Array(text.utf8)))
        self.init(
            name: name, cents: try field.needed("tuning").cents(),
            a4: try field.part("a4")?.thousandths(in: Tuning.references))
    }
}

extension JSONField {
    /// The twelve pitch classes of a tuning, in thousandths of a cent above C.
    fileprivate func cents() throws(FormatError) -> [Int] {
        var cents: [Int] = []
        for (place, field) in try list(counts: Pattern.octave...Pattern.octave).enumerated() {
            cents.append(try field.thousandths(in: Tuning.range(ofPitchClass: place)))
        }
        return cents
    }

    /// A number in thousandths, rounded to the nearest, in `range`.
    fileprivate func thousandths(in range: ClosedRange<Int>) throws(FormatError) -> Int {
        guard let rounded = value.double.map({ ($0 * Double(Tuning.parts)).rounded() }),
            rounded >= Double(range.lowerBound), rounded <= Double(range.upperBound)
        else { throw refused(range) }
        return Int(rounded)
    }

    private func refused(_ range: ClosedRange<Int>) -> FormatError {
        let (lowest, highest) = (range.lowerBound / Tuning.parts, range.upperBound / Tuning.parts)
        let wanted = lowest == highest ? "\(lowest)" : "a number from \(lowest) to \(highest)"
        return refused("is \(shown), should be \(wanted)")
    }
}

extension JSON {
    /// `value` thousandths, without zeros at the end.
    fileprivate static func thousandths(_ value: Int) -> JSON {
        let (whole, rest) = (value.magnitude / 1000, value.magnitude % 1000)
        var digits = rest == 0 ? "" : "." + String(Int(rest), digits: 3)
        while digits.last == "0" { digits.removeLast() }
        return .number("\(value < 0 ? "-" : "")\(whole)\(digits)")
    }

    fileprivate static func thousandths(_ values: [Int]) -> JSON { .array(values.map { thousandths($0) }) }
}
