/// One LED's colour in sRGB, 8 bits a channel.
public struct RGB: Hashable, Sendable {
    /// Red, 0-255.
    public var red: UInt8
    /// Green, 0-255.
    public var green: UInt8
    /// Blue, 0-255.
    public var blue: UInt8

    /// The colour with these channels.
    @inlinable
    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour `0xrrggbb`.
    @inlinable
    public init(_ hex: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: hex >> 16),
            green: UInt8(truncatingIfNeeded: hex >> 8),
            blue: UInt8(truncatingIfNeeded: hex))
    }

    /// All channels 0.
    public static let black = RGB(0x000000)
    /// All channels 255.
    public static let white = RGB(0xffffff)

    /// The colour of `hue` in degrees (any turn), `saturation` and `lightness` 0-1, as CSS Color 4 defines `hsl()`.
    public static func hsl(_ hue: Float, _ saturation: Float, _ lightness: Float) -> RGB {
        let turn = hue - (hue / 360).rounded(.down) * 360
        let chroma = saturation * min(lightness, 1 - lightness)
        func channel(_ offset: Float) -> UInt8 {
            var place = offset + turn / 30
            if place >= 12 { place -= 12 }
            return UInt8((255 * (lightness - chroma * max(-1, min(place - 3, 9 - place, 1)))).rounded())
        }
        return RGB(red: channel(0), green: channel(8), blue: channel(4))
    }

    /// This colour blended towards `other` by `alpha` (0: this one, 1: `other`), per channel, rounded to the nearest
    /// value.
    @inlinable @inline(__always)
    public func blended(towards other: RGB, _ alpha: Float) -> RGB {
        @inline(__always) func channel(_ from: UInt8, _ to: UInt8) -> UInt8 {
            UInt8(Float(from) + (Float(to) - Float(from)) * alpha + 0.5)
        }
        return RGB(
            red: channel(red, other.red), green: channel(green, other.green), blue: channel(blue, other.blue))
    }
}
