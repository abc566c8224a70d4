// Eight melodic voices. Like every source of a lane group, it is started on a lane, notified of each segment that
// begins there, and then computes one sample of eight lanes at a time and adds it to its bus.

#ifndef PIXELBOOP_SYNTH_MELODIC_SOURCE_H
#define PIXELBOOP_SYNTH_MELODIC_SOURCE_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../lanes/oscillator.h"
#include "../lanes/segment.h"
#include "../voicing.h"
#include "modulation.h"

namespace synth {

// The bus of melodic voices: both channels and the effect sends.
struct StereoBus {
    LaneBlock left;
    LaneBlock right;
    LaneBlock delay;
    LaneBlock reverb;

    // Silences the frames from `first` to before `end`.
    void Clear(uint32_t first, uint32_t end, bool sends)
    {
        std::fill(left.begin() + first, left.begin() + end, FloatLanes{});
        std::fill(right.begin() + first, right.begin() + end, FloatLanes{});
        if (sends) {
            std::fill(delay.begin() + first, delay.begin() + end, FloatLanes{});
            std::fill(reverb.begin() + first, reverb.begin() + end, FloatLanes{});
        }
    }
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

    static constexpr bool kBends = true;

    // The oscillator of a voice that is bent.
    struct Pitch {
        uint32_t table;
        uint32_t increment;
    };

    // Target of each lane's voicing and increment, and its change per sample; and the way from the last tables to the
    // oscillator's. Separate from the state that the inner loop uses.
    struct Glides {
        std::array<FloatLanes, kVoicingParts> target = {};
        std::array<FloatLanes, kVoicingParts> slope = {};
        UintLanes increment = {};
        UintLanes increment_slope = {};
        UintLanes last_table = {};
        float way = 0.0f;
        bool changes_table = false;
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

    // Moves the lane's pitch to `pitch` within an update.
    void BeginBend(uint32_t lane, const Pitch &pitch, Glides &glides)
    {
        const int32_t way = static_cast<int32_t>(pitch.increment - increment_[lane]);
        glides.increment[lane] = pitch.increment;
        glides.increment_slope[lane] = static_cast<uint32_t>(way / static_cast<int32_t>(kTick));
        if (pitch.table != oscillator_.Table(lane)) {
            if (!glides.changes_table) {
                for (uint32_t other = 0; other < kLanes; ++other) {
                    glides.last_table[other] = oscillator_.Table(other);
                }
                glides.way = 0.0f;
                glides.changes_table = true;
            }
            oscillator_.SetTable(lane, pitch.table);
        }
    }

    void EndBend(uint32_t lane, Glides &glides)
    {
        glides.increment_slope[lane] = 0;
        increment_[lane] = glides.increment[lane];
        glides.last_table[lane] = oscillator_.Table(lane);
    }

    // The lanes have their tables.
    static void EndBends(Glides &glides)
    {
        glides.changes_table = false;
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
        increment_ += glides.increment_slope;
    }

    void Next(const float *waves, const Bus &, uint32_t, FloatLanes &signal)
    {
        oscillator_.Next(waves, increment_, signal);
        Filter(signal);
    }

    // The same while a voice of the group may be bent.
    void NextOfBend(const float *waves, Glides &glides, FloatLanes &signal)
    {
        if (glides.changes_table) {
            oscillator_.NextBetween(waves, increment_, glides.last_table, glides.way, signal);
            glides.way += 1.0f / kTick;
        } else {
            oscillator_.Next(waves, increment_, signal);
        }
        Filter(signal);
    }

    template <bool overwrites, bool sending>
    void Add(const FloatLanes &signal, Bus &bus, uint32_t frame)
    {
        AddTo<overwrites>(bus.left[frame], signal * voicing_[kLeft]);
        AddTo<overwrites>(bus.right[frame], signal * voicing_[kRight]);
        if (sending) {
            AddTo<overwrites>(bus.delay[frame], signal * voicing_[kToDelay]);
            AddTo<overwrites>(bus.reverb[frame], signal * voicing_[kToReverb]);
        }
    }

  private:
    void Filter(FloatLanes &signal)
    {
        FloatLanes twice_band;
        FloatLanes twice_low;
        integrators_.Step(signal, voicing_[kTwoA1Minus1], voicing_[kTwoA2], voicing_[kTwoA3], twice_band, twice_low);
        signal = twice_low;
    }

    Oscillator oscillator_;
    UintLanes increment_ = {};
    Integrators<FloatLanes> integrators_;
    std::array<FloatLanes, kVoicingParts> voicing_ = {};
};

}  // namespace synth

#endif
