// Places at equal distances on the clock's line of time, such as the places of MIDI clock's ticks.

#ifndef PIXELBOOP_SYNTH_GRID_H
#define PIXELBOOP_SYNTH_GRID_H

#include <cstdint>

namespace synth {

class Grid {
  public:
    explicit Grid(int64_t distance) : distance_(distance) {}

    // Sets the distance; the next place is the first from `position` on.
    void SetDistance(int64_t distance, int64_t position)
    {
        distance_ = distance;
        Align(position);
    }

    // Makes the first place from `position` on the next.
    void Align(int64_t position)
    {
        const int64_t before = position / distance_ - (position % distance_ < 0 ? 1 : 0);
        next_ = before * distance_ < position ? (before + 1) * distance_ : position;
    }

    // Follows a move of the position that may be a jump. After a small one the next place stays the next, so that none
    // is missed or passed twice.
    void Follow(int64_t position)
    {
        if (position < next_ - 2 * distance_ || position > next_ + distance_) {
            Align(position);
        }
    }

    bool IsDue(int64_t position) const
    {
        return position >= next_;
    }

    void Advance()
    {
        next_ += distance_;
    }

    // Moves the line's origin by `units`, a multiple of the distance.
    void Shift(int64_t units)
    {
        next_ -= units;
    }

    // Units until the next place; call only while none is due.
    int64_t UnitsToNext(int64_t position) const
    {
        return next_ - position;
    }

  private:
    int64_t distance_;
    int64_t next_ = 0;
};

}  // namespace synth

#endif
