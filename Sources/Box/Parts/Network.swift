import Devices
import Documents
import Formats
import InputEvents
import Instrument
import Pages
import Runtime

/// The network parts of a running box: walls that show its picture, machines whose pictures it shows, programs that use
/// it as a grid, and programs that play it by Open Sound Control. All are closed until the
/// configuration opens them. Open parts, and the page if others reach it, are announced by name.
final class Network {
    /// The sender to walls of lights; nil without any.
    let walls: WallSender?
    /// The pictures of others; nil if none can come.
    let pictures: PictureInputs?
    private let osc: OSCServer?
    /// All servers at ports.
    private let servers: [any NetworkServer]
    private let announcer: ServiceAnnouncer?
    private var words = RemoteWords()
    private var wallWatch = ProblemWatch()
    private var portWatch = ProblemWatch()

    /// The parts that `configuration` opens, beside `page`, if it is served. `version` is the software's version.
    /// Throws if the system has no thread for one of them.
    init(_ configuration: Configuration, page: PageServer?, version: String, clock: SystemClock) throws {
        let (panel, host) = (configuration.panel, NetworkAddress.hostName())
        let name = host == "pixelboop" ? "PixelBoop" : "PixelBoop \(host)"
        walls =
            try configuration.walls.isEmpty
            ? nil
            : Self.thread("walls", try WallSender(configuration.walls, panel, name: name, clock: clock))
        let lights =
            try configuration.lightIn.isEmpty
            ? nil
            : Self.thread("lightIn", LightReceiver(configuration.lightIn, columns: panel.columns, clock: clock))
        let grid = try configuration.grid.map { settings in
            try Self.thread("grid", GridServer(settings, columns: panel.columns, name: host, clock: clock))
        }
        let channels = configuration.midi.channels
        osc = try configuration.osc.map { settings in
            try Self.thread(
                "osc",
                OSCServer(interface: settings.interface, port: settings.port, clock: clock) {
                    RemoteWords.event($0, channels)
                })
        }
        var services = page.map { Self.services(of: $0, name, version: version, columns: panel.columns) } ?? []
        services += configuration.grid.map { [GridServer.service($0, name: host)] } ?? []
        services +=
            configuration.osc.map {
                [NetworkService(name, type: "_osc._udp", port: UInt16(clamping: $0.port), interface: $0.interface)]
            } ?? []
        announcer = try services.isEmpty ? nil : Self.thread("announcing by name", ServiceAnnouncer(services))
        let inputs: [(any PictureInput)?] = [lights, grid]
        let opened = inputs.compactMap { $0 }
        pictures = opened.isEmpty ? nil : PictureInputs(opened)
        let servers: [(any NetworkServer)?] = [lights, grid, osc]
        self.servers = servers.compactMap { $0 }
    }

    /// The services at `page`; none if other machines do not reach it.
    private static func services(
        of page: PageServer, _ name: String, version: String, columns: Int
    ) -> [NetworkService] {
        guard let address = page.addressForOthers else { return [] }
        let (port, interface) = (UInt16(clamping: page.port), NetworkAddress.interface(of: address))
        return [
            NetworkService(name, type: "_http._tcp", port: port, interface: interface, attributes: ["path=/"]),
            NetworkService(
                name, type: "_pixelboop._tcp", port: port, interface: interface,
                attributes: ["txtvers=1", "version=\(version)", "columns=\(columns)"]),
        ]
    }

    private static func thread<Part>(_ key: String, _ part: Part?) throws -> Part {
        guard let part else {
            throw CommandError(.unavailable, "the system has no thread or socket to give for \(key)")
        }
        return part
    }

    /// Sources of events.
    var controls: [any ControlSource] { osc.map { [$0] } ?? [] }

    /// Follows the player's switch of the walls, and tells programs of changes. Call it in every pass of the loop.
    func pass(_ state: Instrument.State) {
        walls?.isOn = state.lights.areSent
        guard let osc, osc.hasSubscribers else { return }
        osc.tell(words.changes(state)) { RemoteWords.welcome(state) }
    }

    /// Logs walls and ports that fail, and that work again. Call it about once a second.
    func report() {
        if let walls { for line in wallWatch.lines(walls.statuses) { Log.post(line) } }
        for line in portWatch.lines(servers.flatMap(\.statuses)) { Log.post(line) }
    }

    /// Sends the walls the panel's last picture, which is dark, and closes all.
    func stop() {
        announcer?.stop()
        walls?.stop()
        for server in servers { server.stop() }
    }
}
