import Devices
import Dispatch
import Documents
import Pages
import Synchronization

/// Answers the setup page by the box's setup service, which runs as root: this process may change nothing itself, and
/// only keeps the files of an update that visitors send.
///
/// A request to the service is a line with its name, lines of a word and a value, and an empty line; the answer is `ok`
/// with lines, or `error` with a sentence.
final class SetupRequests: SetupAnswers {
    private let socket: LocalSocket
    private let uploads: UploadFolder
    /// Version of this program.
    private let version: String
    /// The page's address in other networks, with the token.
    private let url = Mutex("")
    /// Codes of ISO 3166.
    private let countries = SetupRequests.countries()
    private let queue = DispatchQueue(label: "setup", qos: .utility, attributes: .concurrent)

    /// Maximum bytes of an answer.
    private static let answerMax = 16_384
    /// Maximum time for a part of an answer, in seconds: the box may start again meanwhile.
    private static let secondsMax = 60

    /// A field of a request.
    enum Field {
        /// A text without control characters.
        case text
        /// A truth value: open or closed.
        case door
    }

    /// The requests to the service, with their fields.
    static let fields: [String: [(name: String, field: Field)]] = [
        "join": [
            ("ssid", .text), ("password", .text), ("country", .text), ("zone", .text), ("page", .door),
        ],
        "time": [("country", .text), ("zone", .text), ("page", .door)],
        "leds": [("name", .text), ("corner", .text)],
        "walk": [("tiles", .text), ("cables", .text)],
        "lit": [("place", .text)],
        "leave": [],
        "devices": [],
        "sound": [("name", .text)],
        "tone": [("name", .text)],
        "touch": [("name", .text)],
        "touches": [],
        "folder": [("url", .text)],
        "update": [("place", .text)],
        "updates": [],
        "close": [],
        "doctor": [],
        "state": [],
    ]

    /// The requests to the service, and the requests to this program: the files of an update.
    let requests: Set<String> = Set(fields.keys).subtracting(["state"]).union(["prepare", "discard"])

    /// Requests to the service at `socket`, with the updates of visitors in `uploads`, by this program of `version`.
    init(_ socket: LocalSocket, uploads: UploadFolder, version: String) {
        self.socket = socket
        self.uploads = uploads
        self.version = version
    }

    /// Sets the page's address in other networks, with the token.
    func setURL(_ url: String) { self.url.withLock { $0 = url } }

    func answer(_ name: String, _ body: [UInt8], answer: @escaping @Sendable (SetupAnswer) -> Void) {
        queue.async { [self] in
            do {
                answer(SetupAnswer(isDone: true, json: try document(of: name, body).text(pretty: false)))
            } catch {
                Log.post("\(error)")
                answer(SetupAnswer(refusing: error))
            }
        }
    }

    /// The page's document of the answer to the request `name` with the document `body`.
    private func document(of name: String, _ body: [UInt8]) throws -> JSON {
        switch name {
        case "prepare":
            let file = try Self.object(body)
            guard case .string(let fileName)? = file["name"], case .number(let digits)? = file["size"],
                let size = Int(digits)
            else {
                throw CommandError(.badData, "the request needs name and size")
            }
            try uploads.prepare(for: fileName, size: size)
            return .object([:])
        case "discard":
            uploads.discard()
            return .object([:])
        default: return document(try ask(name, body), of: name)
        }
    }

    /// The page's document of the answer `lines` to the request `name`.
    private func document(_ lines: [Substring], of name: String) -> JSON {
        switch name {
        case "state":
            SetupState(lines).json(url: url.withLock { $0 }, countries: countries, pageVersion: version)
        case "walk", "lit": SetupWalk(lines).json
        case "updates": SetupUpdates(lines).json
        case "devices": SetupDevices(lines).json
        case "touches": Self.touches(lines)
        case "doctor": SetupFindings(lines).json
        default: .object([:])
        }
    }

    /// The number of touches in the answer `lines`; none without it.
    static func touches(_ lines: [Substring]) -> JSON {
        let words = lines.first?.split(separator: " ") ?? []
        let count = words.count == 2 && words[0] == "touches" ? Int(words[1]) : nil
        return .object(["touches": .integer(max(0, count ?? 0))])
    }

    /// The codes of all countries in the table of Debian's tzdata; none without it.
    private static func countries() -> [String] {
        guard let table = try? Files.read("/usr/share/zoneinfo/iso3166.tab") else { return [] }
        return String(decoding: table, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            String($0.prefix { $0 != "\t" })
        }
    }

    /// The lines of the service's answer after `ok`.
    private func ask(_ name: String, _ body: [UInt8]) throws -> [Substring] {
        let request = try Self.request(name, body)
        let bytes: [UInt8]
        do throws(DeviceError) {
            bytes = try socket.answer(to: request, sizeMax: Self.answerMax, seconds: Self.secondsMax)
        } catch {
            throw CommandError(.unavailable, "the box's setup service does not answer: \(error)")
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard let first = lines.first else {
            throw CommandError(.unavailable, "the box's setup service ended without an answer; see journalctl")
        }
        if first == "ok" { return Array(lines.dropFirst()) }
        throw CommandError(.badData, String(first.trimmingPrefix("error ")))
    }

    /// The request `name` with the fields of the JSON document `body`.
    static func request(_ name: String, _ body: [UInt8]) throws -> [UInt8] {
        guard let fields = fields[name] else { throw CommandError(.badData, "there is no request \(name)") }
        var text = name + "\n"
        let document = name == "state" ? [:] : try object(body)
        for (name, field) in fields {
            switch (field, document[name]) {
            case (.text, .string(let value)):
                // A control character would end the line, and begin another.
                guard !value.unicodeScalars.contains(where: \.isControl) else {
                    throw CommandError(.badData, "the \(name) has a control character")
                }
                if !value.isEmpty { text += "\(name) \(value)\n" }
            case (.door, .bool(let isOpen)): text += "\(name) \(isOpen ? "open" : "closed")\n"
            default: throw CommandError(.badData, "the request needs \(name)")
            }
        }
        return Array((text + "\n").utf8)
    }

    /// The members of the JSON object `body`.
    private static func object(_ body: [UInt8]) throws -> [String: JSON] {
        guard case .object(let object) = try JSON(parsing: body) else {
            throw CommandError(.badData, "the request is no JSON object")
        }
        return object
    }
}

extension SetupAnswer {
    /// The answer to a request that failed by `error`, whose description is a sentence.
    init(refusing error: any Error) {
        self.init(isDone: false, json: JSON.object(["error": .string("\(error)")]).text(pretty: false))
    }
}
