#if canImport(Glibc)
    import Glibc
#endif

/// From sRGB values to light: a table of 256 for each channel, in 1/65535 of what the LED can give. Zero stays zero.
struct Light: Hashable, Sendable {
    static let full = 65_535

    let red: [UInt16]
    let green: [UInt16]
    let blue: [UInt16]

    init(_ configuration: PanelConfiguration) {
        func table(_ balance: Double) -> [UInt16] {
            (0...255).map {
                let light = pow(Double($0) / 255, configuration.gamma) * configuration.brightness * balance
                return UInt16((light * Double(Self.full)).rounded())
            }
        }
        red = table(configuration.whiteBalance.red)
        green = table(configuration.whiteBalance.green)
        blue = table(configuration.whiteBalance.blue)
    }
}

/// From the light of an LED, as it was decoded from the wire, back to the sRGB value that asked for it.
public struct LightMeter: Hashable, Sendable {
    private let values: [UInt8]
    private let white: ChannelValues

    /// The meter for a panel of `configuration`. A panel of brightness 0 shows nothing.
    public init(_ configuration: PanelConfiguration) {
        let steps = ClockedLED.lightMax
        let brightness = configuration.brightness
        values = (0...steps).map {
            guard brightness > 0 else { return 0 }
            let light = min(1, Double($0) / Double(steps) / brightness)
            return UInt8((255 * pow(light, 1 / configuration.gamma)).rounded())
        }
        white = configuration.whiteBalance
    }

    /// The sRGB values of `led`.
    public func value(of led: ClockedLED) -> (red: UInt8, green: UInt8, blue: UInt8) {
        func channel(_ value: UInt8, _ balance: Double) -> UInt8 {
            guard balance > 0 else { return 0 }
            let light = Double(Int(value) * Int(led.brightness)) / balance
            return values[Int(min(light.rounded(), Double(ClockedLED.lightMax)))]
        }
        return (channel(led.red, white.red), channel(led.green, white.green), channel(led.blue, white.blue))
    }
}
