import Display

/// Keeps flashes of frames within WCAG 2.2, success criterion 2.3.1 (docs/panel.md, Flashes): no more than three in any
/// second, general or red, where more than a quarter of a field of ten degrees takes part.
///
/// Problem: a limit on a whole picture would dim music that blinks in few LEDs, and a limit on single LEDs would let a
/// field flash in turns. Whether a change is a flash too many depends on all LEDs of all fields over it.
///
/// Idea: only the beginning of a flash is ever refused, a rise or a new red; what fades or stays is always shown. A
/// refused LED keeps the most that is no flash, and gets the rest when the flash is allowed.
///
/// Algorithm, for a frame:
/// 1. An LED that changes is a candidate if its luminance rises by a tenth, or if it turns to a saturated red.
/// 2. `FlashCounter` counts LEDs in every field, with sums over the panel. In a field where more than `ledsMax` would
///    begin their own fourth flash of the second, these LEDs are held; in a field whose LEDs have begun three flashes
///    together within the second, all candidates are.
/// 3. A candidate is shown as far as it is allowed; every shown LED remembers its extreme since its last turn.
///
/// Memory is allocated once. A frame costs one comparison for each LED that has not changed.
public struct FlashGuard: Sendable {
    /// The picture to be shown after the last `limit`, row by row.
    public private(set) var shown: [RGB]
    /// Whether `shown` differs from the frame: a later call with the same frame may show more of it.
    public private(set) var isHolding = false

    /// Maximum number of flashes within a second.
    public static let flashesMax = 3
    /// Maximum number of LEDs of a field that may flash more often: 0.006 steradians at 400 mm are 960 mm², and an LED
    /// has 6.94 mm × 6.94 mm.
    public static let ledsMax = 19
    /// Side of a field in LEDs. Ten degrees at 400 mm are a circle of 70 mm, which contains the centres of 11 LEDs in a
    /// row; the square around it is at least as strict.
    public static let fieldSide = 11

    private let meter = Photometer()
    /// Whether the last change of each LED's luminance was a rise.
    private var isUp: [Bool]
    /// Highest luminance of each LED since its last rise, or lowest since its last fall.
    private var extreme: [Int64]
    /// Whether the last change of each LED's chromaticity was to a saturated red.
    private var isRed: [Bool]
    /// The last state of each LED on this side of its last change of chromaticity.
    private var hue: [RGB]
    private var general: FlashCounter
    private var red: FlashCounter

    /// A change of luminance that counts: a tenth of the maximum.
    private static let change = Photometer.luminanceMax / 10
    /// Luminance from which on no darker state counts: 0.8 of the maximum.
    private static let bright = Photometer.luminanceMax / 10 * 8

    /// A guard of a dark panel of `columns` × `rows`.
    public init(columns: Int, rows: Int) {
        let leds = columns * rows
        shown = Array(repeating: .black, count: leds)
        isUp = Array(repeating: false, count: leds)
        extreme = Array(repeating: 0, count: leds)
        isRed = Array(repeating: false, count: leds)
        hue = shown
        general = FlashCounter(columns: columns, rows: rows)
        red = FlashCounter(columns: columns, rows: rows)
    }

    /// Sets `shown` to `pixels`, row by row, shown at `now` in microseconds. Where there would be a flash too many, an
    /// LED does not become brighter by a tenth, and stays grey instead of a saturated red, until the flash is allowed.
    public mutating func limit(_ pixels: [RGB], at now: Int64) {
        precondition(pixels.count == shown.count)
        isHolding = false
        general.clear()
        red.clear()
        for (led, pixel) in pixels.enumerated() where pixel != shown[led] {
            let rises = rises(led, to: meter.luminance(pixel))
            let reddens = reddens(led, to: pixel)
            if rises { general.add(led) }
            if reddens { red.add(led) }
            if !rises, !reddens { show(pixel, at: led) }
        }
        general.decide(at: now)
        red.decide(at: now)
        for index in 0..<general.count { showAllowed(general.led(index), pixels) }
        for index in 0..<red.count where !general.has(red.led(index)) { showAllowed(red.led(index), pixels) }
    }

    /// Shows as much as is allowed of the candidate `led`.
    private mutating func showAllowed(_ led: Int, _ pixels: [RGB]) {
        var pixel = pixels[led]
        if general.isHeld(led) { pixel = meter.dimmed(pixel, to: extreme[led] + Self.change - 1) }
        if red.isHeld(led) || !red.has(led), reddens(led, to: pixel) { pixel = meter.grey(meter.luminance(pixel)) }
        if pixel != pixels[led] { isHolding = true }
        show(pixel, at: led)
    }

    private mutating func show(_ pixel: RGB, at led: Int) {
        shown[led] = pixel
        let isSaturated = meter.isSaturated(pixel)
        if isSaturated == isRed[led] {
            hue[led] = pixel
        } else if meter.isFar(pixel, hue[led]) {
            isRed[led] = isSaturated
            hue[led] = pixel
        }
        let luminance = meter.luminance(pixel)
        if rises(led, to: luminance) || isUp[led] && falls(led, to: luminance) {
            isUp[led].toggle()
            extreme[led] = luminance
        } else {
            extreme[led] = isUp[led] ? max(extreme[led], luminance) : min(extreme[led], luminance)
        }
    }

    @inline(__always) private func reddens(_ led: Int, to pixel: RGB) -> Bool {
        !isRed[led] && meter.isSaturated(pixel) && meter.isFar(pixel, hue[led])
    }

    @inline(__always) private func rises(_ led: Int, to luminance: Int64) -> Bool {
        !isUp[led] && luminance - extreme[led] >= Self.change && extreme[led] < Self.bright
    }

    @inline(__always) private func falls(_ led: Int, to luminance: Int64) -> Bool {
        extreme[led] - luminance >= Self.change && luminance < Self.bright
    }
}

/// The light of colours.
private struct Photometer: Sendable {
    /// Linear light of each sRGB value, 0 to `channelMax` (WCAG 2.2, relative luminance).
    private let linear: [Int64]

    private static let channelMax: Int64 = 1 << 30
    /// Weights of red, green and blue in the luminance, in 1/10000.
    private static let weights: (red: Int64, green: Int64, blue: Int64) = (2126, 7152, 722)
    /// Luminance of white.
    static let luminanceMax = channelMax * 10_000

    init() {
        linear = (0...255).map {
            let value = Double($0) / 255
            let light = value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055, 2.4)
            return Int64((light * Double(Self.channelMax)).rounded())
        }
    }

    /// Relative luminance, 0 to 10000 · `channelMax`.
    func luminance(_ pixel: RGB) -> Int64 {
        Self.weights.red * linear[Int(pixel.red)] + Self.weights.green * linear[Int(pixel.green)]
            + Self.weights.blue * linear[Int(pixel.blue)]
    }

    /// Whether red is 0.8 of the light at least.
    func isSaturated(_ pixel: RGB) -> Bool {
        let red = linear[Int(pixel.red)]
        return red > 0 && red >= 4 * (linear[Int(pixel.green)] + linear[Int(pixel.blue)])
    }

    /// Whether the chromaticities differ by more than 0.2 in the CIE 1976 UCS diagram. A dark LED has the chromaticity
    /// of white.
    func isFar(_ first: RGB, _ second: RGB) -> Bool {
        func place(_ pixel: RGB) -> (u: Double, v: Double) {
            let pixel = pixel == .black ? .white : pixel
            let red = Double(linear[Int(pixel.red)])
            let green = Double(linear[Int(pixel.green)])
            let blue = Double(linear[Int(pixel.blue)])
            // CIE XYZ of sRGB's primaries and D65.
            let x = 0.4124564 * red + 0.3575761 * green + 0.1804375 * blue
            let y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
            let z = 0.0193339 * red + 0.1191920 * green + 0.9503041 * blue
            let sum = x + 15 * y + 3 * z
            return (4 * x / sum, 9 * y / sum)
        }
        let (a, b) = (place(first), place(second))
        let (u, v) = (a.u - b.u, a.v - b.v)
        return u * u + v * v > 0.04
    }

    /// `pixel` with at most `limit` of luminance.
    func dimmed(_ pixel: RGB, to limit: Int64) -> RGB {
        func scaled(_ part: Int) -> RGB {
            RGB(
                red: UInt8((Int(pixel.red) * part) >> 8), green: UInt8((Int(pixel.green) * part) >> 8),
                blue: UInt8((Int(pixel.blue) * part) >> 8))
        }
        // The square root is a good guess of the inverse of sRGB's curve.
        var part = Int((Float(limit) / Float(max(1, luminance(pixel)))).squareRoot() * 256)
        while part > 0, luminance(scaled(min(part, 256))) > limit { part -= 8 }
        return scaled(min(max(0, part), 256))
    }

    /// The brightest grey of at most `limit` of luminance.
    func grey(_ limit: Int64) -> RGB {
        var (low, high) = (0, 256)
        while high - low > 1 {
            let middle = (low + high) / 2
            if linear[middle] * 10_000 <= limit { low = middle } else { high = middle }
        }
        return RGB(red: UInt8(low), green: UInt8(low), blue: UInt8(low))
    }
}

/// Counts the flashes of one kind. A flash is counted where it begins: at a rise, or where red appears. Three
/// beginnings in a second have seven changes between and around them at most, which are three pairs.
private struct FlashCounter: Sendable {
    /// LEDs of this frame that would begin a flash; the first `count` are valid.
    private var candidates: [Int]
    private(set) var count = 0
    private var states: [State]
    /// Times of the last three beginnings of each LED: newest, middle, oldest.
    private var newest, middle, oldest: [Int64]
    /// Time of each LED's last beginning beyond the third in a second.
    private var excess: [Int64]
    /// Times of the last three common beginnings in each field, newest first.
    private var fields: [(Int64, Int64, Int64)]
    /// For each LED 1 if it is counted, and more for a candidate; then the number of covered fields over it.
    private var marks: [Int32]
    /// Marks above and left of each corner of the LEDs.
    private var sums: [Int32]
    /// Changes of the number of covered fields, at the same corners.
    private var covers: [Int32]

    private let columns: Int
    private let rows: Int
    /// Fields across and down.
    private let across: Int
    private let down: Int

    private enum State: UInt8 {
        case none, candidate, held
    }

    private static let second: Int64 = 1_000_000
    /// Beginnings within this time are one flash, in microseconds: three frames.
    private static let together: Int64 = 50_000
    private static let never = Int64.min / 2
    /// Mark of a candidate, added to the 1 of a counted LED: more than a panel has LEDs.
    private static let candidate: Int32 = 1 << 16

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        across = max(1, columns - FlashGuard.fieldSide + 1)
        down = max(1, rows - FlashGuard.fieldSide + 1)
        let leds = columns * rows
        candidates = Array(repeating: 0, count: leds)
        states = Array(repeating: .none, count: leds)
        newest = Array(repeating: Self.never, count: leds)
        middle = newest
        oldest = newest
        excess = newest
        fields = Array(repeating: (Self.never, Self.never, Self.never), count: across * down)
        marks = Array(repeating: 0, count: leds)
        sums = Array(repeating: 0, count: (columns + 1) * (rows + 1))
        covers = sums
    }

    @inline(__always) func led(_ index: Int) -> Int { candidates[index] }
    /// Whether `led` is a candidate.
    @inline(__always) func has(_ led: Int) -> Bool { states[led] != .none }
    /// Whether `led` is a candidate that must wait.
    @inline(__always) func isHeld(_ led: Int) -> Bool { states[led] == .held }

    mutating func clear() {
        for index in 0..<count { states[candidates[index]] = .none }
        count = 0
    }

    mutating func add(_ led: Int) {
        candidates[count] = led
        count += 1
        states[led] = .candidate
    }

    /// Decides which of the candidates are held, and counts the others.
    mutating func decide(at now: Int64) {
        guard count > 0 else { return }
        holdFrequent(at: now)
        holdCommon(at: now)
        for index in 0..<count {
            let led = candidates[index]
            guard states[led] == .candidate else { continue }
            if isFrequent(led, at: now) { excess[led] = now }
            oldest[led] = middle[led]
            middle[led] = newest[led]
            newest[led] = now
        }
    }

    /// Whether `led` has begun three flashes in the last second.
    @inline(__always) private func isFrequent(_ led: Int, at now: Int64) -> Bool { now - oldest[led] < Self.second }

    /// Holds candidates that would be the fourth flash of their LEDs in a second, in fields with too many such LEDs.
    private mutating func holdFrequent(at now: Int64) {
        guard (0..<count).contains(where: { isFrequent(candidates[$0], at: now) }) else { return }
        for led in states.indices {
            let isCounted = now - excess[led] < Self.second || states[led] == .candidate && isFrequent(led, at: now)
            marks[led] = isCounted ? 1 : 0
        }
        guard sum() > FlashGuard.ledsMax else { return }
        for field in fields.indices where leds(of: field) > FlashGuard.ledsMax { cover(field) }
        spread()
        for index in 0..<count where isCovered(candidates[index]) && isFrequent(candidates[index], at: now) {
            states[candidates[index]] = .held
        }
    }

    /// Holds candidates that would be the fourth flash of their field in a second: each flash is begun by many LEDs
    /// together.
    private mutating func holdCommon(at now: Int64) {
        guard sumBeginnings(at: now) > FlashGuard.ledsMax else { return }
        var isExceeded = false
        for field in fields.indices where leds(of: field) > FlashGuard.ledsMax {
            let times = fields[field]
            guard now - times.0 > Self.together, now - times.2 < Self.second + Self.together else { continue }
            isExceeded = true
            cover(field)
        }
        if isExceeded {
            spread()
            for index in 0..<count where isCovered(candidates[index]) { states[candidates[index]] = .held }
            guard sumBeginnings(at: now) > FlashGuard.ledsMax else { return }
        }
        for field in fields.indices where leds(of: field) > FlashGuard.ledsMax && hasCandidates(field) {
            let times = fields[field]
            if now - times.0 > Self.together { fields[field] = (now, times.0, times.1) }
        }
    }

    /// Sums up the LEDs that begin a flash now, or began one just before. Returns their number.
    private mutating func sumBeginnings(at now: Int64) -> Int {
        for led in states.indices {
            let isCandidate = states[led] == .candidate
            marks[led] = isCandidate ? 1 + Self.candidate : now - newest[led] < Self.together ? 1 : 0
        }
        return sum()
    }

    // MARK: Fields

    /// Sums up the marks. Returns their number.
    private mutating func sum() -> Int {
        let width = columns + 1
        for row in 0..<rows {
            var line: Int32 = 0
            for column in 0..<columns {
                line += marks[row * columns + column]
                sums[(row + 1) * width + column + 1] = sums[row * width + column + 1] + line
            }
        }
        return Int(sums[sums.count - 1] % Self.candidate)
    }

    /// The corners of `field` among the sums: the upper two, then the lower two.
    @inline(__always) private func corners(_ field: Int) -> (Int, Int, Int, Int) {
        let width = columns + 1
        let (top, left) = (field / across, field % across)
        let (bottom, right) = (min(top + FlashGuard.fieldSide, rows), min(left + FlashGuard.fieldSide, columns))
        return (top * width + left, top * width + right, bottom * width + left, bottom * width + right)
    }

    /// Number of marked LEDs in `field`.
    @inline(__always) private func leds(of field: Int) -> Int {
        let (a, b, c, d) = corners(field)
        return Int((sums[d] - sums[b] - sums[c] + sums[a]) % Self.candidate)
    }

    /// Whether a candidate that is not held is in `field`, after `sumBeginnings`.
    @inline(__always) private func hasCandidates(_ field: Int) -> Bool {
        let (a, b, c, d) = corners(field)
        return sums[d] - sums[b] - sums[c] + sums[a] >= Self.candidate
    }

    /// Covers the LEDs of `field`, as changes at its corners; `spread` completes it.
    private mutating func cover(_ field: Int) {
        let (a, b, c, d) = corners(field)
        covers[a] += 1
        covers[b] -= 1
        covers[c] -= 1
        covers[d] += 1
    }

    /// Turns the changes of all covered fields into the number of fields over each LED, which `isCovered` reads, and
    /// clears them.
    private mutating func spread() {
        let width = columns + 1
        for row in 0..<rows {
            var line: Int32 = 0
            for column in 0..<columns {
                line += covers[row * width + column]
                covers[row * width + column] = 0
                marks[row * columns + column] = line + (row > 0 ? marks[(row - 1) * columns + column] : 0)
            }
            covers[row * width + columns] = 0
        }
        for column in 0...columns { covers[rows * width + column] = 0 }
    }

    /// Whether `led` lies in a covered field.
    @inline(__always) private func isCovered(_ led: Int) -> Bool { marks[led] > 0 }
}
