// The steps of a track that has lanes or a shape of its own: which comes when, and when its hits begin.
//
// Problem: a step may be shifted by half its length and have eight hits, so that hits of two steps alternate; length,
// division and direction may change while the track plays; and the track must stay with the pattern for hours.
//
// Idea: a step has a number, counted from the track's begin. Its place on the clock's line is a function of the number
// and the division alone, so nothing adds up. Which of the pattern's cells it plays is a function of the number too,
// from the number with which the present order began (index_).
//
// Algorithm: a window has the first step that is not over and the one after it. Next computes the place of each one's
// next hit and returns the earlier; Pop plays it, and moves the window when its first step is over. A change of the
// division converts the number, rounded up; a change of the order sets index_, so that the order goes on. Notes with
// values of their own that decide whether or when they sound have hits of their own within their step.
//
// Every place is a whole number of the clock's units, rounded up from an exact fraction, so that a hit sounds at the
// first frame not before its time.

#ifndef PIXELBOOP_SYNTH_TRACK_RUNNER_H
#define PIXELBOOP_SYNTH_TRACK_RUNNER_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/tracks.h"
#include "clock.h"
#include "dice.h"
#include "pattern.h"

namespace synth {

class TrackRunner {
  public:
    // The note of a hit of all notes of its step that have no hits of their own.
    static constexpr uint32_t kAllNotes = UINT8_MAX;

    // A step of the track whose hits have begun or begin next.
    struct Step {
        uint32_t pattern;  // its pattern's number
        uint64_t number;    // counted from the track's begin
        uint32_t step;      // of the pattern's cells
        uint64_t turn;      // how often the track has begun before
        uint64_t timed;     // notes with hits of their own, one bit each
        uint32_t twelfths;  // its length
        // One of its hits.
        uint32_t note;  // kAllNotes, or one of `timed`
        uint32_t hits;
        uint32_t hit;
        bool sounds;
    };

    // The track begins where the clock's line has the step `origin`, and has played `steps` steps of the pattern since.
    void Begin(int64_t origin, int64_t steps)
    {
        origin_ = origin;
        delay_ = 0;
        before_ = 0;
        elapsed_ = 12 * steps;
        index_ = 0;
        turns_ = 0;
        Empty();
        condition_met_ = false;
        notes_met_ = 0;
        is_new_ = true;
        is_passed_ = false;
    }

    // The track begins alone, with the due step of the clock. Its own steps of a pattern's step swing with the pattern.
    void BeginAlone(const Clock &clock)
    {
        Begin(clock.DueStep(), 0);
        delay_ = clock.DueDelay();
        before_ = clock.IsSecondDue() ? 1 : 0;
    }

    // The track of the pattern with the begin `origin` has played a step without this runner, `steps` steps after it. If
    // the track gets lanes or a shape now, the runner begins with the first step that has not begun.
    void Pass(int64_t origin, int64_t steps)
    {
        if (origin != origin_) {
            Begin(origin, steps);
        }
        elapsed_ = 12 * steps + 1;
        Empty();
        is_new_ = true;
        is_passed_ = true;
    }

    // Whether hits may be left: the track has not passed a step without its runner since.
    bool IsRunning() const
    {
        return !is_new_;
    }

    // Whether the step at `place` of the clock's line has begun, early.
    bool HasBegun(int64_t place_of_line) const
    {
        const uint64_t place = 12 * static_cast<uint64_t>(place_of_line - origin_);
        const auto is_it = [place](const Place &other) {
            return other.has_begun && other.step.number * other.step.twelfths == place;
        };
        return IsRunning() && (number_ * shape_.twelfths > place || std::any_of(window_.begin(), window_.end(), is_it));
    }

    // Units of the clock's line at which the next hit begins, for `pattern` with the number `current`; INT64_MAX for
    // none. Steps from `end` on, in steps of the line, do not begin.
    int64_t Next(const Clock &clock, const Pattern &pattern, uint32_t current, uint32_t track, int64_t end)
    {
        Arrange(pattern.ShapeOf(track), pattern.Length());
        while (is_passed_ && Begins(clock, number_, shape_.twelfths) < clock.Position()) {
            number_ += 1;
        }
        is_passed_ = false;
        next_ = INT64_MAX;
        for (uint32_t number = 0; number < kWindow; ++number) {
            Place &place = window_[number];
            if (!place.has_begun) {
                Fill(place, number_ + number, pattern, current, track);
            }
            const Step &step = place.step;
            const bool has_ended = 12 * origin_ + static_cast<int64_t>(step.number * step.twelfths) >= 12 * end;
            for (uint32_t i = 0; i < place.count; ++i) {
                Hits &hits = place.hits[i];
                LeaveOutEarly(clock, step, hits);
                if (hits.IsOver() || (hits.next == 0 && has_ended)) {
                    continue;
                }
                const int64_t units = HitUnits(clock, step, hits);
                if (units < next_) {
                    next_ = units;
                    place_ = number;
                    hits_ = i;
                }
            }
        }
        return next_;
    }

    // Removes and returns the hit that Next has found. `decide` says whether a step sounds whose first hit this is, or
    // a note whose own first hit this is.
    template <typename Decide>
    Step Pop(Decide decide)
    {
        Place &place = window_[place_];
        Hits &hits = place.hits[hits_];
        place.has_begun = true;
        Step taken = place.step;
        taken.note = hits.note;
        taken.hits = hits.count;
        taken.hit = hits.next;
        if (hits.next == 0) {
            hits.sounds = decide(taken);
        }
        taken.sounds = hits.sounds;
        hits.next = hits.sounds ? hits.next + 1 : hits.count;
        while (window_[0].IsOver()) {
            std::copy(window_.begin() + 1, window_.end(), window_.begin());
            window_.back().has_begun = false;
            number_ += 1;
        }
        return taken;
    }

    // Whether the track's `condition` at the step of the hit that Pop removes is met: decided once for all its notes.
    // The next condition of the track may depend on it.
    bool Meets(int32_t condition, uint64_t turn, bool fills)
    {
        Place &place = window_[place_];
        if (!place.is_decided) {
            place.is_decided = true;
            place.is_met = IsMet(condition, turn, fills, condition_met_);
            condition_met_ = place.is_met;
        }
        return place.is_met;
    }

    // Whether the own `condition` of `note` is met. The next one of the same note may depend on it.
    bool NoteMeets(uint32_t note, int32_t condition, uint64_t turn, bool fills)
    {
        const uint64_t bit = uint64_t{1} << note;
        const bool is_met = IsMet(condition, turn, fills, (notes_met_ & bit) != 0);
        notes_met_ = is_met ? notes_met_ | bit : notes_met_ & ~bit;
        return is_met;
    }

    // The step of the clock's line with which the track began.
    int64_t Origin() const
    {
        return origin_;
    }

    // A jump of the clock by a source moved the due step by `steps` steps: the track goes on with it.
    void Move(int64_t steps)
    {
        origin_ += steps;
    }

  private:
    // Hits of two steps may alternate. The first's last hit comes at most 1.375 of its lengths after its place, the
    // third step's at least 1.5.
    static constexpr uint32_t kWindow = 2;

    // The hits of a step: those of a note, or of all notes that have none of their own.
    struct Hits {
        uint8_t note;
        uint8_t count;
        uint8_t next;
        int8_t shift;  // per cent of the step's length
        bool sounds;

        bool IsOver() const
        {
            return next == count;
        }
    };

    struct Place {
        Step step = {};
        bool has_begun = false;
        bool is_decided = false;  // whether the track's condition was
        bool is_met = false;
        uint32_t count = 0;
        // Those of the track first: they come first where several begin together.
        std::array<Hits, 1 + kMelodicNotes> hits = {};

        bool IsOver() const
        {
            return has_begun
                   && std::all_of(hits.begin(), hits.begin() + count, [](const Hits &hits) { return hits.IsOver(); });
        }
    };

    void Empty()
    {
        for (Place &place : window_) {
            place.has_begun = false;
        }
    }

    // Whether `condition` is met; `was_met` is whether the one before it was.
    static bool IsMet(int32_t condition, uint64_t turn, bool fills, bool was_met)
    {
        switch (condition) {
        case synth_condition_first:
            return turn == 0;
        case synth_condition_not_first:
            return turn != 0;
        case synth_condition_fill:
            return fills;
        case synth_condition_not_fill:
            return !fills;
        case synth_condition_previous:
            return was_met;
        case synth_condition_not_previous:
            return !was_met;
        default:
            for (int32_t turns = 2;; ++turns) {
                if (condition < turns * (turns + 1) / 2) {
                    const int32_t wanted = condition - turns * (turns - 1) / 2;
                    return static_cast<int32_t>(turn % static_cast<uint64_t>(turns)) == wanted;
                }
            }
        }
    }

    // Finds the number of the next step after a begin or a change of the shape.
    void Arrange(const Shape &shape, uint32_t pattern_length)
    {
        const uint32_t length = shape.length == 0 ? pattern_length : shape.length;
        if (is_new_) {
            number_ = static_cast<uint64_t>((elapsed_ + shape.twelfths - 1) / shape.twelfths);
            shape_ = shape;
            length_ = length;
        } else if (length != length_ || shape.twelfths != shape_.twelfths || shape.direction != shape_.direction) {
            // The order goes on from the step that sounded last; the places are the places of the new division.
            const uint64_t cycle = Cycle(length_, shape_.direction);
            const uint64_t index = number_ - index_;
            const uint64_t within = index % cycle;
            if (shape.twelfths != shape_.twelfths) {
                number_ = (number_ * shape_.twelfths + shape.twelfths - 1) / shape.twelfths;
            }
            turns_ += index / cycle;
            const uint64_t next = within < Cycle(length, shape.direction) ? within : 0;
            index_ = number_ - next;
            shape_ = shape;
            length_ = length;
        }
        is_new_ = false;
    }

    // Steps of the track until its order repeats.
    static uint64_t Cycle(uint32_t length, uint32_t direction)
    {
        return direction == SynthPendulum && length > 1 ? 2 * length - 2 : length;
    }

    Step StepAt(uint64_t number, const Pattern &pattern, uint32_t current, uint32_t track) const
    {
        const uint64_t index = number - index_;
        const uint64_t cycle = Cycle(length_, shape_.direction);
        const uint32_t place = static_cast<uint32_t>(index % cycle);
        Step step = {};
        step.pattern = current;
        step.number = number;
        step.turn = turns_ + index / cycle;
        switch (shape_.direction) {
        case SynthBack:
            step.step = length_ - 1 - place;
            break;
        case SynthPendulum:
            step.step = place < length_ ? place : 2 * length_ - 2 - place;
            break;
        case SynthRandom:
            step.step = static_cast<uint32_t>(Die(pattern.Seed(track), track, place, step.turn) % length_);
            break;
        default:
            step.step = place;
            break;
        }
        step.twelfths = shape_.twelfths;
        return step;
    }

    // Makes `place` the step `number`, none of whose hits has begun.
    void Fill(Place &place, uint64_t number, const Pattern &pattern, uint32_t current, uint32_t track) const
    {
        place.step = StepAt(number, pattern, current, track);
        place.is_decided = false;
        const uint32_t step = place.step.step;
        const Lanes &lanes = pattern.LanesOf(track);
        const int32_t count = lanes.Value(SynthLaneRatchet, step, 1);
        const int32_t shift = lanes.Value(SynthLaneShift, step, 0);
        place.hits[0] = NewHits(kAllNotes, count, shift);
        place.count = 1;
        const NoteLanes &notes = pattern.NotesOf(track);
        for (uint64_t rest = notes.Timed(); rest != 0; rest &= rest - 1) {
            const uint32_t note = static_cast<uint32_t>(__builtin_ctzll(rest));
            if (notes.IsTimed(note, step) && pattern.Velocity(track, note, step) != 0) {
                place.step.timed |= uint64_t{1} << note;
                place.hits[place.count] = NewHits(note, notes.Value(SynthLaneRatchet, note, step, count),
                                                  notes.Value(SynthLaneShift, note, step, shift));
                place.count += 1;
            }
        }
    }

    static Hits NewHits(uint32_t note, int32_t count, int32_t shift)
    {
        return {static_cast<uint8_t>(note), static_cast<uint8_t>(count), 0, static_cast<int8_t>(shift), true};
    }

    // Place of the next of `hits`. No hit lies before the track's begin.
    int64_t HitUnits(const Clock &clock, const Step &step, const Hits &hits) const
    {
        return std::max(clock.LineUnits(origin_) + delay_, ExactHitUnits(clock, step, hits));
    }

    int64_t ExactHitUnits(const Clock &clock, const Step &step, const Hits &hits) const
    {
        const int64_t count = hits.count;
        const int64_t parts = (hits.shift * count + 100 * static_cast<int64_t>(hits.next)) * clock.UnitsOf(step.twelfths);
        return Begins(clock, step.number, step.twelfths) + CeilingOf(parts, 100 * count);
    }

    // Leaves out further hits that lie before the track's begin or on it: the first one sounds there.
    void LeaveOutEarly(const Clock &clock, const Step &step, Hits &hits) const
    {
        while (hits.next > 0 && !hits.IsOver()
               && ExactHitUnits(clock, step, hits) <= clock.LineUnits(origin_, elapsed_) + delay_) {
            hits.next += 1;
        }
    }

    // Place of the step `number` of the track.
    int64_t Begins(const Clock &clock, uint64_t number, uint32_t twelfths) const
    {
        // A track that began with the second step of the pattern's pair has its pairs there.
        const uint32_t before = twelfths == 12 ? before_ : 0;
        number += before;
        const int64_t pairs = static_cast<int64_t>(number / 2);
        const int64_t place = clock.LineUnits(origin_ - before, pairs * 2 * static_cast<int64_t>(twelfths));
        return number % 2 == 0 ? place : place + clock.FirstOfPair(clock.UnitsOf(twelfths));
    }

    static int64_t CeilingOf(int64_t value, int64_t divisor)
    {
        return value >= 0 ? (value + divisor - 1) / divisor : -(-value / divisor);
    }

    int64_t origin_ = 0;       // step of the clock's line
    int64_t delay_ = 0;        // units by which the track began behind it
    uint32_t before_ = 0;      // steps of its first pair before it
    int64_t elapsed_ = 0;      // twelfths of a step since the origin, from which on the first step begins
    uint64_t number_ = 0;      // of the next step, counted from the origin
    uint64_t index_ = 0;       // the number of the step with which the order began last
    uint64_t turns_ = 0;       // before that
    Shape shape_;
    uint32_t length_ = synth_window_steps;
    bool is_new_ = true;
    bool is_passed_ = false;
    bool condition_met_ = false;
    uint64_t notes_met_ = 0;  // notes whose last own condition was met, one bit each
    std::array<Place, kWindow> window_ = {};  // from the step number_ on
    int64_t next_ = INT64_MAX;
    uint32_t place_ = 0;  // in the window
    uint32_t hits_ = 0;   // of that place
};

}  // namespace synth

#endif
