import Display

/// Shows a panel's wiring: a dot moves along the chains, or rows, columns or chains light up in turn. The maker
/// compares the panel with the text; a difference shows a wrong description or wrong wiring.
public struct PanelWalk: Sendable {
    /// The sequence of lit parts.
    public enum Path: String, CaseIterable, Sendable {
        /// Each LED in order of its number, with a short tail that shows the direction.
        case leds
        /// Each row, from the top.
        case rows
        /// Each column, from the left.
        case columns
        /// Each chain in its own colour, first all, then one by one.
        case chains
    }

    /// The part that is lit at one moment.
    public enum Stop: Hashable, Sendable {
        /// One LED.
        case led(LEDLocation)
        /// One row, from 0.
        case row(Int)
        /// One column, from 0.
        case column(Int)
        /// Every chain.
        case allChains
        /// One chain, from 0.
        case chain(Int)
    }

    /// The sequence of lit parts.
    public let path: Path

    private let geometry: Geometry

    /// Number of LEDs in the tail.
    public static let tail = 3
    /// The colours of chains 0 to 7, the maximum of a panel.
    public static let chainColours: [RGB] = [
        RGB(0xff0000), RGB(0x00ff00), RGB(0x0000ff), RGB(0xffff00), RGB(0xff00ff), RGB(0x00ffff), RGB(0xff8000),
        RGB(0xffffff),
    ]

    /// A walk along `path` on a panel of `geometry`.
    public init(_ path: Path, of geometry: Geometry) {
        self.path = path
        self.geometry = geometry
    }

    /// Number of stops in one round.
    public var count: Int {
        switch path {
        case .leds: geometry.pixels.count
        case .rows: PanelConfiguration.rows
        case .columns: geometry.columns
        case .chains: geometry.chains.count + 1
        }
    }

    /// The stop with this index; indices beyond the end continue with the next round.
    public subscript(index: Int) -> Stop {
        let index = index % count
        return switch path {
        case .leds: .led(geometry.location(of: index))
        case .rows: .row(index)
        case .columns: .column(index)
        case .chains: index == 0 ? .allChains : .chain(index - 1)
        }
    }

    /// Draws the stop with this index on a black frame.
    public func draw(_ index: Int, into frame: inout Frame) {
        frame.fill(.black)
        switch self[index] {
        case .led(let led):
            // The tail is drawn first, so that it does not hide the dot; it does not extend into the previous round.
            for behind in (0...min(Self.tail, led.number)).reversed() {
                light(led.number - behind, RGB(0x010101 &* UInt32(255 >> (2 * behind))), in: &frame)
            }
        case .row(let row): frame.fill(columns: 0..<geometry.columns, rows: row..<row + 1, .white)
        case .column(let column):
            frame.fill(columns: column..<column + 1, rows: 0..<PanelConfiguration.rows, .white)
        case .allChains: for chain in geometry.chains.indices { light(chain: chain, in: &frame) }
        case .chain(let chain): light(chain: chain, in: &frame)
        }
    }

    private func light(chain: Int, in frame: inout Frame) {
        for number in geometry.chains[chain] {
            light(number, Self.chainColours[chain % Self.chainColours.count], in: &frame)
        }
    }

    private func light(_ number: Int, _ colour: RGB, in frame: inout Frame) {
        let (row, column) = geometry.pixels[number].quotientAndRemainder(dividingBy: geometry.columns)
        frame[column, row] = colour
    }
}

extension PanelWalk.Stop: CustomStringConvertible {
    /// The lit part in one line, printed beside the panel.
    public var description: String {
        switch self {
        case .led(let led):
            "LED \(led.number): chain \(led.chain), tile \(led.tile), column \(led.column), row \(led.row)"
        case .row(let row): "row \(row)"
        case .column(let column): "column \(column)"
        case .allChains: "all chains"
        case .chain(let chain): "chain \(chain)"
        }
    }
}
