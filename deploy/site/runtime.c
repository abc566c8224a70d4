/* What Embedded Swift needs of a platform, without an operating system: with these WebAssembly imports none of WASI's calls. */
#include <stddef.h>
#include <stdint.h>

double strtod(const char *text, char **end);

void *__stack_chk_guard = (void *)0x5bd1e995;
_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }
_Noreturn void abort(void) { __builtin_trap(); }
int putchar(int character) { return character; }

/* The seed of Swift's hashes: the same in each run, so that a run can be repeated. */
void arc4random_buf(void *buffer, size_t count)
{
    for (size_t index = 0; index < count; ++index) { ((uint8_t *)buffer)[index] = (uint8_t)(index * 37 + 11); }
}

/* Double(text). wasi-libc's strtod rounds correctly; Swift allows no space at the start. */
const char *_swift_stdlib_strtod_clocale(const char *text, double *result)
{
    char *end;
    if (*text == ' ' || (*text >= '\t' && *text <= '\r')) {
        *result = 0;
        return 0;
    }
    *result = strtod(text, &end);
    return end;
}
