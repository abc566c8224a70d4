import Display
import Input
import InputEvents
import Instrument
import Panel
import Runtime
import Testing

@testable import Devices

@Suite("Launchpads at MIDI ports")
struct LaunchpadPortTests {
    /// The two ports of a Launchpad.
    private static func launchpad(_ name: String, card: Int32) -> [MIDIPortDetails] {
        (0..<2).map { port in
            MIDIPortDetails(
                address: MIDIAddress(client: 16 + card, port: port), client: name, port: "\(name) MIDI \(port + 1)",
                isHardware: true, isSource: true, isDestination: true, card: card)
        }
    }

    private static let (mini, keys) = (
        launchpad("Launchpad Mini MK3", card: 2), MIDIPortDetails.device("Keys", card: 1)
    )
    private static let address = MIDIAddress(client: 18, port: 1)
    private static let enter: [UInt8] = [0xf0, 0x00, 0x20, 0x29, 0x02, 0x0d, 0x0e, 0x01, 0xf7]

    /// A box with a keyboard and a Launchpad; the fingers of the Launchpads, as the loop gets them.
    private struct Setting {
        let bench: MIDIBench
        let launchpads: Launchpads
        private var touch: TouchInput

        init(_ devices: [MIDIPortDetails]) {
            let launchpads = Launchpads(columns: 44, clock: WokenClock())
            self.launchpads = launchpads
            bench = MIDIBench(launchpads: launchpads, prepare: { $0.state.withLock { $0.ports = devices } })
            touch = TouchInput([launchpads], columns: 44, rows: 24)
        }

        mutating func fingers(at milliseconds: Int64) -> [String] {
            var fingers: [FingerReport] = []
            touch.read(at: Instant(milliseconds: milliseconds), into: &fingers)
            return fingers.map { "\($0.touch.contact) \($0.touch.phase) \($0.touch.column) \($0.touch.row)" }
        }
    }

    @Test("its second port is the window: no notes are sent to it, and its keys play no track")
    func connection() {
        var setting = Setting([Self.keys] + Self.mini)
        _ = setting.fingers(at: 1000)
        #expect(setting.launchpads.isThere && setting.bench.connected.count == 2)
        #expect(setting.bench.midi.log.filter { $0.hasPrefix("feed") } == ["feed 17:0"])
        #expect(setting.bench.midi.sent.contains { $0.bytes == Self.enter && $0.destination == Self.address })
        setting.bench.midi.play([0x90, 11, 100], raw: "hw:2,0,1", at: 1_100_000)
        setting.bench.midi.play([0x90, 60, 100], raw: "hw:1,0,0", at: 1_100_000)
        let events = setting.bench.read(at: 1200).map(\.event)
        #expect(events == [.midi(.noteOn(channel: 0, key: 60, velocity: 100))])
        #expect(setting.fingers(at: 1200) == ["0 down 4.0 21.0"])
        setting.bench.midi.play([0x90, 18, 1, 0x90, 11, 0], raw: "hw:2,0,1", at: 1_250_000)
        #expect(setting.bench.read(at: 1300).isEmpty)
        #expect(setting.fingers(at: 1300) == ["1 down 11.0 21.0", "0 up 4.0 21.0"])
    }

    @Test("scenes and mutes are asked for")
    func buttons() {
        let setting = Setting(Self.mini)
        setting.bench.midi.play([0xb0, 89, 127, 0xb0, 89, 0, 0xb0, 97, 127], raw: "hw:2,0,1", at: 1_100_000)
        #expect(setting.bench.read(at: 1200).map(\.event) == [.remote(.scene(0)), .remote(.toggleMute(.bass))])
    }

    @Test("the lights follow the panel, thirty times a second at most")
    func lights() throws {
        let setting = Setting(Self.mini)
        let driver = try PanelDriver(PanelConfiguration())
        setting.launchpads.show([RGB](repeating: RGB(0xfe0000), count: 44 * 24), by: driver)
        setting.bench.midi.forgetSent()
        setting.bench.read(at: 1100)
        let sent = setting.bench.midi.sent
        #expect(sent.count == 8 && sent.allSatisfy { $0.destination == Self.address && $0.due == nil })
        #expect(sent[0].bytes.prefix(12) == [0xf0, 0x00, 0x20, 0x29, 0x02, 0x0d, 0x03, 3, 81, 127, 0, 0])
        setting.bench.midi.forgetSent()
        setting.launchpads.show([RGB](repeating: .black, count: 44 * 24), by: driver)
        setting.bench.read(at: 1130)
        #expect(setting.bench.midi.sent.isEmpty)
        setting.bench.read(at: 1134)
        #expect(!setting.bench.midi.sent.isEmpty)
    }

    @Test("unplugged, its fingers lift; at the end it gets its pads back")
    func unplugging() {
        var setting = Setting(Self.mini)
        setting.bench.midi.play([0x90, 11, 100, 0x90, 12, 100], raw: "hw:2,0,1", at: 1_100_000)
        setting.bench.read(at: 1200)
        #expect(setting.fingers(at: 1200).count == 2)
        for port in Self.mini { setting.bench.midi.unplug(port) }
        setting.bench.read(at: 1300)
        #expect(setting.fingers(at: 1300) == ["0 up 4.0 21.0", "1 up 5.0 21.0"] && !setting.launchpads.isThere)
        for port in Self.mini { setting.bench.midi.plug(port) }
        setting.bench.midi.forgetSent()
        setting.bench.read(at: 1400)
        #expect(setting.bench.midi.sent.first?.bytes == Self.enter)
        setting.bench.ports.stop()
        var leave = Self.enter
        leave[7] = 0
        #expect(setting.bench.midi.sent.last?.bytes == leave)
    }

    @Test("without windows a Launchpad is a keyboard")
    func keyboard() {
        let bench = MIDIBench(Self.mini[0], Self.mini[1])
        bench.midi.play([0x90, 60, 100], raw: "hw:2,0,1", at: 1_100_000)
        #expect(bench.read(at: 1200).map(\.event) == [.midi(.noteOn(channel: 0, key: 60, velocity: 100))])
        #expect(bench.midi.log.filter { $0.hasPrefix("feed") } == ["feed 18:0", "feed 18:1"])
    }
}
