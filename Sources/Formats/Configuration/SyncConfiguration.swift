import Documents
import Instrument

extension Configuration {
    mutating func readSync(_ field: JSONField) throws(FormatError) {
        try sync.read(field, others: ["linkTransport"])
        try field.read("linkTransport", into: &linkTransport)
    }

    /// The clocks' settings as a document.
    var syncJSON: JSON {
        var parts = sync.parts
        parts["linkTransport"] = .bool(linkTransport)
        return .object(parts)
    }
}
