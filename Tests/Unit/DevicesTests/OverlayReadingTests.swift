import InputEvents
import EvdevKernel
import Foundation
import Instrument
import Input
import Testing

@testable import Devices

@Suite("Reports of an overlay")
struct OverlayReadingTests {
    private func values(_ reports: [InputReport]) -> [Value] {
        reports.map { Value(type: $0.type, code: $0.code, value: $0.value) }
    }

    @Test("the state of every slot is read when it is opened", arguments: [1, 2, 10, 60])
    func state(slots: Int32) {
        let rig = OverlayBench()
        let device = rig.bench.plug(
            0,
            FakeDevice.overlay(slots: slots).with {
                $0.axes += [(InputCode.toolType, 0, 2), (InputCode.contactDistance, 0, 9)]
            })
        let last = slots - 1
        report(device, finger(last, 5, 3, 4) + [.axis(InputCode.contactDistance, 0), .key(InputCode.touch, 1)])
        report(device, [.axis(InputCode.toolType, 1)])
        let contacts = (0..<slots).map { slot in
            let isLast = slot == last
            return TouchSnapshot.Contact(
                trackingID: isLast ? 5 : -1, x: isLast ? 350 : 0, y: isLast ? 450 : 0, toolType: isLast ? 1 : 0,
                distance: 0)
        }
        let port = rig.port(at: 7)
        #expect(port.reports.isEmpty)
        #expect(port.snapshot?.state == .slots(contacts, selected: Int(last), isTouched: nil))
        #expect(port.snapshot?.time == Instant(milliseconds: 7))
    }

    @Test("a finger already down lands, and lifts", arguments: [1, 2, 10, 60])
    func down(slots: Int32) {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay(slots: slots))
        let last = slots - 1
        report(device, finger(last, 5, 3, 4) + [.key(InputCode.touch, 1)])
        rig.read(at: 0)
        #expect(rig.down == [[300, 400]])
        report(device, [.axis(InputCode.positionX, 750)], at: 1000)
        rig.read(at: 1)
        #expect(rig.down == [[700, 400]])
        report(device, lift(last), at: 2000)
        rig.read(at: 2)
        #expect(rig.phases == [.down, .move, .up])
    }

    @Test("a contact lifted by BTN_TOUCH alone does not land")
    func quiet() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        report(device, finger(0, 5, 3, 4) + [.key(InputCode.touch, 1)])
        report(device, [.key(InputCode.touch, 0)])
        rig.read(at: 0)
        #expect(rig.down == [])
        report(device, [.key(InputCode.touch, 1), .axis(InputCode.positionX, 750)], at: 1000)
        rig.read(at: 1)
        report(device, [.key(InputCode.touch, 0)], at: 2000)
        evdev_kernel_overflow(device)
        report(device, [.axis(InputCode.positionX, 755)], at: 3000)
        for milliseconds in stride(from: Int64(3), to: 3000, by: 100) { rig.read(at: milliseconds) }
        #expect(rig.down == [])
    }

    @Test("a device that declares BTN_TOUCH but never reports it keeps its fingers")
    func mute() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4), at: 1000)
        for milliseconds in stride(from: Int64(1), to: 5000, by: 100) { rig.read(at: milliseconds) }
        #expect(rig.phases == [.down])
    }

    @Test("resting fingers are checked once a second, without reports")
    func rest() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        report(device, finger(3, 5, 3, 4) + finger(7, 6, 8, 9) + [.key(InputCode.touch, 1)], at: 1000)
        for milliseconds in stride(from: Int64(1), to: 20_000, by: 10) { rig.read(at: milliseconds) }
        #expect(rig.phases == [.down, .down])
        report(device, [.axis(InputCode.positionX, 950)], at: 20_000_000)
        rig.read(at: 20_000)
        #expect(rig.down == [[300, 400], [900, 900]])
    }

    static let passed: [FakeDevice] = [.anonymous, .single]

    @Test("protocol A and single touch pass through unchanged", arguments: passed)
    func unchanged(device kind: FakeDevice) {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, kind)
        let state = rig.port(at: 0).snapshot?.state
        let single = TouchSnapshot.single(TouchSnapshot.Contact(x: 0, y: 0), isTouched: false)
        #expect(state == (kind.name == "Single" ? single : nil))
        let contact = Value(type: InputCode.synchronisation, code: InputCode.contactReport, value: 0)
        let contacts: [Value] = [
            .axis(InputCode.positionX, 350), .axis(InputCode.positionY, 450), contact,
            .axis(InputCode.positionX, 950), .axis(InputCode.positionY, 450), contact,
        ]
        let packets: [[Value]] = [
            [.axis(InputCode.x, 350), .axis(InputCode.y, 450), .key(InputCode.touch, 1)],
            [.axis(InputCode.x, 360)], [.key(InputCode.touch, 0)],
        ].map { $0 + (kind.name == "Single" ? [] : contacts) }
        for packet in packets { report(device, packet, at: 3000) }
        let reports = rig.port(at: 5).reports
        #expect(values(reports) == packets.flatMap { $0 + [.end] })
        #expect(reports.allSatisfy { $0.time == Instant(milliseconds: 3) })
    }

    @Test("if the kernel refuses the monotonic clock, reports have the time of reading")
    func clock() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        evdev_kernel_fail(device, evdev_kernel_call_clock, -EINVAL, 1)
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4), at: 1234)
        #expect(rig.read(at: 2).map(\.time) == [Instant(milliseconds: 2)])
    }

    @Test("reports pending at opening are part of the initial state, and are not repeated")
    func waiting() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        report(device, finger(0, 5, 3, 4) + [.key(InputCode.touch, 1)])
        rig.overlays.finder.look(at: .zero)
        report(device, finger(1, 6, 8, 9), at: 1000)
        report(device, lift(0), at: 2000)
        rig.read(at: 3)
        rig.read(at: 4)
        #expect(rig.phases == [.down])
        #expect(rig.down == [[800, 900]])
    }
}
