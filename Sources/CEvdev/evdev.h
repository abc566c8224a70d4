#include <libevdev/libevdev.h>
#include <stdbool.h>

// Swift has no function to call back with a va_list where that is a structure, as on arm64: its compiler crashes.
static inline void cevdev_note_complaint(
    const struct libevdev *device, enum libevdev_log_priority priority, void *complaint, const char *file, int line,
    const char *function, const char *format, va_list arguments) {
    *(bool *)complaint = true;
}

// Sets `complaint` once the library complains of an error of `device`.
static inline void cevdev_note_complaints(struct libevdev *device, bool *complaint) {
    libevdev_set_device_log_function(device, cevdev_note_complaint, LIBEVDEV_LOG_ERROR, complaint);
}
