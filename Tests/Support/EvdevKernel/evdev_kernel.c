#define _GNU_SOURCE

#include "evdev_kernel.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/input.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
    devices_max = 1024,
    descriptors_max = 4096,
    clients_max = 8,  // of one device
    slots_max = 64,
    mt_first = ABS_MT_TOUCH_MAJOR,
    mt_last = ABS_MT_TOOL_Y,
    mt_count = mt_last - mt_first + 1,
    calls = 4,
    buffer_least = 64,     // EVDEV_MIN_BUFFER_SIZE
    buffer_packets = 8,    // EVDEV_BUF_PACKETS
    room_for_keys = 7,     // input_estimate_events_per_packet
};

typedef struct Value {
    uint16_t type, code;
    int32_t value;
    bool overflows;
} Value;

typedef struct Client {
    struct Device *device;
    int descriptor;
    int clock;
    struct input_event *buffer;
    unsigned size, head, tail, packet_head;
} Client;

typedef struct Device {
    char name[80];
    struct input_id id;
    unsigned char properties[INPUT_PROP_CNT / 8];
    unsigned char types[EV_CNT / 8];
    unsigned char codes[EV_CNT][KEY_CNT / 8];
    unsigned char keys[KEY_CNT / 8];
    struct input_absinfo axes[ABS_CNT];
    int slots, slot;  // the driver's current slot; passed on with the next value
    int32_t contacts[slots_max][mt_count];
    Value *values;
    unsigned count, count_max;
    Client *clients[clients_max];
    Client *grab;
    bool is_held, is_gone, is_removed, overflows_next;
    int overflows;
    int results[calls], left[calls];
} Device;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Device *devices[devices_max];
static _Atomic(Client *) clients[descriptors_max];

static bool has(const unsigned char *bits, unsigned bit)
{
    return bits[bit / 8] & 1 << bit % 8;
}

static void set(unsigned char *bits, unsigned bit, bool value)
{
    bits[bit / 8] = (unsigned char)((bits[bit / 8] & ~(1 << bit % 8)) | value << bit % 8);
}

static bool is_contact_value(unsigned code)
{
    return code >= mt_first && code <= mt_last;
}

// The C library's own functions. POSIX requires dlsym to return functions as data pointers.
static ssize_t pass_read(int descriptor, void *bytes, size_t count)
{
    static _Atomic(void *) found;
    if (atomic_load(&found) == NULL) {
        atomic_store(&found, dlsym(RTLD_NEXT, "read"));
    }
    ssize_t (*next)(int, void *, size_t) = atomic_load(&found);
    return next(descriptor, bytes, count);
}

static int pass_ioctl(int descriptor, unsigned long request, void *argument)
{
    int (*next)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    return next(descriptor, request, argument);
}

static Client *client(int descriptor)
{
    return descriptor >= 0 && descriptor < descriptors_max ? atomic_load(&clients[descriptor]) : NULL;
}

// Devices

int evdev_kernel_add(const char *name, uint16_t vendor, uint16_t product)
{
    Device *device = calloc(1, sizeof *device);
    strncpy(device->name, name, sizeof device->name - 1);
    device->id = (struct input_id){.bustype = BUS_USB, .vendor = vendor, .product = product, .version = 1};
    set(device->types, EV_SYN, true);
    pthread_mutex_lock(&lock);
    int number = 0;
    while (devices[number] != NULL && number < devices_max - 1) {
        ++number;
    }
    devices[number] = device;
    pthread_mutex_unlock(&lock);
    return number;
}

static int opened(const Device *device)
{
    int count = 0;
    for (int i = 0; i < clients_max; ++i) {
        count += device->clients[i] != NULL;
    }
    return count;
}

static void free_unless_needed(Device *device)
{
    if (device->is_removed && opened(device) == 0) {
        free(device->values);
        free(device);
    }
}

void evdev_kernel_remove(int number)
{
    pthread_mutex_lock(&lock);
    devices[number]->is_removed = true;
    free_unless_needed(devices[number]);
    devices[number] = NULL;
    pthread_mutex_unlock(&lock);
}

void evdev_kernel_set_property(int device, int property)
{
    set(devices[device]->properties, (unsigned)property, true);
}

void evdev_kernel_set_code(int device, int type, int code)
{
    set(devices[device]->types, (unsigned)type, true);
    set(devices[device]->codes[type], (unsigned)code, true);
}

void evdev_kernel_set_axis(int number, int code, int32_t first, int32_t last)
{
    Device *device = devices[number];
    evdev_kernel_set_code(number, EV_ABS, code);
    device->axes[code] = (struct input_absinfo){.minimum = first, .maximum = last};
    if (code == ABS_MT_SLOT) {
        device->slots = last + 1 < slots_max ? last + 1 : slots_max;
        for (int slot = 0; slot < device->slots; ++slot) {
            device->contacts[slot][ABS_MT_TRACKING_ID - mt_first] = -1;
        }
    }
}

// input_estimate_events_per_packet
static unsigned values_per_packet(const Device *device)
{
    unsigned slots = (unsigned)device->slots;
    if (slots == 0 && has(device->codes[EV_ABS], ABS_MT_POSITION_X)) {
        slots = 2;
    }
    unsigned count = slots + 1;
    for (unsigned code = 0; code < ABS_CNT; ++code) {
        if (has(device->codes[EV_ABS], code)) {
            count += is_contact_value(code) ? slots : 1;
        }
    }
    return count + room_for_keys;
}

// Readers

static void show_readable(Client *client)
{
    const bool is_readable = client->packet_head != client->tail || client->device->is_gone;
    uint64_t count = 0;
    (void)!pass_read(client->descriptor, &count, sizeof count);
    if (is_readable) {
        count = 1;
        (void)!write(client->descriptor, &count, sizeof count);
    }
}

static int64_t stamp(const Client *client, int64_t microseconds)
{
    // The two clocks are far enough apart to be distinguished.
    return client->clock == CLOCK_MONOTONIC ? microseconds : microseconds + INT64_C(1600000000000000);
}

static struct input_event event(const Client *client, int64_t microseconds, uint16_t type, uint16_t code, int32_t value)
{
    const int64_t time = stamp(client, microseconds);
    struct input_event event = {.type = type, .code = code, .value = value};
    event.time.tv_sec = time / 1000000;
    event.time.tv_usec = time % 1000000;
    return event;
}

// __pass_event
static void pass_event(Client *client, int64_t microseconds, Value value)
{
    const unsigned mask = client->size - 1;
    client->buffer[client->head] = event(client, microseconds, value.type, value.code, value.value);
    client->head = (client->head + 1) & mask;
    if (client->head == client->tail || value.overflows) {
        client->tail = (client->head - 2) & mask;
        client->buffer[client->tail] = event(client, microseconds, EV_SYN, SYN_DROPPED, 0);
        client->packet_head = client->tail;
        ++client->device->overflows;
    }
    if (value.type == EV_SYN && value.code == SYN_REPORT) {
        client->packet_head = client->head;
    }
}

// evdev_events
static void pass_values(Device *device, int64_t microseconds)
{
    for (int i = 0; i < clients_max; ++i) {
        Client *client = device->clients[i];
        if (client == NULL || device->is_held || (device->grab != NULL && device->grab != client)) {
            continue;
        }
        for (unsigned index = 0; index < device->count; ++index) {
            const Value value = device->values[index];
            const bool is_report = value.type == EV_SYN && value.code == SYN_REPORT;
            if (!is_report || client->packet_head != client->head) {
                pass_event(client, microseconds, value);
            }
        }
        show_readable(client);
    }
    device->count = 0;
}

static void keep(Device *device, int type, int code, int32_t value)
{
    device->values[device->count++]
        = (Value){.type = (uint16_t)type, .code = (uint16_t)code, .value = value, .overflows = device->overflows_next};
    device->overflows_next = false;
}

// input_handle_abs_event: whether the value changed.
static bool take_axis(Device *device, int code, int32_t value)
{
    if (code == ABS_MT_SLOT) {
        if (value >= 0 && value < device->slots) {
            device->slot = value;
        }
        return false;
    }
    int32_t *known = &device->axes[code].value;
    if (is_contact_value((unsigned)code)) {
        known = device->slots > 0 ? &device->contacts[device->slot][code - mt_first] : NULL;
    }
    if (known != NULL) {
        if (*known == value) {
            return false;
        }
        *known = value;
    }
    if (is_contact_value((unsigned)code) && device->slots > 0 && device->slot != device->axes[ABS_MT_SLOT].value) {
        device->axes[ABS_MT_SLOT].value = device->slot;
        keep(device, EV_ABS, ABS_MT_SLOT, device->slot);
    }
    return true;
}

// input_get_disposition: whether the value is passed on.
static bool takes(Device *device, int type, int code, int32_t value)
{
    if (type == EV_SYN) {
        return true;
    }
    if (!has(device->codes[type], (unsigned)code)) {
        return false;
    }
    if (type == EV_ABS) {
        return take_axis(device, code, value);
    }
    if (type == EV_KEY && value != 2) {
        if (has(device->keys, (unsigned)code) == (value != 0)) {
            return false;
        }
        set(device->keys, (unsigned)code, value != 0);
    }
    return true;
}

// input_event
void evdev_kernel_report(int number, int64_t microseconds, int type, int code, int32_t value)
{
    pthread_mutex_lock(&lock);
    Device *device = devices[number];
    if (device->values == NULL) {
        device->count_max = values_per_packet(device) + 2;
        device->values = calloc(device->count_max + 2, sizeof *device->values);
    }
    if (takes(device, type, code, value)) {
        keep(device, type, code, value);
        if (type == EV_SYN && code == SYN_REPORT) {
            if (device->count >= 2) {
                pass_values(device, microseconds);
            }
            device->count = 0;
        } else if (device->count >= device->count_max - 2) {
            keep(device, EV_SYN, SYN_REPORT, 1);
            pass_values(device, microseconds);
        }
    }
    pthread_mutex_unlock(&lock);
}

void evdev_kernel_overflow(int device)
{
    devices[device]->overflows_next = true;
}

int evdev_kernel_overflows(int device)
{
    return devices[device]->overflows;
}

// Faults

void evdev_kernel_fail(int device, enum evdev_kernel_call call, int result, int count)
{
    devices[device]->results[call] = result;
    devices[device]->left[call] = count;
}

static bool fails(Device *device, enum evdev_kernel_call call)
{
    if (device->left[call] == 0) {
        return false;
    }
    --device->left[call];
    return true;
}

void evdev_kernel_hold(int device, bool is_held)
{
    devices[device]->is_held = is_held;
}

bool evdev_kernel_is_grabbed(int device)
{
    return devices[device]->is_held || devices[device]->grab != NULL;
}

void evdev_kernel_unplug(int number)
{
    pthread_mutex_lock(&lock);
    Device *device = devices[number];
    device->is_gone = true;
    for (int i = 0; i < clients_max; ++i) {
        if (device->clients[i] != NULL) {
            show_readable(device->clients[i]);
        }
    }
    pthread_mutex_unlock(&lock);
}

// Calls

static int open_locked(Device *device)
{
    if (device->is_gone) {
        return -ENODEV;
    }
    if (fails(device, evdev_kernel_call_open)) {
        return device->results[evdev_kernel_call_open];
    }
    int place = 0;
    while (place < clients_max && device->clients[place] != NULL) {
        ++place;
    }
    const int descriptor = place < clients_max ? eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC) : -1;
    if (descriptor < 0 || descriptor >= descriptors_max) {
        return -EMFILE;
    }
    Client *client = calloc(1, sizeof *client);
    *client = (Client){.device = device, .descriptor = descriptor, .clock = CLOCK_REALTIME, .size = buffer_least};
    while (client->size < values_per_packet(device) * buffer_packets) {
        client->size *= 2;
    }
    client->buffer = calloc(client->size, sizeof *client->buffer);
    device->clients[place] = client;
    atomic_store(&clients[descriptor], client);
    return descriptor;
}

int evdev_kernel_open(int number)
{
    pthread_mutex_lock(&lock);
    const int descriptor = open_locked(devices[number]);
    pthread_mutex_unlock(&lock);
    return descriptor;
}

void evdev_kernel_close(int descriptor)
{
    pthread_mutex_lock(&lock);
    Client *closed = client(descriptor);
    Device *device = closed->device;
    for (int i = 0; i < clients_max; ++i) {
        if (device->clients[i] == closed) {
            device->clients[i] = NULL;
        }
    }
    if (device->grab == closed) {
        device->grab = NULL;
    }
    atomic_store(&clients[descriptor], NULL);
    close(descriptor);
    free(closed->buffer);
    free(closed);
    free_unless_needed(device);
    pthread_mutex_unlock(&lock);
}

int evdev_kernel_opened(int device)
{
    return opened(devices[device]);
}

// evdev_read
static ssize_t read_locked(Client *client, struct input_event *events, size_t count)
{
    Device *device = client->device;
    if (device->is_gone) {
        return -ENODEV;
    }
    if (fails(device, evdev_kernel_call_read)) {
        return device->results[evdev_kernel_call_read];
    }
    if (client->packet_head == client->tail) {
        return -EAGAIN;
    }
    size_t read = 0;
    while (read < count && client->packet_head != client->tail) {
        events[read++] = client->buffer[client->tail];
        client->tail = (client->tail + 1) & (client->size - 1);
    }
    show_readable(client);
    return (ssize_t)(read * sizeof *events);
}

ssize_t read(int descriptor, void *bytes, size_t count)
{
    if (client(descriptor) == NULL) {
        return pass_read(descriptor, bytes, count);
    }
    pthread_mutex_lock(&lock);
    const ssize_t result = read_locked(client(descriptor), bytes, count / sizeof(struct input_event));
    pthread_mutex_unlock(&lock);
    if (result >= 0) {
        return result;
    }
    errno = (int)-result;
    return -1;
}

static int copy(void *to, size_t room, const void *from, size_t size)
{
    const size_t count = size < room ? size : room;
    memcpy(to, from, count);
    return (int)count;
}

// __evdev_flush_queue: removes reports of a type whose values are read otherwise.
static void flush(Client *client, unsigned type)
{
    const unsigned mask = client->size - 1;
    unsigned head = client->tail;
    unsigned count = 1;
    client->packet_head = client->tail;
    for (unsigned i = client->tail; i != client->head; i = (i + 1) & mask) {
        const struct input_event event = client->buffer[i];
        const bool is_report = event.type == EV_SYN && event.code == SYN_REPORT;
        if (event.type == type || (is_report && count == 0)) {
            continue;
        }
        client->buffer[head] = event;
        ++count;
        head = (head + 1) & mask;
        if (is_report) {
            count = 0;
            client->packet_head = head;
        }
    }
    client->head = head;
    show_readable(client);
}

// evdev_set_clk_type
static int set_clock(Client *client, int clock)
{
    if (fails(client->device, evdev_kernel_call_clock)) {
        return client->device->results[evdev_kernel_call_clock];
    }
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME) {
        return -EINVAL;
    }
    const bool has_events = client->head != client->tail;
    if (client->clock != clock && has_events) {
        client->packet_head = client->head = client->tail;
        client->buffer[client->head] = event(client, 0, EV_SYN, SYN_DROPPED, 0);
        client->head = (client->head + 1) & (client->size - 1);
    }
    client->clock = clock;
    show_readable(client);
    return 0;
}

static int grab(Client *client, bool is_wanted)
{
    Device *device = client->device;
    if (!is_wanted) {
        if (device->grab != client) {
            return -EINVAL;
        }
        device->grab = NULL;
        return 0;
    }
    if (device->is_held || device->grab != NULL) {
        return -EBUSY;
    }
    device->grab = client;
    return 0;
}

// evdev_handle_mt_request
static int slot_values(Device *device, size_t size, int32_t *request)
{
    if (fails(device, evdev_kernel_call_slots)) {
        return device->results[evdev_kernel_call_slots];
    }
    const unsigned code = (unsigned)request[0];
    if (device->slots == 0 || !is_contact_value(code)) {
        return -EINVAL;
    }
    for (int slot = 0; slot < device->slots && slot < (int)(size / sizeof *request) - 1; ++slot) {
        request[1 + slot] = device->contacts[slot][code - mt_first];
    }
    return 0;
}

static int codes(Device *device, unsigned type, size_t size, void *bits)
{
    static const unsigned counts[EV_CNT] = {
        [EV_SYN] = EV_CNT, [EV_KEY] = KEY_CNT, [EV_REL] = REL_CNT, [EV_ABS] = ABS_CNT, [EV_MSC] = MSC_CNT,
        [EV_SW] = SW_CNT, [EV_LED] = LED_CNT, [EV_SND] = SND_CNT, [EV_FF] = FF_CNT,
    };
    if (counts[type] == 0) {
        return -EINVAL;
    }
    return copy(bits, size, type == 0 ? device->types : device->codes[type], (counts[type] + 7) / 8);
}

// evdev_do_ioctl
static int ioctl_locked(Client *client, unsigned request, void *argument)
{
    Device *device = client->device;
    const unsigned number = _IOC_NR(request);
    const size_t size = _IOC_SIZE(request);
    const int version = EV_VERSION;
    static const unsigned char none[KEY_CNT / 8];
    if (device->is_gone) {
        return -ENODEV;
    }
    switch (request) {
    case EVIOCGVERSION: return copy(argument, size, &version, sizeof version) > 0 ? 0 : -EFAULT;
    case EVIOCGID: return copy(argument, size, &device->id, sizeof device->id) > 0 ? 0 : -EFAULT;
    case EVIOCGRAB: return grab(client, argument != NULL);
    case EVIOCSCLOCKID: return set_clock(client, *(const int *)argument);
    }
    switch (request & ~(unsigned)(_IOC_SIZEMASK << _IOC_SIZESHIFT)) {
    case EVIOCGNAME(0): return copy(argument, size, device->name, strlen(device->name) + 1);
    case EVIOCGPHYS(0):
    case EVIOCGUNIQ(0): return -ENOENT;
    case EVIOCGPROP(0): return copy(argument, size, device->properties, sizeof device->properties);
    case EVIOCGMTSLOTS(0): return slot_values(device, size, argument);
    case EVIOCGKEY(0): flush(client, EV_KEY); return copy(argument, size, device->keys, sizeof device->keys);
    case EVIOCGLED(0): flush(client, EV_LED); return copy(argument, size, none, LED_CNT / 8);
    case EVIOCGSW(0): flush(client, EV_SW); return copy(argument, size, none, (SW_CNT + 7) / 8);
    }
    if (number >= _IOC_NR(EVIOCGABS(0))) {
        return copy(argument, size, &device->axes[number & ABS_MAX], sizeof device->axes[0]) > 0 ? 0 : -EFAULT;
    }
    return number >= _IOC_NR(EVIOCGBIT(0, 0)) ? codes(device, number & EV_MAX, size, argument) : -EINVAL;
}

int ioctl(int descriptor, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (client(descriptor) == NULL) {
        return pass_ioctl(descriptor, request, argument);
    }
    pthread_mutex_lock(&lock);
    const int result = ioctl_locked(client(descriptor), (unsigned)request, argument);
    pthread_mutex_unlock(&lock);
    if (result >= 0) {
        return result;
    }
    errno = -result;
    return -1;
}
