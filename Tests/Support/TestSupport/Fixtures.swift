/// The recorded input in `Tests/Fixtures`.
public enum Fixtures {
    /// The content of the file at `path`. Throws if it cannot be read.
    public static func bytes(_ path: String) throws -> [UInt8] { try Checkout.bytes("Tests/Fixtures/\(path)") }

    /// The names of the files in the folder at `path`, sorted. Throws if it cannot be listed.
    public static func names(_ path: String) throws -> [String] { try Checkout.names("Tests/Fixtures/\(path)") }
}
