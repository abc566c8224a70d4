import Instrument

/// A response to a plain request: one of the page's files or an error text, all embedded in the executable.
struct PageResource: Equatable, Sendable {
    /// Its path; nil for an error.
    let path: String?
    /// HTTP status.
    let status: UInt32
    /// Media type.
    let type: String
    private let content: Content

    private enum Content: Equatable {
        case bytes([UInt8])
        case picture(PageFilms.Picture)
    }

    private init(path: String?, status: UInt32, type: String, body: [UInt8]) {
        (self.path, self.status, self.type, content) = (path, status, type, .bytes(body))
    }

    private init(path: String, _ picture: PageFilms.Picture) {
        (self.path, status, type, content) = (path, 200, "image/png", .picture(picture))
    }

    /// The body; nil while it is being made.
    var body: [UInt8]? {
        switch content {
        case .bytes(let bytes): bytes
        case .picture(let picture): PageFilms.shared.bytes(of: picture)
        }
    }

    static let page = PageResource(
        path: "/", status: 200, type: "text/html; charset=utf-8",
        body: PageLegend.inserted(into: PageHelp.inserted(into: PackageResources.index_html)))

    /// The files.
    static let served = [
        page,
        PageResource(
            path: "/panel.css", status: 200, type: "text/css; charset=utf-8", body: PackageResources.panel_css),
        script("/panel.js", PackageResources.panel_js),
        script("/keys.js", PackageResources.keys_js),
        script("/legend.js", PackageResources.legend_js),
        script("/audio.js", PackageResources.audio_js),
        script("/tune.js", PackageResources.tune_js),
        script("/box.js", PackageResources.box_js),
        script("/files.js", PackageResources.files_js),
        script("/shell.js", PackageResources.shell_js),
        script("/drop.js", PackageResources.drop_js),
        script("/worker.js", PackageResources.worker_js),
        script("/lights.js", PackageResources.lights_js),
        script("/sound.js", PackageResources.sound_js),
        script("/service.js", PackageResources.service_js),
        PageResource(path: "/icon.svg", status: 200, type: "image/svg+xml", body: PackageResources.icon_svg),
        // The icon of iOS, which takes no SVG; `make icon` draws it.
        PageResource(path: "/icon.png", status: 200, type: "image/png", body: PackageResources.icon_png),
        PageResource(
            path: "/manifest.webmanifest", status: 200, type: "application/manifest+json",
            body: PackageResources.manifest_webmanifest),
    ]

    /// The setup page.
    static let setupPage = PageResource(
        path: "/", status: 200, type: "text/html; charset=utf-8", body: PackageResources.setup_html)

    /// The files of the setup page.
    static let setup = [
        setupPage,
        PageResource(
            path: "/setup.css", status: 200, type: "text/css; charset=utf-8", body: PackageResources.setup_css),
        script("/setup.js", PackageResources.setup_js),
        script("/wiring.js", PackageResources.wiring_js),
        script("/devices.js", PackageResources.devices_js),
        script("/update.js", PackageResources.update_js),
        PageResource(path: "/icon.svg", status: 200, type: "image/svg+xml", body: PackageResources.icon_svg),
    ]

    /// A film of each gesture of the help, and its last picture; a page loads them when the visitor asks for them.
    static let films = Help.gestures.indices.flatMap { number in
        [
            PageResource(path: "/film/\(number).png", .film(number)),
            PageResource(path: "/still/\(number).png", .still(number)),
        ]
    }

    static let wrongHost = refusal(
        403, "This panel has another name: open it by the address that it printed.\n")
    static let wrongOrigin = refusal(403, "This panel takes files from its own page only.\n")
    static let wrongToken = refusal(
        403, "This panel needs its token: open the whole address, with ?token= at its end.\n")
    static let tooManyTokens = refusal(429, "Too many wrong tokens from this address: wait a minute.\n")
    static let wrongMethod = refusal(405, "This panel only answers GET.\n")
    static let notYet = refusal(503, "This film is being made: ask again.\n")
    static let tooLarge = refusal(413, "The request has no document, or too large a one.\n")
    static let busy = refusal(503, "The box has much to do: ask again.\n")
    static let uploading = refusal(
        503, "Another file is on its way to the box: wait for its end, or cancel it.\n")
    static let missing = refusal(404, "Nothing here: the panel is at /\n")

    /// All files, films and errors.
    static let all = served + films + [wrongHost, wrongOrigin, wrongToken, tooManyTokens, wrongMethod, notYet, missing]

    /// The page may load and connect to this server only; an error may load nothing. Browsers differ in whether 'self'
    /// covers WebSockets, so their origins, of which `sockets` is the list, are named too.
    func contentSecurityPolicy(sockets: [String]) -> String {
        guard path != nil else { return "default-src 'none'; frame-ancestors 'none'" }
        return "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; "
            + "connect-src 'self' \(sockets.joined(separator: " ")); img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'"
    }

    private static func script(_ path: String, _ body: [UInt8]) -> PageResource {
        PageResource(path: path, status: 200, type: "text/javascript; charset=utf-8", body: body)
    }

    private static func refusal(_ status: UInt32, _ body: String) -> PageResource {
        PageResource(path: nil, status: status, type: "text/plain; charset=utf-8", body: Array(body.utf8))
    }
}
