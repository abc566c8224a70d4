import TestSupport
import Testing

@Suite("A clone is self-contained")
struct OutsideTests {
    @Test("no file names a folder outside the repository")
    func outside() throws {
        let texts = Checkout.files().filter { path in
            ![".png", ".pdf", ".sqlite", ".bin", ".mid", ".stl"].contains { path.hasSuffix($0) }
        }
        let naming = try texts.filter { try Checkout.text($0).contains(/(?:\.\.|\/work)\/shared\b/) }
        #expect(naming == [])
    }
}
