// Expression of the notes that a keyboard holds, or that slide: bend, pressure and brightness. A change glides from
// update to update, so that the coarse steps of a controller are not heard.

#ifndef PIXELBOOP_SYNTH_EXPRESSION_H
#define PIXELBOOP_SYNTH_EXPRESSION_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/elementary.h"
#include "base/tracks.h"
#include "controls/modulation.h"
#include "lanes/ramp.h"
#include "synth.h"

namespace synth {

// Expression of one note, in the units of the commands that set it.
struct Expression {
    int32_t bend = 0;        // hundredths of a cent
    int32_t pressure = 0;    // thousandths, 0 to 1000
    int32_t brightness = 0;  // thousandths, -1000 to 1000

    static constexpr double kBendsPerOctave = 120000.0;

    // The expression of a command; every value is clamped to its range.
    static Expression Of(const SynthExpression &expression)
    {
        return {std::clamp<int32_t>(expression.bend, -synth_bend_max, +synth_bend_max),
                std::clamp<int32_t>(expression.pressure, 0, kWhole),
                std::clamp<int32_t>(expression.brightness, -kWhole, +kWhole)};
    }

    bool operator==(const Expression &other) const
    {
        return bend == other.bend && pressure == other.pressure && brightness == other.brightness;
    }

    // The same with a bend that keeps a note of `hertz` within the MIDI notes 0 and 108: lower it is no tone, and
    // higher the tables alias.
    Expression Within(double hertz) const
    {
        constexpr double kLowest = MidiHertz(0);
        constexpr double kHighest = MidiHertz(108);
        Expression expression = *this;
        if (bend > 0) {
            expression.bend = std::min(bend, static_cast<int32_t>(kBendsPerOctave * BinaryLogarithm(kHighest / hertz)));
        } else if (bend < 0) {
            expression.bend = std::max(bend, -static_cast<int32_t>(kBendsPerOctave * BinaryLogarithm(hertz / kLowest)));
        }
        return expression;
    }

    // Factor of the frequency.
    double Ratio() const
    {
        constexpr double kBend = 1.00000577624318709465;  // 2^(1/120000)
        return Signed(kBend, bend);
    }

    // Factor of the gain: full pressure is as loud as an accent.
    double Gain() const
    {
        return 1.0 + pressure / static_cast<double>(kWhole);
    }

    // Thousandths of an octave by which the low-pass opens: two octaves for brightness, one for pressure.
    int32_t Opening() const
    {
        return 2 * brightness + pressure;
    }

    // Factor of the low-pass's cut-off.
    double CutoffRatio() const
    {
        constexpr double kThousandth = 1.00069338746258063254;  // 2^(1/1000)
        return Signed(kThousandth, Opening());
    }

    // For a voice of a model at `hertz`.
    VoiceExpression Voice(double hertz, uint32_t rate) const
    {
        // No increment may pass a half turn: some voices have an oscillator an octave above, and detuned.
        constexpr double kHighestTurn = 0.22;
        VoiceExpression voice;
        voice.ratio = Ratio();
        voice.octaves = static_cast<float>(bend / kBendsPerOctave);
        voice.highest_octaves = static_cast<float>(BinaryLogarithm(kHighestTurn * rate / hertz));
        voice.gain = static_cast<float>(Gain());
        voice.cutoff = static_cast<float>(Opening() / static_cast<double>(kWhole));
        return voice;
    }

    // Whether `other` has the same gain and cut-off.
    bool SoundsAs(const Expression &other) const
    {
        return pressure == other.pressure && Opening() == other.Opening();
    }

  private:
    static constexpr int32_t kWhole = 1000;

    static double Signed(double base, int32_t exponent)
    {
        return exponent < 0 ? 1.0 / Power(base, static_cast<uint32_t>(-exponent))
                            : Power(base, static_cast<uint32_t>(exponent));
    }
};

// The held notes of the melodic tracks, and how far each has come on its way to its expression. A note keeps it when it
// is released.
class HeldNotes {
  public:
    static constexpr double kTime = 10.0;  // ms, of a whole change: shorter than a player notices, longer than a zipper

    explicit HeldNotes(uint32_t rate) : rate_(rate) {}

    struct Note {
        uint64_t serial = 0;  // 0 if the note was never held
        double tuning = 1.0;  // factor of its frequency in equal temperament
        Expression from;
        Expression to;
        Expression now;
        uint32_t ticks = 1;
        uint32_t ticks_left = 0;
    };

    // A note begins with `expression`, its frequency multiplied by `tuning`.
    void Begin(uint32_t track, uint32_t number, uint64_t serial, double tuning, const Expression &expression)
    {
        Note &note = notes_[track][number];
        note.serial = serial;
        note.tuning = tuning;
        note.to = expression;
        note.now = expression;
        note.ticks_left = 0;
        moving_[track] &= ~Bit(number);
    }

    // Factor of the frequency with which the note began.
    double TuningOf(uint32_t track, uint32_t number) const
    {
        return notes_[track][number].tuning;
    }

    // The note moves to `expression` within `milliseconds`, from the next update on.
    void MoveTo(uint32_t track, uint32_t number, const Expression &expression, double milliseconds = kTime)
    {
        Note &note = notes_[track][number];
        if (note.to == expression) {
            return;
        }
        note.from = note.now;
        note.to = expression;
        note.ticks = (Frames(milliseconds, rate_) + kTick - 1) / kTick;
        note.ticks_left = note.ticks;
        moving_[track] |= Bit(number);
    }

    // Whether the next update has something to do. It has once more when the last note has arrived.
    bool Moving() const
    {
        return (moving_[0] | moving_[1] | moving_[2]) != 0 || arrived_;
    }

    // An update: `action` gets each note that moves, and its expression before.
    template <typename Action>
    void Advance(Action action)
    {
        arrived_ = false;
        for (uint32_t track = 0; track < kMelodicTracks; ++track) {
            for (uint64_t left = moving_[track]; left != 0; left &= left - 1) {
                const uint32_t number = static_cast<uint32_t>(__builtin_ctzll(left));
                Note &note = notes_[track][number];
                const Expression before = note.now;
                note.ticks_left -= 1;
                note.now = {Between(note.from.bend, note.to.bend, note),
                            Between(note.from.pressure, note.to.pressure, note),
                            Between(note.from.brightness, note.to.brightness, note)};
                if (note.ticks_left == 0) {
                    moving_[track] &= ~Bit(number);
                }
                arrived_ = true;
                action(track, number, note, before);
            }
        }
    }

    // Performs `action` with each note of `track` whose gain or cut-off is not the track's.
    template <typename Action>
    void EachVoiced(uint32_t track, Action action) const
    {
        for (const Note &note : notes_[track]) {
            if (note.serial != 0 && !note.now.SoundsAs(Expression())) {
                action(note);
            }
        }
    }

  private:
    static constexpr uint64_t Bit(uint32_t number)
    {
        return uint64_t{1} << number;
    }

    static int32_t Between(int32_t from, int32_t to, const Note &note)
    {
        return to + static_cast<int32_t>((int64_t{from} - to) * note.ticks_left / note.ticks);
    }

    const uint32_t rate_;
    std::array<std::array<Note, kMelodicNotes>, kMelodicTracks> notes_;
    std::array<uint64_t, kMelodicTracks> moving_ = {};  // a bit for each note
    bool arrived_ = false;  // whether a note moved in the last update: its voices still do
};

}  // namespace synth

#endif
