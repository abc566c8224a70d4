import Documents

/// A question about the panel's colours or wiring, or its end: the setup service's answer to `walk` and `lit`.
struct SetupWalk: Hashable {
    /// The colours of most LEDs and of a few.
    private var colours: [[Substring]] = []
    /// Columns and rows.
    private var places: [[Int]] = []
    private var numbers: [Substring: [Int]] = [:]
    private var isKnown = false

    /// Words that come once, and how many numbers each has.
    private static let counts: [Substring: Int] = ["panel": 2, "leds": 1, "tile": 1, "tiles": 1]

    /// The question in `lines`, or its end. Lines that are not understood are left out.
    init(_ lines: [Substring]) {
        for line in lines {
            let words = line.split(separator: " ")
            if words.first == "colours", words.count == 3 { colours.append(Array(words.dropFirst())) }
            let values = words.dropFirst().compactMap { Int($0) }
            guard let word = words.first, values.count == words.count - 1 else { continue }
            switch word {
            case "known" where values.isEmpty: isKnown = true
            case "place" where values.count == 2: places.append(values)
            case let word where Self.counts[word] == values.count: numbers[word] = values
            default: continue
            }
        }
    }

    /// The question for the page; without colours and places at the end.
    var json: JSON {
        func list(_ values: [Int]) -> JSON { .array(values.map { .integer($0) }) }
        return .object([
            "isKnown": .bool(isKnown), "panel": list(numbers["panel"] ?? []),
            "leds": .integer(numbers["leds"]?[0] ?? 0), "tile": .integer(numbers["tile"]?[0] ?? 0),
            "tiles": .integer(numbers["tiles"]?[0] ?? 0),
            "colours": .array(colours.map { .array($0.map { .string(String($0)) }) }),
            "places": .array(places.map(list)),
        ])
    }
}
