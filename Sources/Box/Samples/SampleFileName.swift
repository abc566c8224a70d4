import Instrument

/// Spells names of samples as file names.
enum SampleFileName {
    /// Ending of a sample's file.
    static let ending = ".wav"
    /// Characters that every file system takes, a stick's FAT too, wherever in a name they are.
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+=#~! ".utf8)

    /// The file name of the sample `name`: other characters are the bytes of their UTF-8 in hexadecimal digits, as in a
    /// URL: `HI%2FLO.wav` is HI/LO.
    static func file(of name: SoundName) -> String {
        name.text.utf8.map { byte in
            plain.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + hexadecimal(byte)
        }.joined() + ending
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }

    /// The sample whose file has the name `file`; nil for another file.
    static func name(of file: String) -> SoundName? {
        guard file.hasSuffix(ending) else { return nil }
        var bytes: [UInt8] = []
        var rest = Array(file.utf8.dropLast(ending.utf8.count))[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        // One spelling each, so that no sample has two files.
        return SoundName(String(decoding: bytes, as: UTF8.self)).flatMap { self.file(of: $0) == file ? $0 : nil }
    }
}
