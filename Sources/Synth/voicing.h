// A track's controls as used per sample: its gains and its low-pass. All of it glides.

#ifndef PIXELBOOP_SYNTH_VOICING_H
#define PIXELBOOP_SYNTH_VOICING_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "elementary.h"
#include "lanes/filter.h"
#include "synth.h"

namespace synth {

// Half the gains to the left, to the right and to the two effects, because the filter outputs twice its signal; and the
// low-pass's coefficients.
enum VoicingPart : uint32_t { kLeft, kRight, kToDelay, kToReverb, kTwoA1Minus1, kTwoA2, kTwoA3, kVoicingParts };

typedef std::array<float, kVoicingParts> Voicing;

// Cut-off in hertz at which the rhythm track's low-pass is bypassed.
constexpr int32_t kOpenCutoff = 20000;

constexpr int32_t kLowestCutoff = 20;

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
    int32_t model = 0;
    int32_t level = 0;
    int32_t unison = 1;
    int32_t drive = 0;
    int32_t chorus = 0;
    int32_t lfo_rate = 500;
    int32_t lfo_shape = SynthLfoSine;
    int32_t lfo_depth = 0;
    int32_t lfo_target = SynthTargetPitch;
    int32_t envelope_depth = 0;
    int32_t envelope_target = SynthTargetCutoff;
    int32_t envelope_decay = 300;
    std::array<int32_t, synth_timbres> timbre = {};

    // Constant-power panning with gain 1 in the middle. A note may have a gain and a factor of the cut-off of its own.
    Voicing Voiced(uint32_t rate, double gain = 1.0, double cutoff_ratio = 1.0) const
    {
        constexpr double kRootOf2 = 1.41421356237309504880;
        const double half_gain = volume / 200.0 * Gain(level) * gain;
        const double angle = (pan + 100) / 400.0 * kPi;
        const FilterCoefficients filter =
            FilterCoefficients::Make(std::clamp<double>(cutoff * cutoff_ratio, kLowestCutoff, kOpenCutoff),
                                     Power(kOneDecibel, static_cast<uint32_t>(resonance)), rate);
        return {static_cast<float>(half_gain * kRootOf2 * Sine(kPi / 2.0 - angle)),
                static_cast<float>(half_gain * kRootOf2 * Sine(angle)),
                static_cast<float>(half_gain * delay / 100.0),
                static_cast<float>(half_gain * reverb / 100.0),
                filter.two_a1_minus_1, filter.two_a2, filter.two_a3};
    }

    // Gain of a level in tenths of a decibel; exactly 1 for 0.
    static double Gain(int32_t tenths)
    {
        constexpr double kTenthOfDecibel = 1.01157945425989852444;  // 10^(1/200)
        const double gain = Power(kTenthOfDecibel, static_cast<uint32_t>(tenths < 0 ? -tenths : tenths));
        return tenths < 0 ? 1.0 / gain : gain;
    }
};

// One control and its range.
struct TrackControl {
    int32_t TrackControls::*value;
    SynthRange range;
};

// In the order of their numbers, from SynthTrackVolume to SynthTrackEnvelopeDecay; the timbre controls follow.
constexpr std::array<TrackControl, SynthTrackTimbre - SynthTrackVolume> kTrackControls = {{
    {&TrackControls::volume, {0, 200}},
    {&TrackControls::pan, {-100, 100}},
    {&TrackControls::cutoff, {kLowestCutoff, kOpenCutoff}},
    {&TrackControls::resonance, {0, 24}},
    {&TrackControls::attack, {0, 5000}},
    {&TrackControls::decay, {0, 5000}},
    {&TrackControls::sustain, {0, 100}},
    {&TrackControls::release, {0, 5000}},
    {&TrackControls::delay, {0, 100}},
    {&TrackControls::reverb, {0, 100}},
    {&TrackControls::model, {0, synth_models - 1}},
    {&TrackControls::level, {-240, 240}},
    {&TrackControls::unison, {1, 4}},
    {&TrackControls::drive, {0, 100}},
    {&TrackControls::chorus, {0, 100}},
    {&TrackControls::lfo_rate, {2, 2000}},
    {&TrackControls::lfo_shape, {0, synth_lfo_shapes - 1}},
    {&TrackControls::lfo_depth, {0, 100}},
    {&TrackControls::lfo_target, {0, synth_targets - 1}},
    {&TrackControls::envelope_depth, {-100, 100}},
    {&TrackControls::envelope_target, {0, synth_targets - 1}},
    {&TrackControls::envelope_decay, {1, 5000}},
}};

// The value of a track's `control`; null for another control.
inline int32_t *ControlOf(TrackControls &controls, SynthControl control)
{
    const uint32_t number = control - static_cast<uint32_t>(SynthTrackVolume);
    if (number < kTrackControls.size()) {
        return &(controls.*kTrackControls[number].value);
    }
    const uint32_t timbre = control - static_cast<uint32_t>(SynthTrackTimbre);
    return timbre < synth_timbres ? &controls.timbre[timbre] : nullptr;
}

// Range of the values of `control`; 0 to 0 for another number.
constexpr SynthRange RangeOf(SynthControl control)
{
    switch (control) {
    case SynthSwing:
        return {50, 75};
    case SynthDelaySteps:
        return {1, 8};
    case SynthDelayFeedback:
        return {0, 90};
    case SynthReverbTime:
        return {3, 100};
    case SynthDelayWidth:
    case SynthCompression:
    case SynthPulseLevel:
        return {0, 100};
    case SynthPulseOutput:
        return {SynthPulseOff, synth_channels};
    case SynthPulsesPerQuarter:
        return {1, 48};
    case SynthPulseMilliseconds:
        return {1, 50};
    case SynthTone:
        return {-100, 100};
    default:
        const uint32_t number = control - static_cast<uint32_t>(SynthTrackVolume);
        if (number < kTrackControls.size()) {
            return kTrackControls[number].range;
        }
        const uint32_t timbre = control - static_cast<uint32_t>(SynthTrackTimbre);
        return timbre < synth_timbres ? SynthRange{0, 100} : SynthRange{0, 0};
    }
}

// Changes of a track's controls by the lanes of a step.
struct LockedControls {
    int32_t cutoff = 0;  // percent of five octaves
    int32_t resonance = 0;  // percent of 24 dB
    int32_t pan = 0;
    int32_t delay = 0;
    int32_t reverb = 0;

    bool operator==(const LockedControls &other) const
    {
        return cutoff == other.cutoff && resonance == other.resonance && pan == other.pan && delay == other.delay
            && reverb == other.reverb;
    }

    // `controls` with the changes, each within its range.
    TrackControls Applied(const TrackControls &controls) const
    {
        constexpr double kPercent = 1.03526492384137750435;  // 2^(5/100)
        TrackControls changed = controls;
        const double factor = Power(kPercent, static_cast<uint32_t>(cutoff < 0 ? -cutoff : cutoff));
        const double hertz = cutoff < 0 ? controls.cutoff / factor : controls.cutoff * factor;
        changed.cutoff = static_cast<int32_t>(std::clamp<double>(hertz, kLowestCutoff, kOpenCutoff) + 0.5);
        changed.resonance = std::clamp(controls.resonance + resonance * 24 / 100, 0, 24);
        changed.pan = std::clamp(controls.pan + pan, -100, 100);
        changed.delay = std::clamp(controls.delay + delay, 0, 100);
        changed.reverb = std::clamp(controls.reverb + reverb, 0, 100);
        return changed;
    }
};

// A linear transition between two voicings. Its value depends only on the number of samples since the last MoveTo, not
// on the block sizes.
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

    // Samples until the target is reached.
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

    // Whether `part` is non-zero now or during the transition.
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
