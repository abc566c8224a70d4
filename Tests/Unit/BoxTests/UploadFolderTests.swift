import Devices
import Documents
import Foundation
import Pages
import TestSupport
import TestTags
import Testing

@testable import Box

@Suite("Updates that are sent to the setup page", .tags(.live))
final class UploadFolderTests {
    private let state = NSTemporaryDirectory() + "pixelboop-upload-\(UUID().uuidString)"
    private let package = "pixelboop_0.2.0~deb13_arm64.deb"

    init() throws { try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: state) }

    private func folder(free: Int? = nil) -> UploadFolder {
        guard let free else { return UploadFolder(inStateFolder: state) }
        return UploadFolder(inStateFolder: state) { _ in free }
    }

    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: state + "/upload")) ?? []).sorted()
    }

    private func send(_ name: String, _ text: String = "content", to folder: UploadFolder) -> SetupAnswer {
        let file = folder.begin(name, size: text.utf8.count)
        if let refusal = file.refusal { return refusal }
        let bytes = Array(text.utf8)
        for part in [bytes[..<1], bytes[1...]] { part.withUnsafeBytes { file.add($0) } }
        return file.end()
    }

    /// The sentence of a refusal; empty if it is none.
    private func reason(_ answer: SetupAnswer?) throws -> String {
        guard let answer, !answer.isDone, case .object(let object) = try JSON(parsing: Array(answer.json.utf8)),
            case .string(let text)? = object["error"]
        else { return "" }
        return text
    }

    /// The sentence that refuses a file before it is sent; empty if it may come.
    private func reason(_ folder: UploadFolder, _ name: String, size: Int) -> String {
        thrown(CommandError.self) { try folder.prepare(for: name, size: size) }?.message ?? ""
    }

    static let names: [(name: String, sizeMax: Int?)] = [
        ("pixelboop_0.1.0_arm64.deb", 64 << 20), ("pixelboop_0.1.0~deb13_arm64.img.xz", 512 << 20),
        ("pixelboop_1.0+git-2.RC1_amd64.deb.sha256", 4096), ("pixelboop_0.1.0_arm64.img.xz.minisig", 4096),
        ("", nil), ("pixelboop", nil), (".deb", nil), ("pixelboop_0.1.0_arm64", nil), ("pixelboop_0.1.0.deb", nil),
        ("pixelboop__arm64.deb", nil), ("pixelboop_0.1.0_.deb", nil), ("other_0.1.0_arm64.deb", nil),
        ("pixelboop_0.1.0_arm64_x.deb", nil), ("pixelboop_x_arm64.deb", nil), ("pixelboop_~1_arm64.deb", nil),
        ("Pixelboop_0.1.0_arm64.deb", nil), ("pixelboop_0.1.0_arm64.DEB", nil), ("pixelboop_0.1.0_ARM64.deb", nil),
        ("pixelboop_0.1.0_arm64.img", nil), ("pixelboop_0.1.0_arm64.deb.part", nil),
        ("pixelboop_0.1.0_arm64.deb.sha256.minisig", nil), ("SHA256SUMS", nil),
        ("../pixelboop_0.1.0_arm64.deb", nil), ("pixelboop_0/../1_arm64.deb", nil), ("pixelboop_0.1 0_arm64.deb", nil),
        ("pixelboop_0.1\n0_arm64.deb", nil), ("pixelboop_0.1\0_arm64.deb", nil), ("pixelboop_0.1é_arm64.deb", nil),
        ("pixelboop_0'1_arm64.deb", nil), ("pixelboop_0*_arm64.deb", nil), ("pixelboop_0@1_arm64.deb", nil),
        ("pixelboop_1" + String(repeating: "0", count: 200) + "_arm64.deb", nil),
    ]

    @Test("a name has the form of a release's files, and bounds the size", arguments: names)
    func name(_ name: String, sizeMax: Int?) throws {
        #expect(UpdateFileName(name)?.sizeMax == sizeMax)
        let folder = folder(free: 1 << 40)
        guard let sizeMax else {
            #expect(reason(folder, name, size: 1).hasPrefix("an update's files are named"))
            #expect(try reason(folder.begin(name, size: 1).refusal).hasPrefix("an update's files are named"))
            return #expect(names == [])
        }
        #expect(folder.begin(name, size: sizeMax).refusal == nil)
        #expect(try reason(folder.begin(name, size: sizeMax + 1).refusal).contains("the page takes up to"))
        #expect(try reason(folder.begin(name, size: 0).refusal).contains("is empty"))
    }

    @Test("the three files of an update are kept, for nobody else to read")
    func complete() throws {
        let folder = folder()
        for ending in ["", ".sha256", ".minisig"] {
            #expect(send(package + ending, "content\(ending)", to: folder).isDone)
        }
        #expect(names == [package, package + ".minisig", package + ".sha256"])
        let content = try String(contentsOfFile: "\(state)/upload/\(package).sha256", encoding: .utf8)
        #expect(content == "content.sha256")
        for (path, mode) in [("upload", 0o700), ("upload/" + package, 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(state)/\(path)")
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        #expect(send(package, "again", to: folder).isDone)
        #expect(names.count == 3)
    }

    @Test("the files of another update are removed, by the next file and by the question before it")
    func another() throws {
        let folder = folder()
        for ending in ["", ".sha256", ".minisig"] { _ = send(package + ending, to: folder) }
        let other = "pixelboop_0.3.0_arm64.img.xz"
        #expect(send(other + ".sha256", to: folder).isDone)
        #expect(names == [other + ".sha256"])
        try folder.prepare(for: package, size: 1)
        #expect(names == [])
        _ = send(package, to: folder)
        folder.discard()
        #expect(names == [])
    }

    @Test("a file that does not come to its end leaves nothing, and meanwhile another visitor is refused")
    func incomplete() throws {
        let folder = folder()
        do {
            let file = folder.begin(package, size: 100)
            [UInt8](repeating: 1, count: 100_000).withUnsafeBytes { file.add($0) }
            #expect(names.count == 1 && names != [package])
            #expect(reason(folder, package, size: 1).hasPrefix("another file is on its way to the box"))
            folder.discard()
            #expect(names.count == 1)
            withExtendedLifetime(file) {}
        }
        #expect(names == [])
        #expect(reason(folder, package, size: 1) == "")
    }

    @Test("what a stop of the server leaves is removed at its next start")
    func leftovers() throws {
        let folder = folder()
        folder.clear()
        _ = send(package, to: folder)
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(state)/upload/.pixelboop-1.partial"))
        folder.discard()
        #expect(names == [".pixelboop-1.partial"])
        folder.clear()
        #expect(names == [])
    }

    @Test("a file that has no room is refused before it is sent, with both sizes")
    func room() throws {
        let folder = folder(free: UploadFolder.roomMin + (5 << 20))
        #expect(reason(folder, package, size: 5 << 20) == "")
        let expected =
            "\(package): has 6 MiB, and the box has room for 5 MiB; remove something, such as old copies of the library"
        #expect(reason(folder, package, size: 6 << 20) == expected)
        #expect(try reason(folder.begin(package, size: 6 << 20).refusal) == expected)
        let full = self.folder(free: UploadFolder.roomMin / 2)
        #expect(reason(full, package, size: 1).contains("has 1 KiB, and the box has room for 0 KiB"))
    }

    @Test("a file that cannot be kept is an answer after its content")
    func lost() throws {
        let folder = folder()
        let file = folder.begin(package, size: 1)
        try FileManager.default.removeItem(atPath: state + "/upload")
        [UInt8(1)].withUnsafeBytes { file.add($0) }
        let answer = file.end()
        #expect(try reason(answer).contains("cannot be written"))
    }

    @Test("a folder that cannot be made is an answer")
    func noFolder() throws {
        try Data().write(to: URL(fileURLWithPath: state + "/upload"))
        #expect(try reason(folder().begin(package, size: 1).refusal) != "")
    }

    @Test("the page asks, and gives up, without the box's setup service")
    func requests() async throws {
        let requests = SetupRequests(LocalSocket(state + "/none"), uploads: folder(free: 1 << 40), version: "0.1.0")
        _ = send(package, to: folder())
        for (name, body, isDone, count) in [
            ("prepare", "{}", false, 1), ("prepare", #"{"name":"x","size":1}"#, false, 0),
            ("prepare", #"{"name":"\#(package)","size":"1"}"#, false, 0),
            ("prepare", #"{"name":"\#(package)","size":1.5}"#, false, 0),
            ("prepare", #"{"name":"\#(package)","size":1}"#, true, 0), ("discard", "{}", true, 0),
        ] {
            let answer = await withCheckedContinuation { (done: CheckedContinuation<SetupAnswer, Never>) in
                requests.answer(name, Array(body.utf8)) { answer in done.resume(returning: answer) }
            }
            #expect(answer.isDone == isDone, "\(name) \(body)")
            #expect(names.count == count)
        }
        _ = send(package, to: folder())
        let discarded = await withCheckedContinuation { (done: CheckedContinuation<SetupAnswer, Never>) in
            requests.answer("discard", Array("{}".utf8)) { answer in done.resume(returning: answer) }
        }
        #expect(discarded.isDone && names == [])
    }
}
