// Eight voices of a model: an oscillator, a filter and a modulation envelope each. A source of lane groups, like
// MelodicSource; every voice of a bank belongs to one track.

#ifndef PIXELBOOP_SYNTH_MODEL_SOURCE_H
#define PIXELBOOP_SYNTH_MODEL_SOURCE_H

#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lane_math.h"
#include "../lanes/lanes.h"
#include "../lanes/segment.h"
#include "../lanes/waves.h"
#include "../voicing.h"
#include "modulation.h"

namespace synth {

// The bus of a track's voices. Unison voices are panned; else `left` alone carries the sum.
struct TrackBus {
    LaneBlock left;
    LaneBlock right;
};

// A voice that starts.
struct VoiceStart {
    double hertz;
    double highest_hertz;  // with the modulation of its pitch
    Wave wave;             // of the track's recipe
    Parts parts;           // the values of the controls, without the envelope
    uint32_t rate;
    uint32_t velocity;  // 1 or 2
    float accent;       // the modulation envelope begins at 1 + accent
    float slide;        // octaves from which the pitch slides to the note
    uint32_t seed;      // not 0
    uint32_t phase;     // of its oscillators, in 2^-32 turns
    float left;         // gains
    float right;
};

// The values of eight lanes for each part.
typedef std::array<FloatLanes, synth_targets> LaneParts;

// The low-pass of most models, 12 dB per octave.
class TwoPole {
  public:
    static constexpr uint32_t kNumbers = 3;

    // The coefficients of a cut-off with g = tan(pi f / rate), at `resonance` decibels.
    static void Compute(const FloatLanes &g, const FloatLanes &resonance, FloatLanes *numbers)
    {
        const FloatLanes k = Exp2(resonance * -0.166096405f);  // 1 / Q; log2(10) / 20
        const FloatLanes a1 = 1.0f / (1.0f + g * (g + k));
        numbers[0] = 2.0f * a1 - 1.0f;
        numbers[1] = 2.0f * g * a1;
        numbers[2] = g * numbers[1];
    }

    void Clear(uint32_t lane)
    {
        integrators_.Clear(lane);
    }

    void Step(FloatLanes &signal, const FloatLanes *numbers)
    {
        FloatLanes twice_band;
        FloatLanes twice_low;
        integrators_.Step(signal, numbers[0], numbers[1], numbers[2], twice_band, twice_low);
        signal = 0.5f * twice_low;
    }

  private:
    Integrators<FloatLanes> integrators_;
};

// A four-pole ladder, 24 dB per octave, with feedback that has no delay (Zavalishin, "The Art of VA Filter Design",
// chapter 5). It is linear, and so adds no aliases; it does not oscillate by itself.
class Ladder {
  public:
    static constexpr uint32_t kNumbers = 2;

    static void Compute(const FloatLanes &g, const FloatLanes &resonance, FloatLanes *numbers)
    {
        numbers[0] = g / (1.0f + g);
        numbers[1] = 3.9f - 3.9f * Exp2(resonance * -0.166096405f);
    }

    void Clear(uint32_t lane)
    {
        for (FloatLanes &state : states_) {
            state[lane] = 0.0f;
        }
    }

    void Step(FloatLanes &signal, const FloatLanes *numbers)
    {
        const FloatLanes g = numbers[0];
        const FloatLanes k = numbers[1];
        const FloatLanes g2 = g * g;
        const FloatLanes fed =
            (((states_[0] * g + states_[1]) * g + states_[2]) * g + states_[3]) * (1.0f - g);
        // Half of the loss of the bass is made good, as a player expects of a bass filter.
        FloatLanes x = (signal * (1.0f + 0.5f * k) - k * fed) / (1.0f + k * g2 * g2);
        for (FloatLanes &state : states_) {
            const FloatLanes v = (x - state) * g;
            x = v + state;
            state = x + v;
        }
        signal = x;
    }

  private:
    std::array<FloatLanes, 4> states_ = {};
};

// `Generator` makes the waves: see analogue.h for what it has to offer.
template <typename Generator, typename Filter = TwoPole>
class ModelSource {
  public:
    typedef TrackBus Bus;

    struct Sound {
        const VoiceStart *start;
        const Tick *tick;
    };

    Generator &Waves()
    {
        return generator_;
    }

    // Nothing glides by itself: the updates move everything.
    struct Glides {};
    void BeginGlide(uint32_t, const Voicing &, uint32_t, Glides &) {}
    void EndGlide(uint32_t, Glides &) {}

    void Start(uint32_t lane, const Sound &sound)
    {
        filter_.Clear(lane);
        generator_.Start(lane, *sound.start);
        envelope_[lane] = 1.0f + sound.start->accent;
        slide_[lane] = sound.start->slide;
        slide_step_[lane] = sound.start->slide * (kTick * 1000.0f / kSlideTime) / static_cast<float>(sound.start->rate);
        left_[lane] = sound.start->left;
        right_[lane] = sound.start->right;
        slides_ = slides_ || sound.start->slide != 0.0f;
        Numbers numbers;
        Compute(*sound.tick, numbers);
        for (uint32_t i = 0; i < kNumbers; ++i) {
            numbers_[i][lane] = numbers[i][lane];
            slopes_[i][lane] = 0.0f;
        }
        generator_.Notice(&numbers_[Filter::kNumbers], &numbers[Filter::kNumbers]);
    }

    void Begin(uint32_t, const Segment &) {}

    void Clear(uint32_t lane)
    {
        filter_.Clear(lane);
        generator_.Clear(lane);
        envelope_[lane] = 0.0f;
        slide_[lane] = 0.0f;
        slide_step_[lane] = 0.0f;
        left_[lane] = 0.0f;
        right_[lane] = 0.0f;
        for (uint32_t i = 0; i < kNumbers; ++i) {
            numbers_[i][lane] = 0.0f;
            slopes_[i][lane] = 0.0f;
        }
    }

    // An update: every lane reaches the values of `tick` at the next one.
    void Update(const Tick &tick)
    {
        if (!tick.moves && !slides_) {
            if (moves_) {
                Compute(tick, numbers_);
                generator_.Notice(&numbers_[Filter::kNumbers], &numbers_[Filter::kNumbers]);
                moves_ = false;
            }
            return;
        }
        envelope_ -= envelope_ * tick.decay;
        Slide();
        Numbers next;
        Compute(tick, next);
        for (uint32_t i = 0; i < kNumbers; ++i) {
            slopes_[i] = (next[i] - numbers_[i]) * (1.0f / kTick);
        }
        generator_.Notice(&numbers_[Filter::kNumbers], &next[Filter::kNumbers]);
        moves_ = true;
    }

    // Every lane stays where it is.
    void Keep()
    {
        moves_ = false;
    }

    bool Moves() const
    {
        return moves_;
    }

    void Glide(const Glides &)
    {
        for (uint32_t i = 0; i < kNumbers; ++i) {
            numbers_[i] += slopes_[i];
        }
    }

    void Next(const float *waves, FloatLanes &signal)
    {
        generator_.Next(waves, &numbers_[Filter::kNumbers], signal);
        filter_.Step(signal, numbers_.data());
    }

    template <bool panned>
    void Add(const FloatLanes &signal, Bus &bus, uint32_t frame)
    {
        bus.left[frame] += signal * left_;
        if (panned) {
            bus.right[frame] += signal * right_;
        }
    }

  private:
    static constexpr uint32_t kNumbers = Filter::kNumbers + Generator::kNumbers;

    typedef std::array<FloatLanes, kNumbers> Numbers;

    static constexpr float kSlideTime = 60.0f;  // ms

    // Moves the lanes that slide towards their notes.
    void Slide()
    {
        if (!slides_) {
            return;
        }
        const FloatLanes next = slide_ - slide_step_;
        // Past the note the sign changes.
        slide_ = next * slide_ > 0.0f ? next : FloatLanes{};
        slides_ = AddLanes(slide_ * slide_) != 0.0f;
    }

    void Compute(const Tick &tick, Numbers &numbers) const
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
        const FloatLanes hertz = Exp2(Clamped(parts[SynthTargetCutoff], kLowest, kHighest));
        Filter::Compute(TangentOfHalfTurns(hertz), Clamped(parts[SynthTargetResonance], 0.0f, 24.0f), numbers.data());
        generator_.Compute(parts, Exp2(Clamped(parts[SynthTargetPitch] + slide_, -4.0f, 3.0f)),
                           &numbers[Filter::kNumbers]);
    }

    Generator generator_;
    Filter filter_;
    Numbers numbers_ = {};
    Numbers slopes_ = {};
    FloatLanes envelope_ = {};
    FloatLanes slide_ = {};
    FloatLanes slide_step_ = {};
    FloatLanes left_ = {};
    FloatLanes right_ = {};
    bool moves_ = false;
    bool slides_ = false;
};

}  // namespace synth

#endif
