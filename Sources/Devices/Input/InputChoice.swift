/// Which input devices are meant.
public enum InputChoice: Hashable, Sendable {
    /// Every one that can be used.
    case any
    /// Those with this path, name or `vendor:product`, the two in hexadecimal. The path may be a link, such as those in
    /// /dev/input/by-id.
    case named(String)

    /// The path that it gives; nil if it gives none.
    var path: String? {
        guard case .named(let name) = self, name.hasPrefix("/") else { return nil }
        return name
    }

    /// The maker's and the product's number that it gives; nil if it gives none.
    var identity: (vendor: UInt16, product: UInt16)? {
        guard case .named(let name) = self else { return nil }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count <= 4 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
        return (UInt16(parts[0], radix: 16) ?? 0, UInt16(parts[1], radix: 16) ?? 0)
    }

    /// Whether it means `node`. `target` is the device node that its path leads to.
    func means(_ node: InputNode, target: String?) -> Bool {
        means(node.path, name: node.name, vendor: node.vendor, product: node.product, target: target)
    }

    /// Whether it means the device at `path` that calls itself `name` and has these numbers.
    func means(_ path: String, name: String, vendor: UInt16, product: UInt16, target: String?) -> Bool {
        guard case .named(let wanted) = self else { return true }
        if let target, target == path { return true }
        if wanted == name { return true }
        return identity.map { $0 == (vendor, product) } ?? false
    }
}
