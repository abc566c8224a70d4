/// Position of a value and its parts in the text of a document; offsets are in bytes.
package struct JSONPlace {
    /// Name of a part within its parent.
    package enum Name: Hashable {
        case key(String)
        case index(Int)

        /// Path of this part of the value at `path`, in the form of `JSONField`.
        fileprivate func path(in path: String) -> String {
            switch self {
            case .key(let key): path.isEmpty ? key : "\(path).\(key)"
            case .index(let index): "\(path)[\(index)]"
            }
        }
    }

    /// Name within its parent.
    package var name: Name
    /// Start of its key, or of its value if it has no key.
    package var start: Int
    /// Range of its value.
    package var value: Range<Int>
    /// Offset of the comma after it.
    package var comma: Int?
    /// End of the last part, with the comma and comments after it: only white space follows until the closing bracket.
    /// Undefined for a value without brackets.
    package var contentEnd: Int
    /// The parts of an object or a list, in order.
    package var parts: [JSONPlace]

    /// The line, from 1, of the value at the `path` of an error. For a missing value, the line of its parent.
    package func line(of path: String, in text: [UInt8]) -> Int? {
        var starts: [String: Int] = [:]
        noteStarts(at: "", in: &starts)
        var path = path[...]
        while !path.isEmpty, starts[String(path)] == nil {
            path = path.lastIndex { $0 == "." || $0 == "[" }.map { path[..<$0] } ?? ""
        }
        return starts[String(path)].map(text.line)
    }

    private func noteStarts(at path: String, in starts: inout [String: Int]) {
        for part in parts {
            let path = part.name.path(in: path)
            starts[path] = part.start
            part.noteStarts(at: path, in: &starts)
        }
    }
}
