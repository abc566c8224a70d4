#include <alsa/asoundlib.h>

static inline void calsa_discard(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}

// Keeps the library from writing its errors to stderr. Swift cannot declare a function with variable arguments.
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_discard); }
