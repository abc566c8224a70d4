/// Where a value and its parts stand in the text of a document; offsets are in bytes.
struct JSONPlace {
    /// A part's name within the value that it is part of.
    enum Name: Hashable {
        case key(String)
        case index(Int)

        /// The path of the part of this name in what is at `path`, as `JSONField` has it.
        fileprivate func path(in path: String) -> String {
            switch self {
            case .key(let key): path.isEmpty ? key : "\(path).\(key)"
            case .index(let index): "\(path)[\(index)]"
            }
        }
    }

    /// What it is called within the value that it is part of.
    var name: Name
    /// Where its key starts, or where there is none its value.
    var start: Int
    /// Its value.
    var value: Range<Int>
    /// The comma after it.
    var comma: Int?
    /// Where the last of its parts ends, with the comma and the comments after it: there only space is left before the
    /// closing bracket. Of no meaning for a value that has no brackets.
    var contentEnd: Int
    /// The parts of an object or a list, in order.
    var parts: [JSONPlace]

    /// The line, from 1, of the part of `text` that an error names by its `path`. What is missing, or is wrong with
    /// parts that are not written down, stands where the part around it does.
    func line(of path: String, in text: [UInt8]) -> Int? {
        var starts: [String: Int] = [:]
        noteStarts(at: "", in: &starts)
        var path = path[...]
        while !path.isEmpty, starts[String(path)] == nil {
            path = path.lastIndex { $0 == "." || $0 == "[" }.map { path[..<$0] } ?? ""
        }
        return starts[String(path)].map { start in text[..<start].count { $0 == 0x0a } + 1 }
    }

    private func noteStarts(at path: String, in starts: inout [String: Int]) {
        for part in parts {
            let path = part.name.path(in: path)
            starts[path] = part.start
            part.noteStarts(at: path, in: &starts)
        }
    }
}
