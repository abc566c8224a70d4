import Documents
import Foundation
import Panel
import TestSupport
import Testing

@Suite("docs/configuration.md")
struct ConfigurationPageTests {
    @Test("its chips, clocks and frame rates are the chips'")
    func chips() throws {
        var documented: [String] = []
        for line in try page("configuration.md").split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            if cells[0] == "`chip`" { continue }
            for name in cells[0].matches(of: /`(\w+)`/) {
                documented.append("\(name.1) | \(cells[1...].joined(separator: " | "))")
            }
        }
        #expect(documented.sorted() == LEDChip.allCases.map { row(of: $0) }.sorted())
    }

    private func row(of chip: LEDChip) -> String {
        let leds = 1056
        let (clock, short) = (chip.defaultHertz(leds: leds), chip.defaultHertz(leds: 600))
        let clocks = chip.wires.map { "\(megahertz($0.hertz.lowerBound))-\(megahertz($0.hertz.upperBound)) MHz" }
        func time(_ leds: Int) -> Double {
            let bits = Double(8 * chip.messageSize(leds: leds))
            return bits / Double(chip.defaultHertz(leds: leds)) + Double(chip.resetMicroseconds) / 1e6
        }
        let most = (1...300).last { time(10 * $0) <= 1.0 / 60 } ?? 0
        return "\(chip) | \(megahertz(clock)) MHz\(short == clock ? "" : "; \(megahertz(short)) MHz up to 600 LEDs")"
            + " | \(clocks.joined(separator: ", or ")) | \(Int((1 / time(leds)).rounded())) | \(10 * most)"
    }

    private func megahertz(_ hertz: Int) -> String {
        let tenths = (hertz + 50_000) / 100_000
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }

    @Test("the protocols of docs/walls.md, their ports, universes and rates are the protocols'")
    func protocols() throws {
        let text = try page("walls.md")
        for transport in LightProtocol.allCases {
            let range = transport.universes
            let universes = transport.hasUniverses ? "\(range.lowerBound) to \(range.upperBound)" : "–"
            let rows = text.matches(of: /\| `(\w+)` \| (.+): .+ \| (\d+) \| (.+) \| (\d+) \|/).filter {
                $0.1 == transport.rawValue
            }
            #expect(rows.map { "\($0.3) \($0.4) \($0.5)" } == ["\(transport.port) \(universes) \(transport.rateMax)"])
            #expect(rows.first?.2.hasPrefix(transport.name) == true, "\(transport.name)")
        }
    }

    @Test("every key named in a page exists")
    func keys() throws {
        let example = try JSON(parsing: Array(page("pixelboop.json5").utf8), as: .json5)
        var count = 0
        for name in try Checkout.names("docs") where name.hasSuffix(".md") {
            for match in try page(name).matches(of: /`((?:panel|touch|audio|gpio)\.[\w.\[\]]+)`/) {
                count += 1
                let path = match.1.replacing("[]", with: "").split(separator: ".").map(String.init)
                #expect(value(at: path[...], in: example) != nil, "\(name): \(match.1)")
            }
        }
        #expect(count > 5)
    }

    private func value(at path: ArraySlice<String>, in json: JSON) -> JSON? {
        guard let key = path.first else { return json }
        switch json {
        case .object(let values): return values[key].flatMap { value(at: path.dropFirst(), in: $0) }
        case .array(let values): return values.first.flatMap { value(at: path, in: $0) }
        default: return nil
        }
    }
}
