import CSystem
import Glibc

/// The system calls that SPI needs, each by itself so that a test can make it fail. What fails gives the negative errno.
struct SPICalls: Sendable {
    /// Opens the device at a path: a descriptor.
    var open: @Sendable (_ path: String) -> Int32
    /// Sets mode and clock of a descriptor: 0.
    var configure: @Sendable (_ descriptor: Int32, _ mode: Int, _ hertz: Int) -> Int32
    /// Sends one message: how many of its bytes went out.
    var write: @Sendable (_ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Int
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void
    /// The most bytes of a message, spidev's `bufsiz`; nil where it is not known.
    var bufferSize: @Sendable () -> Int?

    /// Linux's own.
    static let linux = SPICalls(
        open: { path in
            let descriptor = system_spi_open(path)
            return descriptor < 0 ? -errno : descriptor
        },
        configure: { descriptor, mode, hertz in
            system_spi_configure(descriptor, UInt8(mode), UInt32(hertz)) < 0 ? -errno : 0
        },
        write: { descriptor, bytes in
            let count = system_spi_write(descriptor, bytes.baseAddress, UInt32(bytes.count))
            return count < 0 ? -Int(errno) : count
        },
        close: { _ = Glibc.close($0) },
        bufferSize: { Board.spiBufferSize(root: "") })
}
