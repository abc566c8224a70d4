import Foundation

/// A colour in linear light: red, green and blue, 0-1.
public typealias LinearRGB = SIMD3<Double>

/// Colour measures for tests, from their definitions: nothing of the box's own code.
public enum ColourScience {
    /// The linear light of an sRGB value (IEC 61966-2-1).
    public static func linear(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> LinearRGB {
        func channel(_ value: UInt8) -> Double {
            let value = Double(value) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return LinearRGB(channel(red), channel(green), channel(blue))
    }

    /// Relative luminance, 0-1 (WCAG 2.2).
    public static func luminance(_ light: LinearRGB) -> Double {
        0.2126 * light.x + 0.7152 * light.y + 0.0722 * light.z
    }

    /// CIE XYZ of `light`, whose white is D65.
    public static func xyz(_ light: LinearRGB) -> SIMD3<Double> {
        SIMD3(
            0.4124564 * light.x + 0.3575761 * light.y + 0.1804375 * light.z,
            0.2126729 * light.x + 0.7151522 * light.y + 0.0721750 * light.z,
            0.0193339 * light.x + 0.1191920 * light.y + 0.9503041 * light.z)
    }

    /// CIELAB of `light`; x is L*, 0-100.
    public static func lab(_ light: LinearRGB) -> SIMD3<Double> {
        func root(_ part: Double) -> Double {
            part > 216.0 / 24389 ? cbrt(part) : (24389.0 / 27 * part + 16) / 116
        }
        let white = xyz(LinearRGB(1, 1, 1))
        let place = xyz(light) / white
        let (x, y, z) = (root(place.x), root(place.y), root(place.z))
        return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
    }

    /// The CIE 1976 UCS chromaticity u', v' of `light`; the chromaticity of white without any light.
    public static func chromaticity(_ light: LinearRGB) -> SIMD2<Double> {
        let place = xyz(light == .zero ? LinearRGB(1, 1, 1) : light)
        return SIMD2(4 * place.x, 9 * place.y) / (place.x + 15 * place.y + 3 * place.z)
    }

    /// An eye.
    public enum Eye: String, CaseIterable, Sendable {
        case normal, protan, deutan, tritan

        /// Colour by which a normal eye sees `light` as this eye does: Machado, Oliveira and Fernandes 2009, severity
        /// 1.0.
        public func sees(_ light: LinearRGB) -> LinearRGB {
            let rows: [LinearRGB] =
                switch self {
                case .normal: [LinearRGB(1, 0, 0), LinearRGB(0, 1, 0), LinearRGB(0, 0, 1)]
                case .protan:
                    [
                        LinearRGB(0.152286, 1.052583, -0.204868), LinearRGB(0.114503, 0.786281, 0.099216),
                        LinearRGB(-0.003882, -0.048116, 1.051998),
                    ]
                case .deutan:
                    [
                        LinearRGB(0.367322, 0.860646, -0.227968), LinearRGB(0.280085, 0.672501, 0.047413),
                        LinearRGB(-0.011820, 0.042940, 0.968881),
                    ]
                case .tritan:
                    [
                        LinearRGB(1.255528, -0.076749, -0.178779), LinearRGB(-0.078411, 0.930809, 0.147602),
                        LinearRGB(0.004733, 0.691367, 0.303900),
                    ]
                }
            let seen = LinearRGB((rows[0] * light).sum(), (rows[1] * light).sum(), (rows[2] * light).sum())
            return seen.clamped(lowerBound: .zero, upperBound: .one)
        }
    }

    /// The colour difference CIEDE2000 between two CIELAB colours (ISO/CIE 11664-6).
    public static func difference(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
        func chroma(_ a: Double, _ b: Double) -> Double { (a * a + b * b).squareRoot() }
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        func compressed(_ chroma: Double) -> Double { (pow(chroma, 7) / (pow(chroma, 7) + pow(25, 7))).squareRoot() }
        let plain = (chroma(first.y, first.z) + chroma(second.y, second.z)) / 2
        let stretch = 1 + 0.5 * (1 - compressed(plain))
        let (a1, a2) = (first.y * stretch, second.y * stretch)
        let (c1, c2) = (chroma(a1, first.z), chroma(a2, second.z))
        func hue(_ a: Double, _ b: Double) -> Double {
            let angle = a == 0 && b == 0 ? 0 : atan2(b, a) * 180 / .pi
            return angle < 0 ? angle + 360 : angle
        }
        let (h1, h2) = (hue(a1, first.z), hue(a2, second.z))
        let isGrey = c1 * c2 == 0
        var turn = isGrey ? 0 : h2 - h1
        if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
        let lightness = second.x - first.x
        let saturation = c2 - c1
        let hueStep = 2 * (c1 * c2).squareRoot() * sin(radians(turn / 2))
        let (meanL, meanC) = ((first.x + second.x) / 2, (c1 + c2) / 2)
        var meanH = h1 + h2
        if !isGrey {
            if abs(h1 - h2) > 180 { meanH += h1 + h2 < 360 ? 360 : -360 }
            meanH /= 2
        }
        let weight =
            1 - 0.17 * cos(radians(meanH - 30)) + 0.24 * cos(radians(2 * meanH))
            + 0.32 * cos(radians(3 * meanH + 6)) - 0.2 * cos(radians(4 * meanH - 63))
        let offset = (meanL - 50) * (meanL - 50)
        let l = lightness / (1 + 0.015 * offset / (20 + offset).squareRoot())
        let c = saturation / (1 + 0.045 * meanC)
        let h = hueStep / (1 + 0.015 * meanC * weight)
        let bend = (meanH - 275) / 25
        let rotation = -2 * compressed(meanC) * sin(radians(60 * exp(-bend * bend)))
        return (l * l + c * c + h * h + rotation * c * h).squareRoot()
    }
}
