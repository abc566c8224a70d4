import CPNG

/// A PNG file decoded by libpng.
public struct PNGImage: Equatable {
    /// Pixels across.
    public let columns: Int
    /// Pixels down.
    public let rows: Int
    /// Three bytes per pixel, row by row.
    public let rgb: [UInt8]

    /// Decodes the image in `file`; nil if it is invalid.
    public init?(_ file: [UInt8]) {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        // libpng keeps its position in the file between calls.
        let pixels = file.withUnsafeBytes { file -> [UInt8]? in
            guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else { return nil }
            image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
            var pixels = [UInt8](repeating: 0, count: Int(image.width) * Int(image.height) * 3)
            return png_image_finish_read(&image, nil, &pixels, 0, nil) != 0 ? pixels : nil
        }
        guard let pixels else { return nil }
        columns = Int(image.width)
        rows = Int(image.height)
        rgb = pixels
    }
}
