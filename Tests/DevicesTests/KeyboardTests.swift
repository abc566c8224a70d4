import InputEvents
import EvdevKernel
import Foundation
import Instrument
import Input
import Runtime
import Testing

@testable import Devices

/// Keyboards on a bench.
final class KeyboardBench {
    let bench = InputBench()
    let keyboards: Keyboards

    init(_ choice: InputChoice = .any) {
        keyboards = Keyboards(choice, folder: bench.folder, bench.loop, bench.calls)
    }

    @discardableResult
    func read(at milliseconds: Int64) -> [ControlEvent] {
        bench.clock.set(milliseconds)
        var events: [ControlEvent] = []
        keyboards.read(into: &events)
        return events
    }

    func keys(at milliseconds: Int64) -> [Instrument.Event] { read(at: milliseconds).map(\.event) }
}

private let (control, rightControl, shift, rightShift, alternative, meta) =
    (29, 97, 42, 54, 56, 125)
    as (
        UInt16, UInt16, UInt16, UInt16, UInt16, UInt16
    )
private let (z, space, delete, backspace, up, down) =
    (44, 57, 111, 14, 103, 108)
    as (
        UInt16, UInt16, UInt16, UInt16, UInt16, UInt16
    )

@Suite("Keyboards")
struct KeyboardTests {
    static let meanings: [(held: [UInt16], pressed: UInt16, key: Key?)] = [
        ([], space, .playStop), ([], delete, .clear), ([], backspace, .clear), ([], up, .faster), ([], down, .slower),
        ([], z, nil), ([], control, nil), ([control], z, .undo), ([rightControl], z, .undo),
        ([control, shift], z, .redo), ([rightControl, rightShift], z, .redo), ([shift, control], z, .redo),
        ([meta], z, .undo), ([control, alternative], z, nil), ([shift], z, nil), ([control], space, nil),
        ([control], up, nil), ([control], backspace, nil), ([shift], space, .playStop), ([alternative], up, .faster),
        ([control, rightControl], z, .undo),
    ]

    @Test("keys have their functions, at the kernel's time", arguments: meanings)
    func meaning(meaning: (held: [UInt16], pressed: UInt16, key: Key?)) {
        let rig = KeyboardBench()
        let device = rig.bench.plug(0, .keyboard)
        rig.read(at: 0)
        for key in meaning.held { report(device, [.key(key, 1)], at: 500) }
        report(device, [.key(meaning.pressed, 1)], at: 1234)
        report(device, [.key(meaning.pressed, 0)], at: 1300)
        let expected = meaning.key.map { [ControlEvent(time: Instant(microseconds: 1234), event: .key($0))] } ?? []
        #expect(rig.read(at: 2) == expected)
    }

    static let repeats: [(held: [UInt16], pressed: UInt16, count: Int)] = [
        ([], up, 4), ([], down, 4), ([], space, 1), ([], delete, 1), ([control], z, 1), ([control, shift], z, 1),
    ]

    @Test("up and down repeat while held, the others do not", arguments: repeats)
    func repeating(case: (held: [UInt16], pressed: UInt16, count: Int)) {
        let rig = KeyboardBench()
        let device = rig.bench.plug(0, .keyboard)
        rig.read(at: 0)
        for key in `case`.held { report(device, [.key(key, 1)]) }
        for value in [1, 2, 2, 2, 0] as [Int32] { report(device, [.key(`case`.pressed, value)]) }
        #expect(rig.keys(at: 1).count == `case`.count)
    }

    @Test("a modifier applies until released, and only to its own keyboard")
    func modifiers() {
        let rig = KeyboardBench()
        let first = rig.bench.plug(0, .keyboard)
        let second = rig.bench.plug(1, .keyboard)
        rig.read(at: 0)
        report(first, [.key(control, 1)])
        report(first, [.key(rightControl, 1)])
        report(first, [.key(control, 0)])
        report(second, [.key(space, 1)])
        #expect(rig.keys(at: 1) == [.key(.playStop)])
        report(first, [.key(z, 1)])
        report(first, [.key(rightControl, 0)])
        report(first, [.key(space, 1)])
        #expect(rig.keys(at: 2) == [.key(.undo), .key(.playStop)])
    }

    @Test("keys held while it is plugged in are not pressed, and modifiers apply")
    func held() {
        let rig = KeyboardBench()
        let device = rig.bench.plug(0, .keyboard)
        report(device, [.key(control, 1)])
        report(device, [.key(space, 1)])
        #expect(rig.keys(at: 0).isEmpty)
        report(device, [.key(z, 1)])
        #expect(rig.keys(at: 1) == [.key(.undo)])
    }

    @Test("unplugged while Ctrl is held, it returns without Ctrl")
    func unplugged() {
        let rig = KeyboardBench()
        let device = rig.bench.plug(0, .keyboard)
        rig.read(at: 0)
        report(device, [.key(control, 1)])
        rig.read(at: 1)
        rig.bench.unplug(0)
        rig.read(at: 2)
        #expect(rig.bench.watched.count == 1)
        let again = rig.bench.plug(0, .keyboard)
        rig.read(at: 3)
        report(again, [.key(space, 1)])
        #expect(rig.keys(at: 4) == [.key(.playStop)])
    }

    @Test("a lost release of Ctrl is corrected; keys are not invented", arguments: [true, false])
    func lost(isLetGo: Bool) {
        let rig = KeyboardBench()
        let device = rig.bench.plug(0, .keyboard)
        rig.read(at: 0)
        report(device, [.key(control, 1)])
        rig.read(at: 1)
        report(device, [.key(isLetGo ? control : shift, isLetGo ? 0 : 1)])
        evdev_kernel_overflow(device)
        report(device, [.key(up, 1)])
        #expect(rig.keys(at: 2).isEmpty)
        report(device, [.key(up, 0)])
        report(device, [.key(space, 1)])
        report(device, [.key(z, 1)])
        #expect(rig.keys(at: 3) == (isLetGo ? [.key(.playStop)] : [.key(.redo)]))
    }

    @Test("a keyboard needs all keys, or a name and some keys, and is not grabbed")
    func found() {
        let short = FakeDevice.keyboard.with { device in
            device.name = "Short"
            device.keys = [Int32(space)]
        }
        for (choice, device, isTaken) in [
            (.any, .keyboard, true), (.any, short, false), (.named("Short"), short, true),
            (.named("Short"), .keyboard, false), (.any, .overlay(), false),
        ] as [(InputChoice, FakeDevice, Bool)] {
            let rig = KeyboardBench(choice)
            let number = rig.bench.plug(0, device)
            rig.read(at: 0)
            #expect(rig.keyboards.status.present.count == (isTaken ? 1 : 0))
            #expect(!evdev_kernel_is_grabbed(number))
            report(number, [.key(space, 1)])
            #expect(rig.keys(at: 1) == (isTaken ? [.key(.playStop)] : []))
        }
    }

    @Test("a missing named keyboard is reported, the absence of any is not")
    func missing() {
        let none = KeyboardBench()
        none.read(at: 0)
        #expect(none.keyboards.problem == nil)
        let rig = KeyboardBench(.named("Mine"))
        rig.read(at: 0)
        #expect(
            rig.keyboards.problem
                == "there is no keyboard Mine: plug it in, or name one that pixelboop doctor lists")
        rig.bench.plug(0, FakeDevice.keyboard.with { $0.name = "Mine" })
        rig.read(at: 1)
        #expect(rig.keyboards.problem == nil)
    }
}
