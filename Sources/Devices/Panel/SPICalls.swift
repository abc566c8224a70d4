import CSystem
import Glibc

/// The SPI system calls, one closure each so that a test can make any of them fail.
struct SPICalls: Sendable {
    /// Opens the device at a path; returns a descriptor.
    var open: @Sendable (_ path: String) -> Result<Int32, SystemError>
    /// Sets mode and clock of a descriptor.
    var configure: @Sendable (_ descriptor: Int32, _ mode: Int, _ hertz: Int) -> Result<Void, SystemError>
    /// Sends one message; returns the number of bytes sent.
    var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Result<Int, SystemError>
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void
    /// Registers the bytes that a crashing process sends, in messages of at most `chunk` bytes. The bytes have to stay
    /// in place. A descriptor below 0 clears the registration.
    var sendAtDeath:
        @Sendable (_ chain: Int, _ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>, _ chunk: Int) -> Void
    /// Maximum bytes of a message, spidev's `bufsiz`; nil if unknown.
    var bufferSize: @Sendable () -> Int?

    /// The real calls.
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
