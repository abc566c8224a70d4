import Display
import Testing

@Suite("Text in the font's characters")
struct SpellingTests {
    @Test(
        "is readable",
        arguments: [
            ("Night 2", "NIGHT 2"), ("Café Müller", "CAFE MULLER"), ("e\u{301}te\u{301}", "ETE"), ("Straße", "STRASSE"),
            ("Ærø", "AERO"), ("Łódź", "LODZ"), ("Don’t Look Up", "DONT LOOK UP"), ("Tom & Jerry", "TOM + JERRY"),
            ("  a \u{a0}\n b  ", "A B"), ("Nachrichten, Wetter", "NACHRICHTEN. WETTER"), ("A – B…", "A - B..."),
            ("Война", "?????"), ("", ""), ("C♯ [neu]", "C♯ <NEU>"), ("Ǆ", "?"), ("ﬁn", "FIN"), ("☕", "?"),
        ])
    func spelling(text: String, spelt: String) {
        #expect(Font.spelling(text) == spelt)
    }

    @Test("is drawn completely, for any text")
    func drawn() {
        for value in UInt32(1)...0x2fff {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let spelt = Font.spelling(String(Character(scalar)))
            #expect(spelt.allSatisfy(Font.draws), "U+\(String(value, radix: 16))")
        }
    }
}
