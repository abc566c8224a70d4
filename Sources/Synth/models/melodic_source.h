// Eight melodic voices. Like every source of a lane group, it is started on a lane, notified of each segment that
// begins there, and then computes one sample of eight lanes at a time and adds it to its bus.

#ifndef PIXELBOOP_SYNTH_MELODIC_SOURCE_H
#define PIXELBOOP_SYNTH_MELODIC_SOURCE_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../controls/modulation.h"
#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../lanes/low_lanes.h"
#include "../lanes/oscillator.h"
#include "../lanes/ramp.h"
#include "../lanes/segment.h"
#include "../lanes/voicing.h"

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

// An oscillator of constant frequency, a low-pass and gains, of as many voices as `Floats` has lanes: the state that
// the loop over the samples uses.
template <typename Floats>
class MelodicLoop {
  public:
    typedef typename Integers<Floats>::Unsigned Uints;

    void Next(const float *waves, const StereoBus &, uint32_t, Floats &signal)
    {
        oscillator.Next(waves, increment, signal);
        Filter(signal);
    }

    void Filter(Floats &signal)
    {
        Floats twice_band;
        Floats twice_low;
        integrators.Step(signal, voicing[kTwoA1Minus1], voicing[kTwoA2], voicing[kTwoA3], twice_band, twice_low);
        signal = twice_low;
    }

    template <bool overwrites, bool sending>
    void Add(const Floats &signal, StereoBus &bus, uint32_t frame)
    {
        AddTo<overwrites>(bus.left[frame], signal * voicing[kLeft]);
        AddTo<overwrites>(bus.right[frame], signal * voicing[kRight]);
        if (sending) {
            AddTo<overwrites>(bus.delay[frame], signal * voicing[kToDelay]);
            AddTo<overwrites>(bus.reverb[frame], signal * voicing[kToReverb]);
        }
    }

    // Copies the voices that both have from `other`.
    template <typename Other>
    void CopyFrom(const MelodicLoop<Other> &other)
    {
        oscillator.CopyFrom(other.oscillator);
        CopyLanes(other.increment, increment);
        integrators.CopyFrom(other.integrators);
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            CopyLanes(other.voicing[part], voicing[part]);
        }
    }

    OscillatorOf<Floats> oscillator;
    Uints increment = {};
    Integrators<Floats> integrators;
    std::array<Floats, kVoicingParts> voicing = {};
};

// An oscillator of constant frequency through its track's low-pass and gains.
class MelodicSource : public MelodicLoop<FloatLanes> {
  public:
    typedef StereoBus Bus;
    typedef MelodicLoop<LowFloats> LowLoop;

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
        oscillator.Start(lane, sound.table);
        increment[lane] = sound.increment;
        integrators.Clear(lane);
        const Voicing value = sound.voicing->Value();
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            voicing[part][lane] = value[part];
        }
    }

    void Begin(uint32_t, const Segment &) {}

    void Clear(uint32_t lane)
    {
        oscillator.Start(lane, 0);
        increment[lane] = 0;
        integrators.Clear(lane);
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            voicing[part][lane] = 0.0f;
        }
    }

    // Moves the lane's voicing to `target` within `frames`.
    void BeginGlide(uint32_t lane, const Voicing &target, uint32_t frames, Glides &glides)
    {
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            glides.slope[part][lane] = (target[part] - voicing[part][lane]) / static_cast<float>(frames);
            glides.target[part][lane] = target[part];
        }
    }

    void EndGlide(uint32_t lane, Glides &glides)
    {
        for (uint32_t part = 0; part < kVoicingParts; ++part) {
            glides.slope[part][lane] = 0.0f;
            voicing[part][lane] = glides.target[part][lane];
        }
    }

    // Moves the lane's pitch to `pitch` within an update.
    void BeginBend(uint32_t lane, const Pitch &pitch, Glides &glides)
    {
        const int32_t way = static_cast<int32_t>(pitch.increment - increment[lane]);
        glides.increment[lane] = pitch.increment;
        glides.increment_slope[lane] = static_cast<uint32_t>(way / static_cast<int32_t>(kTick));
        if (pitch.table != oscillator.Table(lane)) {
            if (!glides.changes_table) {
                for (uint32_t other = 0; other < kLanes; ++other) {
                    glides.last_table[other] = oscillator.Table(other);
                }
                glides.way = 0.0f;
                glides.changes_table = true;
            }
            oscillator.SetTable(lane, pitch.table);
        }
    }

    void EndBend(uint32_t lane, Glides &glides)
    {
        glides.increment_slope[lane] = 0;
        increment[lane] = glides.increment[lane];
        glides.last_table[lane] = oscillator.Table(lane);
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
            voicing[part] += glides.slope[part];
        }
        increment += glides.increment_slope;
    }

    // The next sample while a voice of the group may be bent.
    void NextOfBend(const float *waves, Glides &glides, FloatLanes &signal)
    {
        if (glides.changes_table) {
            oscillator.NextBetween(waves, increment, glides.last_table, glides.way, signal);
            glides.way += 1.0f / kTick;
        } else {
            oscillator.Next(waves, increment, signal);
        }
        Filter(signal);
    }
};

}  // namespace synth

#endif
