// The acid model: one oscillator from saw to square and a sine an octave below, through a ladder. An accent opens the
// modulation envelope wider, and a note may slide from the one before.

#ifndef PIXELBOOP_SYNTH_ACID_H
#define PIXELBOOP_SYNTH_ACID_H

#include <cstdint>

#include "../base/elementary.h"
#include "../lanes/lane_math.h"
#include "../lanes/oscillator.h"
#include "saw_and_below.h"

namespace synth {

class Acid : public SawAndBelow {
  public:
    typedef Ladder Filter;
    static constexpr uint32_t kNumbers = 3;

    static float Accent(const Parts &parts)
    {
        return parts[SynthTargetTimbre + 2];
    }

    void Start(uint32_t lane, const VoiceStart &start)
    {
        SawAndBelow::Start(lane, start);
        slide_[lane] = Octaves(start);
        slide_step_[lane] = slide_[lane] * (kTick * 1000.0f / kSlideTime) / static_cast<float>(start.rate);
        slides_ = slides_ || slide_[lane] != 0.0f;
    }

    void Clear(uint32_t lane)
    {
        SawAndBelow::Clear(lane);
        slide_[lane] = 0.0f;
        slide_step_[lane] = 0.0f;
    }

    // Moves the voices that slide towards their notes.
    void Advance()
    {
        SawAndBelow::Advance();
        if (!slides_) {
            return;
        }
        const FloatLanes next = slide_ - slide_step_;
        // Past the note the sign changes.
        slide_ = next * slide_ > 0.0f ? next : FloatLanes{};
        slides_ = AddLanes(slide_ * slide_) != 0.0f;
    }

    const FloatLanes &Slide() const
    {
        return slide_;
    }

    bool Slides() const
    {
        return slides_;
    }

    void Compute(const LaneParts &parts, const FloatLanes &pitch, FloatLanes *numbers) const
    {
        numbers[kIncrement] = increment_ * pitch;
        numbers[kShape] = parts[SynthTargetTimbre];
        numbers[kBelow] = parts[SynthTargetTimbre + 1];
    }

    template <bool moving>
    void Make(const float *waves, uint32_t lane, const FloatLanes *numbers, const Eight &eight, FloatLanes &signal)
    {
        VoicePhases &voice = phases_[lane];
        const UintLanes increments = Increment(numbers[kIncrement]);
        const UintLanes phases = Phases<moving>(voice.first, increments, eight.count);
        LookUpShape<moving>(waves, lane, phases, numbers[kShape], eight.times, signal);
        signal += numbers[kBelow] * SineOfPhase(Phases<moving>(voice.below, increments >> 1, eight.count));
    }

  private:
    enum { kIncrement, kShape, kBelow };

    static constexpr float kSlideTime = 60.0f;  // ms

    // Octaves from which the pitch slides to the note.
    static float Octaves(const VoiceStart &start)
    {
        const int32_t percent = start.timbre[3];
        if (percent == 0 || start.before_hertz == 0.0) {
            return 0.0f;
        }
        return static_cast<float>(BinaryLogarithm(start.before_hertz / start.note_hertz) * percent / 100.0);
    }

    FloatLanes slide_ = {};  // octaves
    FloatLanes slide_step_ = {};
    bool slides_ = false;
};

}  // namespace synth

#endif
