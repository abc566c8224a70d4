import Documents

/// The name of a file of an update: `pixelboop_VERSION_ARCHITECTURE.deb` or `.img.xz`, or the name of its checksum or
/// signature, with `.sha256` or `.minisig` at the end.
struct UpdateFileName: Hashable {
    /// The whole name. Its letters are safe in a path.
    let text: String
    /// The name of the package or image.
    let update: String
    /// Maximum bytes of the file.
    let sizeMax: Int

    /// Maximum bytes of a checksum's or a signature's file: `pixelboop-update` reads no more.
    static let partSizeMax = 4096
    static let kinds = [(ending: ".deb", sizeMax: 64 << 20), (ending: ".img.xz", sizeMax: 512 << 20)]
    static let parts = [".sha256", ".minisig"]
    /// Maximum bytes of a name (NAME_MAX is 255), with room for the part's ending.
    private static let lengthMax = 200

    /// Parses a name; nil if it has another form.
    init?(_ text: String) {
        let part = Self.parts.first { text.hasSuffix($0) }
        let update = String(text.dropLast(part?.count ?? 0))
        guard update.utf8.count <= Self.lengthMax, let kind = Self.kinds.first(where: { update.hasSuffix($0.ending) })
        else { return nil }
        let words = update.dropLast(kind.ending.count).split(separator: "_", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "pixelboop", Self.isVersion(words[1]), Self.isArchitecture(words[2]) else {
            return nil
        }
        self.text = text
        self.update = update
        sizeMax = part == nil ? kind.sizeMax : Self.partSizeMax
    }

    /// Whether `text` is a version in the name of a package (deb-version(7), without an epoch).
    private static func isVersion(_ text: Substring) -> Bool {
        text.utf8.first?.isASCIIDigit ?? false
            && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-.+~".utf8.contains($0) }
    }

    private static func isArchitecture(_ text: Substring) -> Bool {
        !text.isEmpty && text == text.lowercased() && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }
}
