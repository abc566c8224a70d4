// The same engine for processors with AVX2, whose registers hold all eight lanes. Its classes are in a namespace of
// their own, so that the linker cannot take one of them for the other engine's. The standard library's headers come
// first: inside the namespace they would declare another library.

#ifdef __x86_64__

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "any_engine.h"

#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
namespace avx2 {
#include "engine.h"
}
#pragma clang attribute pop

AnyEngine *MakeAvx2Engine(uint32_t rate)
{
    return new (std::nothrow) avx2::synth::Engine(rate);
}

#endif
