import InputEvents
import Display
import Documents
import Formats
import Foundation
import InputEvents
import Instrument
import Replay
import TestSupport
import Testing

/// The pictures of `docs/play.md`: gestures and controls played on the whole box. `make pictures` regenerates them.
@Suite("docs/play.md")
struct PlayTests {
    /// One picture, or several moments side by side.
    struct Scene: Sendable, CustomTestStringConvertible {
        let name: String
        let part: FingerPicture.Part
        var tune = false
        var hasLibrary = false
        /// Whether what was made is played once after the last picture.
        var isHeard = false
        let play: @Sendable (inout Hand) -> Void

        var testDescription: String { name }
    }

    static let left = FingerPicture.Part(columns: 0..<22, rows: 0..<24, pitch: 12)
    static let top = FingerPicture.Part(columns: 0..<44, rows: 0..<8, pitch: 12)
    static let whole = FingerPicture.Part(columns: 0..<44, rows: 0..<24, pitch: 10)

    private static let scenes: [Scene] =
        gestures + wholeGestures + controls + besideTracks + sheets + songs + takes + pads + keys + effects + lanes
        + tracks
        + scales + sync + switches

    /// The same gesture on each of the four tracks, one finger on each.
    private static let gestures = [
        Scene(name: "tap", part: left, isHeard: true) {
            $0.touch([[(8, 5)], [(8, 11)], [(8, 16)], [(8, 21)]])
            $0.quietPicture()
        },
        Scene(name: "accent", part: left, isHeard: true) {
            $0.touch([[(8, 5)], [(8, 11)], [(8, 16)], [(8, 21)]], held: 500)
            $0.quietPicture()
        },
        Scene(name: "along", part: left, isHeard: true) {
            $0.touch([[(5, 6), (15, 6)], [(5, 12), (15, 12)], [(5, 16), (15, 16)], [(5, 20), (15, 20)]])
            $0.quietPicture()
        },
        Scene(name: "along-held", part: left, isHeard: true) {
            $0.touch([[(5, 6), (15, 6)], [(5, 12), (15, 12)], [(5, 16), (15, 16)], [(5, 20), (15, 20)]], held: 500)
            $0.quietPicture()
        },
        Scene(name: "up", part: left, isHeard: true) {
            $0.touch([[(5, 7), (5, 3)], [(8, 13), (8, 9)], [(11, 17), (11, 15)], [(15, 21), (15, 18)]])
            $0.quietPicture()
        },
        Scene(name: "long-stack", part: left, isHeard: true) {
            $0.touch([[(5, 7), (5, 4), (14, 4)], [(5, 13), (5, 10), (14, 10)]], held: 500)
            $0.quietPicture()
        },
        Scene(name: "diagonal", part: left, isHeard: true) {
            $0.touch([[(5, 7), (13, 3)], [(5, 13), (13, 9)], [(5, 17), (11, 14)], [(5, 21), (11, 18)]])
            $0.quietPicture()
        },
    ]

    private static let wholeGestures = [
        Scene(name: "remove", part: left, tune: true, isHeard: true) {
            $0.picture()
            $0.touch([[(8, 3)], [(8, 13)], [(13, 14)], [(8, 20)]])
            $0.quietPicture()
        },
        Scene(name: "louder", part: left, tune: true, isHeard: true) {
            $0.picture()
            $0.touch([[(8, 3)], [(8, 13)], [(13, 14)], [(8, 20)]], held: 500)
            $0.quietPicture()
        },
        Scene(name: "move", part: left, tune: true, isHeard: true) {
            $0.picture()
            $0.touch(
                [[(8, 3), (11, 5)], [(8, 13), (10, 12)], [(13, 14), (15, 16)], [(8, 20), (10, 19)]], held: 500)
            $0.quietPicture()
        },
        Scene(name: "erase", part: left, tune: true, isHeard: true) {
            $0.picture()
            $0.tap(8, 11)
            $0.tap(8, 11)
            $0.quietPicture()
        },
        Scene(name: "undo", part: left, tune: true, isHeard: true) {
            $0.touch([[(5, 7), (12, 3)]])
            $0.begin()
            $0.picture()
            $0.touch([[(17, 9), (5, 9)]], held: 20, moving: 160)
            $0.touch([[(17, 9), (5, 9)]], held: 20, moving: 160)
            $0.quietPicture()
        },
        Scene(name: "shake", part: left, tune: true) {
            $0.picture()
            $0.touch(
                [[(7, 9), (16, 9.5), (7, 10), (16, 10.5), (7, 11), (16, 11.5), (7, 12), (16, 12.5)]], moving: 1000)
            $0.quietPicture()
        },
        Scene(name: "play-stop", part: whole, tune: true) {
            $0.tap(15, 22)
            $0.tap(15, 22)
            $0.wait(600)
            $0.picture()
        },
    ]

    private static let controls = [
        Scene(name: "play", part: top, tune: true) {
            $0.tap(1, 0)
            $0.picture()
        },
        Scene(name: "colours", part: whole, tune: true) {
            $0.tap(0, 0, held: 700)
            $0.quietPicture()
        },
        Scene(name: "clear-sight", part: whole, tune: true) {
            $0.tap(0, 0, held: 700)
            $0.wait(1300)
            $0.tap(0, 0, held: 700)
            $0.quietPicture()
        },
        Scene(name: "history", part: top, tune: true) {
            $0.tap(8, 5)
            $0.begin()
            $0.tap(4, 0)
            $0.picture()
        },
        Scene(name: "scale", part: top) {
            $0.touch([[(7, 0), (8, 0)]])
            $0.picture()
        },
        Scene(name: "root", part: top) {
            $0.touch([[(11, 0), (18, 0)]])
            $0.picture()
        },
        Scene(name: "transpose", part: whole, tune: true, isHeard: true) {
            $0.tap(13, 0, held: 700)
            $0.picture()
        },
        Scene(name: "ghosts", part: whole, tune: true) {
            $0.tap(24, 0)
            $0.quietPicture()
        },
        Scene(name: "tempo", part: top) {
            $0.tap(28, 0, held: 900)
            $0.picture()
        },
        Scene(name: "length", part: top) {
            $0.tap(30, 0, held: 900)
            $0.picture()
        },
        Scene(name: "metre", part: whole, tune: true) {
            $0.tap(31, 0, held: 700)
            $0.begin()
            $0.touch([[(6, 8), (18, 8)]])
            $0.tap(7, 19)
            $0.quietPicture()
        },
        Scene(name: "windows", part: whole, tune: true) {
            $0.tap(32, 0)
            $0.tap(32, 0)
            $0.begin()
            $0.tap(24, 22)
            $0.touch([[(5, 6), (15, 6)], [(5, 12), (15, 12)], [(5, 16), (15, 16)], [(5, 20), (15, 20)]])
            $0.quietPicture()
        },
        Scene(name: "clear", part: top, tune: true) {
            $0.tap(41, 0, held: 500)
            $0.picture()
        },
    ]

    private static let besideTracks = [
        Scene(name: "mute", part: whole, tune: true) {
            $0.tap(0, 15)
            $0.picture()
        },
        Scene(name: "solo", part: whole, tune: true) {
            $0.tap(1, 15)
            $0.picture()
        },
        Scene(name: "page", part: whole, tune: true) {
            $0.tap(3, 11)
            $0.picture()
        },
        Scene(name: "page-drag", part: whole, tune: true) {
            $0.touch([[(3, 11), (3, 13)]])
            $0.picture()
        },
        Scene(name: "scene-copy", part: whole, tune: true) {
            $0.tap(41, 2.5, held: 700)
            $0.picture()
        },
        Scene(name: "scene-play", part: whole, tune: true) {
            $0.prepareScenes()
            $0.tap(1, 0)
            $0.begin()
            $0.tap(41, 2.5)
            $0.picture()
        },
        Scene(name: "new-waits", part: whole, tune: true, hasLibrary: true) {
            // The guide, an empty cell of today, twice.
            $0.tap(2, 1)
            $0.wait(500)
            $0.tap(2, 4)
            $0.wait(500)
            $0.tap(14, 21)
            $0.send(.key(.playStop))
            $0.begin()
            $0.tap(14, 21)
            $0.picture()
            $0.quietPicture()
        },
        Scene(name: "scene-clear", part: whole, tune: true) {
            $0.prepareScenes()
            $0.begin()
            $0.tap(41, 4, held: 1300)
            $0.picture()
        },
        Scene(name: "part-play", part: whole, tune: true) {
            $0.prepareScenes()
            $0.tap(40, 3)
            $0.tap(1, 0)
            $0.begin()
            $0.tap(42, 3)
            $0.picture()
        },
        Scene(name: "part-copy", part: whole, tune: true) {
            $0.prepareScenes()
            $0.tap(42, 3)
            $0.begin()
            $0.tap(42, 8, held: 700)
            $0.picture()
        },
        Scene(name: "chain", part: whole, tune: true) {
            $0.prepareScenes()
            $0.begin()
            $0.tap(41, 22.5)
            $0.picture()
        },
        Scene(name: "menu", part: left, tune: true) {
            $0.tap(2, 1)
            $0.wait(500)
            $0.picture()
        },
    ]

    /// A few notes on each track.
    private static let tune: Pattern = {
        var pattern = Pattern()
        for (step, note) in [(0, 4), (4, 7), (8, 9), (12, 4)] { pattern[.melody, note: note, step: step] = .normal }
        for (step, root) in [(4, 0), (12, 2)] {
            for tone in root == 0 ? [0, 4, 7] : [2, 5, 9] { pattern[.chords, note: tone, step: step] = .normal }
        }
        for (step, note) in [(0, 0), (6, 4), (8, 5), (14, 0)] { pattern[.bass, note: note, step: step] = .accent }
        for (step, note) in [(0, 0), (4, 3), (8, 0), (12, 3)] { pattern[.rhythm, note: note, step: step] = .accent }
        return pattern
    }()

    /// The answers of a library without patterns.
    private static func library(_ job: Instrument.Job) -> [Instrument.Event] {
        switch job {
        case .showLibrary:
            let banks = "ABCDEFGH".map { GuideContent.Channel(id: String($0), name: String($0)) }
            return [.guide(GuideContent(source: .library, channels: banks, days: 0..<67, today: 66, placed: []))]
        case .begin(_, let tune): return [.opened(.begun, tune: tune)]
        default: return []
        }
    }

    private static let folder = Checkout.url("docs/play")

    /// Scenes that a touch script cannot hold: they have a library, samples, a stick, or the button that switches off.
    private static let plain: Set = ["new-waits", "pads", "samples", "power", "stick"]

    /// The hand that has played `scene`, and its touch script as a file; nil for a picture that does not play.
    private func played(_ scene: Scene) throws -> (hand: Hand, file: String?) {
        var hand = Hand()
        scene.play(&hand)
        if scene.isHeard { hand.hear() }
        return (hand, Self.plain.contains(scene.name) ? nil : try hand.text(scene.tune ? Self.tune : nil))
    }

    private func picture(_ scene: Scene) throws -> (picture: Frame, file: String?) {
        let (hand, file) = try played(scene)
        var plan = Replay.Plan(try file.map { try TouchScript(parsing: Array($0.utf8)) } ?? hand.script)
        if scene.tune, file == nil { plan.start = PatternDocument(pattern: Self.tune) }
        if scene.hasLibrary { plan.runJob = Self.library }
        plan.until = hand.pictures.last
        var frames: [(at: Instant, frame: Frame)] = []
        var observers = Replay.Observers()
        observers.frame = { frames.append(($1, $0)) }
        _ = try Replay.run(plan, observers)
        let picture = FingerPicture.row(
            try hand.pictures.map { time in
                let frame = try #require(frames.last { $0.at <= time }?.frame)
                let ways = FingerWay.all(in: hand.script, until: time).filter { $0.down >= hand.shownSince }
                return FingerPicture(frame, scene.part, ways)
            })
        return (picture, file)
    }

    @Test("each picture, and the script beside it, match the box", arguments: scenes)
    func pictures(_ scene: Scene) throws {
        let file = Self.folder.appendingPathComponent("\(scene.name).png")
        let scriptFile = Self.folder.appendingPathComponent("\(scene.name).jsonl")
        let (made, script) = try picture(scene)
        if ProcessInfo.processInfo.environment["PIXELBOOP_PICTURES"] != nil {
            try Data(Picture.png(made)).write(to: file)
            if let script { try Data(script.utf8).write(to: scriptFile) }
        }
        let golden = try #require(PNGImage(Array(try Data(contentsOf: file))), "\(scene.name)")
        let isSame = golden.rgb == made.pixels.flatMap { [$0.red, $0.green, $0.blue] }
        #expect(isSame, "\(scene.name).png is of another box; if that is right: make pictures")
        guard let script else { return }
        let isSameScript = try Data(contentsOf: scriptFile) == Data(script.utf8)
        #expect(isSameScript, "\(scene.name).jsonl is of another hand; if that is right: make pictures")
        #expect(script.utf8.count < 20_000, "\(scene.name).jsonl is too large for a page")
    }

    @Test("there are no other pictures and scripts")
    func names() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
        let scripts = Self.scenes.filter { !Self.plain.contains($0.name) }.map { "\($0.name).jsonl" }
        #expect(files == (Self.scenes.map { "\($0.name).png" } + scripts).sorted())
    }
}
