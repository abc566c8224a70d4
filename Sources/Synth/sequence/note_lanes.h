// The values of single notes of one track in the engine's copy of a pattern. They stand in place of the lanes' values.

#ifndef PIXELBOOP_SYNTH_SEQUENCE_NOTE_LANES_H
#define PIXELBOOP_SYNTH_SEQUENCE_NOTE_LANES_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/tracks.h"
#include "lanes.h"
#include "synth.h"

namespace synth {

class NoteLanes {
  public:
    // Lanes of which a note may have values: those before slide and the offsets.
    static constexpr uint32_t kLanes = SynthLaneShift + 1;

    // Rows without values have no content: most patterns never touch the memory of the rows.
    NoteLanes() {}

    NoteLanes(const NoteLanes &) = delete;

    // Copies the rows with values only.
    NoteLanes &operator=(const NoteLanes &other)
    {
        if (Empty() && other.Empty()) {
            return *this;
        }
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            for (uint32_t note = 0; note < kMelodicNotes; ++note) {
                if (other.counts_[lane][note] != 0) {
                    values_[lane][note] = other.values_[lane][note];
                }
            }
        }
        counts_ = other.counts_;
        rows_ = other.rows_;
        velocities_ = other.velocities_;
        timed_ = other.timed_;
        return *this;
    }

    // Sets the value of `lane` for `note` at `step`; `synth_no_value` removes it. Other values are clamped.
    void Set(uint32_t lane, uint32_t note, uint32_t step, int16_t value)
    {
        uint8_t &count = counts_[lane][note];
        if (count == 0) {
            if (value == synth_no_value) {
                return;
            }
            values_[lane][note].fill(synth_no_value);
            CountRow(lane, 1);
        }
        int16_t &place = values_[lane][note][step];
        count -= place != synth_no_value;
        place = value == synth_no_value ? value : Lanes::Clamped(lane, value);
        count += place != synth_no_value;
        if (count == 0) {
            CountRow(lane, -1);
        }
        MarkTimed(note);
    }

    void Clear()
    {
        if (!Empty()) {
            counts_ = {};
            rows_ = 0;
            velocities_ = 0;
            timed_ = 0;
        }
    }

    bool Empty() const
    {
        return rows_ == 0;
    }

    // Whether there are no values but velocities: the notes begin and end as without values.
    bool IsPlain() const
    {
        return rows_ == velocities_;
    }

    bool Has(SynthLaneKind lane, uint32_t note, uint32_t step) const
    {
        return counts_[lane][note] != 0 && values_[lane][note][step] != synth_no_value;
    }

    // The value of `lane` for `note` at `step`, or `otherwise`.
    int32_t Value(SynthLaneKind lane, uint32_t note, uint32_t step, int32_t otherwise) const
    {
        return Has(lane, note, step) ? values_[lane][note][step] : otherwise;
    }

    // Notes that may have hits of their own, one bit each: with values that decide whether or when they sound.
    uint64_t Timed() const
    {
        return timed_;
    }

    // Whether `note` has hits of its own at `step`.
    bool IsTimed(uint32_t note, uint32_t step) const
    {
        return std::any_of(kTimed.begin(), kTimed.end(), [&](SynthLaneKind lane) { return Has(lane, note, step); });
    }

  private:
    static constexpr std::array<SynthLaneKind, 4> kTimed = {SynthLaneChance, SynthLaneWhen, SynthLaneRatchet,
                                                            SynthLaneShift};

    void CountRow(uint32_t lane, int32_t change)
    {
        rows_ += change;
        velocities_ += lane == SynthLaneVelocity ? change : 0;
    }

    void MarkTimed(uint32_t note)
    {
        const bool is_timed = std::any_of(kTimed.begin(), kTimed.end(),
                                          [&](SynthLaneKind lane) { return counts_[lane][note] != 0; });
        const uint64_t bit = uint64_t{1} << note;
        timed_ = is_timed ? timed_ | bit : timed_ & ~bit;
    }

    // By lane, note and step; valid where the row has a count.
    std::array<std::array<std::array<int16_t, synth_steps>, kMelodicNotes>, kLanes> values_;
    // Values of each row.
    std::array<std::array<uint8_t, kMelodicNotes>, kLanes> counts_ = {};
    int32_t rows_ = 0;
    int32_t velocities_ = 0;
    uint64_t timed_ = 0;
};

}  // namespace synth

#endif
