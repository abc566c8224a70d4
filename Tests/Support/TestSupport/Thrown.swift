/// The error of type `type` thrown by `body`; nil if it throws none, or another.
public func thrown<Failure: Error>(_ type: Failure.Type, by body: () throws -> Void) -> Failure? {
    do {
        try body()
        return nil
    } catch {
        return error as? Failure
    }
}
