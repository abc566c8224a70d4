import Display
import Testing

@testable import Instrument

@Suite("The picture of a start")
struct StartPictureTests {
    @Test(
        "the name is in the middle of every panel, dim, and ends with the colours of the tracks",
        arguments: [44, 46, 50])
    func name(_ columns: Int) {
        var frame = Frame(columns: columns, rows: Instrument.rows)
        frame.fill(.white)
        StartPicture.draw(into: &frame)
        let lit = (0..<columns * frame.rows).filter { frame.pixels[$0] != .black }
        let (rows, places) = (lit.map { $0 / columns }, lit.map { $0 % columns })
        #expect(rows.min() == 9 && rows.max() == 13)
        #expect(abs((places.min() ?? 0) - (columns - 1 - (places.max() ?? 0))) <= 1)
        let colours = Set(lit.map { frame.pixels[$0] })
        #expect(colours.count == 1 + Track.allCases.count)
        #expect(colours.allSatisfy { max($0.red, $0.green, $0.blue) < 0x60 })
    }
}
