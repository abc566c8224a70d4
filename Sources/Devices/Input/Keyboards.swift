import InputEvents
import CEvdev
import Input
import Instrument
import Runtime

/// The box's keyboards, which may come and go at any time. Keys wake the loop's thread, which reads them. Keyboards are
/// not grabbed, so that a maker can log in at the console; those keys reach the box too.
public final class Keyboards: ControlSource {
    /// Maximum number of keyboards.
    public static let countMax = 8

    private let finder: InputFinder
    private let loop: InputLoop
    private var keyboards: [Keyboard] = []

    private struct Keyboard {
        let find: InputFinder.Find
        /// The keys that are down and have an effect until they are released.
        var held: [Key] = []

        var node: InputNode { find.node }
    }

    /// Maximum reports per pass and keyboard, so that a stuck keyboard cannot block the loop.
    private static let readingsMax = 256

    /// The keyboards that `choice` selects. `clock` is the loop's; keys wake it.
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

    /// The keyboards that are present, and why a selected one is missing.
    public var status: InputStatus { finder.status }

    /// One line that says why the keyboard does not work and what to do; nil while it does.
    public var problem: String? { finder.status.problem?.description }

    /// Appends the keys pressed since the last call, with the kernel's timestamps.
    public func read(into events: inout [ControlEvent]) {
        let now = loop.clock.now
        finder.look(at: now)
        attach()
        for index in keyboards.indices.reversed() where !read(&keyboards[index], at: now, into: &events) {
            var keyboard = keyboards.remove(at: index)
            Self.cancelHeld(of: &keyboard, at: now, into: &events)
            loop.forget(keyboard.node.descriptor)
            finder.lose(keyboard.find)
        }
    }

    private func attach() {
        while let next = finder.next() {
            // Keys that are held already do not count as pressed.
            guard (try? next.node.synchronise()) != nil else {
                finder.lose(next)
                continue
            }
            keyboards.append(Keyboard(find: next))
            loop.watch(next.node.descriptor)
        }
    }

    /// Reads a keyboard; returns whether that worked. libevdev keeps the held keys, so they are right after a loss too.
    private func read(_ keyboard: inout Keyboard, at now: Instant, into events: inout [ControlEvent]) -> Bool {
        let node = keyboard.node
        let end = node.read(Self.readingsMax, at: now) { report in
            guard report.type == InputCode.key else { return }
            let stroke = KeyMap.stroke(report.code, report.value) { node.value(InputCode.key, $0.rawValue) != 0 }
            guard let stroke else { return }
            switch stroke {
            case .press(let key): if key.isHeld, !keyboard.held.contains(key) { keyboard.held.append(key) }
            case .release(let key): keyboard.held.removeAll { $0 == key }
            case .cancel, .type: break
            }
            events.append(ControlEvent(time: report.time, event: Instrument.Event(stroke)))
        }
        switch end {
        case .drained: return true
        case .bound:
            // Reports in libevdev's buffer do not end the loop's wait.
            loop.clock.wake()
            return true
        case .loss:
            // A lost release would leave a finger at the cursor.
            Self.cancelHeld(of: &keyboard, at: now, into: &events)
            return (try? node.synchronise()) != nil
        case .failure: return false
        }
    }

    private static func cancelHeld(of keyboard: inout Keyboard, at now: Instant, into events: inout [ControlEvent]) {
        for key in keyboard.held { events.append(ControlEvent(time: now, event: .keyCancel(key))) }
        keyboard.held.removeAll(keepingCapacity: true)
    }
}

extension InputNode {
    private func has(_ key: KeyCode) -> Bool { has(InputCode.key, key.rawValue) }

    /// Whether the device has all keys that the box uses.
    var isKeyboard: Bool {
        [KeyCode.space, .z, .up, .down].allSatisfy(has) && (has(.backspace) || has(.delete))
    }

    /// Whether the device has any key that the box uses.
    fileprivate var hasKeys: Bool { [KeyCode.space, .z, .up, .down, .backspace, .delete].contains(where: has) }
}
