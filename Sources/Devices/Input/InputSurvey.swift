import Instrument

/// A look at the input devices of this machine, each of which is opened for a moment and kept from nobody.
public enum InputSurvey {
    /// An input device.
    public struct Device: Hashable, Sendable {
        /// Its device node.
        public var path: String
        /// What it is, or why it does not open.
        public var details: Result<Details, DeviceFailure>

        /// Whether `choice` means it, as far as can be told of one that does not open.
        public func isMeant(by choice: InputChoice) -> Bool {
            let target = choice.path.flatMap(InputFolder.target)
            switch details {
            case .success(let it):
                return choice.means(path, name: it.name, vendor: it.vendor, product: it.product, target: target)
            case .failure: return choice == .any || target == path
            }
        }
    }

    /// What an input device is.
    public struct Details: Hashable, Sendable {
        /// What it calls itself.
        public var name: String
        /// The number of its maker.
        public var vendor: UInt16
        /// The maker's number of it.
        public var product: UInt16
        /// What it is to the box.
        public var kind: Kind

        /// Its numbers as the configuration takes them: `2575:0204`.
        public var identity: String { "\(Self.hexadecimal(vendor)):\(Self.hexadecimal(product))" }

        private static func hexadecimal(_ number: UInt16) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// What an input device is to the box.
    public enum Kind: Hashable, Sendable {
        /// Taken as a touch overlay.
        case overlay(TouchTraits)
        /// A touch device that does not lie on a panel, such as a touchpad: taken if it is named.
        case touch(TouchTraits)
        /// A touch device that cannot be used.
        case unusable(DeviceFailure)
        /// Taken as a keyboard.
        case keyboard
        /// Nothing to the box.
        case other
    }

    /// Every input device of this machine, in the order of their numbers.
    public static func devices() -> [Device] { devices(in: InputFolder.standard, .linux) }

    static func devices(in folder: String, _ calls: InputCalls) -> [Device] {
        InputFolder.nodes(in: folder).compactMap { path in
            do throws(SystemError) {
                return Device(path: path, details: .success(Details(try InputNode.open(path, calls))))
            } catch {
                return DeviceFailure(openingInput: path, error).map { Device(path: path, details: .failure($0)) }
            }
        }
    }
}

extension InputSurvey.Details {
    fileprivate init(_ node: InputNode) {
        name = node.name
        vendor = node.vendor
        product = node.product
        kind = InputSurvey.Kind(node)
    }
}

extension InputSurvey.Kind {
    fileprivate init(_ node: InputNode) {
        guard node.hasTouch else {
            self = node.isKeyboard ? .keyboard : .other
            return
        }
        do throws(DeviceFailure) {
            let traits = try node.touchTraits()
            self = node.isOverlay ? .overlay(traits) : .touch(traits)
        } catch {
            self = .unusable(error)
        }
    }
}
