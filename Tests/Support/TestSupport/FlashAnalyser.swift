/// Counts the flashes of a sequence of frames, from the words of WCAG 2.2 (success criterion 2.3.1; definitions
/// "general flash and red flash thresholds", "relative luminance") alone. It knows nothing of the box's guard.
///
/// - A change is counted where it reaches its size: 10 % of the maximum relative luminance, if the darker state is below 0.80;
///   or more than 0.2 in the CIE 1976 UCS diagram to or from a state with R/(R + G + B) ≥ 0.8.
/// - Two opposing changes are a flash.
/// - Flashes count where they take more than 0.006 steradians of a field of ten degrees, seen from `distance`.
public struct FlashAnalyser: Sendable {
    /// One frame: its time in microseconds, and the sRGB bytes of its LEDs, row by row.
    public struct Shot: Sendable {
        /// Time in microseconds.
        public var at: Int
        /// Three bytes for each LED.
        public var rgb: [UInt8]

        /// A frame.
        public init(at: Int, rgb: [UInt8]) {
            self.at = at
            self.rgb = rgb
        }
    }

    /// The worst of a sequence.
    public struct Report: Sendable {
        /// Flashes of one LED within a second.
        public var ledFlashes = 0
        /// LEDs of a field that flash more than three times in the same second.
        public var frequentLEDs = 0
        /// Flashes of a field within a second, each by more LEDs together than may flash.
        public var fieldFlashes = 0

        /// Whether the sequence is within the thresholds.
        public var isSafe: Bool { Double(frequentLEDs) <= FlashAnalyser.ledsAllowed && fieldFlashes <= 3 }
    }

    /// Distance of the eye in millimetres, and of neighbouring LEDs.
    private static let (distance, pitch) = (400.0, 6.944)
    /// LEDs whose area is 0.006 steradians.
    public static let ledsAllowed = 0.006 * distance * distance / (pitch * pitch)
    /// The radius of ten degrees, in LEDs: distance · tan 5°.
    private static let radius = distance * 0.0874887 / pitch
    /// Changes within this time happen together, in microseconds.
    private static let together = 50_000
    private static let second = 1_000_000

    private let columns: Int
    private let rows: Int
    /// The LEDs of each circle about an LED and about a corner of LEDs.
    private let circles: [[Int]]

    /// An analyser for frames of `columns` × `rows`.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        var circles: [[Int]] = []
        for y in 0..<2 * rows - 1 {
            for x in 0..<2 * columns - 1 where (x + y) % 2 == 0 {
                let (cx, cy) = (Double(x) / 2, Double(y) / 2)
                circles.append(
                    (0..<columns * rows).filter {
                        let (dx, dy) = (Double($0 % columns) - cx, Double($0 / columns) - cy)
                        return dx * dx + dy * dy <= Self.radius * Self.radius
                    })
            }
        }
        self.circles = circles
    }

    /// A change of an LED.
    private struct Change {
        var shot: Int
        var isRise: Bool
    }

    /// The worst second of `shots`, which are in order of time; before them the panel is dark. General and red flashes
    /// are counted separately.
    public func analyse(_ shots: [Shot]) -> Report {
        var lights = [[LinearRGB]]()
        var table = [UInt32: LinearRGB]()
        for led in 0..<columns * rows {
            lights.append(
                shots.map { shot in
                    let (red, green, blue) = (shot.rgb[3 * led], shot.rgb[3 * led + 1], shot.rgb[3 * led + 2])
                    let key = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
                    if let light = table[key] { return light }
                    let light = ColourScience.linear(red, green, blue)
                    table[key] = light
                    return light
                })
        }
        let times = shots.map(\.at)
        let general = worst(lights.map(Self.generalChanges), times)
        let red = worst(lights.map(Self.redChanges), times)
        return Report(
            ledFlashes: max(general.ledFlashes, red.ledFlashes),
            frequentLEDs: max(general.frequentLEDs, red.frequentLEDs),
            fieldFlashes: max(general.fieldFlashes, red.fieldFlashes))
    }

    private static func generalChanges(_ lights: [LinearRGB]) -> [Change] {
        var changes: [Change] = []
        // The highest and the lowest luminance since the last change; a rise may come first, from darkness.
        var (low, high) = (0.0, 0.0)
        for (shot, light) in lights.enumerated() {
            let luminance = ColourScience.luminance(light)
            low = min(low, luminance)
            high = max(high, luminance)
            let last = changes.last?.isRise
            if last != true, luminance - low >= 0.1, low < 0.8 {
                changes.append(Change(shot: shot, isRise: true))
                (low, high) = (luminance, luminance)
            } else if last != false, high - luminance >= 0.1, luminance < 0.8 {
                changes.append(Change(shot: shot, isRise: false))
                (low, high) = (luminance, luminance)
            }
        }
        return changes
    }

    private static func redChanges(_ lights: [LinearRGB]) -> [Change] {
        var changes: [Change] = []
        var state = LinearRGB.zero
        var isRed = false
        for (shot, light) in lights.enumerated() where light != state {
            let nowRed = light != .zero && light.x / light.sum() >= 0.8
            let way = ColourScience.chromaticity(light) - ColourScience.chromaticity(state)
            let isFar = (way * way).sum() > 0.04
            if nowRed != isRed, isFar {
                changes.append(Change(shot: shot, isRise: nowRed))
                isRed = nowRed
                state = light
            } else if nowRed == isRed {
                state = light
            }
        }
        return changes
    }

    private func worst(_ changes: [[Change]], _ times: [Int]) -> Report {
        var report = Report()
        // The changes of each LED before the window, and before its end.
        var before = [Int](repeating: 0, count: changes.count)
        var within = before
        var frequent = [Bool](repeating: false, count: changes.count)
        for first in times.indices {
            for (led, changes) in changes.enumerated() {
                while before[led] < changes.count, changes[before[led]].shot < first { before[led] += 1 }
                while within[led] < changes.count, times[changes[within[led]].shot] < times[first] + Self.second {
                    within[led] += 1
                }
                let flashes = (within[led] - before[led]) / 2
                report.ledFlashes = max(report.ledFlashes, flashes)
                frequent[led] = flashes > 3
            }
            // Too many are too many: the number beyond is of no interest.
            guard Double(report.frequentLEDs) <= Self.ledsAllowed else { continue }
            guard frequent.count(where: { $0 }) > report.frequentLEDs else { continue }
            for circle in circles {
                report.frequentLEDs = max(report.frequentLEDs, circle.count { frequent[$0] })
            }
        }
        report.fieldFlashes = fieldFlashes(changes, times)
        return report
    }

    private func fieldFlashes(_ changes: [[Change]], _ times: [Int]) -> Int {
        // The common changes of each circle.
        var common = [[Change]](repeating: [], count: circles.count)
        for isRise in [true, false] {
            var newest = [Int](repeating: -10 * Self.second, count: changes.count)
            var next = [Int](repeating: 0, count: changes.count)
            var found = [[Change]](repeating: [], count: circles.count)
            for shot in times.indices {
                var isAny = false
                for led in changes.indices {
                    while next[led] < changes[led].count, changes[led][next[led]].shot <= shot {
                        if changes[led][next[led]].isRise == isRise {
                            newest[led] = times[shot]
                            isAny = true
                        }
                        next[led] += 1
                    }
                }
                let taking = newest.map { times[shot] - $0 < Self.together }
                guard isAny, Double(taking.count { $0 }) > Self.ledsAllowed else { continue }
                for (place, circle) in circles.enumerated() {
                    if let last = found[place].last, times[shot] - times[last.shot] <= Self.together { continue }
                    let isNew = circle.contains { newest[$0] == times[shot] }
                    if isNew, Double(circle.count { taking[$0] }) > Self.ledsAllowed {
                        found[place].append(Change(shot: shot, isRise: isRise))
                    }
                }
            }
            for place in circles.indices { common[place] += found[place] }
        }
        var worst = 0
        for changes in common where changes.count > 1 {
            let ordered = changes.sorted { ($0.shot, $0.isRise ? 0 : 1) < ($1.shot, $1.isRise ? 0 : 1) }
            for first in ordered.indices {
                var opposing = 0
                var last: Bool?
                for change in ordered[first...] {
                    guard times[change.shot] < times[ordered[first].shot] + Self.second else { break }
                    if change.isRise != last { opposing += 1 }
                    last = change.isRise
                }
                worst = max(worst, opposing / 2)
            }
        }
        return worst
    }
}
