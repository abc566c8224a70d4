// What a track's controls come to where the samples are made: its gains and its low-pass. All of it glides.

#ifndef PIXELBOOP_SYNTH_VOICING_H
#define PIXELBOOP_SYNTH_VOICING_H

#include <array>
#include <cstdint>

#include "elementary.h"
#include "filter.h"

namespace synth {

// Half the gains to the left and right and to the two effects, for the filter gives twice its output; and the
// low-pass's coefficients.
enum VoicingPart : uint32_t { kLeft, kRight, kToDelay, kToReverb, kKeep, kAcross, kInto, kVoicingParts };

typedef std::array<float, kVoicingParts> Voicing;

// Hertz at which the rhythm track's low-pass is out of the way.
constexpr int32_t kOpenCutoff = 20000;

// A track's controls, in the units of the commands that set them.
struct TrackControls {
    int32_t volume = 100;
    int32_t pan = 0;
    int32_t cutoff = kOpenCutoff;
    int32_t resonance = 1;
    int32_t attack = 0;
    int32_t decay = 0;
    int32_t sustain = 100;
    int32_t release = 0;
    int32_t delay = 0;
    int32_t reverb = 0;

    // Constant power from side to side, and 1 in the middle.
    Voicing Voiced(uint32_t rate) const
    {
        constexpr double kRootOf2 = 1.41421356237309504880;
        const double level = volume / 200.0;
        const double angle = (pan + 100) / 400.0 * kPi;
        const FilterCoefficients filter =
            FilterCoefficients::Make(cutoff, Power(kOneDecibel, static_cast<uint32_t>(resonance)), rate);
        return {static_cast<float>(level * kRootOf2 * Sine(kPi / 2.0 - angle)),
                static_cast<float>(level * kRootOf2 * Sine(angle)),
                static_cast<float>(level * delay / 100.0),
                static_cast<float>(level * reverb / 100.0),
                filter.keep, filter.across, filter.into};
    }
};

// One of them, and the range that it is kept in.
struct TrackControl {
    int32_t TrackControls::*value;
    int32_t lowest;
    int32_t highest;
};

// In the order of the commands that set them, from SynthTrackVolume on.
constexpr std::array<TrackControl, 10> kTrackControls = {{
    {&TrackControls::volume, 0, 200},
    {&TrackControls::pan, -100, 100},
    {&TrackControls::cutoff, 20, kOpenCutoff},
    {&TrackControls::resonance, 0, 24},
    {&TrackControls::attack, 0, 5000},
    {&TrackControls::decay, 0, 5000},
    {&TrackControls::sustain, 0, 100},
    {&TrackControls::release, 0, 5000},
    {&TrackControls::delay, 0, 100},
    {&TrackControls::reverb, 0, 100},
}};

// A voicing on its way to another in a straight line. What it is at a sample depends only on how many have passed
// since the last MoveTo, not on how they were counted.
class VoicingGlide {
  public:
    void JumpTo(const Voicing &target)
    {
        target_ = target;
        left_ = 0;
    }

    void MoveTo(const Voicing &target, uint32_t frames)
    {
        from_ = Value();
        target_ = target;
        frames_ = frames;
        left_ = frames;
    }

    void Advance(uint32_t frames)
    {
        left_ -= frames < left_ ? frames : left_;
    }

    // Samples until it arrives.
    uint32_t Left() const
    {
        return left_;
    }

    const Voicing &Target() const
    {
        return target_;
    }

    Voicing Value() const
    {
        if (left_ == 0) {
            return target_;
        }
        Voicing value;
        const float way = static_cast<float>(left_) / static_cast<float>(frames_);
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            value[part] = target_[part] + (from_[part] - target_[part]) * way;
        }
        return value;
    }

    // Whether `part` is anything but 0 now or on the way.
    bool Has(VoicingPart part) const
    {
        return target_[part] != 0.0f || (left_ > 0 && from_[part] != 0.0f);
    }

  private:
    Voicing from_ = {};
    Voicing target_ = {};
    uint32_t frames_ = 1;
    uint32_t left_ = 0;
};

}  // namespace synth

#endif
