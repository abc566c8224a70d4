import Foundation
import InputEvents
import Instrument
import Testing

@testable import Box

@Suite("Facts about the box")
struct FactFinderTests {
    private func update(
        _ finder: inout FactFinder, _ problems: [(problem: String?, part: Facts.Faults)], at now: Instant
    ) -> Bool { finder.update(problems, at: now) }

    @Test("the first problem is shown, and every part with a problem has a fault")
    func problems() {
        var finder = FactFinder(version: "1.2.3") { "10.0.0.7" }
        let isNew = update(&finder, [(nil, .library), ("no device", .sound), ("no panel", .hardware)], at: .zero)
        #expect(isNew)
        #expect(finder.current.version == "1.2.3")
        #expect(finder.current.address == "10.0.0.7")
        #expect(finder.current.problem == "no device")
        #expect(finder.current.faults == [.sound, .hardware])
        #expect(update(&finder, [(nil, .sound)], at: .zero))
        #expect(finder.current.problem == nil)
        #expect(finder.current.faults == [])
    }

    @Test("the first update is new even if there is nothing to tell; an equal one is not")
    func news() {
        var finder = FactFinder(version: "") { nil }
        #expect(update(&finder, [], at: .zero))
        #expect(finder.current.address == "NO NETWORK")
        #expect(!update(&finder, [], at: Instant(milliseconds: 1000)))
    }

    @Test("the network address is looked up every ten seconds")
    func address() {
        var lookups = 0
        var address: String?
        var finder = FactFinder(version: "") {
            lookups += 1
            return address
        }
        _ = update(&finder, [], at: .zero)
        address = "192.168.1.2"
        for second in 1..<10 as Range<Int64> { #expect(!update(&finder, [], at: Instant(milliseconds: 1000 * second))) }
        #expect(lookups == 1)
        #expect(update(&finder, [], at: Instant(milliseconds: 10_000)))
        #expect(finder.current.address == "192.168.1.2")
    }

    @Test(
        "the access point is that of its file, while there is one",
        arguments: [
            ("name PB-1A2B3C\npassword 7KXPW3NMQR\n", ["PB-1A2B3C", "7KXPW3NMQR"]),
            ("password P W\nname A B\nmore of it\n", ["A B", "P W"]), ("name PB-1A2B3C\n", nil), ("", nil),
        ] as [(String, [String]?)])
    func accessPoint(_ text: String, _ expected: [String]?) throws {
        let path = NSTemporaryDirectory() + "pixelboop-access-point-\(UUID().uuidString)"
        var finder = FactFinder(version: "", accessPointFile: path) { nil }
        _ = update(&finder, [], at: .zero)
        #expect(finder.current.accessPoint == nil)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(update(&finder, [], at: Instant(milliseconds: 1000)) == (expected != nil))
        #expect(finder.current.accessPoint.map { [$0.name, $0.password] } == expected)
        try FileManager.default.removeItem(atPath: path)
        _ = update(&finder, [], at: Instant(milliseconds: 2000))
        #expect(finder.current.accessPoint == nil)
    }
}
