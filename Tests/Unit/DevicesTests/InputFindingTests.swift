import InputEvents
import EvdevKernel
import Foundation
import Instrument
import Input
import Runtime
import Testing

@testable import Devices

extension FakeDevice {
    fileprivate static let touchpad = overlay("Touchpad").with { $0.properties = [0] }
    fileprivate static let pen = single.with { device in
        device.name = "Pen"
        device.keys += pens
    }
    fileprivate static let penAndFingers = overlay("Pen and fingers").with { $0.keys += pens }
    fileprivate static let mouse = FakeDevice(name: "Mouse", keys: [0x110, 0x111])
    fileprivate static let tablet = FakeDevice(
        name: "Tablet", keys: [0x110], axes: [(InputCode.x, 0, 32_767), (InputCode.y, 0, 32_767)])
    fileprivate static let powerButton = FakeDevice(name: "Power Button", keys: [116])
    fileprivate static let directKeyboard = keyboard.with { $0.properties = [direct] }
}

@Suite("Recognition of touch overlays")
struct InputFindingTests {
    static let kinds: [(device: FakeDevice, isTaken: Bool, isTakenIfNamed: Bool)] = [
        (.overlay(), true, true), (.anonymous, true, true), (.single, true, true), (.penAndFingers, true, true),
        (.touchpad, false, true), (.pen, false, true), (.keyboard, false, false), (.mouse, false, false),
        (.tablet, false, false), (.powerButton, false, false), (.directKeyboard, false, false),
    ]

    @Test("devices with the property and a finger's axes; a named device needs only the axes", arguments: kinds)
    func kind(kind: (device: FakeDevice, isTaken: Bool, isTakenIfNamed: Bool)) {
        for (choice, isTaken) in [(.any, kind.isTaken), (.named(kind.device.name), kind.isTakenIfNamed)]
            as [(InputChoice, Bool)]
        {
            let rig = OverlayBench([.init(choice)])
            let device = rig.bench.plug(3, kind.device)
            rig.read(at: 0)
            #expect(rig.overlays.status.present.count == (isTaken ? 1 : 0))
            #expect(evdev_kernel_is_grabbed(device) == isTaken)
            #expect(evdev_kernel_opened(device) == (isTaken ? 1 : 0), "the others are closed at once")
            #expect(rig.bench.opened.count == 1)
        }
    }

    static let names: [(name: String, isMeant: Bool)] = [
        ("Overlay", true), ("overlay", false), ("Over", false), ("1234:abcd", true), ("1234:ABCD", true),
        ("1234:abce", false), ("34:abcd", false), ("1234", false), ("01234:abcd", false), ("+234:abcd", false),
        ("event0", false),
    ]

    @Test("by name and by numbers", arguments: names)
    func name(name: String, isMeant: Bool) {
        let rig = OverlayBench([.init(.named(name))])
        rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        #expect(rig.overlays.status.present.count == (isMeant ? 1 : 0))
        let missing = "there is no touch overlay \(name): plug it in, or name one that pixelboop doctor lists"
        #expect(rig.overlays.problem == (isMeant ? nil : missing))
    }

    @Test("short numbers", arguments: ["3:0", "03:0000", "3:"])
    func short(name: String) {
        let rig = OverlayBench([.init(.named(name))])
        rig.bench.plug(
            0,
            FakeDevice.overlay().with {
                $0.vendor = 3
                $0.product = 0
            })
        rig.read(at: 0)
        #expect(rig.overlays.status.present.count == 1)
    }

    @Test("by path, and by a link created later")
    func path() {
        let link = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        let rig = OverlayBench([.init(.named(link)), .init(.any)])
        defer { try? FileManager.default.removeItem(atPath: link) }
        rig.bench.plug(0, .overlay("First"))
        rig.bench.plug(1, .overlay("Second"))
        rig.read(at: 0)
        #expect(rig.overlays.status.present.map(\.what).count == 2)
        rig.bench.link(link, to: 1)
        rig.read(at: 999)
        #expect(rig.bench.opened.count == 2)
        for milliseconds in 1000..<1005 as Range<Int64> { rig.read(at: milliseconds) }
        #expect(rig.bench.opened.map { $0.suffix(6) } == ["event0", "event1", "event1"])
        #expect(rig.overlays.problem == nil)
        #expect(rig.overlays.status.present.count == 2)
        rig.read(at: 5000)
        #expect(rig.bench.opened.count == 3)
    }

    @Test("a device belongs to the first matching selection, with its settings")
    func first() {
        var turned = OverlaySettings()
        turned.matrix = [-1, 0, 1, 0, -1, 1]
        let rig = OverlayBench([.init(.named("Second"), settings: turned), .init(.any)])
        rig.bench.plug(0, .overlay("First"))
        rig.bench.plug(1, .overlay("Second"))
        rig.bench.plug(2, .overlay("Third"))
        rig.read(at: 0)
        let devices = rig.devices.compactMap(\.self)
        #expect(devices.map(\.settings.matrix) == [OverlaySettings.identity, turned.matrix, OverlaySettings.identity])
        #expect(Set(devices.map(\.attachment)).count == 3)
    }

    @Test("a named device of another kind is reported, and not reopened repeatedly")
    func wrongKind() {
        let bench = InputBench()
        bench.plug(2, .keyboard)
        let overlays = TouchOverlays([.init(.named(bench.path(2)))], folder: bench.folder, bench.loop, bench.calls)
        var ports = Array(repeating: TouchPort(), count: overlays.portCount)
        for milliseconds in stride(from: Int64(0), through: 5000, by: 100) {
            bench.clock.set(milliseconds)
            overlays.read(into: &ports)
        }
        #expect(bench.opened.count == 1)
        #expect(
            overlays.problem
                == "Keyboard (\(bench.path(2))) is no touch overlay: name one that pixelboop doctor lists")
    }

    static let ranges: [(axis: UInt16, first: Int32, last: Int32, says: String)] = [
        (InputCode.positionX, 0, 0, "ABS_MT_POSITION_X goes from 0 to 0"),
        (InputCode.positionY, 100, -100, "ABS_MT_POSITION_Y goes from 100 to -100"),
    ]

    @Test("an axis without a range is rejected by name", arguments: ranges)
    func range(range: (axis: UInt16, first: Int32, last: Int32, says: String)) {
        let rig = OverlayBench()
        rig.bench.plug(0, FakeDevice.overlay().with { $0.axes.append((range.axis, range.first, range.last)) })
        for milliseconds in [0, 1000, 2000] as [Int64] { rig.read(at: milliseconds) }
        #expect(
            rig.overlays.problem == "Overlay (\(rig.bench.path(0))) cannot be used, as its \(range.says): "
                + "use another overlay, or the maker's driver")
        #expect(rig.bench.opened.count == 1)
        #expect(rig.devices.allSatisfy { $0 == nil })
    }

    @Test("axes of contacts take precedence over the pointer's, over the whole range of numbers")
    func axes() {
        let rig = OverlayBench()
        rig.bench.plug(
            0,
            FakeDevice.overlay().with {
                $0.axes += [(InputCode.x, 0, 1), (InputCode.positionX, Int32.min, Int32.max)]
            })
        rig.read(at: 0)
        #expect(rig.devices[0]?.axes == TouchAxes(x: Int32.min...Int32.max, y: 0...2399))
    }
}
