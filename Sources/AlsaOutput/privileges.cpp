#include "privileges.h"

#include <link.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

#include "audio_privileges.h"

namespace {

// Reads the segments of the first object, which is the program (dl_iterate_phdr(3)).
int ReadSegments(dl_phdr_info *program, size_t, void *)
{
    const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    for (int i = 0; i < program->dlpi_phnum; ++i) {
        const auto &segment = program->dlpi_phdr[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0) {
            continue;
        }
        const uintptr_t begin = program->dlpi_addr + segment.p_vaddr;
        const uintptr_t first = begin / page * page;
        // Linux before 5.14 refuses: then pages come when first used.
        madvise(reinterpret_cast<void *>(first), begin + segment.p_memsz - first, MADV_POPULATE_READ);
    }
    return 1;
}

}  // namespace

namespace alsa_output {

int AskForRealTime(pthread_t thread, int32_t priority)
{
    if (priority <= 0) {
        return 0;
    }
    sched_param parameters = {};
    parameters.sched_priority = priority;
    return pthread_setschedparam(thread, SCHED_FIFO, &parameters);
}

int AskForCore(pthread_t thread, int32_t core)
{
    if (core < 0) {
        return 0;
    }
    cpu_set_t cores;
    if (core >= CPU_SETSIZE) {
        return EINVAL;
    }
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    return pthread_setaffinity_np(thread, sizeof(cores), &cores);
}

// Future memory is locked only without a limit: with one, the allocation that exceeds it would fail. Pages are locked
// when first touched, so that unused stacks cost nothing.
int LockMemory()
{
    rlimit limit = {};
    const bool unlimited = getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY;
    return mlockall(MCL_CURRENT | MCL_ONFAULT | (unlimited ? MCL_FUTURE : 0)) == 0 ? 0 : errno;
}

void ReadProgram()
{
    dl_iterate_phdr(ReadSegments, nullptr);
}

}  // namespace alsa_output

namespace {

struct Request {
    int32_t priority;
    int32_t core;
    AudioPrivilegeErrors errors;
};

void *Ask(void *context)
{
    Request *request = static_cast<Request *>(context);
    request->errors.real_time = alsa_output::AskForRealTime(pthread_self(), request->priority);
    request->errors.core = alsa_output::AskForCore(pthread_self(), request->core);
    request->errors.memory_lock = alsa_output::LockMemory();
    if (request->errors.memory_lock == 0) {
        munlockall();
    }
    return nullptr;
}

}  // namespace

int32_t audio_privileges_test(int32_t priority, int32_t core, AudioPrivilegeErrors *errors)
{
    Request request = {priority, core, {}};
    pthread_t thread = {};
    const int error = pthread_create(&thread, nullptr, Ask, &request);
    if (error == 0) {
        pthread_join(thread, nullptr);
    }
    *errors = request.errors;
    return error;
}

bool audio_core_is_usable(int32_t core)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    return core >= 0 && core < CPU_SETSIZE && sched_getaffinity(0, sizeof(cores), &cores) == 0
        && CPU_ISSET(core, &cores);
}
