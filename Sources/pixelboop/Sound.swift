import Devices
import Dispatch
import Formats
import Runtime
import Simulator

/// Where the sound comes out, and what carries it there.
final class Sound {
    enum Outlet: Equatable {
        case device(String)
        case file(String)
        case page
        case nowhere

        /// What the command line asks for; else the configured device, or the page where there is no such device.
        init(_ word: String?, _ settings: Configuration.AudioSettings, hasPage: Bool) {
            switch word {
            case "none": self = .nowhere
            case let path? where path.hasSuffix(".wav"): self = .file(path)
            case let device?: self = .device(device)
            case nil: self = hasPage && !AlsaAudio.opens(settings.device) ? .page : .device(settings.device)
            }
        }
    }

    /// The sound as the loop sees it.
    var output: any AudioOutput { audio }

    private let audio: AlsaAudio
    private let tap: Tap?

    init(_ outlet: Outlet, _ engine: Engine, _ settings: Configuration.AudioSettings, page: PageServer?) throws {
        var options: AlsaAudio.Options
        var take: ((UnsafeMutableBufferPointer<Float>) -> Void)?
        var finish: () throws -> Void = {}
        switch outlet {
        case .device(let name):
            options = AlsaAudio.Options(device: name)
            Main.tell("sound goes to the ALSA device \(name)")
            if !AlsaAudio.opens(name) { Main.tell("the ALSA device \(name) does not open; it is tried each second") }
        case .file(let path):
            options = AlsaAudio.Options(device: nil)
            let file = try WaveWriter(path, rate: engine.rate)
            take = { file.append($0) }
            finish = { try file.finish() }
        case .page:
            options = AlsaAudio.Options(device: nil)
            take = { samples in page?.play(samples.map { Int16(($0 * 32_767).rounded()) }) }
            Main.tell("there is no sound device: the page plays the sound")
        case .nowhere:
            options = AlsaAudio.Options(device: nil)
        }
        options.period = settings.period
        options.periods = settings.periods
        options.priority = settings.priority
        options.taps = take != nil
        let audio = try AlsaAudio(engine, options)
        self.audio = audio
        tap = take.map { Tap(audio, $0, finish) }
    }

    func stop() throws {
        try tap?.stop()
        audio.stop()
    }

    /// Takes the rendered sound away, a hundred times a second.
    private final class Tap: @unchecked Sendable {
        private let queue = DispatchQueue(label: "sound tap")
        private let timer: any DispatchSourceTimer
        private let audio: AlsaAudio
        private let take: (UnsafeMutableBufferPointer<Float>) -> Void
        private let finish: () throws -> Void
        private let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: 2 * 4096)

        init(
            _ audio: AlsaAudio, _ take: @escaping (UnsafeMutableBufferPointer<Float>) -> Void,
            _ finish: @escaping () throws -> Void
        ) {
            self.audio = audio
            self.take = take
            self.finish = finish
            timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: .milliseconds(10))
            timer.setEventHandler { [unowned self] in drain() }
            timer.resume()
        }

        deinit { buffer.deallocate() }

        private func drain() {
            while case let count = audio.read(into: buffer), count > 0 {
                take(UnsafeMutableBufferPointer(rebasing: buffer[..<count]))
            }
        }

        func stop() throws {
            timer.cancel()
            try queue.sync {
                drain()
                try finish()
            }
        }
    }
}
