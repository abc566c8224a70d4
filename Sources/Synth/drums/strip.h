// The channel strip of the rhythm track: one low-pass and one set of gains for all its drums. Melodic voices each have
// their own.

#ifndef PIXELBOOP_SYNTH_STRIP_H
#define PIXELBOOP_SYNTH_STRIP_H

#include <algorithm>
#include <cstdint>

#include "../base/glide.h"
#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../lanes/mix.h"
#include "../lanes/voicing.h"

namespace synth {

class Strip {
  public:
    explicit Strip(const Voicing &voicing)
    {
        voicing_.JumpTo(voicing);
    }

    // Moves to `voicing` within `frames`, 0 for at once. If `open`, the low-pass is then bypassed.
    void MoveTo(const Voicing &voicing, bool open, uint32_t frames)
    {
        if (IsOpen()) {
            left_.Clear();
            right_.Clear();
        }
        voicing_.MoveTo(voicing, frames);
        filtered_.MoveTo(open ? 0.0f : 1.0f, frames);
    }

    bool Has(VoicingPart part) const
    {
        return voicing_.Has(part);
    }

    // Adds `frames` samples to `mix` from its sample `at` on; if `sends`, also to the effect sends. `right` is `left`
    // while both channels are the same.
    void Add(Block &left, Block &right, Mix &mix, uint32_t at, uint32_t frames, bool sends)
    {
        const bool is_stereo = &left != &right;
        uint32_t i = 0;
        for (; i < frames && voicing_.Left() > 0; ++i) {
            const Voicing voicing = voicing_.Value();
            const float filtered = filtered_.Next();
            left[i] = Blended(left[i], filtered, voicing, left_);
            if (is_stereo) {
                right[i] = Blended(right[i], filtered, voicing, right_);
            }
            Place(left, right, mix, at, i, i + 1, voicing, sends);
            voicing_.Advance(1);
        }
        if (i == frames) {
            return;
        }
        const Voicing voicing = voicing_.Value();
        Filter(left, i, frames, voicing, left_);
        if (is_stereo) {
            Filter(right, i, frames, voicing, right_);
        }
        Place(left, right, mix, at, i, frames, voicing, sends);
    }

    // The channels are no longer the same from now on.
    void Split()
    {
        right_ = left_;
    }

    // Whether silence in gives silence out.
    bool AtRest() const
    {
        return IsOpen() || (left_.AtRest() && right_.AtRest());
    }

    // Advances by `frames` samples of silence; only at rest.
    void Rest(uint32_t frames)
    {
        voicing_.Advance(frames);
        for (uint32_t i = 0; i < frames && filtered_.Moving(); ++i) {
            filtered_.Next();
        }
    }

  private:
    // Whether the low-pass is bypassed.
    bool IsOpen() const
    {
        return filtered_.Value() == 0.0f && !filtered_.Moving();
    }

    static void Place(const Block &left, const Block &right, Mix &mix, uint32_t at, uint32_t first, uint32_t end,
                      const Voicing &voicing, bool sends)
    {
        for (uint32_t i = first; i < end; ++i) {
            mix.left[at + i] += left[i] * voicing[kLeft];
            mix.right[at + i] += right[i] * voicing[kRight];
        }
        if (sends && voicing[kToDelay] != 0.0f) {
            Send(left, right, mix.to_delay, at, first, end, voicing[kToDelay]);
        }
        if (sends && voicing[kToReverb] != 0.0f) {
            Send(left, right, mix.to_reverb, at, first, end, voicing[kToReverb]);
        }
    }

    static void Send(const Block &left, const Block &right, Block &to, uint32_t at, uint32_t first, uint32_t end, float gain)
    {
        for (uint32_t i = first; i < end; ++i) {
            to[at + i] += 0.5f * (left[i] + right[i]) * gain;
        }
    }

    void Filter(Block &signal, uint32_t first, uint32_t end, const Voicing &voicing, Integrators<float> &integrators) const
    {
        const bool is_open = IsOpen();
        for (uint32_t i = first; i < end; ++i) {
            signal[i] = is_open ? 2.0f * signal[i] : TwiceLowPass(signal[i], voicing, integrators);
        }
    }

    // Twice the signal, low-passed in part while the low-pass comes or goes.
    static float Blended(float in, float filtered, const Voicing &voicing, Integrators<float> &integrators)
    {
        return 2.0f * in + filtered * (TwiceLowPass(in, voicing, integrators) - 2.0f * in);
    }

    static float TwiceLowPass(float in, const Voicing &voicing, Integrators<float> &integrators)
    {
        float band;
        float low;
        integrators.Step(in, voicing[kTwoA1Minus1], voicing[kTwoA2], voicing[kTwoA3], band, low);
        integrators.DropInaudible();
        return low;
    }

    VoicingGlide voicing_;
    Glide filtered_ = Glide(0.0f);
    Integrators<float> left_;
    Integrators<float> right_;  // at rest until the channels differ
};

}  // namespace synth

#endif
