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

private typealias Codes = (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16)
private let (control, rightControl, shift, rightShift, alternative, meta): Codes = (29, 97, 42, 54, 56, 125)
private let (z, y, one, space, enter, escape, tab): (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16, UInt16) =
    (44, 21, 2, 57, 28, 1, 15)
private let (delete, backspace, up, down, left, right): Codes = (111, 14, 103, 108, 105, 106)

@Suite("Keyboards")
struct KeyboardTests {
    static let meanings: [(held: [UInt16], pressed: UInt16, strokes: [KeyStroke])] = [
        ([], space, [.press(.spaceBar), .release(.spaceBar)]), ([], enter, [.press(.enter), .release(.enter)]),
        ([], delete, [.press(.erase), .release(.erase)]), ([], backspace, [.press(.erase), .release(.erase)]),
        ([], up, [.press(.arrowUp)]), ([], down, [.press(.arrowDown)]), ([], left, [.press(.arrowLeft)]),
        ([], right, [.press(.arrowRight)]), ([], escape, [.press(.escape)]), ([], tab, [.press(.latch)]),
        ([], z, [.type("Z")]), ([], one, [.type("1")]), ([shift], one, [.type("!")]), ([alternative], z, []),
        ([], control, []), ([control], z, [.press(.undo)]), ([rightControl], z, [.press(.undo)]),
        ([control, shift], z, [.press(.redo)]), ([rightControl, rightShift], z, [.press(.redo)]),
        ([shift, control], z, [.press(.redo)]), ([control], y, [.press(.redo)]), ([meta], z, [.press(.undo)]),
        ([control, alternative], z, []), ([shift], z, [.type("Z")]), ([control], space, [.release(.spaceBar)]),
        ([control], up, []), ([control], backspace, [.release(.erase)]),
        ([shift], space, [.press(.spaceBar), .release(.spaceBar)]), ([alternative], up, [.press(.arrowUp)]),
        ([control, rightControl], z, [.press(.undo)]),
    ]

    @Test("keys have their functions, at the kernel's time", arguments: meanings)
    func meaning(meaning: (held: [UInt16], pressed: UInt16, strokes: [KeyStroke])) {
        let rig = KeyboardBench()
        let device = rig.bench.plug(0, .keyboard)
        rig.read(at: 0)
        for key in meaning.held { report(device, [.key(key, 1)], at: 500) }
        report(device, [.key(meaning.pressed, 1)], at: 1234)
        report(device, [.key(meaning.pressed, 0)], at: 1300)
        let expected = meaning.strokes.map { stroke in
            if case .release = stroke {
                return ControlEvent(time: Instant(microseconds: 1300), event: Instrument.Event(stroke))
            }
            return ControlEvent(time: Instant(microseconds: 1234), event: Instrument.Event(stroke))
        }
        #expect(rig.read(at: 2) == expected)
    }

    @Test(
        "a keyboard that is unplugged, or whose reports were lost, withdraws the keys that it holds",
        arguments: [true, false])
    func withdrawn(isUnplugged: Bool) {
        let rig = KeyboardBench()
        let device = rig.bench.plug(0, .keyboard)
        rig.read(at: 0)
        report(device, [.key(enter, 1)])
        report(device, [.key(delete, 1)])
        report(device, [.key(delete, 0)])
        #expect(rig.keys(at: 1) == [.key(.enter), .key(.erase), .keyUp(.erase)])
        if isUnplugged {
            rig.bench.unplug(0)
        } else {
            evdev_kernel_overflow(device)
            report(device, [.key(shift, 1)])
        }
        #expect(rig.keys(at: 2) == [.keyCancel(.enter)])
    }

    static let repeats: [(held: [UInt16], pressed: UInt16, count: Int)] = [
        ([], up, 4), ([], down, 4), ([], left, 4), ([], space, 2), ([], delete, 5), ([], z, 1), ([control], z, 1),
        ([control, shift], z, 1),
    ]

    @Test("arrows and Delete repeat while held, the others do not", arguments: repeats)
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
        #expect(rig.keys(at: 1) == [.key(.spaceBar)])
        report(first, [.key(z, 1)])
        report(first, [.key(rightControl, 0)])
        report(first, [.key(space, 1)])
        #expect(rig.keys(at: 2) == [.key(.undo), .key(.spaceBar)])
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
        #expect(rig.keys(at: 4) == [.key(.spaceBar)])
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
        #expect(rig.keys(at: 3) == (isLetGo ? [.key(.spaceBar), .type("Z")] : [.key(.redo)]))
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
            #expect(rig.keys(at: 1) == (isTaken ? [.key(.spaceBar)] : []))
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
