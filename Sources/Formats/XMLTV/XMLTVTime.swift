import Documents
import Instrument

/// Times in XMLTV (its DTD, "date/time format"): `YYYYMMDDhhmmss`, possibly truncated from the right, then a time zone,
/// by default UTC. Many files have the separators of ISO 8601 between them, `YYYY-MM-DDThh:mm:ss.s`.
enum XMLTVTime {
    /// Parses `text` into seconds since 1970; nil if it is invalid.
    static func seconds(_ text: String) -> Int64? {
        var rest = text[...]
        rest.trim()
        var digits = rest.takeDigits()
        let isSeparated = digits.utf8.count == 4 && rest.first == "-"
        if isSeparated {
            for _ in 0..<2 where rest.first == "-" { digits += rest.takeDigits(behind: "-", count: 2) ?? "-" }
        }
        if digits.utf8.count == 8, rest.first == "T" || (isSeparated && rest.first == " ") {
            let behind = rest.dropFirst()
            if behind.first?.isASCIIDigit ?? false {
                rest = behind
                digits += rest.takeDigits()
                while digits.utf8.count < 14, let part = rest.takeDigits(behind: ":", count: 2) { digits += part }
                if rest.first == ".", digits.utf8.count == 14 {
                    rest.removeFirst()
                    guard !rest.takeDigits().isEmpty else { return nil }
                }
            }
        }
        rest.trim()
        // The zone follows with or without a space, and begins with no digit.
        guard let local = localSeconds(digits), rest.first.map({ !$0.isASCIIDigit }) ?? true else { return nil }
        return zone(rest).map { local - $0 }
    }

    /// Digits and range of year, month, day, hour, minute and second.
    private static let parts: [(digits: Int, range: ClosedRange<Int>)] = [
        (4, 1...9999), (2, 1...12), (2, 1...31), (2, 0...23), (2, 0...59), (2, 0...60),
    ]

    private static func localSeconds(_ digits: String) -> Int64? {
        var rest = digits[...]
        var values: [Int] = []
        for part in parts {
            guard !rest.isEmpty else { break }
            guard rest.count >= part.digits, let value = Int(rest.prefix(part.digits)), part.range.contains(value)
            else {
                return nil
            }
            values.append(value)
            rest = rest.dropFirst(part.digits)
        }
        guard rest.isEmpty, !values.isEmpty else { return nil }
        // Missing parts have their lowest value.
        for part in parts[values.count...] { values.append(part.range.lowerBound) }
        let date = CalendarDate(year: values[0], month: values[1], day: values[2])
        guard date.isValid else { return nil }
        let clock = (values[3] * 60 + values[4]) * 60 + values[5]
        return Int64(date.dayNumber) * LocalTime.daySeconds + Int64(clock)
    }

    /// Offset of the zone `text`, `+0130` or a name, from UTC in seconds; nil if it is unknown.
    private static func zone(_ text: Substring) -> Int64? {
        if text.isEmpty { return 0 }
        guard let sign = text.first, sign == "+" || sign == "-" else {
            return zones[text.uppercased()].map { Int64($0 * 60) }
        }
        let digits = text.dropFirst().filter { $0 != ":" }
        guard digits.count == 4, digits.allSatisfy(\.isASCIIDigit), let number = Int64(digits),
            number / 100 <= 24, number % 100 < 60
        else { return nil }
        return (sign == "-" ? -60 : 60) * (number / 100 * 60 + number % 100)
    }

    /// Offsets in minutes of the named zones in listings. An ambiguous name has its meaning in Europe or North America,
    /// as BST in the DTD.
    private static let zones = [
        "UTC": 0, "UT": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 60, "BST": 60, "IST": 60, "CET": 60, "MET": 60,
        "CEST": 120, "MEST": 120, "EET": 120, "EEST": 180, "MSK": 180, "NST": -210, "NDT": -150, "AST": -240,
        "ADT": -180, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480,
        "PDT": -420, "AKST": -540, "AKDT": -480, "HST": -600, "JST": 540, "AWST": 480, "ACST": 570, "ACDT": 630,
        "AEST": 600, "AEDT": 660, "NZST": 720, "NZDT": 780,
    ]
}

extension Substring {
    fileprivate mutating func trim() {
        while first?.isWhitespace ?? false { removeFirst() }
        while last?.isWhitespace ?? false { removeLast() }
    }

    /// Removes the digits at its beginning, and returns them.
    fileprivate mutating func takeDigits() -> String {
        let digits = prefix(while: \.isASCIIDigit)
        self = self[digits.endIndex...]
        return String(digits)
    }

    /// Removes `separator` and the `count` digits behind it, and returns these; nil if it does not begin so.
    fileprivate mutating func takeDigits(behind separator: Character, count: Int) -> String? {
        guard first == separator else { return nil }
        let digits = dropFirst().prefix(count)
        guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
        self = self[digits.endIndex...]
        return String(digits)
    }
}
