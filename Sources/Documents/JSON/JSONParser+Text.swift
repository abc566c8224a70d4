/// Strings, names, white space and comments.
extension JSONParser {
    var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    /// The character at `at` and the number of its bytes; nil at the end.
    private var character: (scalar: UnicodeScalar, size: Int)? {
        guard let byte = peek else { return nil }
        if byte < 0x80 { return (UnicodeScalar(byte), 1) }
        // The text is UTF-8, and each character ends within four bytes.
        let scalar = String(decoding: bytes[at...].prefix(4), as: UTF8.self).unicodeScalars.first
        return scalar.map { ($0, UTF8.width($0)) }
    }

    // MARK: Names

    mutating func key() throws(FormatError) -> String {
        if peek == UInt8(ascii: "\"") || (isJSON5 && peek == UInt8(ascii: "'")) { return try string() }
        guard isJSON5 else { throw unexpected("a key") }
        var name = String.UnicodeScalarView()
        while let (scalar, size) = character {
            let start = at
            var part = scalar
            at += size
            if scalar == "\\" {
                guard peek == UInt8(ascii: "u") else {
                    at = start
                    throw unexpected("a key")
                }
                at += 1
                part = try unicode()
            }
            guard part.isNamePart, !name.isEmpty || part.isNameStart else {
                at = start
                break
            }
            name.append(part)
        }
        guard !name.isEmpty else { throw unexpected("a key") }
        return String(name)
    }

    /// Whether a name or a number goes on.
    var isAtNamePart: Bool { character.map { $0.scalar.isNamePart || $0.scalar == "\\" } ?? false }

    // MARK: Strings

    mutating func string() throws(FormatError) -> String {
        let start = at
        let quote = bytes[at]
        at += 1
        var text: [UInt8] = []
        while let byte = peek, byte != quote {
            if byte == 0x0a || byte == 0x0d { throw problem("the line ends within a string") }
            guard byte >= 0x20 || isJSON5 else { throw problem("a control character in a string") }
            at += 1
            if byte == UInt8(ascii: "\\") { try escape(into: &text) } else { text.append(byte) }
        }
        guard peek == quote else {
            at = start
            throw problem("a string without its closing quote")
        }
        at += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape(into text: inout [UInt8]) throws(FormatError) {
        guard let (scalar, size) = character else { return }
        at += size
        switch scalar {
        case "\"", "\\", "/": text.append(UInt8(ascii: scalar))
        case "b": text.append(0x08)
        case "f": text.append(0x0c)
        case "n": text.append(0x0a)
        case "r": text.append(0x0d)
        case "t": text.append(0x09)
        case "u": text += Array(String(try unicode()).utf8)
        case _ where !isJSON5:
            at -= size
            throw unexpected("an escape")
        case "v": text.append(0x0b)
        case "x": text += Array(String(UnicodeScalar(UInt8(try hexadecimal(digits: 2)))).utf8)
        case "0" where !(peek?.isASCIIDigit ?? false): text.append(0)
        case "0"..."9":
            at -= size
            throw unexpected("an escape")
        case "\r": if peek == 0x0a { at += 1 }
        case "\n", "\u{2028}", "\u{2029}": break
        default: text += Array(String(scalar).utf8)
        }
    }

    /// The character after `\u`: one code unit, or a surrogate pair.
    private mutating func unicode() throws(FormatError) -> UnicodeScalar {
        let first = try hexadecimal(digits: 4)
        if let scalar = UnicodeScalar(first) { return scalar }
        guard bytes[at...].starts(with: "\\u".utf8) else { throw problem("half of a surrogate pair") }
        at += 2
        let second = try hexadecimal(digits: 4)
        guard first < 0xdc00, (0xdc00..<0xe000).contains(second),
            let scalar = UnicodeScalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
        else { throw problem("half of a surrogate pair") }
        return scalar
    }

    private mutating func hexadecimal(digits count: Int) throws(FormatError) -> UInt32 {
        let digits = bytes[at...].prefix(count)
        guard digits.count == count, digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw unexpected("\(count) hexadecimal digits") }
        at += count
        return value
    }

    // MARK: White space

    mutating func skipSpace() throws(FormatError) {
        while let (scalar, size) = character {
            // The white space of JSON, which most of a document's is.
            if scalar == " " || scalar == "\n" || scalar == "\r" || scalar == "\t" {
                at += 1
            } else if !isJSON5 {
                return
            } else if scalar.isJSON5Space {
                at += size
            } else if bytes[at...].starts(with: "//".utf8) {
                while let (scalar, size) = character, !scalar.isLineEnd { at += size }
                // U+2028 and U+2029, which no editor shows, belong to the comment: what is added to the document comes
                // after them.
                if let (scalar, size) = character, !scalar.isASCII { at += size }
                commentEnd = at
            } else if bytes[at...].starts(with: "/*".utf8) {
                try skipComment()
                commentEnd = at
            } else {
                return
            }
        }
    }

    private mutating func skipComment() throws(FormatError) {
        let start = at
        at += 2
        while !bytes[at...].starts(with: "*/".utf8) {
            guard at < bytes.count else {
                at = start
                throw problem("a comment without its end")
            }
            at += 1
        }
        at += 2
    }

    // MARK: Errors

    func unexpected(_ wanted: String) -> FormatError {
        guard let (scalar, _) = character else { return problem("the text ends, expected \(wanted)") }
        let found = String(decoding: bytes[at...].prefix(8), as: UTF8.self).first ?? " "
        let isSeen = scalar == " " || !(scalar.isJSON5Space || scalar.isInvisible)
        return problem("found \(isSeen ? "'\(found)'" : scalar.codePoint), expected \(wanted)")
    }

    func problem(_ problem: String) -> FormatError {
        let place = min(at, bytes.count)
        let column = String(decoding: bytes[bytes.lineStart(of: place)..<place], as: UTF8.self).count + 1
        return FormatError("line \(bytes.line(of: place)), column \(column)", problem)
    }
}

extension UnicodeScalar {
    /// https://spec.json5.org/#white-space, and line terminators.
    fileprivate var isJSON5Space: Bool {
        switch value {
        case 0x09...0x0d, 0x20, 0xa0, 0x2028, 0x2029, 0xfeff: true
        case 0x80...: properties.generalCategory == .spaceSeparator
        default: false
        }
    }

    /// https://spec.json5.org/#prod-JSON5SourceCharacter: the end of a line, and so of a comment.
    fileprivate var isLineEnd: Bool { [0x0a, 0x0d, 0x2028, 0x2029].contains(value) }

    /// ECMAScript 5.1, 7.6: the first character of a name.
    fileprivate var isNameStart: Bool {
        if isASCII { return UInt8(value).isASCIILetter || self == "_" || self == "$" }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        default: false
        }
    }

    /// ECMAScript 5.1, 7.6: another character of a name. The last two are the zero-width joiners.
    fileprivate var isNamePart: Bool {
        if isNameStart || isASCII { return isNameStart || UInt8(value).isASCIIDigit }
        return switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: true
        default: value == 0x200c || value == 0x200d
        }
    }
}
