// The metronome click on every beat, higher on the first beat of a bar.

#ifndef PIXELBOOP_SYNTH_METRONOME_H
#define PIXELBOOP_SYNTH_METRONOME_H

#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "../lanes/bank.h"
#include "../lanes/segment.h"
#include "../lanes/waves.h"
#include "drum_sources.h"

namespace synth {

class Metronome {
  public:
    explicit Metronome(uint32_t rate) : rate_(rate)
    {
        const uint32_t attack = Frames(0.5, rate);
        const uint32_t decay = Frames(40.0, rate);
        for (uint32_t i = 0; i < kHertz.size(); ++i) {
            const float increment = static_cast<float>(PhaseIncrement(kHertz[i], rate));
            const float peak = static_cast<float>(kPeak);
            lists_[i].Add({attack, 0.0f, peak / static_cast<float>(attack), 0.0f, increment, 0.0f});
            lists_[i].Add({decay, peak, 0.0f, static_cast<float>(Decay(kPeak, kFloor, decay)), increment, 0.0f});
            lists_[i].Add(Ending(rate, kFloor, increment));
        }
    }

    void Click(uint64_t serial, bool is_bar)
    {
        voices_.Start(serial, 0, {Waves::Offset(Wave::sine, kHertz[0])}, lists_[is_bar ? 1 : 0], Frames(3.0, rate_));
    }

    void Fade(uint32_t frames)
    {
        voices_.Fade(1, frames);
    }

    bool Silent() const
    {
        return voices_.Silent();
    }

    void Render(const float *waves, MonoBus &bus, uint32_t frames)
    {
        voices_.Render(waves, bus, frames, true);
    }

  private:
    static constexpr double kPeak = 0.2;  // above an accented note, below a kick
    static constexpr std::array<double, 2> kHertz = {1000.0, 1500.0};

    uint32_t rate_;
    std::array<SegmentList, 2> lists_ = {};
    // At 200 BPM a click has long ended before the next.
    Bank<ToneSource, 4, 1> voices_;
};

}  // namespace synth

#endif
