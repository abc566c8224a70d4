import InputEvents
import Instrument
import Input
import Replay
import Runtime
import TestSupport
import TestTags
import Testing

@testable import Pages

private func frame(_ shade: UInt8) -> [UInt8] { Array(repeating: shade, count: 44 * 24 * 3) }
private func frameNumber(_ payload: [UInt8]) -> UInt32 {
    payload[4..<8].reversed().reduce(0) { $0 << 8 | UInt32($1) }
}
private func acknowledgement(_ number: UInt32) -> [UInt8] {
    [4, 0, 0, 0] + (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}

@Suite("The page's WebSocket", .tags(.live))
struct PageSocketTests {
    @Test("sends the newest frame, with up to two unacknowledged ones")
    func credit() throws {
        let served = try Served()
        served.server.show(frame(1))
        let client = try served.viewer()
        let first = try client.content()
        let head: [UInt8] = [1, 0, 0, 0, 1, 0, 0, 0]
        #expect(first == RawClient.Message(opcode: 2, payload: head + frame(1)))
        served.server.show(frame(2))
        #expect(frameNumber(try client.content().payload) == 2)
        // The credit is used up: of a hundred more frames only the newest is sent, once there is room.
        for shade in 3...102 { served.server.show(frame(UInt8(shade))) }
        #expect(throws: RawClient.Failure.self) { _ = try client.content(milliseconds: 200) }
        client.sendFrame(acknowledgement(1))
        let newest = try client.content()
        #expect(frameNumber(newest.payload) == 102)
        #expect(newest.payload.last == 102)
        #expect(throws: RawClient.Failure.self) { _ = try client.content(milliseconds: 200) }
    }

    @Test("an acknowledgement of a frame not in flight closes", arguments: [0, 2, 99] as [UInt32])
    func wrongAcknowledgement(number: UInt32) throws {
        let served = try Served()
        served.server.show(frame(1))
        let client = try served.viewer()
        _ = try client.content()
        client.sendFrame(acknowledgement(number))
        #expect(try client.closeStatus() == 1008)
    }

    @Test("passes fingers on as protocol B, with 1/1024 of an LED")
    func contacts() throws {
        let served = try Served()
        let client = try served.viewer()
        client.sendFrame(down(3, column: 4, row: 7))
        client.sendFrame([1, 1, 3, 0, 0x01, 0x10, 0x00, 0x1e])
        client.sendFrame([1, 2, 3, 0, 0x01, 0x10, 0x00, 0x1e])
        let reports = served.reports(atLeast: 8).filter { $0.type == InputCode.absolute }
        #expect(
            reports.map(\.code) == [
                InputCode.trackingID, InputCode.positionX, InputCode.positionY, InputCode.positionX,
                InputCode.trackingID,
            ])
        #expect(reports.map(\.value) == [0, 4608, 7680, 4097, -1])
    }

    @Test("passes keys on")
    func keys() throws {
        let served = try Served()
        let client = try served.viewer()
        for number in Key.allCases.indices { client.sendFrame([2, 0, UInt8(number)]) }
        client.sendFrame([2, 2, 7])
        client.sendFrame([2, 3, 6])
        client.sendFrame([5, 0, 0, 0, 0x6f, 0x26, 0, 0])
        var events: [ControlEvent] = []
        #expect(
            eventually {
                served.keyboard.read(into: &events)
                return events.count == Key.allCases.count + 4
            })
        let keys: [Key] = [
            .playStop, .undo, .redo, .clear, .faster, .slower, .spaceBar, .enter, .latch, .escape, .erase, .arrowUp,
            .arrowDown, .arrowLeft, .arrowRight,
        ]
        let strokes: [Instrument.Event] = [.keyUp(.enter), .keyCancel(.spaceBar), .type("♯")]
        // First the news of a viewer.
        #expect(events.map(\.event) == [.watched] + keys.map { .key($0) } + strokes)
    }

    @Test("a browser that closes withdraws the keys that it holds")
    func heldKeys() throws {
        let served = try Served()
        var client: RawClient? = try served.viewer()
        for message in [[2, 0, 7], [2, 0, 10], [2, 2, 10], [2, 0, 11]] as [[UInt8]] { client?.sendFrame(message) }
        var events: [ControlEvent] = []
        func read(atLeast count: Int) -> [Instrument.Event] {
            _ = eventually {
                served.keyboard.read(into: &events)
                return events.count >= count
            }
            return events.map(\.event)
        }
        let played: [Instrument.Event] = [.watched, .key(.enter), .key(.erase), .keyUp(.erase), .key(.arrowUp)]
        #expect(read(atLeast: 5) == played)
        client = nil
        #expect(read(atLeast: 6) == played + [.keyCancel(.enter)])
    }

    @Test("sends a beat within a second of silence, so that a page notices a box that is gone")
    func beats() throws {
        let served = try Served()
        let client = try served.viewer()
        for _ in 0..<3 { #expect(try client.message(milliseconds: 1200).payload == [4, 0, 0, 0]) }
    }

    @Test("tells the panel's words and title, also to those who come later")
    func words() throws {
        let served = try Served()
        let client = try served.viewer()
        var words = PanelWords()
        words.word = "C♯ MAJOR"
        served.server.tell(words)
        #expect(try client.content().payload == [5, 0, 0, 0] + Array("C♯ MAJOR\n\n".utf8))
        (words.word, words.title, words.isNaming) = ("", "NAME AB", true)
        served.server.tell(words)
        #expect(try client.content().payload == [5, 1, 0, 0] + Array("\nNAME AB\n".utf8))
        #expect(try served.viewer().content().payload == [5, 1, 0, 0] + Array("\nNAME AB\n".utf8))
        words.title = String(repeating: "X", count: 5000)
        served.server.tell(words)
        #expect(try client.content().payload.count == 4 + BoxMessage.wordsLengthMax)
    }

    @Test("each browser learns how many others there are, and how many of them play")
    func crowd() throws {
        let served = try Served()
        let first = try served.viewer()
        var second: RawClient? = try served.viewer()
        #expect(try first.message(ofKind: 6) == [6, 1, 0, 0])
        #expect(try second?.message(ofKind: 6) == [6, 1, 0, 0])
        second?.sendFrame(down(0, column: 2, row: 5))
        #expect(try first.message(ofKind: 6) == [6, 1, 1, 0])
        first.sendFrame([2, 0, 7])
        #expect(try second?.message(ofKind: 6) == [6, 1, 1, 0])
        second = nil
        #expect(try first.message(ofKind: 6) == [6, 0, 0, 0])
    }

    @Test("two browsers watch and play at once; closing one cancels only its fingers")
    func twoClients() throws {
        let served = try Served()
        let first = try served.viewer()
        var second: RawClient? = try served.viewer()
        #expect(eventually { served.server.clients == 2 })
        served.server.show(frame(9))
        #expect(try first.content().payload.last == 9)
        #expect(try second?.content().payload.last == 9)
        first.sendFrame(down(0, column: 1, row: 5))
        #expect(served.reports(atLeast: 4).count == 4)
        second?.sendFrame(down(0, column: 2, row: 5))
        second?.sendFrame(down(1, column: 3, row: 5))
        #expect(served.reports(atLeast: 10).count == 10)
        second = nil
        // Cancelled, not lifted: no note is made.
        let gone = served.reports(atLeast: 7)
        #expect(gone.filter { $0.code == InputCode.trackingID && $0.value == -1 }.count == 2)
        #expect(gone.filter { $0.code == InputCode.toolType && $0.value == InputCode.toolPalm }.count == 2)
        #expect(eventually { served.server.clients == 1 })
        first.sendFrame([1, 2, 0, 0, 0, 6, 0, 0x16])
        #expect(served.reports(atLeast: 3).contains { $0.code == InputCode.trackingID && $0.value == -1 })
    }

    @Test("tells browsers beyond its maximum that there are too many")
    func full() throws {
        let served = try Served()
        var clients: [RawClient] = []
        for _ in 0..<PageServer.clientsMax { clients.append(try served.viewer()) }
        let late = try RawClient(port: served.server.port)
        #expect(try late.upgrade(host: served.host, origin: "http://\(served.host)"))
        #expect(try late.message().closeStatus == 1013)
        #expect(served.server.clients == PageServer.clientsMax)
        clients.removeLast()
        #expect(eventually { served.server.clients == PageServer.clientsMax - 1 })
        _ = try served.viewer()
    }

    @Test(
        "closes on an invalid message, and lifts its fingers",
        arguments: [
            ([], 2, true, 1008), ([9], 2, true, 1008), ([1, 0, 0, 0, 0, 0, 0], 2, true, 1008),
            ([1, 4, 0, 0, 0, 0, 0, 0], 2, true, 1008), ([1, 0, 0, 0, 0, 0xb0, 0, 0], 2, true, 1008),
            ([1, 0, 0, 0, 0, 0, 0, 0x60], 2, true, 1008), ([2, 0], 2, true, 1008), ([2, 0, 99], 2, true, 1008),
            ([2, 1, 0], 2, true, 1008), ([2, 4, 0], 2, true, 1008), ([2, 0, 0, 0], 2, true, 1008),
            ([5, 0, 0, 0, 0, 0xd8, 0, 0], 2, true, 1008), ([5, 1, 0, 0, 65, 0, 0, 0], 2, true, 1008),
            ([3, 2], 2, true, 1008), ([4, 1, 0, 0, 1, 0, 0, 0], 2, true, 1008), ([2, 0, 0], 1, true, 1008),
            (Array(repeating: 1, count: 65), 2, true, 1009), (Array(repeating: 1, count: 5000), 2, true, 1009),
            (Array(repeating: 1, count: 65), 2, false, 1009),
        ] as [([UInt8], UInt8, Bool, Int)])
    func badMessages(payload: [UInt8], opcode: UInt8, isFinal: Bool, status: Int) throws {
        let served = try Served()
        let client = try served.viewer()
        client.sendFrame(down(0, column: 1, row: 1))
        client.sendFrame(payload, opcode: opcode, isFinal: isFinal)
        #expect(try client.closeStatus() == status)
        #expect(served.reports(atLeast: 7).contains { $0.code == InputCode.trackingID && $0.value == -1 })
        #expect(eventually { served.server.clients == 0 })
    }

    @Test("accepts messages in any fragments", arguments: [1, 3, 7, 14, 100, 1000, 1 << 20])
    func cut(size: Int) throws {
        let served = try Served()
        let client = try served.viewer()
        // A finger's messages of a second, after a network stall: each message in one frame, or in two.
        var bytes = RawClient.frame(down(3, column: 4, row: 7))
        for x in 0..<120 {
            let move: [UInt8] = [1, 1, 3, 0, UInt8(x), 0x10, 0x00, 0x1e]
            if x % 2 == 0 {
                bytes += RawClient.frame(move)
            } else {
                bytes += RawClient.frame(Array(move[..<5]), isFinal: false)
                bytes += RawClient.frame(Array(move[5...]), opcode: 0)
            }
        }
        bytes += RawClient.frame([1, 2, 3, 0, 119, 0x10, 0x00, 0x1e])
        for start in stride(from: 0, to: bytes.count, by: size) {
            client.send(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        // The down reports id, x, y and the packet's end; each move x and the end; the up id and the end.
        let reports = served.reports(atLeast: 4 + 2 * 120 + 2)
        #expect(reports.filter { $0.code == InputCode.positionX }.map(\.value) == [4608] + (0..<120).map { 4096 + $0 })
        #expect(served.server.clients == 1)
    }

    @Test("closes on a flood of messages")
    func flood() throws {
        let served = try Served()
        let client = try served.viewer()
        for _ in 0..<40_000 { client.sendFrame([1, 1, 0, 0, 0, 0, 0, 0]) }
        #expect(eventually { served.server.clients == 0 })
    }

    @Test("sends sound in blocks of 10 ms to browsers that want it, up to 200 ms late")
    func sound() throws {
        let served = try Served()
        let (quiet, client) = (try served.viewer(), try served.viewer())
        #expect(!served.server.wantsSound)
        // Of a page that was open before an update.
        client.sendFrame([3, 1, 60, 0])
        #expect(eventually { served.server.wantsSound })
        served.server.play((0..<960).map { Int16($0) }, at: Instant(microseconds: 1_677_721_700))
        let block = try client.content().payload
        #expect(block.count == 4 + 480 * 4)
        // The time, 24 bits of 0.1 ms.
        let start: [UInt8] = [2, 1, 0, 0, 0, 0, 1, 0, 2, 0, 3, 0]
        #expect(block.starts(with: start))
        served.server.play(Array(repeating: 1, count: 959), at: .zero)
        #expect(throws: RawClient.Failure.self) { _ = try client.content(milliseconds: 100) }
        served.server.play([7, 7], at: .zero)
        #expect(try client.content().payload.count == 4 + 480 * 4)
        #expect(throws: RawClient.Failure.self) { _ = try quiet.content(milliseconds: 100) }
        client.sendFrame([3, 0])
        #expect(eventually { !served.server.wantsSound })
    }

    @Test(
        "a landing is as late as what was heard: within two seconds, and not in the future",
        arguments: [(0, 0), (173, 173), (1999, 1999), (2001, 2000), (600_000, 2000), (-30, 0), (-600_000, 0)]
            as [(Int64, Int64)])
    func late(heard: Int64, delay: Int64) throws {
        // Stamps begin anew each 1677.7216 s.
        for time in [5_000_000, 1_677_721_600, 1_677_800_000, 4_000_000_000] as [Int64] {
            let now = Instant(microseconds: time)
            let stamp = SoundStamp(now - Instant.Span.milliseconds(heard))
            #expect(stamp.value < 1 << 24)
            #expect(stamp.delay(at: now) == .milliseconds(delay))
        }
        let served = try Served()
        let client = try served.viewer()
        let stamp = SoundStamp(monotonicNow() - Instant.Span.milliseconds(heard)).value
        client.sendFrame(down(0, column: 1, row: 1) + (0..<4).map { UInt8(truncatingIfNeeded: stamp >> (8 * $0)) })
        let reports = served.reports(atLeast: delay == 0 ? 4 : 5)
        let late = reports.first { $0.type == InputCode.simulated }?.value ?? 0
        // The message is on its way for a while.
        #expect(late >= delay * 1000 && late <= 2_000_000)
    }

    @Test("reports the panel's figures")
    func figures() throws {
        let served = try Served()
        let client = try served.viewer()
        served.server.report(amps: 1.5, framesPerSecond: 60, wireBytesPerSecond: 256_000)
        let payload = try client.content().payload
        let values = stride(from: 4, to: 16, by: 4).map { start in
            Float(bitPattern: payload[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) })
        }
        #expect(Array(payload[..<4]) == [3, 0, 0, 0])
        #expect(values == [1.5, 60, 256_000])
    }

    @Test("stopping cancels every finger and closes every connection")
    func stop() throws {
        let served = try Served()
        let client = try served.viewer()
        client.sendFrame(down(0, column: 1, row: 1))
        _ = served.reports(atLeast: 4)
        served.server.stop()
        #expect(served.reports().contains { $0.code == InputCode.trackingID && $0.value == -1 })
        #expect(served.server.clients == 0)
        #expect(throws: RawClient.Failure.self) { while true { _ = try client.content() } }
        served.server.show(frame(1))
        served.server.play([0, 0], at: .zero)
    }
}
