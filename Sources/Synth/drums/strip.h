// The channel strip of the rhythm track: one low-pass and one set of gains for all its drums. Melodic voices each have
// their own.

#ifndef PIXELBOOP_SYNTH_STRIP_H
#define PIXELBOOP_SYNTH_STRIP_H

#include <algorithm>
#include <cstdint>

#include "../glide.h"
#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../mix.h"
#include "../voicing.h"

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
            integrators_.Clear();
        }
        voicing_.MoveTo(voicing, frames);
        filtered_.MoveTo(open ? 0.0f : 1.0f, frames);
    }

    bool Has(VoicingPart part) const
    {
        return voicing_.Has(part);
    }

    // Adds `frames` samples of `signal` to `mix` from its sample `at` on; if `sends`, also to the effect sends.
    void Add(Block &signal, Mix &mix, uint32_t at, uint32_t frames, bool sends)
    {
        uint32_t i = 0;
        for (; i < frames && voicing_.Left() > 0; ++i) {
            const Voicing voicing = voicing_.Value();
            signal[i] = 2.0f * signal[i] + filtered_.Next() * (TwiceLowPass(signal[i], voicing) - 2.0f * signal[i]);
            Place(signal, mix, at, i, i + 1, voicing, sends);
            voicing_.Advance(1);
        }
        if (i == frames) {
            return;
        }
        const Voicing voicing = voicing_.Value();
        const bool is_open = IsOpen();
        for (uint32_t j = i; j < frames; ++j) {
            signal[j] = is_open ? 2.0f * signal[j] : TwiceLowPass(signal[j], voicing);
        }
        Place(signal, mix, at, i, frames, voicing, sends);
    }

    // Whether silence in gives silence out.
    bool AtRest() const
    {
        return IsOpen() || integrators_.AtRest();
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

    static void Place(const Block &signal, Mix &mix, uint32_t at, uint32_t first, uint32_t end, const Voicing &voicing,
                      bool sends)
    {
        for (uint32_t i = first; i < end; ++i) {
            mix.left[at + i] += signal[i] * voicing[kLeft];
            mix.right[at + i] += signal[i] * voicing[kRight];
        }
        if (sends && voicing[kToDelay] != 0.0f) {
            Send(signal, mix.to_delay, at, first, end, voicing[kToDelay]);
        }
        if (sends && voicing[kToReverb] != 0.0f) {
            Send(signal, mix.to_reverb, at, first, end, voicing[kToReverb]);
        }
    }

    static void Send(const Block &signal, Block &to, uint32_t at, uint32_t first, uint32_t end, float gain)
    {
        for (uint32_t i = first; i < end; ++i) {
            to[at + i] += signal[i] * gain;
        }
    }

    float TwiceLowPass(float in, const Voicing &voicing)
    {
        float band;
        float low;
        integrators_.Step(in, voicing[kTwoA1Minus1], voicing[kTwoA2], voicing[kTwoA3], band, low);
        integrators_.DropInaudible();
        return low;
    }

    VoicingGlide voicing_;
    Glide filtered_ = Glide(0.0f);
    Integrators<float> integrators_;
};

}  // namespace synth

#endif
