// A fixed amount of work that shares no code with PixelBoop: prints the nanoseconds of CPU time that it takes here.
//
// Two thirds of it read a table that does not fit into the first cache, and branch on what they read: a neighbour on the other thread
// of the core doubles that time. One third is a chain of arithmetic, where each value needs the one before. Together they slow down
// as drawing, touch and sound do: by up to 1.8 times.

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <vector>

namespace {

constexpr uint32_t kValues = 1 << 16;
constexpr uint32_t kPasses = 40;
constexpr uint32_t kLinks = 500000;

int64_t ThreadNanoseconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return INT64_C(1000000000) * time.tv_sec + time.tv_nsec;
}

uint64_t Reads(std::vector<uint32_t> &values)
{
    uint32_t random = 7;
    for (uint32_t &value : values) {
        random = random * 1664525u + 1013904223u;
        value = random;
    }
    uint64_t sum = 0;
    for (uint32_t pass = 0; pass < kPasses; ++pass) {
        for (uint32_t i = 0; i < kValues; ++i) {
            uint32_t &value = values[i * 40503u % kValues];
            sum = (value & 0x8000) != 0 ? sum + value : sum ^ value;
            value += pass;
        }
    }
    return sum;
}

uint64_t Arithmetic(uint64_t random)
{
    for (uint32_t i = 0; i < kLinks; ++i) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
    }
    return random;
}

}  // namespace

int main()
{
    std::vector<uint32_t> values(kValues);
    std::array<int64_t, 9> times{};
    uint64_t sum = 0;
    for (int64_t &time : times) {
        const int64_t start = ThreadNanoseconds();
        sum += Arithmetic(Reads(values) | 1);
        time = ThreadNanoseconds() - start;
    }
    std::sort(times.begin(), times.end());
    std::printf("%" PRId64 "\n", times[times.size() / 2]);
    // Its result is used: the compiler cannot leave the work out.
    return sum == 0;
}
