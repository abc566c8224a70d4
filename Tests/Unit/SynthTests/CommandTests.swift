import Synth
import Testing

@Suite("Commands and reports")
struct CommandTests {
    @Test(
        "only 44100, 48000 and 96000 frames per second are supported", arguments: [0, 8000, 44099, 192_000] as [UInt32])
    func rates(rate: UInt32) {
        #expect(synth_create(rate) == nil)
    }

    @Test("a batch that does not fit is rejected completely and counted")
    func overflow() throws {
        let engine = try TestEngine()
        let notes = [SynthCommand](repeating: .audition(.melody, 0), count: 8193)
        #expect(!engine.post(notes))
        #expect(engine.counters.commands_refused == 1)
        #expect(peak(engine.render(4000)) == 0)

        #expect(engine.post([SynthCommand](repeating: .fade(), count: 8188)))
        #expect(!engine.post([SynthCommand](repeating: .audition(.melody, 0), count: 5)))
        #expect(engine.post([SynthCommand](repeating: .fade(), count: 4)))
        #expect(engine.counters.commands_refused == 2)
        #expect(peak(engine.render(4000)) == 0)
        #expect(engine.post(.audition(.melody, 0)))
        #expect(peak(engine.render(4000)) > 0)
    }

    @Test("unread reports are lost, newest first, and counted")
    func lostReports() throws {
        let engine = try TestEngine()
        let rows = (0..<12).map { SynthCommand.row(.rhythm, $0, .normal, on: 0..<32) }
        engine.post(rows + [.tempo(200), .play()])
        engine.skip(3600 * 320)
        engine.readReports()
        try #require(engine.reports.count == 4096)
        #expect(engine.counters.reports_lost == 320 * 13 - 4096)
        #expect(engine.reports[0].frame == 0)
        #expect(engine.reports[4095].frame == 315 * 3600)
    }

    @Test("a command takes effect on its frame, for any block size", arguments: [1, 2, 63, 64, 65, 1000, 12345])
    func exactFrame(frame: Int) throws {
        let reference = try TestEngine()
        reference.post(.audition(.rhythm, 0))
        let expected = reference.render(2000)

        let engine = try TestEngine()
        engine.post(.audition(.rhythm, 0, at: frame))
        let sound = engine.render(frame + 2000, block: 333)
        #expect(peak(sound[..<frame]) == 0)
        #expect(Array(sound[frame...]) == expected)
    }

    @Test("a command for a past frame takes effect at once")
    func pastFrame() throws {
        let engine = try TestEngine()
        engine.render(1000)
        engine.post(.play(at: 10))
        engine.render(1000)
        #expect(engine.steps.map(\.frame) == [1000])
    }

    @Test("commands of one frame take effect in the order posted")
    func order() throws {
        let engine = try TestEngine()
        engine.post([.play(at: 500), .stop(at: 500), .audition(.melody, 0, at: 500), .fade(at: 500)])
        let sound = engine.render(4000)
        #expect(engine.steps.isEmpty)
        #expect(peak(sound[(500 + 240 + engine.latency)...]) == 0)
    }

    @Test("a command with a track, note or kind that does not exist is ignored")
    func nonsense() throws {
        let engine = try TestEngine()
        var commands: [SynthCommand] = []
        let pattern = SynthPatternNumber(number: 254, waiting: false)
        for (track, note) in [(4, 0), (0, 24), (0, -13), (3, -1)] {
            let row = SynthRowCommand(
                cells: .max / 3, track: UInt8(track), note: Int8(note), window: 0, pattern: pattern)
            commands.append(SynthCommand(SynthRow, .init(row: row)))
        }
        for (track, note) in [(4, 0), (255, 127), (3, 12), (1, -128)] {
            let audition = SynthAuditionCommand(
                steps: .max, track: UInt8(track), note: Int8(note), velocity: 255)
            commands.append(SynthCommand(SynthAudition, .init(audition: audition)))
        }
        for kind in [0, 99, 255] as [UInt8] {
            let audition = SynthAuditionCommand(steps: 1, track: 0, note: 0, velocity: 2)
            commands.append(SynthCommand(SynthCommandKind(kind), .init(audition: audition)))
        }
        engine.post(commands + [.play()])
        #expect(peak(engine.render(4000)) == 0)
    }

    @Test("the frame counter counts the rendered frames")
    func frames() throws {
        let engine = try TestEngine()
        engine.render(12345, block: 100)
        #expect(engine.counters.frames == 12345)
    }
}
