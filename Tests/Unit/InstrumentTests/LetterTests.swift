import Display
import Testing

@testable import Instrument

@Suite("Naming a pattern by letters")
struct LetterTests {
    private func player(_ name: String = "") -> Player {
        var player = Player()
        player.show(.letters(LetterSheet(pattern: 7, name: name)))
        return player
    }

    private func name(_ player: Player) -> String {
        guard case .letters(let sheet) = player.instrument.state.view.screen else { return "none" }
        return sheet.name.map(\.text).joined()
    }

    private static let rows = ["QWERTYUIOP", "ASDFGHJKL-.", "ZXCVBNM"].map(Array.init)
    private static let digits = ["1234567890", "+-/=%#♯♭!?.", ":<>~■▶✓"].map(Array.init)

    /// The centre of the key at `place` of `row`.
    private func key(_ row: Int, _ place: Int) -> (Float, Float) { (Float(4 * place + 1), Float(7 + 6 * row + 2)) }

    @Test("every key writes its character, and the font has it")
    func keys() {
        for page in [Self.rows, Self.digits] {
            for (row, letters) in page.enumerated() {
                for (place, letter) in letters.enumerated() {
                    var player = player("A")
                    if page == Self.digits { player.tap(.spot(.key(.shift))) }
                    let (column, y) = key(row, place)
                    player.tap(column, y)
                    #expect(name(player) == "A" + String(letter))
                    #expect(Font.draws(letter))
                }
            }
        }
    }

    @Test("a finger within 1.5 LEDs of a key's centre presses that key")
    func fingertip() {
        for (row, letters) in Self.rows.enumerated() {
            for (place, letter) in letters.enumerated() where place < (row == 2 ? 7 : 10) {
                for (x, y) in [(-1.4, 0), (1.4, 0), (0, -2.4), (0, 2.4)] as [(Float, Float)] {
                    var player = player()
                    let (column, top) = key(row, place)
                    player.tap(column + x, top + y)
                    #expect(name(player) == String(letter), "\(letter) \(x) \(y)")
                }
            }
        }
    }

    @Test("the letters fit into three words, so that drawing them allocates nothing")
    func size() { #expect(MemoryLayout<LetterSheet>.size <= 3 * MemoryLayout<Int>.size) }

    @Test("sliding goes from key to key, lifting writes; off the keys nothing is written")
    func slide() {
        var player = player()
        player.drag(from: (1, 9), to: (13, 15))
        #expect(name(player) == "F")
        player.drag(from: (1, 9), to: (20, 2))
        #expect(name(player) == "F" && player.instrument.state.view.screen != .grid)
    }

    @Test("eight letters are eight taps, two fingers in turn; there are a space and a backspace")
    func typing() {
        var player = player()
        for (index, letter) in "NIGHT B".enumerated() {
            if letter == " " {
                player.tap(.spot(.key(.space)), held: 60, pause: 40)
                continue
            }
            for (row, letters) in Self.rows.enumerated() {
                guard let place = letters.firstIndex(of: letter) else { continue }
                let (column, y) = key(row, place)
                player.finger(.down, column, y, contact: index % 2)
                player.wait(60)
                player.finger(.up, column, y, contact: index % 2)
            }
        }
        #expect(name(player) == "NIGHT B")
        player.tap(.spot(.key(.back)))
        player.tap(.spot(.key(.back)))
        #expect(name(player) == "NIGHT")
        for _ in 0..<30 { player.tap(.spot(.key(.letter("Q")))) }
        #expect(name(player).count == LetterSheet.lengthMax)
        for _ in 0..<30 { player.tap(.spot(.key(.back))) }
        #expect(name(player).isEmpty)
    }

    @Test("a name of spaces counts as empty; surrounding spaces are removed")
    func result() {
        var sheet = LetterSheet(pattern: 1, name: "")
        sheet.press(.space)
        #expect(sheet.result == nil)
        sheet.press(.letter("A"))
        sheet.press(.space)
        #expect(sheet.result == "A")
    }

    @Test("the corner leaves without a change, also from the digits")
    func cancel() {
        var player = player("OLD")
        player.tap(.spot(.key(.shift)))
        player.tap(.spot(.back))
        #expect(player.instrument.state.view.screen == .guide && player.effects.isEmpty)
    }
}
