import CXML

/// Makes XML of text that is nearly XML, as programs write it that put titles into it as they are.
struct XMLRepair {
    /// The text as XML.
    private(set) var bytes: [UInt8] = []
    /// Number of characters that were no XML.
    private(set) var count = 0
    /// Line of the first of them.
    private(set) var line = 0

    /// Repairs `text`: ampersands and less-than signs that begin nothing, HTML's entities, control characters, and bytes that are not UTF-8
    /// in a document of UTF-8. Nil for UTF-16 and UTF-32.
    init?(_ text: [UInt8]) {
        guard text.first ?? 0xff < 0xfe, !text.prefix(4).contains(0) else { return nil }
        let utf8 = Self.isUTF8(text) ? Array(String(decoding: text, as: UTF8.self).utf8) : text
        if let place = zip(utf8, text).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            note(in: text, at: place)
        }
        bytes.reserveCapacity(utf8.count + 1000)
        let hasOwnEntities = String(decoding: utf8, as: UTF8.self).contains("<!ENTITY")
        var place = 0
        while place < utf8.count {
            let rest = utf8[place...]
            let length = Self.literalLength(rest)
            if length > 0 {
                bytes += rest.prefix(length)
                place += length
            } else if let (length, xml) = Self.repair(rest, hasOwnEntities: hasOwnEntities) {
                note(in: utf8, at: place)
                bytes += xml
                place += length
            } else {
                bytes.append(utf8[place])
                place += 1
            }
        }
    }

    private mutating func note(in text: [UInt8], at place: Int) {
        if count == 0 { line = 1 + text[..<place].count { $0 == UInt8(ascii: "\n") } }
        count += 1
    }

    /// Whether the document says, by its declaration or by having none, that it is UTF-8.
    private static func isUTF8(_ text: [UInt8]) -> Bool {
        let head = String(decoding: text.dropFirst(text.textStart).prefix(200), as: UTF8.self).lowercased()
        guard head.hasPrefix("<?xml"), let end = head.firstIndex(of: ">") else { return true }
        let declaration = head[..<end]
        return !declaration.contains("encoding") || declaration.contains("utf-8") || declaration.contains("utf8")
    }

    /// Marks between which a document has text that is not looked at for references.
    private static let literals: [(begin: String, end: String)] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")]

    /// Length of the comment, CDATA or instruction with which `text` begins; 0 if it begins with none.
    private static func literalLength(_ text: ArraySlice<UInt8>) -> Int {
        guard text.first == UInt8(ascii: "<"),
            let literal = literals.first(where: { text.starts(with: $0.begin.utf8) })
        else { return 0 }
        var end = text.startIndex + literal.begin.utf8.count
        while end < text.endIndex, !text[end...].starts(with: literal.end.utf8) { end += 1 }
        return min(end + literal.end.utf8.count, text.endIndex) - text.startIndex
    }

    /// If `text` begins with a character that is no XML, the length of what is to be replaced, and by what.
    private static func repair(_ text: ArraySlice<UInt8>, hasOwnEntities: Bool) -> (length: Int, xml: [UInt8])? {
        let next = text.dropFirst().first ?? 0
        switch text.first {
        case UInt8(ascii: "<") where !(next.isASCIILetter || "/!_:".utf8.contains(next) || next >= 0x80):
            return (1, Array("&lt;".utf8))
        case UInt8(ascii: "&"):
            let name = text.dropFirst().prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "#") }
            guard text[name.endIndex...].first == UInt8(ascii: ";"), !name.isEmpty else {
                return (1, Array("&amp;".utf8))
            }
            if name.first == UInt8(ascii: "#")
                || ["amp", "lt", "gt", "quot", "apos"].contains(String(decoding: name, as: UTF8.self))
            {
                return nil
            }
            guard let entity = htmlEntityLookup(Array(name) + [0]) else {
                return hasOwnEntities ? nil : (1, Array("&amp;".utf8))
            }
            return (name.count + 2, Array("&#\(entity.pointee.value);".utf8))
        case 9, 10, 13: return nil
        case let byte? where byte < 0x20: return (1, [UInt8(ascii: " ")])
        default: return nil
        }
    }
}
