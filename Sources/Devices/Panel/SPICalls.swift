import CSystem
import Glibc

/// The system calls that SPI needs, each by itself so that a test can make it fail.
struct SPICalls: Sendable {
    /// Opens the device at a path: a descriptor.
    var open: @Sendable (_ path: String) -> Result<Int32, SystemError>
    /// Sets mode and clock of a descriptor.
    var configure: @Sendable (_ descriptor: Int32, _ mode: Int, _ hertz: Int) -> Result<Void, SystemError>
    /// Sends one message: how many of its bytes went out.
    var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Result<Int, SystemError>
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void
    /// Names what a process that dies sends on a descriptor, in messages of at most `chunk` bytes; the bytes stay where they
    /// are. Nothing on a descriptor below 0.
    var sendAtDeath:
        @Sendable (_ chain: Int, _ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>, _ chunk: Int) -> Void
    /// The most bytes of a message, spidev's `bufsiz`; nil where it is not known.
    var bufferSize: @Sendable () -> Int?

    /// Linux's own.
    static let linux = SPICalls(
        open: { Result(returned: system_spi_open($0)) },
        configure: { descriptor, mode, hertz in
            Result(returned: system_spi_configure(descriptor, UInt8(mode), UInt32(hertz))).map { _ in }
        },
        write: { Result(returned: system_spi_write($0, $1.baseAddress, UInt32($1.count))) },
        close: { _ = Glibc.close($0) },
        sendAtDeath: { system_spi_at_death(Int32($0), $1, $2.baseAddress, UInt32($2.count), UInt32($3)) },
        bufferSize: { Board.spiBufferSize(root: "") })
}
