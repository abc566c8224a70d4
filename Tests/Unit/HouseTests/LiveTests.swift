import TestSupport
import Testing

@Suite("Suites with time, threads, sockets, processes or devices")
struct LiveTests {
    @Test("they have the tag `live`, by which `make flakes` repeats them")
    func tags() throws {
        // Split, as this file would be one of them.
        let signs = [
            "Process" + "(", "DispatchQueue" + ".", "DispatchSemaphore" + "(", "usleep" + "(", "SystemClock" + "(",
            "RawClient" + "(", "UDPSocket" + "(", "pthread" + "_", "pipe" + "(", "RunningThread" + "(", "mkfifo" + "(",
            "Executable" + "(", "PageVisitor" + "(", "Served" + "(",
        ]
        for path in Checkout.files("Tests/Unit", ending: ".swift") {
            let text = try Checkout.text(path)
            guard text.contains("@Suite("), let sign = signs.first(where: text.contains) else { continue }
            #expect(text.contains(".tags(.live"), "\(path) uses \(sign)")
        }
    }
}
