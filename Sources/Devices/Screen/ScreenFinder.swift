import Glibc
import Panel

/// A screen, and how the panel lies on it.
public struct ScreenFit: Hashable, Sendable, CustomStringConvertible {
    /// The connector.
    public let connector: ScreenConnector
    /// Index of the mode among the connector's.
    let modeIndex: Int
    /// The place of the LEDs.
    public let layout: ScreenLayout

    /// The mode.
    public var mode: ScreenMode { connector.modes[modeIndex] }

    /// The panel of `columns` on `connector`, turned by `rotation` from upright. Nil if it has no mode that is large
    /// enough.
    init?(_ connector: ScreenConnector, columns: Int, rotation: PanelConfiguration.Rotation) {
        guard let index = ScreenMode.best(of: connector.modes) else { return nil }
        let mode = connector.modes[index]
        guard
            let layout = ScreenLayout(
                width: mode.width, height: mode.height, columns: columns, rotation: connector.mounting + rotation)
        else { return nil }
        (self.connector, self.modeIndex, self.layout) = (connector, index, layout)
    }

    /// Width of an LED in millimetres; nil if the screen does not say its size.
    public var ledMillimetres: Double? {
        guard connector.millimetres.width > 0 else { return nil }
        return Double(layout.pitch * connector.millimetres.width) / Double(mode.width)
    }

    /// Connector, mode and size of an LED.
    public var description: String {
        let tenths = ledMillimetres.map { Int((10 * $0).rounded()) }
        let size = tenths.map { ", \($0 / 10).\($0 % 10) mm" } ?? ""
        return "\(connector.name), \(mode), LEDs of \(layout.pitch) pixels\(size)"
    }
}

/// Finds the screen that shows the panel.
struct ScreenFinder {
    /// A screen on an open card, whose master this process is.
    struct Find {
        var card: Int32
        var fit: ScreenFit
    }

    var settings: PanelConfiguration.Screen
    var columns: Int
    var calls: ScreenCalls

    /// Failures, from the most to the least telling.
    private enum Rank: Int {
        case inUse, closed, unreadable, tooSmall, unconnected
    }

    /// The first connected screen that the settings allow. The caller closes its card.
    func find() -> Result<Find, DeviceFailure> {
        var failures: [(rank: Rank, failure: DeviceFailure)] = []
        var names: [String] = []
        for path in calls.cards() {
            let card: Int32
            switch calls.open(path) {
            case .success(let opened): card = opened
            case .failure(let error) where error.errno == EOPNOTSUPP: continue
            case .failure(let error):
                failures.append((.closed, DeviceFailure(opening: path, error)))
                continue
            }
            switch connectors(of: card, path) {
            case .failure(let failure): failures.append((.unreadable, failure))
            case .success(let connectors):
                names += connectors.map(\.name)
                let wanted = connectors.filter { settings.connector == nil || $0.name == settings.connector }
                let connected = wanted.filter(\.isConnected)
                let fits = connected.compactMap { ScreenFit($0, columns: columns, rotation: settings.rotation) }
                if let fit = fits.first {
                    if calls.isMaster(card) { return .success(Find(card: card, fit: fit)) }
                    failures.append((.inUse, DeviceFailure(sharing: fit.connector.name)))
                } else if let small = connected.first {
                    failures.append((.tooSmall, DeviceFailure(tooSmall: small, columns: columns)))
                } else if !wanted.isEmpty {
                    failures.append((.unconnected, DeviceFailure(unconnected: settings.connector)))
                }
            }
            calls.close(card)
        }
        let first = failures.min { $0.rank.rawValue < $1.rank.rawValue }
        return .failure(first?.failure ?? DeviceFailure(missing: settings.connector, of: names))
    }

    private func connectors(of card: Int32, _ path: String) -> Result<[ScreenConnector], DeviceFailure> {
        calls.connectors(card, true).mapError { error in
            DeviceFailure("\(path) does not list its screens (\(error))", fix: "see docs/panel.md")
        }
    }
}

extension DeviceFailure {
    fileprivate init(opening path: String, _ error: SystemError) {
        self.init(
            "\(path) does not open (\(error))",
            fix: error.isForbidden ? Self.fix(joining: "video") : "see docs/panel.md")
    }

    fileprivate init(sharing name: String) {
        self.init(
            "\(name) is used by another program, such as a desktop", fix: "end it, or choose another panel by --panel")
        isInUse = true
    }

    fileprivate init(tooSmall connector: ScreenConnector, columns: Int) {
        let size = connector.modes.first.map { "\($0.width) × \($0.height) pixels" } ?? "no mode"
        self.init(
            "\(connector.name) has \(size), too few for \(columns) columns", fix: "connect a larger screen")
    }

    fileprivate init(unconnected name: String?) {
        self.init(name.map { "no screen is connected to \($0)" } ?? "no screen is connected", fix: "connect one")
    }

    fileprivate init(missing name: String?, of names: [String]) {
        if let name, !names.isEmpty {
            self.init(
                "there is no connector \(name)",
                fix: "name one of \(names.joined(separator: ", ")) in panel.screen.connector, or null")
        } else {
            self.init(
                "this machine has no graphics card with a screen",
                fix: Board().isRaspberryPi
                    ? "add dtoverlay=vc4-kms-v3d to \(FirmwareSettings.path) and restart" : "play on the page")
        }
    }
}
