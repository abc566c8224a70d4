import Glibc
import InputEvents
import Instrument
import Runtime
import TestSupport
import Testing

@testable import Devices

private let piano = MIDIPortDetails.device("Piano", card: 1)
private let drums = MIDIPortDetails.device("Drums", card: 2)

private func midi(_ microseconds: Int64, _ message: MIDIMessage) -> ControlEvent {
    event(microseconds, .midi(message))
}

@Suite("MIDI ports: connections")
struct MIDIConnectionTests {
    @Test("the client has an input and an output, hears of new ports, and wakes the loop")
    func client() {
        let bench = MIDIBench()
        bench.read(at: 1000)
        #expect(bench.midi.log == ["open PixelBoop", "port in", "port out", "receive 0:1"])
        #expect(bench.watched == ["+101"])
        #expect(bench.ports.isOpen)
        #expect(bench.ports.problem == nil)
    }

    @Test("devices are connected at the start: read raw, and fed by the sequencer")
    func start() {
        let bench = MIDIBench(piano)
        #expect(bench.connected == ["Piano MIDI 1 (17:0), in with the kernel's time stamps, out"])
        #expect(bench.midi.log.suffix(2) == ["feed 17:0", "open hw:1,0,0"])
        #expect(bench.watched == ["+101", "+102"])
    }

    @Test("the raw device of a port is that of its number")
    func rawDevice() {
        var port = piano
        port.address.port = 67
        #expect(port.rawDevice == "hw:1,2,3")
        port.isHardware = false
        #expect(port.rawDevice == nil)
    }

    @Test("without raw, and of a device without time stamps, input comes through the sequencer")
    func sequencer() {
        let shared = MIDIBench(piano) { $0.isRaw = false }
        #expect(shared.connected == ["Piano MIDI 1 (17:0), in through the sequencer, out"])
        let old = MIDIBench(piano) { _ in
        } prepare: {
            $0.fail(.openRaw, ENOTSUP)
        }
        #expect(old.connected == ["Piano MIDI 1 (17:0), in through the sequencer, out"])
        let busy = MIDIBench(piano) { _ in
        } prepare: {
            $0.fail(.openRaw, EBUSY)
        }
        #expect(busy.connected == ["Piano MIDI 1 (17:0), in through the sequencer, out"])
    }

    @Test("a device plugged in later is connected at once, when udev has set its permissions")
    func hotPlug() {
        let bench = MIDIBench()
        bench.midi.fail(.openRaw, EACCES, ENOENT)
        bench.midi.plug(piano)
        bench.read(at: 2000)
        #expect(bench.connected == ["Piano MIDI 1 (17:0), not connected yet"])
        bench.read(at: 2016)
        bench.read(at: 2032)
        #expect(bench.connected == ["Piano MIDI 1 (17:0), in with the kernel's time stamps, out"])
    }

    @Test("a device whose permissions stay refused is read through the sequencer")
    func forbidden() {
        let bench = MIDIBench()
        bench.midi.fail(.openRaw, EACCES, EACCES, EACCES)
        bench.midi.plug(piano)
        bench.read(at: 1500)
        bench.read(at: 1999)
        #expect(bench.connected == ["Piano MIDI 1 (17:0), not connected yet"])
        bench.read(at: 2500)
        #expect(bench.connected == ["Piano MIDI 1 (17:0), in through the sequencer, out"])
    }

    @Test("the box is never connected to itself, the system and Midi Through; to programs only by name")
    func strangers() {
        let own = MIDIPortDetails.program("PixelBoop", client: 128)
        let through = MIDIPortDetails.program("Midi Through", client: 14)
        let system = MIDIPortDetails.program("System", client: 0)
        let synth = MIDIPortDetails.program("Synth", client: 130)
        #expect(MIDIBench(own, through, system, synth).connected == [])
        let names = ["PixelBoop", "Midi Through", "System", "Synth"]
        let named = MIDIBench(own, through, system, synth, piano) { $0.ports = names }
        #expect(named.connected == ["Synth out (130:0), in through the sequencer, out"])
    }

    @Test("names are those of devices, of ports, or of both", arguments: ["Piano", "Piano MIDI 1", "Drums"])
    func names(name: String) {
        let bench = MIDIBench(piano, drums) { $0.ports = [name] }
        #expect(bench.ports.status.present.count == 1)
        #expect(bench.connected[0].hasPrefix(name))
    }

    @Test("a machine without a sequencer is asked again every second", arguments: [ENOENT, EACCES, EBUSY])
    func absent(error: Int32) {
        let bench = MIDIBench(piano) { _ in
        } prepare: {
            $0.fail(.open, error, error)
        }
        #expect(!bench.ports.isOpen)
        #expect(bench.ports.problem?.contains("/dev/snd/seq") == true)
        #expect(bench.ports.isMissing == (error == ENOENT))
        bench.ports.send([0xf8], at: .zero)
        bench.read(at: 1999)
        #expect(bench.midi.log.count == 1)
        bench.read(at: 2000)
        bench.read(at: 3000)
        #expect(bench.midi.log.prefix(3) == ["open PixelBoop", "open PixelBoop", "open PixelBoop"])
        #expect(bench.ports.problem == nil && !bench.ports.isMissing)
        #expect(bench.ports.status.present.count == 1)
        #expect(bench.midi.sent.allSatisfy { $0.bytes != [0xf8] })
    }

    @Test("a failed step of the set-up closes the client", arguments: [FakeMIDI.Call.queue, .port, .receive])
    func setUp(call: FakeMIDI.Call) {
        let bench = MIDIBench { _ in
        } prepare: {
            $0.fail(call, ENOMEM)
        }
        #expect(bench.midi.log.last == "close")
        #expect(bench.ports.problem != nil)
        bench.read(at: 2000)
        #expect(bench.ports.problem == nil)
    }

    @Test("a port that refuses its connection is named, and asked again")
    func refused() {
        let bench = MIDIBench(piano) { _ in
        } prepare: {
            $0.fail(.feed, EBUSY)
        }
        #expect(bench.ports.problem?.hasPrefix("Piano MIDI 1 does not connect") == true)
        bench.read(at: 2000)
        #expect(bench.ports.problem == nil)
        #expect(bench.connected == ["Piano MIDI 1 (17:0), in with the kernel's time stamps, out"])
    }

    @Test("a client that fails is closed and opened again a second later")
    func broken() {
        let bench = MIDIBench(piano)
        bench.midi.play([0x90, 60, 100], raw: "hw:1,0,0", at: 1_001_000)
        bench.read(at: 1002)
        bench.midi.fail(.read, ENODEV)
        let events = bench.read(at: 1010)
        #expect(events == [midi(1_010_000, .noteOff(channel: 0, key: 60))])
        #expect(bench.midi.log.suffix(2) == ["close raw", "close"])
        #expect(bench.watched == ["+101", "+102", "-102", "-101"])
        bench.read(at: 2010)
        #expect(bench.connected.count == 1)
    }
}

@Suite("MIDI ports: input")
struct MIDIInputTests {
    @Test("raw bytes have the kernel's times")
    func raw() {
        let bench = MIDIBench(piano)
        bench.midi.play([0x90, 60], raw: "hw:1,0,0", at: 1_001_000)
        bench.midi.play([100, 0xf8], raw: "hw:1,0,0", at: 1_002_000)
        bench.midi.play([62, 0], raw: "hw:1,0,0", at: 1_003_000)
        #expect(
            bench.read(at: 1016) == [
                midi(1_002_000, .noteOn(channel: 0, key: 60, velocity: 100)), midi(1_002_000, .clock),
                midi(1_003_000, .noteOff(channel: 0, key: 62)),
            ])
    }

    @Test("events of the sequencer have the queue's times")
    func sequencer() {
        let bench = MIDIBench(piano) { $0.isRaw = false }
        bench.midi.play([0xb2, 7, 100], from: piano.address, at: 1_005_000)
        #expect(bench.read(at: 1016) == [midi(1_005_000, .control(channel: 2, number: 7, value: 100))])
    }

    @Test("the queue's drift is measured every second")
    func drift() {
        let bench = MIDIBench(piano) { $0.isRaw = false }
        bench.read(at: 2000)
        bench.midi.play([0xf8], from: piano.address, at: 2_000_500)
        #expect(bench.read(at: 2001) == [midi(2_000_500, .clock)])
    }

    @Test("no event is later than the pass that reads it")
    func future() {
        let bench = MIDIBench(piano)
        bench.midi.play([0xf8], raw: "hw:1,0,0", at: 5_000_000)
        #expect(bench.read(at: 1016) == [midi(1_016_000, .clock)])
    }

    @Test("messages of a program that connected itself count too")
    func program() {
        let bench = MIDIBench()
        let program = MIDIAddress(client: 131, port: 0)
        bench.midi.play([0x90, 60, 100], from: program, at: 1_005_000)
        bench.midi.announce(.removedClient(131))
        #expect(
            bench.read(at: 1016) == [
                midi(1_005_000, .noteOn(channel: 0, key: 60, velocity: 100)),
                midi(1_016_000, .noteOff(channel: 0, key: 60)),
            ])
    }

    @Test("keys of an unplugged device are released, and nothing of it is left")
    func unplug() {
        let bench = MIDIBench(piano)
        bench.midi.play([0x90, 60, 100, 62, 100, 0xb0, 64, 127], raw: "hw:1,0,0", at: 1_001_000)
        bench.read(at: 1002)
        bench.midi.unplug(piano)
        #expect(
            bench.read(at: 1100).map(\.event) == [
                .midi(.noteOff(channel: 0, key: 60)), .midi(.noteOff(channel: 0, key: 62)),
                .midi(.control(channel: 0, number: 64, value: 0)),
            ])
        #expect(bench.connected == [])
        #expect(bench.watched.last == "-102")
        #expect(bench.midi.log.last == "close raw")
    }

    @Test("a raw device that fails is unplugged, and connected again if it is still there")
    func failure() {
        let bench = MIDIBench(piano)
        bench.midi.play([0x90, 60, 100], raw: "hw:1,0,0", at: 1_001_000)
        bench.read(at: 1002)
        bench.midi.fail(.readRaw, ENODEV)
        #expect(bench.read(at: 1100) == [midi(1_100_000, .noteOff(channel: 0, key: 60))])
        #expect(bench.connected == [])
        bench.read(at: 2100)
        #expect(bench.connected == ["Piano MIDI 1 (17:0), in with the kernel's time stamps, out"])
    }

    @Test("an interrupted or empty read is no failure", arguments: [EINTR, EAGAIN])
    func interrupted(error: Int32) {
        let bench = MIDIBench(piano)
        bench.midi.fail(.readRaw, error)
        bench.midi.fail(.read, error)
        bench.midi.play([0xfa], raw: "hw:1,0,0", at: 1_001_000)
        let events = bench.read(at: 1016) + bench.read(at: 1032)
        #expect(events == [midi(1_001_000, .start)])
        #expect(bench.ports.problem == nil)
    }

    @Test("events that the sequencer lost release its keys, and are a problem for a while")
    func overrun() {
        let bench = MIDIBench(piano) { $0.isRaw = false }
        bench.midi.play([0x90, 60, 100], from: piano.address, at: 1_001_000)
        bench.read(at: 1002)
        bench.midi.fail(.read, ENOSPC)
        #expect(bench.read(at: 1100) == [midi(1_100_000, .noteOff(channel: 0, key: 60))])
        #expect(bench.ports.problem?.contains("messages were lost") == true)
        bench.read(at: 11_100)
        #expect(bench.ports.problem == nil)
    }

    @Test("bytes that a raw device lost release its keys")
    func rawOverrun() {
        let bench = MIDIBench(piano)
        bench.midi.play([0x90, 60, 100], raw: "hw:1,0,0", at: 1_001_000)
        bench.read(at: 1002)
        bench.midi.state.withLock { $0.overruns = 3 }
        #expect(bench.read(at: 2100) == [midi(2_100_000, .noteOff(channel: 0, key: 60))])
        #expect(bench.ports.problem?.contains("Piano MIDI 1: messages were lost") == true)
    }

    @Test("a flood is read in parts, and the loop comes back for the next")
    func flood() {
        let bench = MIDIBench(piano)
        for part in 0..<100 {
            bench.midi.play([UInt8](repeating: 0xf8, count: 100), raw: "hw:1,0,0", at: 1_000_000 + Int64(part))
        }
        var counts: [Int] = []
        for pass in 0..<18 { counts.append(bench.read(at: 1016 + Int64(pass)).count) }
        #expect(counts.allSatisfy { $0 <= MIDIPorts.bytesMax + 256 })
        #expect(counts.reduce(0, +) == 10_000)
        #expect(bench.clock.wakes >= 16)
    }

    @Test("a flood of events is read in parts")
    func eventFlood() {
        let bench = MIDIBench()
        for index in 0..<1000 {
            bench.midi.play([0xd0, 1], from: MIDIAddress(client: 131, port: 0), at: 1_000_000 + Int64(index))
        }
        let counts = (0..<5).map { bench.read(at: 1016 + $0).count }
        #expect(counts == [256, 256, 256, 232, 0])
        #expect(bench.clock.wakes == 3)
    }

    @Test("an endless system exclusive message passes no event, and hides none of another port")
    func exclusive() {
        let bench = MIDIBench(piano, drums)
        bench.midi.play([0xf0], raw: "hw:1,0,0", at: 1_001_000)
        for part in 0..<50 {
            bench.midi.play([UInt8](repeating: 0x55, count: 200), raw: "hw:1,0,0", at: 1_001_000 + Int64(part))
        }
        bench.midi.play([0x90, 60, 100], raw: "hw:2,0,0", at: 1_001_000)
        #expect(bench.read(at: 1016) == [midi(1_001_000, .noteOn(channel: 0, key: 60, velocity: 100))])
    }

    @Test("pieces of a system exclusive message between events of another port pass no event")
    func exclusivePieces() {
        let bench = MIDIBench(piano, drums) { $0.isRaw = false }
        let data = [UInt8](repeating: 0x55, count: 255)
        let pieces = [[0xf0] + data, data, [0x55, 0xf7]]
        for (piece, status) in zip(pieces, [0x90, 0x80, 0xa0] as [UInt8]) {
            bench.midi.play(piece, from: piano.address, at: 1_001_000)
            bench.midi.play([status, 60, 100], from: drums.address, at: 1_001_000)
        }
        #expect(
            bench.read(at: 1016) == [
                midi(1_001_000, .noteOn(channel: 0, key: 60, velocity: 100)),
                midi(1_001_000, .noteOff(channel: 0, key: 60)),
                midi(1_001_000, .keyPressure(channel: 0, key: 60, value: 100)),
            ])
    }

    @Test("the clock of one port is followed; the notes of all are played")
    func clocks() {
        let bench = MIDIBench(piano, drums)
        bench.midi.play([0xf8], raw: "hw:1,0,0", at: 1_001_000)
        bench.read(at: 1002)
        #expect(bench.ports.clockPort == "Piano MIDI 1")
        bench.midi.play([0xfa, 0xf8, 0x90, 36, 90], raw: "hw:2,0,0", at: 1_003_000)
        #expect(bench.read(at: 1004) == [midi(1_003_000, .noteOn(channel: 0, key: 36, velocity: 90))])
        bench.midi.unplug(piano)
        bench.read(at: 1010)
        bench.midi.play([0xf8], raw: "hw:2,0,0", at: 1_011_000)
        #expect(bench.read(at: 1012) == [midi(1_011_000, .clock)])
        #expect(bench.ports.clockPort == "Drums MIDI 1")
    }

    @Test("the clock of no other port than the named one is followed")
    func namedClock() {
        let bench = MIDIBench(piano, drums) { $0.clock = "Drums" }
        bench.midi.play([0xfa, 0xf8], raw: "hw:1,0,0", at: 1_001_000)
        bench.midi.play([0xf8], from: MIDIAddress(client: 131, port: 0), at: 1_001_000)
        #expect(bench.read(at: 1002) == [])
        bench.midi.play([0xf8], raw: "hw:2,0,0", at: 1_003_000)
        #expect(bench.read(at: 1004) == [midi(1_003_000, .clock)])
    }

    @Test("an identity request is answered at its port")
    func identity() {
        let bench = MIDIBench(piano)
        bench.midi.forgetSent()
        bench.midi.play([0xf0, 0x7e, 0x7f, 0x06, 0x01, 0xf7], raw: "hw:1,0,0", at: 1_001_000)
        #expect(bench.read(at: 1002) == [])
        #expect(bench.midi.sent.map(\.destination) == [piano.address])
        #expect(bench.midi.sent[0].bytes.prefix(6) == [0xf0, 0x7e, 0x7f, 0x06, 0x02, 0x7d])
        #expect(bench.midi.sent[0].bytes.count == 15)
    }
}

@Suite("MIDI ports: output")
struct MIDIOutputTests {
    private static let silences: [[UInt8]] = [[0xb0, 123, 0], [0xb1, 123, 0], [0xb2, 123, 0], [0xb9, 123, 0]]

    @Test("a message leaves at its time, moved by the delay", arguments: [0, 12, -12] as [Int64])
    func time(delay: Int64) {
        let bench = MIDIBench(piano) { $0.outputDelay = .milliseconds(delay) }
        bench.midi.forgetSent()
        bench.ports.send([0x90, 60, 80], at: Instant(microseconds: 1_234_567))
        let expected = FakeMIDI.Sent(bytes: [0x90, 60, 80], destination: nil, due: 1_234_567 + delay * 1000)
        #expect(bench.midi.sent == [expected])
    }

    @Test("messages keep their order while the sound's clock is corrected")
    func order() {
        let bench = MIDIBench()
        for time in [2_000_000, 1_999_990, 2_000_010, 1_900_000] as [Int64] {
            bench.ports.send([0xf8], at: Instant(microseconds: time))
        }
        #expect(bench.midi.sent.map(\.due) == [2_000_000, 2_000_000, 2_000_010, 1_900_000])
    }

    @Test("a device is silenced when it is connected")
    func silence() {
        let bench = MIDIBench(piano)
        #expect(bench.midi.sent.map(\.bytes) == Self.silences)
        #expect(bench.midi.sent.allSatisfy { $0.destination == piano.address && $0.due == nil })
    }

    @Test("a note that hung at an unplugged device ends when it is back, under any number")
    func hanging() {
        let bench = MIDIBench(piano)
        bench.ports.send([0x90, 60, 80], at: Instant(milliseconds: 1010))
        bench.ports.send([0x90, 62, 80], at: Instant(milliseconds: 1020))
        bench.ports.send([0x80, 62, 64], at: Instant(milliseconds: 1030))
        bench.read(at: 1050)
        bench.midi.unplug(piano)
        bench.read(at: 1100)
        bench.ports.send([0x80, 60, 64], at: Instant(milliseconds: 1200))
        bench.read(at: 1300)
        bench.midi.forgetSent()
        bench.midi.plug(.device("Piano", card: 3))
        bench.read(at: 1400)
        #expect(bench.midi.sent.map(\.bytes) == Self.silences + [[0x80, 60, 64]])
        #expect(bench.midi.sent.allSatisfy { $0.destination == MIDIAddress(client: 19, port: 0) })
    }

    @Test("an unplugged device that is back before the loop looked is silenced too")
    func quick() {
        let bench = MIDIBench(piano)
        bench.ports.send([0x90, 60, 80], at: Instant(milliseconds: 1010))
        bench.read(at: 1050)
        bench.midi.forgetSent()
        bench.midi.unplug(piano)
        bench.midi.plug(piano)
        bench.read(at: 1100)
        #expect(bench.midi.sent.map(\.bytes) == Self.silences + [[0x80, 60, 64]])
    }

    @Test("a full pool never waits; the note-off it refused follows as soon as there is room")
    func full() {
        let bench = MIDIBench(piano)
        bench.ports.send([0x90, 60, 80], at: Instant(milliseconds: 1010))
        bench.midi.forgetSent()
        bench.midi.fail(.send, EAGAIN, EAGAIN)
        bench.ports.send([0x80, 60, 64], at: Instant(milliseconds: 1020))
        bench.ports.send([0xf8], at: Instant(milliseconds: 1030))
        #expect(bench.ports.problem?.contains("MIDI output: messages were lost") == true)
        #expect(bench.midi.sent == [])
        bench.read(at: 1100)
        #expect(bench.midi.sent.map(\.bytes) == [[0x80, 60, 64]])
        bench.read(at: 20_000)
        #expect(bench.ports.problem == nil)
    }

    @Test("stopping ends the transport and all notes, also those on their way, and closes the ports")
    func stop() {
        let bench = MIDIBench(piano)
        bench.ports.send([0xfa], at: Instant(milliseconds: 1010))
        bench.ports.send([0x90, 60, 80], at: Instant(milliseconds: 1010))
        bench.ports.send([0x90, 62, 80], at: Instant(milliseconds: 1020))
        bench.ports.send([0x80, 62, 64], at: Instant(milliseconds: 1030))
        bench.read(at: 1050)
        bench.ports.send([0x99, 36, 80], at: Instant(milliseconds: 1100))
        bench.midi.forgetSent()
        bench.ports.stop()
        let ends: [[UInt8]] = [[0xfc], [0x80, 60, 64], [0x89, 36, 64]]
        #expect(bench.midi.sent.map(\.bytes) == ends + Self.silences)
        #expect(bench.midi.log.suffix(3) == ["discard", "close raw", "close"])
        #expect(bench.watched == ["+101", "+102", "-102", "-101"])
        bench.ports.stop()
        #expect(bench.read(at: 5000) == [])
        #expect(bench.midi.log.last == "close")
    }
}

@Suite("MIDI ports: any order of events")
struct MIDIOrderTests {
    /// The keys that are down at a device, by what was sent to it while it was plugged in.
    private func held(after sent: [FakeMIDI.Sent]) -> Set<[UInt8]> {
        var held: Set<[UInt8]> = []
        for bytes in sent.map(\.bytes) {
            switch bytes[0] & 0xf0 {
            case 0x90: held.insert([bytes[0] & 0x0f, bytes[1]])
            case 0x80: held.remove([bytes[0] & 0x0f, bytes[1]])
            case 0xb0 where bytes[1] == 123: held = held.filter { $0[0] != bytes[0] & 0x0f }
            default: break
            }
        }
        return held
    }

    @Test("no note hangs here or there, whenever the cable is pulled", arguments: 0..<40 as Range<UInt64>)
    func random(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let bench = MIDIBench(piano)
        var isPlugged = true
        var pressed: Set<MIDIMessage> = []
        func read(at time: Int64) {
            for case .midi(let message) in bench.read(at: time).map(\.event) {
                switch message {
                case .noteOn(let channel, let key, _): pressed.insert(.noteOff(channel: channel, key: key))
                case .noteOff: pressed.remove(message)
                default: break
                }
            }
        }
        for turn in 0..<200 {
            let time = 1100 + 10 * Int64(turn)
            let key = UInt8.random(in: 60...63, using: &random)
            switch Int.random(in: 0...5, using: &random) {
            case 0: bench.ports.send([0x90, key, 80], at: Instant(milliseconds: time + 30))
            case 1: bench.ports.send([0x80, key, 64], at: Instant(milliseconds: time + 30))
            case 2: bench.midi.play([0x90, key, 90], raw: "hw:1,0,0", at: time * 1000)
            case 3: bench.midi.play([0x80, key, 0], raw: "hw:1,0,0", at: time * 1000)
            case 4 where isPlugged:
                bench.midi.unplug(piano)
                isPlugged = false
            case 4:
                bench.midi.plug(piano)
                isPlugged = true
            default: break
            }
            read(at: time)
        }
        if isPlugged { bench.midi.unplug(piano) }
        read(at: 8000)
        #expect(pressed.isEmpty)
        bench.midi.plug(piano)
        read(at: 9000)
        bench.ports.stop()
        let hanging = held(after: bench.midi.sent)
        #expect(hanging.isEmpty)
    }
}
