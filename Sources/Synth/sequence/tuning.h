// Frequencies of the notes of a pattern: the offset of each pitch class from equal temperament, and A4.

#ifndef PIXELBOOP_SYNTH_TUNING_H
#define PIXELBOOP_SYNTH_TUNING_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "synth.h"

namespace synth {

class Tuning {
  public:
    static constexpr uint32_t kPitchClasses = 12;

    Tuning()
    {
        ratios_.fill(1.0);
    }

    // Sets the offset of `pitch_class`, 0 to 11 from C, in thousandths of a cent.
    void SetOffset(uint32_t pitch_class, int32_t offset)
    {
        offsets_[pitch_class] = std::clamp(offset, -synth_offset_max, +synth_offset_max);
        Compute();
    }

    // Sets the frequency of A4 in thousandths of a hertz.
    void SetReference(int32_t reference)
    {
        reference_ = reference;
        Compute();
    }

    // Factor of the frequency of MIDI note `note` in equal temperament; exactly 1 with A4 at 440 Hz and no offsets.
    double Ratio(uint32_t note) const
    {
        return ratios_[note % kPitchClasses];
    }

  private:
    static constexpr uint32_t kA = 9;
    static constexpr double kOffsetsPerOctave = 1200000.0;

    void Compute()
    {
        for (uint32_t note = 0; note < kPitchClasses; ++note) {
            const int32_t offset = offsets_[note] - offsets_[kA];
            ratios_[note] = reference_ / 440000.0 * PowerOfTwo(offset / kOffsetsPerOctave);
        }
    }

    std::array<int32_t, kPitchClasses> offsets_ = {};
    int32_t reference_ = 440000;
    std::array<double, kPitchClasses> ratios_;
};

}  // namespace synth

#endif
