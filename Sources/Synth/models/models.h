// The table of the models.

#ifndef PIXELBOOP_SYNTH_MODELS_H
#define PIXELBOOP_SYNTH_MODELS_H

#include <cstdint>
#include <tuple>
#include <type_traits>

#include "acid.h"
#include "analogue.h"
#include "fm.h"
#include "organ.h"
#include "plain.h"
#include "pluck.h"
#include "strings.h"
#include "synth.h"
#include "wavetable.h"

namespace synth {

// The generators, in the order of SynthModel.
typedef std::tuple<
    Plain,
    Analogue,
    Pluck,
    Fm,
    Organ,
    Strings,
    Acid,
    Wavetable>
    Models;

static_assert(std::tuple_size_v<Models> == synth_models);

// Calls `action` with the number of `model` as a constant, from which its type in Models follows.
template <uint32_t number = 0, typename Action>
void WithModel(uint32_t model, Action action)
{
    if constexpr (number + 1 < synth_models) {
        if (model != number) {
            return WithModel<number + 1>(model, action);
        }
    }
    action(std::integral_constant<uint32_t, number>());
}

}  // namespace synth

#endif
