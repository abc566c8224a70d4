import CPNG

/// A PNG file as libpng reads it.
public struct PNGImage: Equatable {
    /// Pixels across.
    public let columns: Int
    /// Pixels down.
    public let rows: Int
    /// Three bytes a pixel, row by row.
    public let rgb: [UInt8]

    /// The image in `file`; nil if it is none.
    public init?(_ file: [UInt8]) {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        // libpng keeps the place of the file from one call to the next.
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
