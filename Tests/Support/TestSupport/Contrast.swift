/// The contrast ratio of WCAG 2.2 between two sRGB colours, 1-21.
public func contrast(
    _ first: (red: UInt8, green: UInt8, blue: UInt8), _ second: (red: UInt8, green: UInt8, blue: UInt8)
) -> Double {
    let lights = [first, second].map {
        ColourScience.luminance(ColourScience.linear($0.red, $0.green, $0.blue)) + 0.05
    }
    return max(lights[0], lights[1]) / min(lights[0], lights[1])
}
