import EvdevKernel
import Input
import TestSupport
import Testing

@testable import Devices

@Suite("Recordings of real overlays with lost reports")
struct RecordedOverlayTests {
    @Test("there are 16 recordings")
    func count() { #expect(TouchFixture.all.count == 16) }

    @Test(
        "wherever reports are lost, fingers alternate landing and lifting and end at their positions",
        arguments: TouchFixture.all)
    func lost(recording: TouchFixture) {
        let device = FakeDevice(
            name: recording.name, vendor: recording.ids[1], product: recording.ids[2],
            properties: recording.properties, keys: recording.keys, axes: recording.axes)
        let packets = recording.packets.map { packet in
            packet.events.map { Value(type: $0.type, code: $0.code, value: $0.value) }
        }
        let whole = Playback(packets, interval: 2, device)
        #expect(whole.overflows == 0)
        #expect(whole.down != nil)
        let values = packets.reduce(0) { $0 + $1.count + 1 }
        for lost in stride(from: 0, to: values, by: max(1, values / 40)) {
            let outcome = Playback(packets, lost: lost, interval: 2, device)
            #expect(outcome.down == whole.down, "value \(lost)")
        }
    }
}
