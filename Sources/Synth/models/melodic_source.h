// Eight melodic voices. Like every source of a lane group, it is started on a lane, notified of each segment that
// begins there, and then computes one sample of eight lanes at a time and adds it to its bus.

#ifndef PIXELBOOP_SYNTH_MELODIC_SOURCE_H
#define PIXELBOOP_SYNTH_MELODIC_SOURCE_H

#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../lanes/oscillator.h"
#include "../lanes/segment.h"
#include "../voicing.h"

namespace synth {

// The bus of melodic voices: both channels and the effect sends.
struct StereoBus {
    LaneBlock left;
    LaneBlock right;
    LaneBlock delay;
    LaneBlock reverb;
};

// An oscillator of constant frequency through its track's low-pass and gains.
class MelodicSource {
  public:
    typedef StereoBus Bus;

    struct Sound {
        uint32_t table;
        uint32_t increment;
        const VoicingGlide *voicing;
    };

    // Target of each lane's voicing, and its change per sample. Separate from the state that the inner loop uses.
    struct Glides {
        std::array<FloatLanes, kVoicingParts> target = {};
        std::array<FloatLanes, kVoicingParts> slope = {};
    };

    // The state that the loop over the samples uses.
    MelodicSource &Loop()
    {
        return *this;
    }

    void Start(uint32_t lane, const Sound &sound)
    {
        oscillator_.Start(lane, sound.table);
        increment_[lane] = sound.increment;
        integrators_.Clear(lane);
        const Voicing value = sound.voicing->Value();
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            voicing_[part][lane] = value[part];
        }
    }

    void Begin(uint32_t, const Segment &) {}

    void Clear(uint32_t lane)
    {
        oscillator_.Start(lane, 0);
        increment_[lane] = 0;
        integrators_.Clear(lane);
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            voicing_[part][lane] = 0.0f;
        }
    }

    // Moves the lane's voicing to `target` within `frames`.
    void BeginGlide(uint32_t lane, const Voicing &target, uint32_t frames, Glides &glides)
    {
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            glides.slope[part][lane] = (target[part] - voicing_[part][lane]) / static_cast<float>(frames);
            glides.target[part][lane] = target[part];
        }
    }

    void EndGlide(uint32_t lane, Glides &glides)
    {
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            glides.slope[part][lane] = 0.0f;
            voicing_[part][lane] = glides.target[part][lane];
        }
    }

    // Nothing is computed before the samples.
    void Prepare(const float *, const Bus &, uint32_t, uint32_t, uint32_t) {}

    // Whether it moves without a glide of the group.
    static constexpr bool Moves()
    {
        return false;
    }

    void Glide(const Glides &glides)
    {
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            voicing_[part] += glides.slope[part];
        }
    }

    void Next(const float *waves, const Bus &, uint32_t, FloatLanes &signal)
    {
        oscillator_.Next(waves, increment_, signal);
        FloatLanes twice_band;
        FloatLanes twice_low;
        integrators_.Step(signal, voicing_[kTwoA1Minus1], voicing_[kTwoA2], voicing_[kTwoA3], twice_band, twice_low);
        signal = twice_low;
    }

    template <bool sending>
    void Add(const FloatLanes &signal, Bus &bus, uint32_t frame)
    {
        bus.left[frame] += signal * voicing_[kLeft];
        bus.right[frame] += signal * voicing_[kRight];
        if (sending) {
            bus.delay[frame] += signal * voicing_[kToDelay];
            bus.reverb[frame] += signal * voicing_[kToReverb];
        }
    }

  private:
    Oscillator oscillator_;
    UintLanes increment_ = {};
    Integrators<FloatLanes> integrators_;
    std::array<FloatLanes, kVoicingParts> voicing_ = {};
};

}  // namespace synth

#endif
