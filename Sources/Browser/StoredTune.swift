import Documents
import Instrument

/// A tune of the library in a browser, with its document: one stored document each.
struct StoredTune {
    /// Its number.
    let number: Int64
    /// Its bank.
    var bank: Bank
    /// Its name.
    var name: String
    /// When its music was changed last, in seconds since 1970.
    var modified: Int64
    /// Its music.
    var document: PatternDocument

    /// Times that a document may have, in seconds since 1970: until the year 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799
    /// Numbers of tunes: what JavaScript's numbers hold exactly.
    static let numbers: ClosedRange<Int64> = 1...(1 << 53) - 1

    init(number: Int64, bank: Bank, name: String, modified: Int64, document: PatternDocument) {
        self.number = number
        self.bank = bank
        self.name = name
        self.modified = modified
        self.document = document
    }

    /// Reads a stored document.
    init(parsing bytes: [UInt8]) throws(FormatError) {
        let root = JSONField(try JSON(parsing: bytes))
        number = try root.needed("number").integer(in: Self.numbers)
        bank = try root.needed("bank").choice(Bank.allCases.map { (word: $0.letter, choice: $0) })
        name = try root.needed("name").string()
        modified = try root.needed("modified").integer(in: Self.times)
        document = try PatternDocument(try root.needed("music"))
    }

    /// The name of its stored document.
    var key: String { "tune/\(number)" }

    /// The stored document.
    var text: String {
        JSON.object([
            "number": .number("\(number)"), "bank": .string(bank.letter), "name": .string(name),
            "modified": .number("\(modified)"), "music": document.json,
        ]).text(pretty: false)
    }
}
