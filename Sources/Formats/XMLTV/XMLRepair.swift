import Documents
import CXML

/// Makes XML of text that is nearly XML, as programs write it that put titles into it as they are.
struct XMLRepair {
    /// The text as XML.
    private(set) var bytes: [UInt8] = []
    /// Number of characters that were no XML.
    private(set) var count = 0
    /// Line of the first of them.
    private(set) var line = 0

    /// Repairs `original`: ampersands and less-than signs that begin nothing, HTML's entities, control characters, also
    /// as references, and bytes that are not UTF-8 in a document of UTF-8. Nil for UTF-32, and for encodings whose
    /// letters have the bytes of such signs.
    init?(_ original: [UInt8]) {
        guard let text = Self.inUTF8(original) else { return nil }
        let utf8 = Self.isUTF8(text) ? Array(String(decoding: text, as: UTF8.self).utf8) : text
        if let place = zip(utf8, text).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            note(in: text, at: place)
        }
        bytes.reserveCapacity(utf8.count + 1000)
        let hasOwnEntities = Self.offset(of: "<!ENTITY", in: utf8[...]) != nil
        var place = 0
        while let next = utf8[place...].firstIndex(where: Self.mayBeNoXML) {
            bytes += utf8[place..<next]
            place = next
            let rest = utf8[place...]
            let length = Self.literalLength(rest)
            if length > 0 {
                for (offset, byte) in rest.prefix(length).enumerated() {
                    let isControl = Self.isControl(byte)
                    if isControl { note(in: utf8, at: place + offset) }
                    bytes.append(isControl ? UInt8(ascii: " ") : byte)
                }
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
        bytes += utf8[place...]
    }

    private static func mayBeNoXML(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || isControl(byte)
    }

    /// Whether it is a control character that XML does not allow (XML 1.0, 2.2).
    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 9 && byte != 10 && byte != 13 }

    /// The document in an encoding of bytes in which signs of ASCII are nothing else: UTF-16 as UTF-8, others as they
    /// are.
    private static func inUTF8(_ text: [UInt8]) -> [UInt8]? {
        let isUTF16 = text.starts(with: [0xff, 0xfe]) || text.starts(with: [0xfe, 0xff])
        guard isUTF16, !text.starts(with: [0xff, 0xfe, 0, 0]) else {
            let head = String(decoding: text.prefix(200), as: UTF8.self).lowercased()
            return text.prefix(4).contains(0) || text.first ?? 0 >= 0xfe || head.contains("iso-2022") ? nil : text
        }
        let isLittleEndian = text[0] == 0xff
        let units = stride(from: 2, to: text.count - 1, by: 2).map { place in
            let (one, other) = (UInt16(text[place]), UInt16(text[place + 1]))
            return isLittleEndian ? other << 8 | one : one << 8 | other
        }
        var document = String(decoding: units, as: UTF16.self)
        if document.hasPrefix("<?xml"), let end = document.firstRange(of: "?>")?.lowerBound,
            let encoding = document[..<end].firstRange(of: /encoding\s*=\s*["'][^"']*["']/)
        {
            document.replaceSubrange(encoding, with: "encoding=\"UTF-8\"")
        }
        return Array(document.utf8)
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
    private static let literals: [(begin: String, end: String)] = [
        ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"),
    ]

    /// Length of the comment, CDATA or instruction with which `text` begins; 0 if it begins with none.
    private static func literalLength(_ text: ArraySlice<UInt8>) -> Int {
        guard text.first == UInt8(ascii: "<"),
            let literal = literals.first(where: { text.starts(with: $0.begin.utf8) })
        else { return 0 }
        let start = literal.begin.utf8.count
        guard let end = offset(of: literal.end, in: text.dropFirst(start)) else { return text.count }
        return start + end + literal.end.utf8.count
    }

    /// How many bytes `text` has before `mark`; nil if it does not contain it.
    private static func offset(of mark: String, in text: ArraySlice<UInt8>) -> Int? {
        let mark = Array(mark.utf8)
        var rest = text
        while let start = rest.firstIndex(of: mark[0]) {
            if text[start...].starts(with: mark) { return start - text.startIndex }
            rest = text[(start + 1)...]
        }
        return nil
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
            if name.first == UInt8(ascii: "#") { return reference(name) }
            if ["amp", "lt", "gt", "quot", "apos"].contains(String(decoding: name, as: UTF8.self)) { return nil }
            guard let entity = htmlEntityLookup(Array(name) + [0]) else {
                return hasOwnEntities ? nil : (1, Array("&amp;".utf8))
            }
            return (name.count + 2, Array("&#\(entity.pointee.value);".utf8))
        case let byte? where isControl(byte): return (1, [UInt8(ascii: " ")])
        default: return nil
        }
    }

    /// The same for the reference to a character, `#` and a number, that is none of XML (XML 1.0, 2.2); nil if it is
    /// one.
    private static func reference(_ name: ArraySlice<UInt8>) -> (length: Int, xml: [UInt8])? {
        let digits = String(decoding: name.dropFirst(), as: UTF8.self)
        let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let number else { return (1, Array("&amp;".utf8)) }
        switch number {
        case 9, 10, 13, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff: return nil
        default: return (name.count + 2, [UInt8(ascii: " ")])
        }
    }
}
