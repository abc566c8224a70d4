import Documents
import Formats

/// A sound is within the limits, and its slices are whole.
func checkSample(_ bytes: [UInt8]) throws(Violation) {
    guard let sound = try read({ () throws(FormatError) in try SampleFile.sound(in: bytes) }) else { return }
    try require(SampleSound.rates.contains(sound.rate) && (1...2).contains(sound.channels), "\(sound.rate) Hz")
    try require((1...SampleSound.secondsMax * sound.rate).contains(sound.frames), "\(sound.frames) frames")
    for slices in [Slices.byOnset(sound), Slices.byStep(sound, steps: 16)] {
        try require((1...Slices.countMax).contains(slices.count), "\(slices.count) slices")
        var end = 0
        for slice in slices {
            try require(slice.lowerBound == end && !slice.isEmpty, "\(slices) of \(sound.frames) frames")
            end = slice.upperBound
        }
        try require(end == sound.frames, "\(slices) of \(sound.frames) frames")
    }
}
