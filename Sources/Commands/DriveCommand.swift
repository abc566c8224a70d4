import Box
import Drive
import Glibc

extension Main {
    static let drive = Command(
        "drive", usage: "[--socket PATH]",
        help: """
            Boxes on a virtual clock in the hands of another program, for tests. Each line of standard input is a request, each
            line of standard output its answer, in JSON: docs/drive.md has the words. Ends with its input.

                --socket PATH  listen at this socket, for its user only, and serve one program after the other
                --config FILE  accepted, as by every command; has no effect here: a box has its own configuration
            """,
        options: ["--socket", "--config"]
    ) { arguments in
        guard let path = arguments["--socket"] else {
            return try serve(InputLines(STDIN_FILENO), to: OutputLines(STDOUT_FILENO))
        }
        let listener = try SocketListener(path)
        Log.post("listening at \(path)")
        while let descriptor = listener.accept() {
            defer { close(descriptor) }
            // One program that goes away in the middle is no reason to end for the next.
            do {
                try serve(InputLines(descriptor), to: OutputLines(descriptor))
            } catch let error as CommandError where error.status == .ioError {
                Log.post(error.message)
            }
        }
    }

    /// Answers the requests of a program until it ends.
    private static func serve(_ requests: InputLines, to answers: OutputLines) throws {
        let bench = Bench(version: versionNumber, DriveFiles())
        try answers.write(bench.greeting)
        while let line = try requests.next() {
            // Blank lines are for readers.
            if line.allSatisfy({ [0x20, 0x09, 0x0d].contains($0) }) { continue }
            try answers.write(bench.answer(to: line))
        }
    }
}
