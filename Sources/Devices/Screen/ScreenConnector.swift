import CScreen
import Panel

/// A socket for a screen, or a built-in screen.
public struct ScreenConnector: Hashable, Sendable {
    /// The kernel's name, such as HDMI-A-1 or DSI-1.
    public var name: String
    /// Whether a screen is connected.
    public var isConnected: Bool
    /// Width and height of the picture in millimetres, by the screen's EDID; 0 if unknown.
    public var millimetres: (width: Int, height: Int) { (widthMillimetres, heightMillimetres) }
    /// Rotation that makes a picture upright, as the screen is mounted.
    public var mounting = PanelConfiguration.Rotation.none
    /// Its modes, progressive ones only, the best first.
    public var modes: [ScreenMode]
    /// The kernel's number of the connector.
    let identifier: UInt32
    /// Numbers of the modes in the kernel's list.
    let modeNumbers: [UInt16]

    private let widthMillimetres: Int
    private let heightMillimetres: Int

    init(
        _ name: String, identifier: UInt32, isConnected: Bool, modes: [ScreenMode], modeNumbers: [UInt16]? = nil,
        millimetres: (width: Int, height: Int) = (0, 0), mounting: PanelConfiguration.Rotation = .none
    ) {
        self.name = name
        self.identifier = identifier
        self.isConnected = isConnected
        self.modes = modes
        self.modeNumbers = modeNumbers ?? modes.indices.map { UInt16(truncatingIfNeeded: $0) }
        self.mounting = mounting
        widthMillimetres = millimetres.width
        heightMillimetres = millimetres.height
    }
}

extension ScreenConnector {
    /// The connector that the kernel describes. EDIDs of projectors have sizes of no meaning: over 10 m none is taken.
    init(_ found: screen_connector) {
        var found = found
        let count = min(max(0, Int(found.mode_count)), Int(screen_modes_max))
        let modes = withUnsafeBytes(of: &found.modes) { bytes in
            Array(bytes.bindMemory(to: screen_mode.self).prefix(count))
        }
        let size = (Int(found.width_millimetres), Int(found.height_millimetres))
        let isPlausible = (1...10_000).contains(size.0) && (1...10_000).contains(size.1)
        self.init(
            withUnsafeBytes(of: &found.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) },
            identifier: found.identifier, isConnected: found.is_connected,
            modes: modes.map { mode in
                ScreenMode(
                    width: Int(mode.width), height: Int(mode.height), hertz: Int(mode.hertz),
                    isPreferred: mode.is_preferred)
            },
            modeNumbers: modes.map(\.number), millimetres: isPlausible ? size : (0, 0),
            mounting: PanelConfiguration.Rotation(found.orientation))
    }
}

extension PanelConfiguration.Rotation {
    /// The rotation that makes a picture upright on a screen with this side up: its top edge is turned there.
    fileprivate init(_ side: screen_orientation) {
        self =
            switch side {
            case screen_bottom_up: .half
            case screen_left_up: .threeQuarters
            case screen_right_up: .quarter
            default: .none
            }
    }
}
