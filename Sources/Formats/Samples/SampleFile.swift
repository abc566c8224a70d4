import Documents
import CSndfile

/// Reads sound files as samples, by libsndfile: WAV and its relatives, AIFF, AU, CAF, FLAC, and Ogg (Vorbis, Opus,
/// FLAC).
///
/// Such files come from anywhere. The limits are checked before a frame is decoded, and again while they are decoded,
/// so that no header makes a sample larger than they allow. A file that ends too early is refused: part of a sample
/// would be a loss that nobody sees.
public enum SampleFile {
    fileprivate static let (secondsMax, rates) = (SampleSound.secondsMax, SampleSound.rates)
    /// Maximum bytes of a file: a minute at the highest rate, two channels of 64-bit numbers, is 184 MB, and there may
    /// be a picture too.
    public static let sizeMax = 256 << 20

    /// Whether `bytes` begin like a sound file.
    public static func recognises(_ bytes: [UInt8]) -> Bool {
        SampleContainer(SampleContainer.untagged(SampleBytes(bytes))) != nil
    }

    /// The sound in `bytes`. Integers of 16 bits stay as they are, other numbers are rounded to 16 bits, and
    /// floating-point ones above full scale are scaled down by their peak.
    public static func sound(in bytes: [UInt8]) throws(FormatError) -> SampleSound {
        try sound(in: SampleBytes(bytes))
    }

    /// The sound in a file of `size` bytes. `read` fills a buffer with the bytes from a place on and returns how many
    /// there are, or a negative number if it fails; then the file counts as one that ends there.
    public static func sound(
        size: Int, read: @escaping (UnsafeMutableRawBufferPointer, Int) -> Int
    ) throws(FormatError) -> SampleSound {
        try sound(in: SampleBytes(size: size, read: read))
    }

    private static func sound(in bytes: SampleBytes) throws(FormatError) -> SampleSound {
        guard bytes.size > 0 else { throw FormatError("", "is empty; copy it again") }
        let file = SampleContainer.untagged(bytes)
        guard let container = SampleContainer(file) else {
            throw FormatError("", "is not a WAV, W64, FLAC, Ogg, AIFF, AU or CAF file; convert it to one of them")
        }
        guard file.size <= sizeMax else {
            throw FormatError("", "has \(file.size >> 20) MB; cut the sound to \(secondsMax) s or less")
        }
        let streams = container == .ogg ? try OggStreams.streams(of: file) : [(container, file)]
        let first = try sound(of: streams, scale: fullScale)
        guard first.peak > 1 else { return first.sound }
        // A second time, as the peak is known at the end only and the numbers as they were would take four times the
        // memory.
        return try sound(of: streams, scale: (fullScale - 1) / first.peak).sound
    }

    /// The integer of a floating-point 1.
    private static let fullScale = 32768.0

    /// The sound of the streams one behind the other and, of floating-point numbers, the largest magnitude. They are
    /// multiplied by `scale`.
    private static func sound(
        of streams: [(container: SampleContainer, bytes: SampleBytes)], scale: Double
    ) throws(FormatError) -> (sound: SampleSound, peak: Double) {
        var whole: SampleSound?
        var peak = 0.0
        for (container, bytes) in streams {
            let part = try OpenSound(bytes, container, try chunks(of: bytes, container)).samples(scale: scale)
            peak = max(peak, part.peak)
            guard let before = whole else {
                whole = part.sound
                continue
            }
            guard (before.rate, before.channels) == (part.sound.rate, part.sound.channels) else {
                throw FormatError("", "has streams of several rates or numbers of channels; encode it again as one")
            }
            let sound = SampleSound(
                rate: before.rate, channels: before.channels, samples: before.samples + part.sound.samples)
            guard sound.frames <= secondsMax * sound.rate else { throw tooLong(sound.frames, rate: sound.rate) }
            whole = sound
        }
        guard let whole else { throw FormatError("", "has no sound; record it again") }
        return (whole, peak)
    }

    /// The chunks of the file; checks what libsndfile should not even begin with.
    private static func chunks(
        of file: SampleBytes, _ container: SampleContainer
    ) throws(FormatError) -> SampleContainer.Chunks? {
        let chunks = container.chunks(of: file)
        if let format = chunks?.format {
            // The others are codecs, some of them hardly ever used and tested.
            guard format.isPlain else { throw otherCodec(container) }
            try check(channels: format.channels, rate: format.rate)
        }
        return chunks
    }

    fileprivate static func check(channels: Int, rate: Int) throws(FormatError) {
        guard (1...2).contains(channels) else {
            throw FormatError(
                "",
                channels < 1 ? "has no channels; copy it again" : "has \(channels) channels; mix it to mono or stereo")
        }
        guard rates.contains(rate) else {
            throw FormatError(
                "",
                "has \(rate) frames per second; convert it to \(rates.lowerBound) to \(rates.upperBound), such as 48000"
            )
        }
    }

    fileprivate static func otherCodec(_ container: SampleContainer) -> FormatError {
        FormatError("", "is \(container.rawValue) of an unsupported coding; save it as 16-bit WAV")
    }

    fileprivate static func tooLong(_ frames: Int, rate: Int) -> FormatError {
        // A damaged file may promise any number of frames.
        let tenths = frames / rate * 10 + frames % rate * 10 / rate
        let more = frames - secondsMax * rate
        let length =
            tenths > secondsMax * 10
            ? "\(String(tenths, places: 1)) s" : "\(secondsMax) s and \(String(more, of: "frame"))"
        return FormatError("", "is \(length) long; cut it to \(secondsMax) s or less")
    }

    fileprivate static func cut(_ there: Int, of promised: Int) -> FormatError {
        FormatError("", "ends after \(there) of \(promised) frames; copy it again")
    }
}

/// A sound file that libsndfile has opened.
private final class OpenSound {
    private let handle: OpaquePointer
    private let info: SF_INFO
    private let file: SampleBytes
    private let container: SampleContainer
    private let chunks: SampleContainer.Chunks?

    /// Frames that are decoded at once.
    private static let block = 4096

    /// Opens the file `bytes`, in which `chunks` were found.
    init(
        _ bytes: SampleBytes, _ container: SampleContainer, _ chunks: SampleContainer.Chunks?
    ) throws(FormatError) {
        let file = container.file(for: bytes, chunks)
        file.place = 0
        var functions = Self.functions
        var info = SF_INFO()
        guard
            let handle = sf_open_virtual(
                &functions, Int32(SFM_READ), &info, Unmanaged.passUnretained(file).toOpaque())
        else {
            // Not sf_strerror: its text may be of another thread.
            throw FormatError("", "cannot be read as \(container.rawValue), or is damaged; save it again")
        }
        (self.handle, self.info, self.file, self.container, self.chunks) = (handle, info, file, container, chunks)
    }

    deinit { sf_close(handle) }

    /// libsndfile reads through these; it never writes.
    private static let functions = SF_VIRTUAL_IO(
        get_filelen: { sf_count_t(bytes($0)?.size ?? 0) },
        seek: { offset, whence, user in
            guard let file = bytes(user) else { return -1 }
            let from =
                Int(whence) == OpenSound.seekCurrent ? file.place : Int(whence) == OpenSound.seekEnd ? file.size : 0
            let (place, isTooFar) = from.addingReportingOverflow(Int(offset))
            guard !isTooFar, place >= 0 else { return -1 }
            file.place = place
            return sf_count_t(place)
        },
        read: { pointer, count, user in
            guard let file = bytes(user), let pointer, count > 0 else { return 0 }
            let read = file.fill(UnsafeMutableRawBufferPointer(start: pointer, count: Int(count)), at: file.place)
            file.place += read
            return sf_count_t(read)
        },
        write: { _, _, _ in 0 },
        tell: { sf_count_t(bytes($0)?.place ?? 0) })

    private static func bytes(_ user: UnsafeMutableRawPointer?) -> SampleBytes? {
        user.map { Unmanaged<SampleBytes>.fromOpaque($0).takeUnretainedValue() }
    }

    // <stdio.h>, whose names are macros of the C library.
    private static let (seekCurrent, seekEnd) = (1, 2)

    // MARK: Limits

    private var channels: Int { Int(info.channels) }
    private var rate: Int { Int(info.samplerate) }
    private var coding: Int { Int(info.format) & SF_FORMAT_SUBMASK }

    /// Bytes of a sample in codings that have no codec.
    private static let sizes = [
        SF_FORMAT_PCM_S8: 1, SF_FORMAT_PCM_U8: 1, SF_FORMAT_PCM_16: 2, SF_FORMAT_PCM_24: 3, SF_FORMAT_PCM_32: 4,
        SF_FORMAT_FLOAT: 4, SF_FORMAT_DOUBLE: 8,
    ]

    /// The number of frames, within the limits; nil if the file does not have it.
    private func frameCount() throws(FormatError) -> Int? {
        try SampleFile.check(channels: channels, rate: rate)
        let kind = Int(info.format) & SF_FORMAT_TYPEMASK
        let isOfOgg = container == .ogg && (coding == SF_FORMAT_VORBIS || coding == SF_FORMAT_OPUS)
        let kinds = [
            SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64, SF_FORMAT_AIFF, SF_FORMAT_AU, SF_FORMAT_CAF,
            SF_FORMAT_FLAC, SF_FORMAT_OGG,
        ]
        guard kinds.contains(kind), isOfOgg || Self.sizes[coding] != nil else {
            throw SampleFile.otherCodec(container)
        }
        if let data = chunks?.data, let bytes = data.size, let size = Self.sizes[coding] {
            let frameSize = channels * size
            let (there, promised) = ((file.size - data.place) / frameSize, bytes / frameSize)
            guard promised <= SampleFile.secondsMax * rate else { throw SampleFile.tooLong(promised, rate: rate) }
            guard there >= promised else { throw SampleFile.cut(max(0, there), of: promised) }
            if let wanted = chunks?.frames, wanted > promised { throw SampleFile.cut(promised, of: wanted) }
        }
        // FLAC may not have the number: then libsndfile has the maximum, or none. A pipe may have put there any.
        let frames = Int(info.frames)
        if container == .flac, frames <= 0 || frames > SampleFile.secondsMax * rate { return nil }
        guard frames > 0 else { throw FormatError("", "has no sound; record it again") }
        guard frames <= SampleFile.secondsMax * rate else { throw SampleFile.tooLong(frames, rate: rate) }
        return frames
    }

    // MARK: Samples

    /// The sound and, of floating-point numbers, the largest magnitude. They are multiplied by `scale`.
    func samples(scale: Double) throws(FormatError) -> (sound: SampleSound, peak: Double) {
        let frames = try frameCount()
        let framesMax = SampleFile.secondsMax * rate
        var samples: [Int16] = []
        samples.reserveCapacity(channels * (frames ?? 0))
        var peak = 0.0
        if isFloat {
            var block = [Double](repeating: 0, count: Self.block * channels)
            while samples.count <= channels * framesMax {
                let count = sf_readf_double(handle, &block, sf_count_t(Self.block))
                guard count > 0 else { break }
                for sample in block[..<(Int(count) * channels)] {
                    guard sample.isFinite else {
                        let second = String(1000 * (samples.count / channels) / rate, places: 3)
                        throw FormatError("", "has a sample that is no number, at \(second) s; save it again")
                    }
                    peak = max(peak, sample.magnitude)
                    samples.append(Int16(max(-32768, min(32767, (sample * scale).rounded()))))
                }
            }
        } else {
            // Integers of any size come in the upper bits of 32.
            var block = [Int32](repeating: 0, count: Self.block * channels)
            while samples.count <= channels * framesMax {
                let count = sf_readf_int(handle, &block, sf_count_t(Self.block))
                guard count > 0 else { break }
                for sample in block[..<(Int(count) * channels)] {
                    samples.append(Int16(clamping: (Int(sample) + 0x8000) >> 16))
                }
            }
        }
        let count = samples.count / channels
        guard count <= framesMax else {
            throw FormatError(
                "", "is longer than \(SampleFile.secondsMax) s; cut it to \(SampleFile.secondsMax) s or less")
        }
        if let frames, count < frames { throw SampleFile.cut(count, of: frames) }
        guard count > 0, Int(sf_error(handle)) == SF_ERR_NO_ERROR else {
            throw FormatError("", "is damaged after \(count) frames; copy it again")
        }
        return (SampleSound(rate: rate, channels: channels, samples: samples), peak)
    }

    private var isFloat: Bool {
        [SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE, SF_FORMAT_VORBIS, SF_FORMAT_OPUS].contains(coding)
    }
}
