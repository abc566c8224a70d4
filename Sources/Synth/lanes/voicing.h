// A track's controls as used per sample: its gains and its low-pass. All of it glides.

#ifndef PIXELBOOP_SYNTH_VOICING_H
#define PIXELBOOP_SYNTH_VOICING_H

#include <array>
#include <cstdint>

namespace synth {

// Half the gains to the left, to the right and to the two effects, because the filter outputs twice its signal; and the
// low-pass's coefficients.
enum VoicingPart : uint32_t { kLeft, kRight, kToDelay, kToReverb, kTwoA1Minus1, kTwoA2, kTwoA3, kVoicingParts };

typedef std::array<float, kVoicingParts> Voicing;

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
