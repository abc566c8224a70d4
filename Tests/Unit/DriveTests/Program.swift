import Documents
import Drive
import FoundationEssentials
import Testing

/// A program at a bench.
final class Program {
    private let bench = Bench(version: "1.2.3", NoFiles())

    /// A program that has made `boxes`, each with these further keys.
    init(_ boxes: String..., keys: String = "") {
        for box in boxes { ask(#"{"do": "new", "box": "\#(box)"\#(keys)}"#) }
    }

    /// The answer to `request`. Fails the test if it is an error.
    @discardableResult
    func ask(_ request: String, at location: SourceLocation = #_sourceLocation) -> Answer {
        let answer = Answer(bench.answer(to: Array(request.utf8)))
        if let error = answer["error"] { Issue.record("\(error)", sourceLocation: location) }
        return answer
    }

    /// The place and the problem of the error that answers `request`; nil if it is none.
    func error(_ request: String) -> (place: String, problem: String)? {
        guard let error = Answer(bench.answer(to: Array(request.utf8)))["error"] else { return nil }
        let answer = Answer(error)
        return (answer.text("place"), answer.text("problem"))
    }

    /// Sends lines, separated by commas, to `box`.
    func send(_ lines: String, to box: String = "box", at location: SourceLocation = #_sourceLocation) {
        ask(#"{"do": "send", "box": "\#(box)", "lines": [\#(lines)]}"#, at: location)
    }

    /// Lets `milliseconds` pass; returns what happened.
    @discardableResult
    func advance(_ milliseconds: Double, only kinds: String? = nil) -> [Answer] {
        let only = kinds.map { #", "only": ["\#($0)"]"# } ?? ""
        return ask(#"{"do": "advance", "ms": \#(milliseconds)\#(only)}"#).list("events")
    }

    /// The picture of `box` in base64.
    func picture(of box: String = "box") -> String { ask(#"{"do": "frame", "box": "\#(box)"}"#).text("rgb") }

    /// The state of `box`.
    func state(of box: String = "box") -> Answer { ask(#"{"do": "state", "box": "\#(box)"}"#) }

    /// The sound of `box` since the last call.
    func sound(of box: String = "box") -> [Float] {
        let bytes = ask(#"{"do": "sound", "box": "\#(box)"}"#).bytes("float")
        return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// The bytes on the first chain of `box` since the last call.
    func wire(of box: String = "box") -> [UInt8] {
        ask(#"{"do": "wire", "box": "\#(box)"}"#).list("chains")[0].bytes("bytes")
    }
}

/// An object of an answer.
struct Answer: Hashable, CustomStringConvertible {
    let keys: [String: JSON]
    var description: String { JSON.object(keys).text(pretty: false) }

    init(_ line: String) { self.init((try? JSON(parsing: Array(line.utf8))) ?? .null) }

    init(_ value: JSON) {
        if case .object(let keys) = value { self.keys = keys } else { keys = [:] }
    }

    subscript(name: String) -> JSON? { keys[name] }

    func text(_ name: String) -> String {
        if case .string(let text)? = keys[name] { text } else { "" }
    }

    func number(_ name: String) -> Double? { keys[name]?.double }

    func list(_ name: String) -> [Answer] {
        if case .array(let values)? = keys[name] { values.map(Answer.init) } else { [] }
    }

    func bytes(_ name: String) -> [UInt8] { Data(base64Encoded: text(name)).map { Array($0) } ?? [] }
}
