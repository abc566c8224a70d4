// Eight voices of a model: an oscillator, a filter and a modulation envelope each. A source of lane groups, like
// MelodicSource; every voice of a bank belongs to one track. Its lane group makes samples in steps: see
// LaneGroup::Make.

#ifndef PIXELBOOP_SYNTH_MODEL_SOURCE_H
#define PIXELBOOP_SYNTH_MODEL_SOURCE_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../controls/modulation.h"
#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/lanes.h"
#include "../lanes/oscillator.h"
#include "../lanes/ramp.h"
#include "../lanes/segment.h"
#include "../lanes/voicing.h"
#include "voice_generator.h"

namespace synth {

// The state that the loop over the samples uses: the filters of eight voices.
template <typename Filter>
struct ModelLoop {
    typedef std::array<FloatLanes, Filter::kNumbers> Coefficients;

    Filter filter;
    Coefficients coefficients = {};
    Coefficients slopes = {};

    void Glide(Coefficients &moving) const
    {
        for (uint32_t i = 0; i < Filter::kNumbers; ++i) {
            moving[i] += slopes[i];
        }
    }
};

// `Generator` makes the waves: see analogue.h for an example.
template <typename Generator>
class ModelSource {
  public:
    typedef typename Generator::Filter Filter;

    ModelLoop<Filter> &Loop()
    {
        return loop_;
    }

    struct Sound {
        const VoiceStart *start;
        const Tick *tick;
    };

    Generator &Waves()
    {
        return generator_;
    }

    // Gains of the voices. A free lane keeps its own: the samples before its end may still wait for them.
    const FloatLanes &Left() const
    {
        return left_;
    }

    const FloatLanes &Right() const
    {
        return right_;
    }

    // Nothing glides by itself: the updates move everything.
    struct Glides {};
    static constexpr bool kBends = false;
    void BeginGlide(uint32_t, const Voicing &, uint32_t, Glides &) {}
    void EndGlide(uint32_t, Glides &) {}

    void Start(uint32_t lane, const Sound &sound)
    {
        loop_.filter.Clear(lane);
        generator_.Start(lane, *sound.start);
        envelope_[lane] = 1.0f + (sound.start->velocity > 1 ? Generator::Accent(sound.start->parts) : 0.0f);
        left_[lane] = sound.start->left;
        right_[lane] = sound.start->right;
        changed_ &= ~(1u << lane);
        SetExpression(lane, sound.start->expression);
        gain_.Set(lane, sound.start->expression.gain);
        Coefficients coefficients;
        Numbers numbers;
        Compute(*sound.tick, coefficients, numbers);
        for (uint32_t i = 0; i < Filter::kNumbers; ++i) {
            loop_.coefficients[i][lane] = coefficients[i][lane];
            loop_.slopes[i][lane] = 0.0f;
        }
        for (uint32_t i = 0; i < Generator::kNumbers; ++i) {
            numbers_[i].Set(lane, numbers[i][lane]);
        }
    }

    void Begin(uint32_t, const Segment &) {}

    // The voice on `lane` reaches `expression` at the end of the update that comes next.
    void Express(uint32_t lane, const VoiceExpression &expression)
    {
        SetExpression(lane, expression);
        ratios_[lane] = expression.ratio;
        changed_ |= 1u << lane;
    }

    void Clear(uint32_t lane)
    {
        loop_.filter.Clear(lane);
        generator_.Clear(lane);
        expressed_ &= ~(1u << lane);
        changed_ &= ~(1u << lane);
        envelope_[lane] = 0.0f;
        for (uint32_t i = 0; i < Filter::kNumbers; ++i) {
            loop_.coefficients[i][lane] = 0.0f;
            loop_.slopes[i][lane] = 0.0f;
        }
        for (LaneRamp &number : numbers_) {
            number.Set(lane, 0.0f);
        }
    }

    // An update: every lane reaches the values of `tick` at the next one.
    void Update(const Tick &tick)
    {
        const bool slides = generator_.Slides();
        generator_.Advance();
        if (!tick.moves && !slides && changed_ == 0) {
            if (moves_) {
                Numbers next;
                Compute(tick, loop_.coefficients, next);
                for (uint32_t i = 0; i < Generator::kNumbers; ++i) {
                    numbers_[i] = {next[i], next[i], FloatLanes{}};
                }
                Rest();
            }
            return;
        }
        for (; changed_ != 0; changed_ &= changed_ - 1) {
            const uint32_t lane = static_cast<uint32_t>(__builtin_ctz(changed_));
            generator_.Bend(lane, ratios_[lane]);
        }
        envelope_ -= envelope_ * tick.decay;
        Coefficients coefficients;
        Numbers next;
        Compute(tick, coefficients, next);
        for (uint32_t i = 0; i < Filter::kNumbers; ++i) {
            loop_.slopes[i] = (coefficients[i] - loop_.coefficients[i]) * (1.0f / kTick);
        }
        for (uint32_t i = 0; i < Generator::kNumbers; ++i) {
            numbers_[i].Arrive();
            numbers_[i].Aim(next[i]);
        }
        gain_.Arrive();
        gain_.Aim(gain_goal_);
        moves_ = true;
        NoticeSlopes();
    }

    // Every lane stays where it is, `at` frames after the last update.
    void Keep(uint32_t at)
    {
        Rest();
        for (LaneRamp &number : numbers_) {
            number.to = number.At(at);
            number.Arrive();
        }
        gain_.to = gain_.At(at);
        gain_.Arrive();
    }

    bool Moves() const
    {
        return moves_;
    }

    // Makes the waves of `frames` samples for the lanes in `lanes`, a bit mask. The first is `at` samples after the
    // last update. Up to seven more may be overwritten.
    void Make(const float *waves, uint32_t at, FloatLanes *signal, uint32_t frames, uint32_t lanes)
    {
        if constexpr (Generator::kByVoice) {
            bends_ ? MakeVoices<true>(waves, at, signal, frames, lanes) : MakeVoices<false>(waves, at, signal, frames, lanes);
        } else {
            generator_.Make(numbers_.data(), at, frames, lanes, signal);
        }
        if (expressed_ != 0) {
            for (uint32_t i = 0; i < frames; ++i) {
                signal[i] *= gain_.At(at + i);
            }
        }
    }

  private:
    typedef typename ModelLoop<Filter>::Coefficients Coefficients;
    typedef std::array<FloatLanes, Generator::kNumbers> Numbers;

    // Nothing moves until the next update.
    void Rest()
    {
        gain_.Arrive();
        moves_ = false;
        bends_ = false;
        loop_.slopes = {};
    }

    void SetExpression(uint32_t lane, const VoiceExpression &expression)
    {
        expressed_ |= expression.IsNeutral() ? 0 : 1u << lane;
        bend_[lane] = expression.octaves;
        highest_pitch_[lane] = expression.highest_octaves;
        opening_[lane] = expression.cutoff;
        gain_goal_[lane] = expression.gain;
    }

    void NoticeSlopes()
    {
        bends_ = false;
        for (const LaneRamp &number : numbers_) {
            bends_ = bends_ || AnyAudible(number.slope);
        }
    }

    template <bool moving>
    void MakeVoices(const float *waves, uint32_t first, FloatLanes *signal, uint32_t frames, uint32_t lanes)
    {
        VoiceWaves made;
        generator_.Before(numbers_.data(), first, frames, made);
        for (uint32_t lane = 0; lane < kLanes; ++lane) {
            if ((lanes >> lane & 1) == 0) {
                for (uint32_t done = 0; done < frames; done += kLanes) {
                    made[done / kLanes][lane] = FloatLanes{};
                }
                continue;
            }
            // From here on the lanes of a vector are eight samples of this voice.
            Numbers numbers;
            for (uint32_t i = 0; i < Generator::kNumbers; ++i) {
                numbers[i] = Splat(LaneOf(numbers_[i].from, lane));
            }
            for (uint32_t done = 0; done < frames; done += kLanes) {
                const Eight eight = EightAt<moving>(lane, first, frames, done, numbers);
                generator_.template Modulate<moving>(lane, numbers.data(), eight, made[done / kLanes][lane]);
            }
            for (uint32_t done = 0; done < frames; done += kLanes) {
                const Eight eight = EightAt<moving>(lane, first, frames, done, numbers);
                generator_.template Make<moving>(waves, lane, numbers.data(), eight, made[done / kLanes][lane]);
            }
            for (uint32_t done = 0; done < frames; done += kLanes) {
                const Eight eight = EightAt<moving>(lane, first, frames, done, numbers);
                generator_.template Finish<moving>(numbers.data(), eight, made[done / kLanes][lane]);
            }
        }
        for (uint32_t done = 0; done < frames; done += kLanes) {
            Transpose(made[done / kLanes], signal + done);
        }
    }

    // The eight of the voice on `lane` that begins after `done` of `frames` samples, and its numbers.
    template <bool moving>
    Eight EightAt(uint32_t lane, uint32_t first, uint32_t frames, uint32_t done, Numbers &numbers) const
    {
        const FloatLanes times = __builtin_convertvector(first + done + kOffsets, FloatLanes);
        for (uint32_t i = 0; moving && i < Generator::kNumbers; ++i) {
            numbers[i] = numbers_[i].OfVoice(lane, times);
        }
        return {done / kLanes, std::min(kLanes, frames - done), times};
    }

    void Compute(const Tick &tick, Coefficients &coefficients, Numbers &numbers) const
    {
        constexpr float kHighest = -1.152f;  // 0.45 of the sample rate
        constexpr float kLowest = -12.2f;    // 20 Hz at 96 kHz
        LaneParts parts;
        for (uint32_t i = 0; i < synth_targets; ++i) {
            parts[i] = tick.value[i] + tick.envelope[i] * envelope_;
        }
        for (uint32_t i = SynthTargetTimbre; i < synth_targets; ++i) {
            parts[i] = Clamped(parts[i], 0.0f, 1.0f);
        }
        FloatLanes pitch = Clamped(parts[SynthTargetPitch] + generator_.Slide(), -4.0f, 3.0f);
        if (expressed_ != 0) {
            parts[SynthTargetCutoff] += opening_;
            pitch = Least(pitch + bend_, highest_pitch_);
        }
        const FloatLanes hertz = Exp2(Clamped(parts[SynthTargetCutoff], kLowest, kHighest));
        Filter::Compute(TangentOfHalfTurns(hertz), Clamped(parts[SynthTargetResonance], 0.0f, 24.0f),
                        coefficients.data());
        generator_.Compute(parts, Exp2(pitch), numbers.data());
    }

    Generator generator_;
    ModelLoop<Filter> loop_;
    std::array<LaneRamp, Generator::kNumbers> numbers_ = {};
    FloatLanes left_ = {};
    FloatLanes right_ = {};
    FloatLanes envelope_ = {};
    // Expression of each voice: its pitch and low-pass in octaves, the limit of its pitch, and its gain.
    FloatLanes bend_ = {};
    FloatLanes highest_pitch_ = {};
    FloatLanes opening_ = {};
    FloatLanes gain_goal_ = {};
    LaneRamp gain_;
    std::array<double, kLanes> ratios_ = {};  // of the frequencies
    uint32_t expressed_ = 0;  // lanes whose expression is or was not neutral, one bit each
    uint32_t changed_ = 0;    // lanes whose expression changes at the next update
    bool moves_ = false;  // whether the coefficients do
    bool bends_ = false;  // whether the numbers move
};

}  // namespace synth

#endif
