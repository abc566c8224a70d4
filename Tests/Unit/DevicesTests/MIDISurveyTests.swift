import Glibc
import TestSupport
import Testing

@testable import Devices

@Suite("MIDI survey")
struct MIDISurveyTests {
    private let piano = MIDIPortDetails.device("Piano", card: 1)
    private let box = MIDIPortDetails.program("PixelBoop", client: 128)
    private let synth = MIDIPortDetails.program("Synth", client: 130)

    @Test("it lists devices and programs, what they are connected to, and which the box takes")
    func ports() throws {
        let midi = FakeMIDI()
        midi.state.withLock { state in
            state.ports = [.program("System", client: 0), .program("Midi Through", client: 14), piano, box, synth]
            state.links[piano.address] = [true: [box.address], false: [box.address, synth.address]]
        }
        let ports = try MIDISurvey.ports(chosenBy: MIDIPorts.Options(), midi.calls(WokenClock()))
        #expect(
            ports.map(\.description) == [
                "Piano MIDI 1 (17:0); in and out; for the box; sends to PixelBoop out; "
                    + "receives from PixelBoop out, Synth out",
                "Synth out (130:0); in and out; not for the box",
            ])
        #expect(midi.log == ["open PixelBoop doctor", "close"])
    }

    @Test("a machine without a sequencer is one clear line", arguments: [(ENOENT, "modprobe"), (EACCES, "usermod")])
    func absent(error: Int32, fix: String) {
        let midi = FakeMIDI()
        midi.fail(.open, error)
        let failure = thrown(DeviceFailure.self) {
            _ = try MIDISurvey.ports(chosenBy: MIDIPorts.Options(), midi.calls(WokenClock()))
        }
        #expect(failure?.description.contains(fix) == true)
    }
}
