import Testing

@Suite("A clone stands alone")
struct OutsideTests {
    /// What may name the folder of recordings beside the code base, as it says what it does without them.
    private static let allowed: Set = [
        "CONTRIBUTING.md", "Tests/DevicesTests/RecordedOverlayTests.swift", "Tests/Exchange/patterns",
        "Tests/FormatsTests/TouchRecordingTests.swift", "Tests/Fuzz/run",
        "Tests/ReplayTests/RecordedSessions.swift", "Tests/TestSupport/Shared.swift", "Tests/Touch/recordings",
        "Tests/run", "deploy/arm64/run",
    ]

    @Test("nothing but the tests of recordings names a folder outside")
    func outside() throws {
        let texts = Checkout.files().filter { path in
            ![".png", ".sqlite", ".bin", ".mid", ".stl"].contains { path.hasSuffix($0) }
        }
        let naming = try texts.filter { try Checkout.text($0).contains(/(?:\.\.|\/work)\/shared\b/) }
        #expect(Set(naming) == Self.allowed)
    }
}
