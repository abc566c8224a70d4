import CEvdev
import Instrument
import Overlay
import Runtime

/// The keyboards of the box, plugged in and out as may be, read in the loop's own thread, which their keys wake. They are not
/// kept from other programs: a maker must be able to log in at the console, who then types to the box too.
public final class Keyboards: ControlSource {
    /// Keyboards that are read at once.
    public static let countMax = 8

    private let finder: InputFinder
    private let loop: InputLoop
    private var keyboards: [InputFinder.Find] = []

    /// Reports of one pass and keyboard: one that never stops must not hold up the loop.
    private static let readingsMax = 256

    /// The keyboards that `choice` means. `clock` is the loop's, which keys wake.
    public convenience init(_ choice: InputChoice, clock: SystemClock) {
        self.init(choice, folder: InputFolder.standard, InputLoop(clock), .linux)
    }

    init(_ choice: InputChoice, folder: String, _ loop: InputLoop, _ calls: InputCalls) {
        let search = InputFinder.Search(
            kind: "keyboard", choices: [choice], countMax: Self.countMax,
            isWanted: { node, isNamed in isNamed ? node.hasKeys : node.isKeyboard },
            prepare: { node throws(DeviceFailure) in
                node.setClock()
                return ""
            })
        finder = InputFinder(search, in: folder, loop, calls)
        self.loop = loop
        keyboards.reserveCapacity(Self.countMax)
    }

    deinit {
        for keyboard in keyboards { loop.forget(keyboard.node.descriptor) }
    }

    /// The keyboards that are there, and what stands in the way of the one that is named.
    public var status: InputStatus { finder.status }

    /// What stands in the way of the keyboard, with what to do, in one line; nil while all is well.
    public var problem: String? { finder.status.problem?.description }

    /// Appends the keys that were pressed since the last call, with the times that the kernel took.
    public func read(into events: inout [ControlEvent]) {
        let now = loop.clock.now
        finder.look(at: now)
        attach()
        for index in keyboards.indices.reversed() where !read(keyboards[index], at: now, into: &events) {
            let keyboard = keyboards.remove(at: index)
            loop.forget(keyboard.node.descriptor)
            finder.lose(keyboard)
        }
    }

    private func attach() {
        while let next = finder.next() {
            // Keys that are held already are not pressed now.
            guard (try? next.node.synchronise()) != nil else {
                finder.lose(next)
                continue
            }
            keyboards.append(next)
            loop.watch(next.node.descriptor)
        }
    }

    /// Whether `keyboard` was to be read. Which keys are held is for libevdev to know: so it is right after a loss too.
    private func read(_ keyboard: InputFinder.Find, at now: Instant, into events: inout [ControlEvent]) -> Bool {
        let node = keyboard.node
        let end = node.read(Self.readingsMax, at: now) { report in
            guard report.type == InputCode.key else { return }
            let key = KeyMeaning.key(report.code, report.value) { node.value(InputCode.key, $0) != 0 }
            if let key { events.append(ControlEvent(time: report.time, event: .key(key))) }
        }
        switch end {
        case .drained: return true
        case .bound:
            // What libevdev has read ahead does not end the loop's wait.
            loop.clock.wake()
            return true
        case .loss: return (try? node.synchronise()) != nil
        case .failure: return false
        }
    }
}

extension InputNode {
    private func has(key: Int32) -> Bool { has(InputCode.key, UInt16(key)) }

    /// It has all keys that mean something to the box.
    var isKeyboard: Bool {
        [KEY_SPACE, KEY_Z, KEY_UP, KEY_DOWN].allSatisfy(has(key:)) && (has(key: KEY_BACKSPACE) || has(key: KEY_DELETE))
    }

    /// It has some of them.
    fileprivate var hasKeys: Bool {
        [KEY_SPACE, KEY_Z, KEY_UP, KEY_DOWN, KEY_BACKSPACE, KEY_DELETE].contains(where: has(key:))
    }
}
