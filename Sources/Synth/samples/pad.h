// The settings of a pad of the rhythm track, which plays a drum of the kit or a part of a sample.

#ifndef PIXELBOOP_SYNTH_PAD_H
#define PIXELBOOP_SYNTH_PAD_H

#include <algorithm>
#include <cstdint>

#include "sample_kernel.h"
#include "synth.h"

namespace synth {

struct Pad {
    // Places in a sample, in millionths of its length.
    static constexpr uint32_t kWhole = 1000000;
    static constexpr uint32_t kVolumeMax = 200;

    uint32_t slot = synth_samples;  // of its sample; beyond the last for a drum of the kit
    uint32_t start = 0;
    uint32_t end = kWhole;  // before `start` it plays backwards
    uint32_t volume = 100;  // per cent
    int32_t tune = 0;       // semitones
    uint32_t choke = 0;     // 0: the drum's own group

    // The pad of a command; every value is clamped to its range.
    static Pad Of(const SynthPadCommand &command)
    {
        Pad pad;
        pad.slot = std::min<uint32_t>(command.slot, synth_samples);
        pad.start = std::min(kWhole, command.begin);
        pad.end = std::min(kWhole, command.end);
        pad.volume = std::min<uint32_t>(command.volume, kVolumeMax);
        pad.tune = std::clamp<int32_t>(command.tune, -SampleKernels::kTuneMax, SampleKernels::kTuneMax);
        pad.choke = std::min<uint32_t>(command.choke, synth_chokes);
        return pad;
    }

    float Gain() const
    {
        return static_cast<float>(volume) / 100.0f;
    }

    // The frame of a sample of `frames` at `place`.
    static uint32_t FrameAt(uint32_t place, uint32_t frames)
    {
        return static_cast<uint32_t>((static_cast<uint64_t>(place) * frames + kWhole / 2) / kWhole);
    }
};

}  // namespace synth

#endif
