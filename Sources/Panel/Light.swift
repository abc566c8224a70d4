import Display

/// Converts sRGB values to linear light: a table of 256 values for each channel, in 1/65535 of the LED's full light.
/// Zero stays zero.
struct Light: Hashable, Sendable {
    let red: [UInt16]
    let green: [UInt16]
    let blue: [UInt16]
    /// The table of the white LED, which shows the common part of the three colours; nil for LEDs without one. The
    /// white balance applies to the colours only.
    let white: [UInt16]?

    init(_ configuration: PanelConfiguration) {
        func table(_ balance: Double) -> [UInt16] {
            (0...255).map {
                let light = power(Double($0) / 255, configuration.gamma) * configuration.brightness * balance
                return UInt16((light * Double(LinearLight.full)).rounded())
            }
        }
        red = table(configuration.whiteBalance.red)
        green = table(configuration.whiteBalance.green)
        blue = table(configuration.whiteBalance.blue)
        white = configuration.chip.hasWhite ? table(1) : nil
    }

    /// Writes the light of the pixels at `order` to `lights`. Returns the sums over all LEDs, in 1/65535 of full.
    func map(
        _ pixels: [RGB], _ order: ArraySlice<Int>, to lights: UnsafeMutableBufferPointer<LinearLight>
    ) -> LightSums {
        guard let white else { return mapColours(pixels, order, to: lights) }
        var sums = LightSums()
        for (index, place) in order.enumerated() {
            let colour = pixels[place]
            let common = Int(min(colour.red, colour.green, colour.blue))
            // The tables are monotonic, so no difference is negative, and the channel of the common part is 0.
            let light = LinearLight(
                red: red[Int(colour.red)] - red[common], green: green[Int(colour.green)] - green[common],
                blue: blue[Int(colour.blue)] - blue[common], white: white[common])
            lights[index] = light
            sums.red += UInt64(light.red)
            sums.green += UInt64(light.green)
            sums.blue += UInt64(light.blue)
            sums.white += UInt64(light.white)
        }
        return sums
    }

    private func mapColours(
        _ pixels: [RGB], _ order: ArraySlice<Int>, to lights: UnsafeMutableBufferPointer<LinearLight>
    ) -> LightSums {
        var sums = LightSums()
        red.withUnsafeBufferPointer { reds in
            green.withUnsafeBufferPointer { greens in
                blue.withUnsafeBufferPointer { blues in
                    pixels.withUnsafeBufferPointer { pixels in
                        order.withUnsafeBufferPointer { order in
                            for index in order.indices {
                                let colour = pixels[order[index]]
                                let light = LinearLight(
                                    red: reds[Int(colour.red)], green: greens[Int(colour.green)],
                                    blue: blues[Int(colour.blue)], white: 0)
                                lights[index] = light
                                sums.red &+= UInt64(light.red)
                                sums.green &+= UInt64(light.green)
                                sums.blue &+= UInt64(light.blue)
                            }
                        }
                    }
                }
            }
        }
        return sums
    }
}

/// Converts the light of an LED, decoded from the wire, back to its sRGB value.
public struct LightMeter: Hashable, Sendable {
    private let values: [UInt8]
    private let white: ChannelValues

    /// The meter for a panel of `configuration`. With brightness 0 all values are 0.
    public init(_ configuration: PanelConfiguration) {
        let steps = configuration.chip.lightSteps
        let brightness = configuration.brightness
        values = (0...steps).map {
            guard brightness > 0 else { return 0 }
            let light = min(1, Double($0) / Double(steps) / brightness)
            return UInt8((255 * power(light, 1 / configuration.gamma)).rounded())
        }
        white = configuration.whiteBalance
    }

    /// The sRGB values of `led`, given in the light steps of the panel's chip.
    public func value(of led: LEDLight) -> (red: UInt8, green: UInt8, blue: UInt8) {
        func channel(_ light: Int, _ balance: Double) -> UInt8 {
            let coloured = balance > 0 ? Double(light) / balance : 0
            return values[Int(min(coloured.rounded() + Double(led.white), Double(values.count - 1)))]
        }
        return (channel(led.red, white.red), channel(led.green, white.green), channel(led.blue, white.blue))
    }
}
