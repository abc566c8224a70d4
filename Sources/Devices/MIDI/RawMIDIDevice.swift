import CALSA
import Glibc

/// A raw MIDI device that is open for input, with the kernel's time stamps.
///
/// The stamps are the times of the driver's interrupt or USB completion, in frames of up to 16 bytes (Linux 5.14,
/// Documentation/sound/designs/midi-2.0.rst and commit 08fdced60ca0; alsa-lib 1.2.6).
final class RawMIDIDevice {
    private let device: OpaquePointer

    /// Bytes of the kernel's buffer: 2048 frames of 32 bytes. A multiple of a frame is required.
    private static let bufferBytes = 65_536

    private init(_ device: OpaquePointer) { self.device = device }

    deinit { snd_rawmidi_close(device) }

    static func open(_ name: String) -> Result<RawMIDIDevice, SystemError> {
        calsa_silence()
        var opened: OpaquePointer?
        let error = snd_rawmidi_open(&opened, nil, name, SND_RAWMIDI_NONBLOCK)
        guard error >= 0, let pointer = opened else { return .failure(SystemError(errno: -min(error, -1))) }
        let device = RawMIDIDevice(pointer)
        return alsaNumber(device.requestStamps()).map { _ in device }
    }

    private func requestStamps() -> Int32 {
        var allocated: OpaquePointer?
        guard snd_rawmidi_params_malloc(&allocated) >= 0, let parameters = allocated else { return -ENOMEM }
        defer { snd_rawmidi_params_free(parameters) }
        var error = snd_rawmidi_params_current(device, parameters)
        if error >= 0 { error = snd_rawmidi_params_set_buffer_size(device, parameters, Self.bufferBytes) }
        if error >= 0 { error = snd_rawmidi_params_set_read_mode(device, parameters, SND_RAWMIDI_READ_TSTAMP) }
        if error >= 0 { error = snd_rawmidi_params_set_clock_type(device, parameters, SND_RAWMIDI_CLOCK_MONOTONIC) }
        if error >= 0 { error = snd_rawmidi_params(device, parameters) }
        return error
    }

    // MARK: Handles

    var handle: Int { Int(bitPattern: Unmanaged.passRetained(self).toOpaque()) }

    private static func unmanaged(_ handle: Int) -> Unmanaged<RawMIDIDevice> {
        guard let pointer = UnsafeRawPointer(bitPattern: handle) else { preconditionFailure("not a handle") }
        return .fromOpaque(pointer)
    }

    static func at(_ handle: Int) -> RawMIDIDevice { unmanaged(handle).takeUnretainedValue() }

    static func release(_ handle: Int) { unmanaged(handle).release() }

    // MARK: Input

    var descriptor: Int32 {
        var poll = pollfd()
        return snd_rawmidi_poll_descriptors(device, &poll, 1) == 1 ? poll.fd : -1
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Result<MIDICalls.RawReading, SystemError> {
        var time = timespec()
        let count = snd_rawmidi_tread(device, &time, buffer.baseAddress, buffer.count)
        guard count >= 0 else { return .failure(SystemError(errno: Int32(-count))) }
        let nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        return .success(MIDICalls.RawReading(count: count, nanoseconds: nanoseconds))
    }

    func overruns() -> Int {
        var allocated: OpaquePointer?
        guard snd_rawmidi_status_malloc(&allocated) >= 0, let status = allocated else { return 0 }
        defer { snd_rawmidi_status_free(status) }
        return snd_rawmidi_status(device, status) >= 0 ? Int(snd_rawmidi_status_get_xruns(status)) : 0
    }
}
