import Display
import Foundation
import Documents
import Formats
import Instrument
import Replay
import SignalAnalysis
import TestSupport
import Testing

@testable import Commands

/// The spectrograms in docs/sound.md: a picture of each group of factory sounds.
@Suite("Pictures of the sounds")
struct SoundPictureTests {
    private static let folder = Checkout.url("docs/sounds")

    /// Pixels of a spectrogram, and of the name above it with the frames around both.
    private static let (columns, rows) = (150, 72)
    private static let (margin, header) = (4, 11)
    private static let across = 4
    /// Levels from the brightest colour down to black, in decibels below the loudest of the picture.
    private static let span = 66.0

    private static let background = RGB(0x202226)
    /// From the lowest level to the highest. Few colours keep the files small.
    private static let colours: [RGB] = [0x000004, 0x420a68, 0x932667, 0xdd513a, 0xfca50a, 0xfcffa4].map { RGB($0) }
    private static let shades = 20

    /// The colour of a level, 0 to 1.
    private static func colour(_ level: Double) -> RGB {
        let place = (min(max(level, 0), 1) * Double(shades)).rounded() / Double(shades) * Double(colours.count - 1)
        let below = min(Int(place), colours.count - 2)
        return colours[below].blended(towards: colours[below + 1], Float(place - Double(below)))
    }

    /// The phrase of `track` with `sound`, with half a second of its end, in the middle.
    private static func samples(_ track: Track, _ sound: SoundPreset) -> [Float] {
        let document = SoundPhrase.document(track, sound)
        var samples: [Float] = []
        Bounce.render(document, loops: 1, rate: 48_000) { block, _ in samples += block }
        let (left, right) = channels(samples, frames: 48_000 * 9 / 2)
        return zip(left, right).map { ($0 + $1) / 2 }
    }

    private static func picture(_ track: Track) -> Frame {
        let sounds = FactorySounds.home(track)
        let down = (sounds.count + across - 1) / across
        let (width, height) = (columns + margin, rows + header)
        var frame = Frame(columns: across * width + margin, rows: down * height + margin)
        frame.fill(background)
        for (index, sound) in sounds.enumerated() {
            let (left, top) = (index % across * width + margin, index / across * height)
            TextLine(sound.name.text).draw(into: &frame, column: left, row: top + 4, colour: .white)
            let levels = spectrogram(
                samples(track, sound), rate: 48_000, columns: columns, rows: rows, lowest: 40, highest: 16_000)
            let loudest = levels.joined().max() ?? 0
            for column in 0..<columns {
                for row in 0..<rows {
                    let level = 1 - (loudest - levels[column][row]) / span
                    frame[left + column, top + header + rows - 1 - row] = colour(level)
                }
            }
        }
        return frame
    }

    @Test(
        "the documentation lists the sounds made for each track in order, with their models", arguments: Track.allCases)
    func table(_ track: Track) throws {
        let page = try String(contentsOf: Self.folder.appendingPathComponent("../sound.md"), encoding: .utf8)
        let table = try #require(page.split(separator: "](sounds/\(track.name).png)").dropFirst().first)
        let listed = table.prefix { $0 != "!" }.matches(of: /(?m)^\| ([A-Z]+) \| (\w+) \|/).map { "\($0.1) \($0.2)" }
        let made = FactorySounds.home(track).map { sound in
            let settings = SoundPhrase.document(track, sound).sound
            let kit = SoundKit.words[settings[.track(.rhythm, .model)]]
            return sound.name.text + " " + (track == .rhythm ? kit : settings.model(of: track).word)
        }
        #expect(listed == made)
    }

    @Test("the start of the documentation's music is the factory set")
    func factory() throws {
        let text = try Data(contentsOf: Self.folder.appendingPathComponent("factory.json"))
        #expect(try PatternDocument(parsing: Array(text)).sound == .factory)
    }

    @Test("the spectrograms in the documentation are of these sounds", arguments: Track.allCases)
    func pictures(_ track: Track) throws {
        let file = Self.folder.appendingPathComponent("\(track.name).png")
        let made = Self.picture(track)
        if ProcessInfo.processInfo.environment["PIXELBOOP_PICTURES"] != nil {
            try Data(Picture.png(made)).write(to: file)
        }
        let kept = try #require(PNGImage(Array(try Data(contentsOf: file))))
        let rgb = made.pixels.flatMap { [$0.red, $0.green, $0.blue] }
        // Another machine's logarithm may round a few pixels to the next colour.
        let others = zip(kept.rgb, rgb).reduce(0) { $0 + ($1.0 == $1.1 ? 0 : 1) }
        #expect(kept.rgb.count == rgb.count && others < rgb.count / 500, "\(others); if that is right: make pictures")
    }
}
