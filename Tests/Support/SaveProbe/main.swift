import Glibc
// Its types are stored in the script: without this import a build after a change of their layout keeps the old one.
import Instrument
import Library
import LibraryScript

// SaveProbe LIBRARY SEED DONE COUNT: opens the library, performs COUNT actions of the script of SEED after the first
// DONE, and closes it. Prints the number of each acknowledged action on its own line; the test may kill it at any time.

let arguments = CommandLine.arguments
guard arguments.count == 5, let seed = UInt64(arguments[2]), let done = Int(arguments[3]), let count = Int(arguments[4])
else { exit(EX_USAGE) }

var script = LibraryScript(seed: seed)
script.skip(done)
do {
    let library = try Library(path: arguments[1], as: .player)
    for _ in 0..<count {
        let action = script.next()
        guard library.perform(action) else { exit(EX_IOERR) }
        let line = Array("\(script.count)\n".utf8)
        guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(EX_IOERR) }
    }
} catch {
    exit(EX_CANTCREAT)
}
