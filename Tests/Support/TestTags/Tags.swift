import Testing

extension Tag {
    /// Suites with time, threads, sockets, processes or devices: `make flakes` repeats these most.
    @Tag public static var live: Self
}
