/// Inspects the input devices of this machine. Each is opened briefly and not grabbed.
public enum InputSurvey {
    /// An input device.
    public struct Device: Hashable, Sendable {
        /// The device node.
        public var path: String
        /// The device's details, or why it does not open.
        public var details: Result<Details, DeviceFailure>

        /// Whether `choice` selects the device, as far as this is known of a device that does not open.
        public func isMeant(by choice: InputChoice) -> Bool {
            let target = choice.path.flatMap { InputFolder.target(of: $0, .linux) }
            switch details {
            case .success(let it):
                return choice.means(path, name: it.name, vendor: it.vendor, product: it.product, target: target)
            case .failure: return choice == .any || target == path
            }
        }
    }

    /// Identity and kind of an input device.
    public struct Details: Hashable, Sendable {
        /// The device's name.
        public var name: String
        /// Vendor number.
        public var vendor: UInt16
        /// Product number.
        public var product: UInt16
        /// The device's use to the box.
        public var kind: Kind

        /// The numbers in the form of the configuration: `2575:0204`.
        public var identity: String { "\(Self.hexadecimal(vendor)):\(Self.hexadecimal(product))" }

        private static func hexadecimal(_ number: UInt16) -> String {
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// The use of an input device to the box.
    public enum Kind: Hashable, Sendable {
        /// A touch overlay.
        case overlay(TouchTraits)
        /// A touch device that is not an overlay, such as a touchpad: used only if it is selected by name.
        case touch(TouchTraits)
        /// A touch device that cannot be used.
        case unusable(DeviceFailure)
        /// A keyboard.
        case keyboard
        /// A device that the box does not use.
        case other
    }

    /// All input devices of this machine, by number.
    public static func devices() -> [Device] { devices(in: InputFolder.standard, .linux) }

    static func devices(in folder: String, _ calls: InputCalls) -> [Device] {
        InputFolder.nodes(in: folder, calls.folder).compactMap { path in
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
