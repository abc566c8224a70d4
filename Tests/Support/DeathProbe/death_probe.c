#include "death_probe.h"

#include <death.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int mark_descriptor;
static uint8_t mark_byte;

static void send_mark(void)
{
    if (write(mark_descriptor, &mark_byte, 1) != 1) {
        _exit(99);
    }
}

static int die(int number, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk, void (*last)(void))
{
    const pid_t child = fork();
    if (child < 0) {
        return -1;
    }
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        // The tests' process may block or ignore signals.
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        signal(number, SIG_DFL);
        system_spi_at_death(0, descriptor, bytes, count, chunk);
        if (last != NULL) {
            system_at_death(last);
        }
        raise(number);
        _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) {
        return -1;
    }
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int die_of(int number, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk)
{
    return die(number, descriptor, bytes, count, chunk, NULL);
}

int die_calling(int number, int descriptor, const uint8_t *bytes, uint32_t count, uint32_t chunk, uint8_t mark)
{
    mark_descriptor = descriptor;
    mark_byte = mark;
    return die(number, descriptor, bytes, count, chunk, send_mark);
}
