/// Selects input devices.
public enum InputChoice: Hashable, Sendable {
    /// All usable devices.
    case any
    /// Devices with this path, name or `vendor:product` in hexadecimal. The path may be a link, such as the links in
    /// /dev/input/by-id.
    case named(String)

    /// The path, if the choice is one.
    var path: String? {
        guard case .named(let name) = self, name.hasPrefix("/") else { return nil }
        return name
    }

    /// The vendor and product numbers, if the choice has them.
    var identity: (vendor: UInt16, product: UInt16)? {
        guard case .named(let name) = self else { return nil }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count <= 4 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
        return (UInt16(parts[0], radix: 16) ?? 0, UInt16(parts[1], radix: 16) ?? 0)
    }

    /// Whether the choice selects `node`. `target` is the device node that the choice's path resolves to.
    func means(_ node: InputNode, target: String?) -> Bool {
        means(node.path, name: node.name, vendor: node.vendor, product: node.product, target: target)
    }

    /// Whether the choice selects the device with this path, name, vendor and product.
    func means(_ path: String, name: String, vendor: UInt16, product: UInt16, target: String?) -> Bool {
        guard case .named(let wanted) = self else { return true }
        if let target, target == path { return true }
        if wanted == name { return true }
        return identity.map { $0 == (vendor, product) } ?? false
    }
}
