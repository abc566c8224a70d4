import Glibc
import Instrument
import Overlay
import Runtime

/// The touch overlays of the box, plugged in and out as may be. Each is read in the loop's own thread, which its reports wake,
/// and grabbed: no other program sees its fingers. What fails is said and never stops the box.
public final class TouchOverlays {
    /// An overlay that is wished for.
    public struct Wish: Hashable, Sendable {
        /// Which it is; it may be several.
        public var choice: InputChoice
        /// How it lies on the panel, and how it is filtered.
        public var settings: OverlaySettings

        /// A wish for the overlays that `choice` means.
        public init(_ choice: InputChoice, settings: OverlaySettings = OverlaySettings()) {
            self.choice = choice
            self.settings = settings
        }
    }

    /// Overlays that are served at once: a panel has one, a wall of panels a few.
    public static let countMax = 8

    /// The places that overlays are served at, `countMax`, most of them empty.
    public let sources: [any TouchSource]

    let finder: InputFinder

    /// The overlays that `wishes` mean, in the order in which a device that several mean is given away. `clock` is the loop's,
    /// which reports wake.
    public convenience init(_ wishes: [Wish], clock: SystemClock) {
        self.init(wishes, folder: InputFolder.standard, InputLoop(clock), .linux)
    }

    init(_ wishes: [Wish], folder: String, _ loop: InputLoop, _ calls: InputCalls) {
        let search = InputFinder.Search(
            kind: "touch overlay", choices: wishes.map(\.choice), countMax: Self.countMax,
            isWanted: { node, isNamed in isNamed ? node.hasTouch : node.isOverlay },
            prepare: { node throws(DeviceFailure) in try Self.prepare(node) })
        let finder = InputFinder(search, in: folder, loop, calls)
        self.finder = finder
        sources = (0..<Self.countMax).map { place in
            OverlayPort(finder, wishes.map(\.settings), loop, isFirst: place == 0)
        }
    }

    /// The overlays that are there, and what stands in the way of the others.
    public var status: InputStatus { finder.status }

    /// What stands in the way of an overlay, with what to do, in one line; nil while all is well.
    public var problem: String? { finder.status.problem?.description }

    private static func prepare(_ node: InputNode) throws(DeviceFailure) -> String {
        let traits = try node.touchTraits()
        node.setClock()
        do throws(SystemError) {
            try node.grab()
        } catch {
            throw DeviceFailure(grabbing: node, error)
        }
        return traits.description
    }
}

extension DeviceFailure {
    fileprivate init(grabbing node: InputNode, _ error: SystemError) {
        if error.errno == EBUSY {
            self.init(
                "\(node.title) is in use by another program", fix: "stop that program; the overlay is tried again")
        } else {
            self.init("\(node.title) cannot be kept from other programs (\(error))", fix: Self.replug)
        }
    }
}
