import EvdevKernel
import Glibc
import Instrument
import Input
import TestSupport
import Testing

@testable import Devices

@Suite("Reports lost in the kernel")
struct LostReportTests {
    /// Packets of fingers that land, move and lift in ten slots, several per packet; the last ones leave three down.
    private static func stream(_ count: Int, seed: UInt64) -> [[Value]] {
        var random = SplitMix(seed: seed)
        var ids = [Int32](repeating: -1, count: 10)
        var nextID: Int32 = 100
        return (0..<count).map { number in
            var values: [Value] = []
            for slot in Int32(0)..<10 where Int.random(in: 0..<3, using: &random) == 0 {
                let isLast = number == count - 1
                let isDown = ids[Int(slot)] >= 0
                let column = Int32.random(in: 0..<44, using: &random)
                let row = Int32.random(in: 0..<24, using: &random)
                if isDown, !isLast, Int.random(in: 0..<4, using: &random) == 0 {
                    ids[Int(slot)] = -1
                    values += lift(slot)
                } else {
                    if !isDown {
                        nextID += 1
                        ids[Int(slot)] = nextID
                    }
                    values += finger(slot, isDown ? nil : nextID, column, row)
                }
            }
            let isTouched = ids.contains { $0 >= 0 }
            return values + [.key(InputCode.touch, isTouched ? 1 : 0)]
        }
    }

    @Test(
        "wherever reports are lost, fingers alternate landing and lifting and end at their positions",
        arguments: [1, 3, 7])
    func everywhere(interval: Int) {
        let packets = Self.stream(40, seed: 7)
        let whole = Playback(packets, interval: interval)
        #expect(whole.overflows == 0)
        #expect((whole.down ?? []).count > 2)
        var overflows = 0
        for lost in 0..<packets.reduce(0, { $0 + $1.count + 1 }) {
            let outcome = Playback(packets, lost: lost, interval: interval)
            #expect(outcome.down != nil && outcome.down == whole.down, "value \(lost)")
            overflows += outcome.overflows
        }
        #expect(overflows > 150)
    }

    @Test("a loop that is repeatedly late loses only what overflowed", arguments: 0..<20 as Range<UInt64>)
    func late(seed: UInt64) {
        let packets = Self.stream(2000, seed: seed)
        let whole = Playback(packets, interval: 1)
        #expect(whole.overflows == 0)
        let late = Playback(packets, interval: 60 + Int(seed) * 13)
        #expect(late.overflows > 5)
        #expect(late.down != nil && late.down == whole.down)
    }

    @Test("a finger replaced meanwhile lifts, and the new one lands")
    func replaced() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4), at: 1000)
        rig.read(at: 1)
        evdev_kernel_overflow(device)
        report(device, lift(0), at: 2000)
        report(device, finger(0, 6, 3, 4), at: 3000)
        rig.read(at: 3)
        #expect(rig.phases == [.down, .up, .down])
    }

    @Test("a finger that lifted meanwhile lifts without further reports; the others do not")
    func lifted() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4) + finger(1, 6, 8, 9), at: 1000)
        rig.read(at: 1)
        evdev_kernel_overflow(device)
        report(device, lift(0), at: 2000)
        let read = rig.read(at: 2)
        #expect(read.map(\.touch.phase) == [.up])
        #expect(rig.down == [[800, 900]])
    }

    @Test("a new tracking id without a lift is the next finger")
    func doubled() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4), at: 1000)
        rig.read(at: 1)
        report(device, finger(0, 6, 9, 4), at: 2000)
        rig.read(at: 2)
        #expect(rig.phases.filter { $0 != .move } == [.down, .up, .down])
        #expect(rig.down == [[900, 400]])
        report(device, lift(0), at: 3000)
        rig.read(at: 3)
        #expect(rig.down == [])
    }

    @Test("if a state request fails once, it is repeated within a second, and no finger sticks")
    func unread() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4) + finger(1, 6, 8, 9) + [.key(InputCode.touch, 1)], at: 1000)
        rig.read(at: 1)
        evdev_kernel_fail(device, evdev_kernel_call_slots, -EINTR, 1)
        evdev_kernel_overflow(device)
        report(device, lift(0), at: 2000)
        for milliseconds in stride(from: Int64(2), through: 1002, by: 100) { rig.read(at: milliseconds) }
        #expect(rig.down == [[800, 900]])
    }

    @Test("a device without slots lifts its known contacts, and lands those reported next")
    func anonymous() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .anonymous)
        rig.read(at: 0)
        let place: [Value] = [
            .axis(InputCode.positionX, 350), .axis(InputCode.positionY, 450),
            Value(type: InputCode.synchronisation, code: InputCode.contactReport, value: 0),
        ]
        report(device, place, at: 1000)
        rig.read(at: 1)
        evdev_kernel_overflow(device)
        report(device, place, at: 2000)
        rig.read(at: 2)
        #expect(rig.phases == [.down, .up])
        report(device, place, at: 3000)
        rig.read(at: 3)
        #expect(rig.phases == [.down, .up, .down])
    }

    @Test("a device for one finger", arguments: [0, 1])
    func single(pressed: Int32) {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .single)
        rig.read(at: 0)
        report(device, [.axis(InputCode.x, 350), .axis(InputCode.y, 450), .key(InputCode.touch, 1)], at: 1000)
        rig.read(at: 1)
        #expect(rig.down == [[300, 400]])
        evdev_kernel_overflow(device)
        report(device, [.axis(InputCode.x, 550), .key(InputCode.touch, pressed)], at: 2000)
        rig.read(at: 2)
        #expect(rig.down == (pressed == 1 ? [[500, 400]] : []))
    }
}
