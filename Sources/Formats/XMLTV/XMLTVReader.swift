import Documents
import CXML

extension TVListings {
    /// Reads an XMLTV document (github.com/XMLTV/xmltv, xmltv.dtd) in UTF-8, UTF-16, ISO-8859-1 or another encoding of
    /// libxml2. Of titles in several languages, uses the first in one of `languages` (`de`, `en`), otherwise the first.
    /// Reads no external entities.
    ///
    /// A title with a bare `&`, an entity of HTML or a control character, or a byte that is not UTF-8, is repaired.
    ///
    /// Throws `FormatError` with the line for other invalid XML, another root element, or listings without a programme.
    public init(parsing bytes: [UInt8], languages: [String] = []) throws(FormatError) {
        // The first bytes of gzip (RFC 1952, 2.3.1) and of xz (its file format, 2.1.1.1).
        for (start, tool) in [([0x1f, 0x8b], "gunzip"), ([0xfd, 0x37, 0x7a], "unxz")] as [([UInt8], String)]
        where bytes.starts(with: start) {
            throw FormatError("byte 1", "is compressed; unpack it first, by \(tool)")
        }
        // Before libxml2 reads it: of a document with a DTD elsewhere it leaves out entities that it does not know, and
        // it searches all that follows a bare `&` for a semicolon, each few bytes anew.
        guard let repair = XMLRepair(bytes), repair.count > 0 else {
            try self.init(xml: bytes, languages: languages)
            return
        }
        try self.init(xml: repair.bytes, languages: languages)
        repaired = Repair(count: repair.count, line: repair.line)
    }

    private init(xml bytes: [UInt8], languages: [String]) throws(FormatError) {
        let result = bytes.withUnsafeBytes { bytes -> Result<TVListings, FormatError> in
            do throws(FormatError) {
                let reader = try XMLTVReader(bytes.bindMemory(to: CChar.self), languages: languages)
                return .success(try reader.read())
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }
}

/// Builds listings from libxml2's nodes.
private final class XMLTVReader {
    private let reader: xmlTextReaderPtr
    private let languages: [String]
    private var listings = TVListings()
    /// Channel indices by id.
    private var places: [String: Int] = [:]
    /// Elements around the current node.
    private var programme: Draft?
    private var channel: Int?
    private var text: Text?

    /// A programme before its end tag.
    private struct Draft {
        var channel: String?
        var start: Int64?
        var stop: Int64?
        var titles: [(language: String, text: String)] = []
        var badges: [String: String] = [:]
    }

    /// An element whose text is used.
    private struct Text {
        let element: Element
        /// Value of its language or system attribute.
        let mark: String
        var content = ""
    }

    private enum Element: String {
        case displayName = "display-name"
        case title
        case episodeNumber = "episode-num"
    }

    /// Maximum characters of a title or name.
    private static let charactersMax = 300

    /// Prevents a document from reading files or the network. libxml2's loader of external entities is a global of the
    /// process, which does not use it otherwise. libxml2's limits of entities and depth stay in effect.
    private static let isolated: Void = {
        xmlInitParser()
        xmlSetExternalEntityLoader { _, _, _ in nil }
    }()

    init(_ bytes: UnsafeBufferPointer<CChar>, languages: [String]) throws(FormatError) {
        _ = Self.isolated
        xml_print_nothing()
        self.languages = languages
        xmlResetLastError()
        let options = [
            XML_PARSE_NONET, XML_PARSE_NOENT, XML_PARSE_NOCDATA, XML_PARSE_NOERROR, XML_PARSE_NOWARNING,
        ].reduce(0) { $0 | Int32($1.rawValue) }
        guard let size = Int32(exactly: bytes.count), size > 0,
            let reader = xmlReaderForMemory(bytes.baseAddress, size, nil, nil, options)
        else { throw FormatError("line 1", "is empty, should be XMLTV listings") }
        self.reader = reader
    }

    deinit { xmlFreeTextReader(reader) }

    func read() throws(FormatError) -> TVListings {
        var status = xmlTextReaderRead(reader)
        while status == 1 {
            try readNode()
            status = xmlTextReaderRead(reader)
        }
        guard status == 0 else { throw syntaxError() }
        listings.arrange()
        if listings.programmes.isEmpty {
            throw FormatError(
                "line \(line)", (["the listings end without a programme"] + listings.remarks).joined(separator: ": "))
        }
        return listings
    }

    private var line: Int32 { max(1, xmlTextReaderGetParserLineNumber(reader)) }

    /// The line of the current node; the parser's own position is further on.
    private var nodeLine: Int { max(1, xmlTextReaderCurrentNode(reader).map { xmlGetLineNo($0) } ?? 1) }

    private func syntaxError() -> FormatError {
        guard let error = xmlGetLastError() else { return FormatError("line \(line)", "is not XML") }
        let words = error.pointee.message.map { String(cString: $0) } ?? "no reason is known"
        let reason = words.split(whereSeparator: \.isNewline).joined(separator: " ")
        return FormatError("line \(max(1, error.pointee.line))", "is not XML: \(reason)")
    }

    // MARK: Nodes

    private func readNode() throws(FormatError) {
        let depth = xmlTextReaderDepth(reader)
        switch UInt32(bitPattern: xmlTextReaderNodeType(reader)) {
        case XML_READER_TYPE_ELEMENT.rawValue:
            let isEmpty = xmlTextReaderIsEmptyElement(reader) == 1
            try begin(name, depth)
            if isEmpty { end(depth) }
        case XML_READER_TYPE_END_ELEMENT.rawValue: end(depth)
        case XML_READER_TYPE_TEXT.rawValue, XML_READER_TYPE_CDATA.rawValue,
            XML_READER_TYPE_SIGNIFICANT_WHITESPACE.rawValue:
            guard let content = text?.content, content.utf8.count < Self.charactersMax else { return }
            text?.content += value
        default: break
        }
    }

    private func begin(_ name: String, _ depth: Int32) throws(FormatError) {
        switch (depth, name) {
        case (0, "tv"): break
        case (0, _):
            throw FormatError("line \(nodeLine)", "is not XMLTV: its first element is <\(name)>, should be <tv>")
        case (1, "channel"): channel = attribute("id").flatMap { $0.isEmpty ? nil : place($0) }
        case (1, "programme"):
            programme = Draft(
                channel: attribute("channel"), start: attribute("start").flatMap { XMLTVTime.seconds($0) },
                stop: attribute("stop").flatMap { XMLTVTime.seconds($0) })
        case (2, _):
            guard let element = Element(rawValue: name) else { return }
            let mark = attribute(element == .episodeNumber ? "system" : "lang") ?? ""
            text = Text(element: element, mark: mark)
        default: break
        }
    }

    private func end(_ depth: Int32) {
        switch depth {
        case 2:
            if let text { add(text) }
            text = nil
        case 1:
            if let programme { add(programme) }
            programme = nil
            channel = nil
        default: break
        }
    }

    private func add(_ text: Text) {
        let words = String(
            text.content.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(Self.charactersMax))
        guard !words.isEmpty else { return }
        switch text.element {
        case .displayName:
            // The first name of a channel is the one to show.
            if let channel, listings.channels[channel].name.isEmpty { listings.channels[channel].name = words }
        case .title: programme?.titles.append((text.mark, words))
        case .episodeNumber:
            let badge = EpisodeNumber.badge(words, system: text.mark)
            if !badge.isEmpty, programme?.badges[text.mark] == nil { programme?.badges[text.mark] = badge }
        }
    }

    private func add(_ draft: Draft) {
        guard let channel = draft.channel, !channel.isEmpty, let start = draft.start else {
            listings.skipped += 1
            return
        }
        let title =
            languages.lazy.compactMap { language in
                draft.titles.first { Self.language($0.language) == language }
            }.first ?? draft.titles.first
        listings.programmes.append(
            TVListings.Programme(
                channel: place(channel), start: start, stop: draft.stop, title: title?.text ?? "?",
                badge: draft.badges["xmltv_ns"] ?? draft.badges["onscreen"] ?? draft.badges[""] ?? ""))
    }

    /// The language of a code such as `en_GB` or `en-GB`.
    private static func language(_ text: String) -> String {
        text.prefix { $0 != "_" && $0 != "-" }.lowercased()
    }

    /// The index of the channel `id`, which is added if it is new.
    private func place(_ id: String) -> Int {
        if let place = places[id] { return place }
        places[id] = listings.channels.count
        listings.channels.append(TVListings.Channel(id: id, name: ""))
        return listings.channels.count - 1
    }

    // MARK: Strings

    private var name: String { xmlTextReaderConstLocalName(reader).map { Self.string($0) } ?? "" }
    private var value: String { xmlTextReaderConstValue(reader).map { Self.string($0) } ?? "" }

    /// The attribute `name` of the element; nil if it has none.
    private func attribute(_ name: String) -> String? {
        guard xmlTextReaderMoveToAttribute(reader, name) == 1 else { return nil }
        defer { xmlTextReaderMoveToElement(reader) }
        return value
    }

    private static func string(_ text: UnsafePointer<xmlChar>) -> String { String(cString: text) }
}
