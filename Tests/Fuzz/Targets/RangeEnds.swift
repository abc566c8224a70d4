import Documents
import Formats
import Synchronization

/// Documents of each format that are valid, or nearly, with numbers at the ends of the ranges that the format has: what
/// a parser of random bytes hardly ever sees. The input chooses a document and, by three bytes each, a number in it and
/// its value.
func checkEnds(_ bytes: [UInt8]) throws(Violation) {
    guard bytes.count >= 2 else { return }
    var document = NumberedDocument.all[(Int(bytes[0]) << 8 | Int(bytes[1])) % NumberedDocument.all.count]
    for place in stride(from: 2, to: bytes.count - 2, by: 3) {
        document.set(Int(bytes[place]) << 8 | Int(bytes[place + 1]), to: Int(bytes[place + 2]))
    }
    if let problem = document.target.problem(with: Array(document.text.utf8)) { throw Violation(problem: problem) }
}

/// A document whose numbers can be changed: lines of JSON, or one value of JSON.
struct NumberedDocument: Sendable {
    let target: FuzzTarget
    private var lines: [JSON]
    /// The places of its numbers: the line, and the keys and indices in it.
    private let numbers: [[Step]]

    /// A key or an index.
    private enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    /// The ends of the range of a number; nil for one without a range.
    private typealias Ends = (least: String, most: String)

    /// The samples of all formats with ranges.
    static let all = [FuzzTarget.script, .pattern, .sound, .configuration].flatMap { target in
        target.samples.compactMap { NumberedDocument(target, String(decoding: $0, as: UTF8.self)) }
    }

    /// The ranges that were found: the range of a number is the same in every document.
    private static let known = Mutex<[String: Ends?]>([:])

    /// The document in `text`; nil if it is not JSON or JSON5, or has no number.
    private init?(_ target: FuzzTarget, _ text: String) {
        self.target = target
        let parts = target == .script ? text.split(separator: "\n").map(String.init) : [text]
        let syntax = target == .configuration ? JSON.Syntax.json5 : .json
        lines = parts.compactMap { try? JSON(parsing: Array($0.utf8), as: syntax) }
        guard lines.count == parts.count else { return nil }
        numbers = lines.enumerated().flatMap { Self.numbers(in: $1, at: [.index($0)]) }
        if numbers.isEmpty { return nil }
    }

    private static func numbers(in value: JSON, at path: [Step]) -> [[Step]] {
        switch value {
        case .number: [path]
        case .array(let values): values.enumerated().flatMap { numbers(in: $1, at: path + [.index($0)]) }
        case .object(let values):
            values.sorted { $0.key < $1.key }.flatMap { numbers(in: $1, at: path + [.key($0)]) }
        case .null, .bool, .string: []
        }
    }

    var text: String { lines.map { $0.text(pretty: false) }.joined(separator: "\n") }

    /// Sets the number with this place in the document, which is counted round, to an end of its range, a value beside
    /// one, or one in between.
    mutating func set(_ place: Int, to choice: Int) {
        let path = numbers[place % numbers.count]
        guard let ends = ends(of: path), let least = Double(ends.least), let most = Double(ends.most) else { return }
        let isWhole = Int(ends.least) != nil && Int(ends.most) != nil
        let value: JSON =
            switch choice % 8 {
            case 0, 1, 2: .number(ends.least)
            case 3, 4, 5: .number(ends.most)
            case 6: isWhole ? .number("\((Int(ends.least) ?? 0) &- 1)") : .double(most.nextDown)
            default:
                isWhole ? .integer((Int(ends.least) ?? 0) / 2 + (Int(ends.most) ?? 0) / 2) : .double((least + most) / 2)
            }
        set(value, at: path)
    }

    /// The ends of the range of the number at `path`, by the message about a number beyond any range.
    private func ends(of path: [Step]) -> Ends? {
        let name =
            "\(target) "
            + path.dropFirst().map { step in
                switch step {
                case .key(let key): key
                case .index: "[]"
                }
            }.joined(separator: ".")
        if let ends = Self.known.withLock({ $0[name] }) { return ends }
        var other = self
        other.set(.number("1e300"), at: path)
        let words = target.refusal(of: Array(other.text.utf8))?.description ?? ""
        let match = words.firstMatch(of: /from (-?[0-9.e+]+) to (-?[0-9.e+]+)/)
        let ends = match.map { (least: String($0.1), most: String($0.2)) }
        Self.known.withLock { $0[name] = .some(ends) }
        return ends
    }

    private mutating func set(_ value: JSON, at path: [Step]) {
        guard case .index(let line) = path[0] else { return }
        lines[line] = Self.setting(value, at: path.dropFirst(), in: lines[line])
    }

    private static func setting(_ value: JSON, at path: ArraySlice<Step>, in whole: JSON) -> JSON {
        switch (path.first, whole) {
        case (.key(let key), .object(var parts)):
            parts[key] = parts[key].map { setting(value, at: path.dropFirst(), in: $0) }
            return .object(parts)
        case (.index(let index), .array(var parts)):
            parts[index] = setting(value, at: path.dropFirst(), in: parts[index])
            return .array(parts)
        default: return value
        }
    }
}

extension FuzzTarget {
    /// Why a document of a format with ranges is refused; nil if it is not.
    fileprivate func refusal(of bytes: [UInt8]) -> FormatError? {
        do throws(FormatError) {
            switch self {
            case .script: _ = try TouchScript(parsing: bytes)
            case .pattern: _ = try PatternDocument(parsing: bytes)
            case .sound: _ = try SoundDocument(parsing: bytes)
            case .configuration: _ = try Configuration(parsing: bytes)
            case .reports, .recording, .scala, .midi, .stream, .listings, .sample, .light, .grid, .drive, .ends: break
            }
            return nil
        } catch {
            return error
        }
    }

    /// Inputs of the target `ends`: each number of each document at both ends, and all at once.
    static var endSamples: [[UInt8]] {
        NumberedDocument.all.indices.flatMap { number -> [[UInt8]] in
            let head = [UInt8(number >> 8), UInt8(number & 255)]
            return ([0, 3] as [UInt8]).flatMap { choice -> [[UInt8]] in
                let numbers = NumberedDocument.all[number].endsInput(choice)
                return numbers.map { head + $0 } + [head + numbers.flatMap { $0 }]
            }
        }
    }
}

extension NumberedDocument {
    /// The choice of `choice` for each of the first numbers of the document, which are the ones that differ.
    fileprivate func endsInput(_ choice: UInt8) -> [[UInt8]] {
        distinct.map { [UInt8($0 >> 8), UInt8($0 & 255), choice] }
    }

    /// The places of one number of each name.
    private var distinct: [Int] {
        var seen: Set<[Step]> = []
        return numbers.indices.filter { place in
            seen.insert(
                numbers[place].dropFirst().map { step in
                    if case .index = step { .index(0) } else { step }
                }
            ).inserted
        }
    }
}
