import Display
import Foundation
import Testing

@Suite("Letters from afar")
struct LegibilityTests {
    /// A glyph as an eye sees it: light, in columns of `height` samples.
    private struct Image {
        /// Samples to an LED, and dark LEDs around the glyph.
        private static let (fine, margin) = (4, 2)
        private static let height = (Font.height + 2 * margin) * fine
        /// Spread of an LED's light, in LEDs. On a panel of 5 mm from LED to LED it is 2.5 mm: at 2 m the spread of an
        /// eye that needs letters of twice the normal size (4.3′, ISO 8596), and about the spread of a diffuser.
        private static let spread = 0.5

        private let light: [Double]
        private let energy: Double

        init(_ glyph: [UInt8]) {
            let width = (glyph.count + 2 * Self.margin) * Self.fine
            var light = [Double](repeating: 0, count: width * Self.height)
            for x in 0..<width {
                for y in 0..<Self.height {
                    let (column, row) = (x / Self.fine - Self.margin, y / Self.fine - Self.margin)
                    guard glyph.indices.contains(column), (0..<Font.height).contains(row) else { continue }
                    light[x * Self.height + y] = Double(glyph[column] >> UInt8(row) & 1)
                }
            }
            // Columns, then rows.
            light = Self.blurred(Self.blurred(light, step: 1, line: Self.height), step: Self.height, line: width)
            self.light = light
            energy = light.reduce(0) { $0 + $1 * $1 }
        }

        /// Weights of a Gaussian of `spread`, to three times of it.
        private static let weights = {
            let reach = Int(3 * spread * Double(fine))
            let weights = (-reach...reach).map { place in
                let distance = Double(place) / (spread * Double(fine))
                return exp(-distance * distance / 2)
            }
            let sum = weights.reduce(0, +)
            return weights.map { $0 / sum }
        }()

        /// `light` blurred along lines of `line` samples, which are `step` apart.
        private static func blurred(_ light: [Double], step: Int, line: Int) -> [Double] {
            let reach = weights.count / 2
            return light.indices.map { place in
                let along = place / step % line
                var sum = 0.0
                for offset in max(-reach, -along)...min(reach, line - 1 - along) {
                    sum += weights[offset + reach] * light[place + offset * step]
                }
                return sum
            }
        }

        /// How different the two look where they are most alike side by side: 0 for the same; two that share no light
        /// have about 1.4.
        func distance(to other: Image) -> Double {
            let reach = 2 * Self.fine
            let middle = (light.count - other.light.count) / Self.height / 2
            var most = 0.0
            for shift in middle - reach...middle + reach {
                let begin = shift * Self.height
                var common = 0.0
                for place in max(0, begin)..<min(light.count, begin + other.light.count) {
                    common += light[place] * other.light[place - begin]
                }
                most = max(most, common)
            }
            return ((energy + other.energy - 2 * most) / (energy * other.energy).squareRoot()).squareRoot()
        }
    }

    private struct Pair {
        let one, other: Character
        let distance: Double
    }

    /// Every pair of the font's glyphs, the most alike first.
    private static let pairs: [Pair] = {
        let glyphs = Font.characters.filter { $0 != " " }.map { (character: $0, image: Image(Font.columns(of: $0))) }
        var pairs: [Pair] = []
        for (place, one) in glyphs.enumerated() {
            for other in glyphs[..<place] {
                pairs.append(
                    Pair(one: one.character, other: other.character, distance: one.image.distance(to: other.image)))
            }
        }
        return pairs.sorted { $0.distance < $1.distance }
    }()

    private static func ranking(_ pairs: some Sequence<Pair>) -> String {
        pairs.prefix(12).map { "\($0.one)\($0.other) \(($0.distance * 100).rounded() / 100)" }.joined(separator: ", ")
    }

    @Test("N, M, W, H, U and V look different at 2 m, and no M or N like a Π")
    func group() {
        let pairs = Self.pairs.filter { "NMWHUV".contains($0.one) && "NMWHUV".contains($0.other) }
        #expect(pairs.count == 15)
        #expect(pairs.allSatisfy { $0.distance >= 0.45 }, "\(Self.ranking(pairs))")
        let flat = Image([31, 1, 31])
        for letter in "NMWUV" { #expect(flat.distance(to: Image(Font.columns(of: letter))) >= 0.45, "\(letter)") }
    }

    @Test("no letter of them is hard to tell from any other character, and the nearest of all characters differ")
    func nearest() {
        let group = Self.pairs.filter { "NMWUV".contains($0.one) || "NMWUV".contains($0.other) }
        #expect(group.allSatisfy { $0.distance >= 0.28 }, "\(Self.ranking(group))")
        #expect(Self.pairs.allSatisfy { $0.distance >= 0.21 }, "\(Self.ranking(Self.pairs))")
    }
}
