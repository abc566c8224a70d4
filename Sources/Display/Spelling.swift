extension Font {
    /// `text` in characters of the font: accents are removed, ligatures are expanded, quotation marks and apostrophes
    /// are dropped, and unknown characters become `?`. Runs of white space become one space.
    public static func spelling(_ text: String) -> String {
        // Fast path for plain ASCII: a library has thousands of names, most of them plain.
        if text.utf8.allSatisfy(isPlain), !text.hasSuffix(" "), !text.hasPrefix(" "), !hasDoubleSpace(text) {
            return text.uppercased()
        }
        var spelt = ""
        for character in text {
            if character.isWhitespace {
                if !spelt.isEmpty, !spelt.hasSuffix(" ") { spelt += " " }
            } else if let letters = letters[character] {
                spelt += letters
            } else {
                let capital = character.uppercased()
                let isDrawn = capital.allSatisfy { draws($0) }
                spelt += isDrawn ? capital : capital.map { letters[$0] ?? "?" }.joined()
            }
        }
        while spelt.hasSuffix(" ") { spelt.removeLast() }
        return spelt
    }

    /// Whether `byte` is an ASCII letter, digit or space.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "):
            true
        default: false
        }
    }

    private static func hasDoubleSpace(_ text: String) -> Bool {
        zip(text.utf8, text.utf8.dropFirst()).contains { $0 == UInt8(ascii: " ") && $1 == UInt8(ascii: " ") }
    }

    /// Replacements of characters that the font lacks, capitals only.
    private static let letters: [Character: String] = {
        var letters: [Character: String] = [:]
        for (spelling, characters) in spellings { for character in characters { letters[character] = spelling } }
        return letters
    }()

    private static let spellings: [(String, String)] = [
        ("A", "ÀÁÂÃÄÅĀĂĄǍ"), ("AE", "Æ"), ("C", "ÇĆĈĊČ"), ("D", "ÐĎĐ"), ("E", "ÈÉÊËĒĔĖĘĚ"), ("G", "ĜĞĠĢ"), ("H", "ĤĦ"),
        ("I", "ÌÍÎÏĨĪĬĮİı"), ("IJ", "Ĳ"), ("J", "Ĵ"), ("K", "Ķ"), ("L", "ĹĻĽĿŁ"), ("N", "ÑŃŅŇŊ"),
        ("O", "ÒÓÔÕÖØŌŎŐǑ"), ("OE", "Œ"), ("R", "ŔŖŘ"), ("S", "ŚŜŞŠȘ"), ("SS", "ẞß"), ("T", "ŢŤŦȚ"), ("TH", "Þ"),
        ("U", "ÙÚÛÜŨŪŬŮŰŲǓ"), ("W", "ŴẀẂẄ"), ("Y", "ÝŶŸỲ"), ("Z", "ŹŻŽ"),
        ("", "'’‘‚‹›\"“”„«»`´¨°¡¿\u{ad}\u{200b}\u{feff}"), ("-", "‐‑–—_•·"), (".", ","), (":", ";"), ("...", "…"),
        ("+", "&"),
        ("<", "([{"), (">", ")]}"), ("/", "|\\"), ("X", "×"), ("1", "¹"), ("2", "²"), ("3", "³"), ("1/2", "½"),
        ("1/4", "¼"), ("3/4", "¾"), ("~", "*^"), ("AT", "@"), ("EUR", "€"),
    ]
}
